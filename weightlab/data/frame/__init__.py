"""What a table is made of: cells, labels, declarations, arrays."""
