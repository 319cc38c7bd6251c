"""Results as text for people and machines."""
