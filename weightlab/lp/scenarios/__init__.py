"""With which weights best: nearest, narrowest, on the fewest tasks."""
