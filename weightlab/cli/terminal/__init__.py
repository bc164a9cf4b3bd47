"""What a command prints: tables, progress, documents."""
