"""Majority cycles, and how far they are from breaking."""
