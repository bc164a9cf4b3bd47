"""How a table of strangers is read: what each column is, which way it counts, and how sure that is."""
