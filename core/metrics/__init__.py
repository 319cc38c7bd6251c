"""One file a metric, found by discovery."""
