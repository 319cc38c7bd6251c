"""Models of the configured servers."""
