"""The grid: questions asked of many sets of models."""
