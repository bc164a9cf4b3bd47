"""How rules compare."""
