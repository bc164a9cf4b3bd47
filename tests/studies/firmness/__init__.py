"""How firm first place is."""
