"""Which relation is deepest: Tukey depth, commonality sharing, union-free generic depth."""
