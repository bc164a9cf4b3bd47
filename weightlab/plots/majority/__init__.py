"""Pictures of head-to-heads."""
