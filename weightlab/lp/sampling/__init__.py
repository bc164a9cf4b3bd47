"""Which share of weightings, estimated from uniform draws."""
