"""Citations of an answer: what they name, whether it supports what they stand behind,
and what became of the evidence that should have been cited.
"""
