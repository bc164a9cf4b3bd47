"""Is a suite well behaved, dataset by dataset and across them."""
