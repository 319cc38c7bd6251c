"""Answers held against folders of pages."""
