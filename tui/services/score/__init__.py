"""Rows of question and answer: scored, graded, their citations repaired."""
