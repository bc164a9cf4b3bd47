"""Files into leaderboards, suites and instances."""
