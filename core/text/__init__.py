"""Text as data: sentences, citations, numbers, inert display."""
