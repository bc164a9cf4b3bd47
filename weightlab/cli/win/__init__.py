"""weightlab win: who can win head-to-head, with which weights."""
