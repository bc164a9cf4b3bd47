"""Between which ranks, over all allowed weights."""
