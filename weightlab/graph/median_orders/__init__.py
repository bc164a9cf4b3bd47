"""Orders of least disagreement: Kemeny, Slater, and the linear ordering program."""
