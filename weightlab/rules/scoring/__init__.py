"""Rules that add up scores, points or ranks."""
