"""Which differences between models are real, all of them at once, and what ranks that leaves."""
