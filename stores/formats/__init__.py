"""Suite and answer files: one file a format."""
