"""The grid: the same questions for many sets of models."""
