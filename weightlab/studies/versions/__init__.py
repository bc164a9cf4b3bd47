"""What changed between two versions of a table, and whether the new one keeps its policy."""
