"""What if a model is added or removed."""
