"""From passages to verdicts: statements, witnesses, and what resolves their words."""
