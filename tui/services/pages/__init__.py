"""Folders of pages: indexed and searched."""
