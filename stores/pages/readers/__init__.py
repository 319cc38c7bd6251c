"""Readers of page files: one file a format, found by discovery."""
