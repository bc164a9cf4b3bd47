"""Sets of winners of the majority relation, and the game behind them."""
