"""Everything on disk: ChromaDB, TinyDB, page and suite files."""
