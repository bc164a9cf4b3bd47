"""Vote'n'Rank, the column IIA of table 2, and the flips of Beyond Arrow: models that are added or removed.

Run it from the root of the repository, with WEIGHTLAB_DATA naming the folder of public score tables::

    python -m examples.reproduce.irrelevant_models
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import weightlab as wl
from examples.reproduce.row import Row, Verdict, agrees, data_folder
from examples.reproduce.votenrank_boards import BENCHMARKS, RULES, TITLES, paper_board
from weightlab.studies import flips, irrelevant_models

__all__ = ["arrival_rows", "flip_rows", "rows"]

# Mean and standard deviation over 50 orders of arrival, by rule.
PUBLISHED = {
    "glue": ((0, 0), (0, 0), (0, 0), (2.76, 1.3), (2.94, 1.5), (5.26, 1.6), (9.10, 2.4), (7.96, 3.8)),
    "superglue": ((0, 0), (0, 0), (0, 0), (0.90, 0.8), (1.14, 1.0), (1.98, 1.4), (4.24, 2.1), (5.38, 1.8)),
}


def rows(data: Path) -> list[Row]:
    """Return all rows."""
    return [*arrival_rows(data), *flip_rows(data)]


def arrival_rows(
    data: Path, benchmarks: Iterable[str] = tuple(BENCHMARKS), rules: Iterable[str] = tuple(RULES)
) -> list[Row]:
    """Return the rows of table 2, column IIA: as coded, and rightly; of some benchmarks and rules, if not all."""
    asked = {name: RULES[name] for name in rules}
    found = []
    for name in benchmarks:
        board = paper_board(data, name)
        given = [legacy_order(board.models, seed) for seed in range(50)]
        found += [_as_coded(name, board, given, asked), _rightly(name, board, given, asked)]
    return found


def flip_rows(data: Path) -> list[Row]:
    """Return the row of models that swap two others in mean rank."""
    suite = wl.read_suite(data / "helm_classic" / "helm_classic_long.csv")
    found = flips(suite, by="accuracy", metrics=["accuracy", "robustness", "efficiency"])
    return [
        Row(
            paper="Beyond Arrow",
            item="table 2 and appendix A.6, instability to changes in the model set",
            published="flips in 44 of 57 subjects of MMLU",
            ours=f"of HELM Classic, in {len(found.flipped)} of {len(found.boards)} scenarios",
            convention="the 15 models of greatest accuracy, one more at a time; mean ranks over accuracy, robustness "
            "and efficiency instead of accuracy, run time and bytes",
            command='studies.flips(suite, by="accuracy", metrics=["accuracy", "robustness", "efficiency"])',
            verdict=Verdict.NOT_REPRODUCIBLE,
            why="the scores by subject of MMLU are not among the tables at hand; ours is the same question about a "
            "suite that is",
        )
    ]


def legacy_order(models: Sequence[str], seed: int) -> list[str]:
    """Return the order of arrival that the paper draws: the old generator of NumPy shuffles the names."""
    order = list(models)
    np.random.RandomState(seed).shuffle(order)
    return order


def dowdall_in_floats(board: wl.Leaderboard) -> pd.Series:
    """Return Dowdall's points as the paper adds them up: in floating point, where equal sums may differ."""
    places = board.scores.rank(method="min", ascending=False)
    return (1 / places * board.weights.astype(float)).sum(axis=1)


def _as_coded(name: str, board: wl.Leaderboard, given: Sequence[Sequence[str]], asked: dict[str, Any]) -> Row:
    coded = {**asked, **({"Dowdall": dowdall_in_floats} if "Dowdall" in asked else {})}
    found = irrelevant_models(board, coded, arrivals=given, break_ties="reverse", last=False).summary()
    printed = dict(zip(RULES, PUBLISHED[name], strict=True))
    wrong = [rule for rule in found.index if not _same(found.loc[rule], *printed[str(rule)])]
    noise = ""
    if "Dowdall" in asked:
        exact = {"Dowdall": asked["Dowdall"]}
        alone = irrelevant_models(board, exact, arrivals=given, break_ties="reverse", last=False).summary()
        figure = _plus_minus(row for _, row in alone.iterrows())
        noise = f"; without the noise of floating point, in which equal sums differ, Dowdall has {figure}"
    return Row(
        paper="Vote'n'Rank",
        item=f"table 2, {TITLES[name]}, IIA",
        published=_plus_minus(printed[str(rule)] for rule in found.index),
        ours=_plus_minus(row for _, row in found.iterrows()),
        convention="seeds 0 to 49; rankings compared whole, ties broken against the alphabet; the last model never "
        "arrives; Dowdall in floating point",
        command='studies.irrelevant_models(board, rules, arrivals=..., break_ties="reverse", last=False).summary()',
        verdict=Verdict.NOT_REPRODUCIBLE if wrong else Verdict.WITH_CONVENTION,
        why=f"other figures by {', '.join(wrong)}" if wrong else f"how often the next model changes any pair{noise}",
    )


def _rightly(name: str, board: wl.Leaderboard, given: Sequence[Sequence[str]], asked: dict[str, Any]) -> Row:
    found = irrelevant_models(board, asked, arrivals=given).summary()
    printed = dict(zip(RULES, PUBLISHED[name], strict=True))
    pair = ", ".join(f"{rule} {value:.2f}" for rule, value in found["first_pair"].items() if value)
    return Row(
        paper="Vote'n'Rank",
        item=f"table 2, {TITLES[name]}, IIA of weak orders, all models added",
        published=_plus_minus(printed[str(rule)] for rule in found.index),
        ours=_plus_minus(row for _, row in found.iterrows()),
        convention="the same orders of arrival; a tie that is made or broken is a change; exact scores",
        command="studies.irrelevant_models(board, rules, arrivals=...).summary()",
        verdict=Verdict.OTHERWISE,
        why="ties broken by name hide changes. What section 3.1 describes, that the first two models change places, "
        f"happens less often: {pair or 'never'}",
    )


def _same(row: pd.Series, mean: float, std: float) -> bool:
    return agrees(mean, float(row["mean"])) and agrees(std, float(row["std"]), digits=1)


def _plus_minus(values: Iterable[Sequence[float] | pd.Series]) -> str:
    pairs = [(one["mean"], one["std"]) if isinstance(one, pd.Series) else one for one in values]
    return ", ".join(f"{mean:.2f} ± {std:.1f}" for mean, std in pairs)


if __name__ == "__main__":
    for row in rows(data_folder()):
        print(row)
