"""Runs of the workspace."""
