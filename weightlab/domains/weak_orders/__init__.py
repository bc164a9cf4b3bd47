"""What holds for some, or for all, ways to break the ties of weak orders."""
