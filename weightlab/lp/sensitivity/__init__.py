"""How far weights move before the answer changes."""
