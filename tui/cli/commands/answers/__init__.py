"""Commands on answers and rows of a file, without a suite."""
