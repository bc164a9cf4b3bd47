"""Pictures of weights and shares."""
