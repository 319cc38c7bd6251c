"""Suites: built from pages, answered by models, sampled from logs."""
