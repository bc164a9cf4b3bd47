"""The least to drop so that a property holds."""
