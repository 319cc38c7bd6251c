"""Things that stand side by side on the pages, and which of them a claim is about."""
