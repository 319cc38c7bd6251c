"""The cases of a suite: the list and the form."""
