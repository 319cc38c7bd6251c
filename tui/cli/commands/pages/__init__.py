"""Indexed pages."""
