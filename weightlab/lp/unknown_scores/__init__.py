"""Who wins whatever the missing scores are."""
