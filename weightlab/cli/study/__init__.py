"""weightlab study: the studies by name."""
