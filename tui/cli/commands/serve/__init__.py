"""The program as a server: to a browser, to checks, to an editor."""
