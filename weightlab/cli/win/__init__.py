"""weightlab win: who can win, with which weights."""
