"""Tables of any size for benchmarks, drawn so that a few models can win, as on public leaderboards."""

from __future__ import annotations

import numpy as np
import pandas as pd

import weightlab as wl


def made_board(models, tasks, *, noise=5, seed=0):
    """Return a board whose scores are ability plus task plus noise, with one decimal."""
    draw = np.random.default_rng(seed)
    scores = 50 + 10 * draw.normal(size=(models, 1)) + 10 * draw.normal(size=(1, tasks))
    scores = np.round(scores + noise * draw.normal(size=(models, tasks)), 1)
    names = [f"m{number}" for number in range(models)]
    return wl.Leaderboard(pd.DataFrame(scores, index=names, columns=[f"t{number}" for number in range(tasks)]))
