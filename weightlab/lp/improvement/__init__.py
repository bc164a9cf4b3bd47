"""What must improve for a model to win."""
