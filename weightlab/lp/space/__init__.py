"""Which weights are allowed: bounds, comparisons, balls, and what they say in words."""
