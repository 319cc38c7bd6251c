"""What things cost: processor time, memory, bytes, and how they grow."""
