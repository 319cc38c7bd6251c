"""How views are shown: one file a medium."""
