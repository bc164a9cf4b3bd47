# %% [markdown]
"""What would it take to win?

MLP is second by accuracy on the bundled table. What is the smallest improvement with which it beats every rival at
equal weights, and what if only the number of changed results matters?
"""

# %%
from __future__ import annotations

import weightlab as wl

everything = wl.datasets.load_leaderboard("classifiers")
board = everything.select(tasks=[task for task in everything.tasks if task.startswith("accuracy/")])
print("today's winner:", wl.graph.condorcet_winner(board))

# %%
plan = wl.lp.upset(board, "MLP", best=1)
plan.verify(board)
for task, row in plan.summary().iterrows():
    if row["cost"]:
        print(f"  {task:24} from {row['from']:.4f} to {row['to']:.4f}")
print(f"  together {plan.summary()['cost'].sum():.4f}")
print("afterwards the winner is", wl.graph.condorcet_winner(plan.board()))

# %% [markdown]
# Counting changed results, each a head-to-head on one task, rather than points:

# %%
print("results to change:", wl.lp.upset(board, "MLP", kind="result").cost)

# %% [markdown]
# Missing scores are another way to lose. Who wins whatever they are?

# %%
gappy = wl.Leaderboard(
    {
        "reading": {"ada": 81.0, "bo": 78.5, "cy": None},
        "code": {"ada": 40.2, "bo": 38.0, "cy": 45.9},
        "maths": {"ada": 64.5, "bo": None, "cy": 66.0},
    }
)
print(wl.lp.missing(gappy, rule="majority"))
