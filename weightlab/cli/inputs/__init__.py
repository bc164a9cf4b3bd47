"""What a command reads."""
