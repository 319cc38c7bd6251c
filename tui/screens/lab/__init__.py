"""Sweeps: the list, the form, the matrix."""
