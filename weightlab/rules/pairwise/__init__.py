"""Rules that read head-to-heads."""
