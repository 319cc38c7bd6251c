"""The Textual app: what is shown before, around and between screens."""
