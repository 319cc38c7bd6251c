"""How often verdicts, claims, citations and scores are right, and what fits them."""
