"""What if a model comes or goes."""
