"""Several tables or levels into one ranking: groups, instances, many tables."""
