"""Grades by a language model, and the reading of its replies."""
