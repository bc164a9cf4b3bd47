# %% [markdown]
"""How firm is today's winner?

SVC beats every other classifier when all tasks weigh the same. How far may weights move before it does not, under
which share of all weights does it win, and which duels are decided whatever the weights?
"""

# %%
from __future__ import annotations

import weightlab as wl

board = wl.datasets.load_leaderboard("classifiers").select(tasks=wl.group("accuracy"))

# %%
stability = wl.lp.stability(board, rule="majority")
stability.verify(board)
print(stability)

# %%
shares = wl.lp.winning_shares(board, samples=20_000, rng=0)
for model, row in shares.shares.sort_values("share", ascending=False).head(3).iterrows():
    print(f"  {model:10} wins under {row['share']:.2f} of all weightings")
print(f"  no model beats all others under {float(shares.no_winner['share']):.2f}")

# %%
duels = wl.lp.duels(board)
duels.verify(board)
print(duels)
