"""A process that has all loaded and judges and searches; nothing needs it."""
