"""Can it win, by which rule, and who blocks it."""
