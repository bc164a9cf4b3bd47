# %% [markdown]
"""Is my leaderboard's order real?

Had the benchmark other tasks of the same kind, which places would remain? Tasks are resampled with replacement, and
each drawn table is ranked.
"""

# %%
from __future__ import annotations

import weightlab as wl

board = wl.datasets.load_leaderboard("classifiers").select(tasks=wl.group("accuracy"))
found = wl.studies.bootstrap(board, "borda", repeats=500, rng=0)
print(found)

# %%
for model, row in found.summary().head(5).iterrows():
    print(f"  {model:22} place {row['rank']:2.0f}, in 95% of the draws {row['low']:.0f} to {row['high']:.0f}")

# %% [markdown]
# And had a model never been submitted? Some rules order the others by it.

# %%
for rule in ("mean", "borda", "copeland"):
    print(wl.studies.single_changes(board, rule))
