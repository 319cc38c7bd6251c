"""A process that has everything loaded and judges for `check`; nothing needs it."""
