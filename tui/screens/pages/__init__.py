"""Indexed pages: the list, a page, indexing."""
