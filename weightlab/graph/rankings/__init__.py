"""Rankings built from majorities: Schulze, split cycle, ranked pairs, river."""
