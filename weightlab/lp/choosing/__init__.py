"""Which model to use: the few that suffice whatever the weights, and the one that fits the answers given."""
