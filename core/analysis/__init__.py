"""What a set of results says: summaries and failures."""
