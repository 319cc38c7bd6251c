"""The use cases of the program. They know no screen."""
