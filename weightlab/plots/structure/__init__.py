"""Pictures of a benchmark as a whole."""
