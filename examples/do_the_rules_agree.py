# %% [markdown]
"""Do the voting rules agree, and where they do not, why?"""

# %%
from __future__ import annotations

import weightlab as wl

board = wl.datasets.load_leaderboard("classifiers").select(tasks=wl.group("accuracy"))
RULES = ["mean", "mean_win_rate", "borda", "plurality", "copeland", "minimax", "kemeny"]

# %%
for rule in RULES:
    ranking = wl.rules.rank(board, rule)
    first = " > ".join(" ~ ".join(tied) for tied in ranking.order[:4])
    print(f"  {rule:14} {first}")

# %% [markdown]
# The mean and Borda count the same scores. On which pairs do they disagree, and which tasks speak for whom?

# %%
found = wl.studies.disagreement(board, "mean", "borda")
found.verify(board)
print(found)

# %% [markdown]
# Kemeny's order contradicts the tasks least. How much more do the others?

# %%
for rule in ("borda", "mean", "copeland"):
    print(wl.rules.kemeny_gap(board, rule))
