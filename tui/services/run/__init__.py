"""Runs: planned, judged, followed, steered, reported."""
