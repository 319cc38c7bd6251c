"""What is said of each thing, built once: one file a thing."""
