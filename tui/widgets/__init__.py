"""Widgets of our own: few bytes a key press, text shown as it was written."""
