"""Proofs of answers about weights: rows, multipliers, optimum, and the table that they are about."""
