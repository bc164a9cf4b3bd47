"""The signs of one model over all others are what every question about weights asks for first."""

from __future__ import annotations

from timeit import repeat

import numpy as np
import pandas as pd

import weightlab as wl

MODELS, TASKS = 5_000, 100


def test_signs_of_one_model_take_a_fraction_of_comparing_doubles():
    scores = np.random.default_rng(0).random((MODELS, TASKS)).round(3)
    signs = wl.Leaderboard(pd.DataFrame(scores, index=[f"m{row}" for row in range(MODELS)])).signs()
    assert (signs.over_all(7) == np.sign(scores[7] - scores)).all()
    fast = min(repeat(lambda: signs.over_all(7), number=20, repeat=10))
    plain = min(
        repeat(lambda: (scores[7] > scores).view(np.int8) - (scores[7] < scores).view(np.int8), number=20, repeat=10)
    )
    assert fast < 0.75 * plain
