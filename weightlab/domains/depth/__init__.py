"""Which relation is deepest: Tukey depth, commonality sharing."""
