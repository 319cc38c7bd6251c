"""Sweeps over how answers are written."""
