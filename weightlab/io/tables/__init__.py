"""Files of tables: separators, numbers, columns, declarations, and writing them."""
