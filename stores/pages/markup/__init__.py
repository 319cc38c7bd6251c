"""Markup into Markdown, in the form in which statements are read.

Not beside the readers, which are all imported to be found: docutils alone takes a
quarter of what a short check takes.
"""
