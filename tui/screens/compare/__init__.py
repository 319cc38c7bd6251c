"""Compare: two runs or providers, and what differs."""
