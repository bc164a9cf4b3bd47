# %% [markdown]
"""Can my model ever win?

Ridge loses to most of fifteen other classifiers when twelve data sets count the same by accuracy. For which
weights does it win, how far from equal weights are they, and if no weights do: which rivals block it?
"""

# %%
from __future__ import annotations

import weightlab as wl

everything = wl.datasets.load_leaderboard("classifiers")
board = everything.select(tasks=[task for task in everything.tasks if task.startswith("accuracy/")])
MODEL = "Ridge"
print(f"{len(board.models)} models, {len(board.tasks)} tasks")

# %% [markdown]
# One linear program answers, and its dual is the proof.

# %%
prospect = wl.lp.prospect(board, MODEL)
prospect.verify(board)
print(prospect)
for rival, share in prospect.blockers[prospect.blockers > 0].items():
    print(f"  blocked by {share} {rival}")

# %% [markdown]
# Who can win at all, and who never?

# %%
verdicts = wl.lp.prospects(board).verdicts
for verdict in ("strict", "weak", "never"):
    named = [model for model, found in verdicts.items() if found == verdict]
    print(f"{verdict}: {', '.join(named) or 'none'}")

# %% [markdown]
# LDA can. Which winning weights are nearest to equal ones, which are the most even, and what must each task weigh?

# %%
for objective in (wl.lp.closest_to(), wl.lp.most_balanced(), wl.lp.fewest_tasks()):
    scenario = wl.lp.scenario(board, "LDA", objective)
    scenario.verify(board)
    print(scenario)

ranges = wl.lp.weight_ranges(board, "LDA")
for task, row in ranges.summary().iterrows():
    print(f"  {task:24} between {row['low']:.3f} and {row['high']:.3f}")
