"""Runs on disk: the journal (TinyDB), its index, results, progress and calls."""
