"""Formats of suite files: one file a format, found by discovery."""
