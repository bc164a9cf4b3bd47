"""Colombo et al., table 8: how far the rankings of the tasks are from those that sum them up.

Run it from the root of the repository, with WEIGHTLAB_DATA naming the folder of public score tables::

    python -m examples.reproduce.dispersion
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd

import weightlab as wl
from examples.reproduce.file_order import quicksorted
from examples.reproduce.row import Row, Verdict, agrees, data_folder
from weightlab.studies import dispersion, stopped_dispersion
from weightlab.studies.kendall_costs import distance

__all__ = ["distances_of_lists", "estimate_rows", "rows", "shifted_xtreme", "table_rows"]

PAPER = "Colombo et al."
TITLES = {"glue105": "GLUE", "superglue24": "SuperGLUE", "xtreme15": "XTREME"}
# Table 8: the ranking by Borda, the mean, random permutations, and with how many decimals they are printed.
PRINTED = {"glue105": (793, 805, 2746), "superglue24": (44.9, 47.21, 137.3), "xtreme15": (12.25, 12.75, 50.6)}
DIGITS = {"glue105": (0, 0, 0), "superglue24": (1, 2, 1), "xtreme15": (2, 2, 1)}


def rows(data: Path) -> list[Row]:
    """Return all rows."""
    return [*table_rows(data), *estimate_rows(data)]


def table_rows(data: Path) -> list[Row]:
    """Return the rows of table 8: as coded, and rightly."""
    found = []
    for name, title in TITLES.items():
        board = wl.read_leaderboard(data / "colombo" / f"{name}.csv")
        found += [*_as_coded(name, title, board), _rightly(name, title, board), _random(name, title, board)]
    return found


def estimate_rows(data: Path) -> list[Row]:
    """Return the rows of the estimate of appendix C.2, of which the paper prints no figure."""
    found = []
    for name, title in TITLES.items():
        board = wl.read_leaderboard(data / "colombo" / f"{name}.csv")
        exact = float(dispersion(board, "borda", repeats=0).between)
        for bound in ("bernstein", "hoeffding"):
            stopped = stopped_dispersion(board, bound=bound, rng=0)
            found.append(
                Row(
                    paper=PAPER,
                    item=f"appendix C.2, {title}, mean distance of two tasks, {bound.capitalize()} stopping",
                    published="none",
                    ours=f"{stopped.estimate:.4g} after {stopped.stop.draws} draws; exactly {exact:.6g}",
                    convention="relative error 10 %, confidence 95 %; a pair that one task ties counts 1/2",
                    command=f'studies.stopped_dispersion(board, bound="{bound}", rng=0)',
                    verdict=Verdict.ADDED,
                    why="the paper names the bounds, but no figure, error or confidence; exactly takes less work",
                )
            )
    return found


def distances_of_lists(columns: Sequence[Sequence[float]], sort: Callable[[Sequence[float]], list[int]]) -> list[float]:
    """Return table 8 as coded: the mean distance of the lists of systems by Borda and by the mean to those by task.

    A list of systems in ascending order is the inverse of their ranks, and its Kendall distance is another.
    """
    lists = [sort(column) for column in columns]
    ranks = [np.argsort(one) for one in lists]
    summed = [np.sum(ranks, axis=0).tolist(), np.mean(columns, axis=0).tolist()]
    return [
        float(np.mean([float(distance(np.array(sort(one)), np.array(other), Fraction(0))) for other in lists]))
        for one in summed
    ]


def shifted_xtreme(board: wl.Leaderboard) -> list[list[float]]:
    """Return XTREME as the paper reads it: the published average first, the last task left out.

    The averages are not in the table; the file is in their order, so the positions from the end stand for them.
    """
    columns = board.scores.to_numpy().T.tolist()
    return [[float(place) for place in range(len(board.models), 0, -1)], *columns[:-1]]


def _as_coded(name: str, title: str, board: wl.Leaderboard) -> list[Row]:
    moved = name == "xtreme15"
    columns = shifted_xtreme(board) if moved else board.scores.to_numpy().T.tolist()
    ours = distances_of_lists(columns, quicksorted)
    convention = (
        "distances between lists of systems in order, not between ranks; ties in the order in which NumPy's quicksort "
        "leaves them, which depends on the processor"
    )
    if moved:
        convention += "; the published average in place of the first task, the last task left out"
    found = []
    for place, rule in enumerate(("Borda", "mean")):
        published = PRINTED[name][place]
        unknown = moved and rule == "mean"
        same = not unknown and agrees(published, ours[place], DIGITS[name][place])
        found.append(
            Row(
                paper=PAPER,
                item=f"table 8, {title}, {rule} as coded",
                published=f"{published:g}",
                ours="none" if unknown else f"{ours[place]:.2f}",
                convention=convention,
                command="examples.reproduce.dispersion.distances_of_lists(columns, quicksorted)",
                verdict=Verdict.WITH_CONVENTION if same else Verdict.NOT_REPRODUCIBLE,
                why="the mean is over the published averages too, and the table has only their order"
                if unknown
                else "a list in order is the inverse permutation of the ranks: its distances are not those of rankings",
            )
        )
    return found


def _rightly(name: str, title: str, board: wl.Leaderboard) -> Row:
    found = dispersion(board, ["borda", "mean", "kemeny"], repeats=0)
    distances = [float(found.distances[rule]) for rule in ("borda", "mean")]
    return Row(
        paper=PAPER,
        item=f"table 8, {title}",
        published=_listed(PRINTED[name][:2]),
        ours=f"{_listed(distances)}; Kemeny {float(found.distances['kemeny']):.2f}; "
        f"two tasks {float(found.between):.2f} apart",
        convention="Kendall distance between rankings; a pair that only one of them ties counts 1/2",
        command='studies.dispersion(board, ["borda", "mean", "kemeny"])',
        verdict=Verdict.OTHERWISE,
        why="Borda is nearer to the tasks than the mean, as the paper says; the exact Kemeny ranking is nearest",
    )


def _random(name: str, title: str, board: wl.Leaderboard) -> Row:
    random = dispersion(board, "borda", repeats=100, rng=0).random
    mean = float(sum(random)) / len(random)
    published, pairs = PRINTED[name][2], len(board.models) * (len(board.models) - 1) / 2
    # The mean of 100 draws is within 4 of its standard deviations of half of the pairs.
    spread = float(pd.Series([float(one) for one in random]).std()) / 10
    near = abs(published - pairs / 2) <= 4 * spread
    return Row(
        paper=PAPER,
        item=f"table 8, {title}, random",
        published=f"{published:g}",
        ours=f"{mean:.4g} (100 draws); expected {pairs / 2:g}",
        convention="another seed",
        command='studies.dispersion(board, "borda", repeats=100, rng=0).random',
        verdict=Verdict.REPRODUCED if near else Verdict.NOT_REPRODUCIBLE,
        why="half of the pairs on average, ties counting 1/2",
    )


def _listed(values: Sequence[float]) -> str:
    return " ".join(f"{value:.2f}" for value in values)


if __name__ == "__main__":
    for row in rows(data_folder()):
        print(row)
