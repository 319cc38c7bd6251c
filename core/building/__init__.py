"""Suites made of what people have: logs of questions, and pages."""
