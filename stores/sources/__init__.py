"""Page readers: one file a format."""
