"""How alike two rankings are."""
