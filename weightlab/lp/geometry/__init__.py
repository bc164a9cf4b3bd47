"""The exact region of winning weights, its volume, and the map of winners."""
