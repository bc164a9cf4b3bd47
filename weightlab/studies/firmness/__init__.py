"""How firm first place is: by tasks left out, by weight that moves, by errors in the scores."""
