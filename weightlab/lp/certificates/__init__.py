"""What proves an answer about weights: rows, multipliers, optimum, and the table they speak of."""
