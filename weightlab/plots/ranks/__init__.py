"""Pictures of rankings and of rules."""
