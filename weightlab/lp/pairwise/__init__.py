"""Who beats whom under all, some or no weights, and which head-to-heads can be won together."""
