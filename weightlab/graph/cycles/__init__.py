"""Majority cycles, and how much it takes to break them."""
