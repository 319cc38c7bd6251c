"""Home and the first steps from it."""
