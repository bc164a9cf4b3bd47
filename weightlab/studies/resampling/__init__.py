"""What if tasks, instances, weights or scores are drawn again."""
