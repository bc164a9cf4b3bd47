"""The table of ``weightlab win``: every model's verdict, how near a win is, and which share of weightings makes it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import partial
from math import ceil, floor
from typing import TypeAlias

from rich.progress import Progress

from weightlab.cli.show import console, listed, mixture, number, rounded, say, shown, table
from weightlab.data import Leaderboard
from weightlab.exceptions import UnprovedError
from weightlab.lp import Prospects, Verdict, WeightSpace, WinningShares, closest_to, most_balanced, prospects
from weightlab.lp import scenario as scenario_of
from weightlab.report.late import Late, verdicts_known
from weightlab.report.story import centre_words, proof_line
from weightlab.report.story_lines import share_cell

__all__ = ["DETAILED", "print_all", "prove_all"]

DETAILED = 60
"""Up to so many models that can win, the table says how far their weights are without being asked."""

LONG = 300
"""Tables with more models show a progress bar."""

Details: TypeAlias = tuple[Fraction | None, Fraction | None]
"""How far a model's nearest winning weights are, and its least largest weight; None for what was not found in time."""


def prove_all(
    board: Leaderboard, space: WeightSpace | None, *, jobs: int, time_limit: float | None, quiet: bool
) -> Prospects:
    """Return every model's verdict, with a progress bar for long tables."""
    prove = partial(prospects, board, space=space, n_jobs=jobs, time_limit=time_limit)
    try:
        if quiet or len(board.models) < LONG:
            return prove(exact=len(board.models) < LONG)
        with Progress(console=console(stderr=True), transient=True) as bar:
            task = bar.add_task("Proving", total=len(board.models))
            return prove(progress=lambda done: bar.advance(task, done))
    except UnprovedError as error:
        raise verdicts_known(error, len(board.models)) from error


def print_all(
    board: Leaderboard,
    found: Prospects,
    shares: WinningShares | None,
    late: Late,
    *,
    detailed: bool,
    time_limit: float | None,
) -> None:
    """Print a row a model: those that can win or tie first, the nearest to today's weights on top."""
    able = found.with_verdict(Verdict.STRICT, Verdict.WEAK)
    far = _far(board, found, able, late, time_limit) if detailed else {}
    say(shown(found), "")
    able = tuple(sorted(able, key=lambda model: (found.verdicts[model] != Verdict.STRICT, *_nearness(far, model))))
    rows = [_row(found, shares, far, model) for model in able]
    if rows:
        headings = ["model", "verdict", "margin"]
        headings += ["share"] if shares is not None else []
        headings += [f"from {centre_words(board)}", "largest weight"] if far else []
        say(table(headings, rows, right=(2, 3, 4, 5)), "")
    blocked = found.with_verdict(Verdict.NEVER)
    if blocked:
        rows = [(shown(model), "never", _margin(found, model), _blockers(found, model)) for model in blocked]
        say(table(["model", "verdict", "margin", "blocked by"], rows, right=(2,)), "")
    if shares is not None:
        say(shown(shares))
    say(proof_line(len(board.models) * (len(board.models) - 1), len(board.tasks), found.space))


def _row(found: Prospects, shares: WinningShares | None, far: Mapping[str, Details], model: str) -> tuple[str, ...]:
    share = () if shares is None else (share_cell(shares, model),)
    return (shown(model), str(found.verdicts[model]), _margin(found, model), *share, *far_cells(far, model))


def _far(
    board: Leaderboard, found: Prospects, models: Sequence[str], late: Late, time_limit: float | None
) -> dict[str, Details]:
    """Return the details of some models; what is not found in time is one message for all of them."""
    unfound = Late()
    far: dict[str, Details] = {}
    for model in models:
        ask = partial(scenario_of, board, model, space=found.space, time_limit=time_limit)
        nearest = unfound.ask(shown(model), partial(ask, closest_to()))
        balanced = unfound.ask(shown(model), partial(ask, most_balanced()))
        far[model] = (None if nearest is None else nearest.value, None if balanced is None else balanced.value)
    without = [model for model, details in far.items() if None in details]
    if without:
        late.messages.append(f"not found where the table has '?', for {listed(without)}: {unfound.messages[0]}")
    return far


def _nearness(far: Mapping[str, Details], model: str) -> tuple[bool, Fraction]:
    """Return what models are sorted by: the nearest first, and last those of which it is not known."""
    distance, _ = far.get(model, (None, None))
    return distance is None, distance or Fraction(0)


def far_cells(far: Mapping[str, Details], model: str) -> tuple[str, ...]:
    """Return the cells for distance and least largest weight, or none."""
    if not far:
        return ()
    distance, largest = far[model]
    return (
        "?" if distance is None else rounded(distance, 3),
        "?" if largest is None else f"{rounded(100 * largest, 1)} %",
    )


def _margin(found: Prospects, model: str) -> str:
    lower, upper = found.lower[model], found.upper[model]
    if lower == upper:
        return number(lower)
    return f"{rounded(lower, 4, floor)} to {rounded(upper, 4, ceil)}"


def _blockers(found: Prospects, model: str) -> str:
    one = found.bounded(model)
    if one.dominators:
        return (
            f"{listed(one.dominators, 2)} (dominates)"
            if len(one.dominators) == 1
            else f"{listed(one.dominators, 2)} (dominate)"
        )
    return mixture([(rival, share) for rival, share in zip(one.rivals, one.blockers.tolist(), strict=True)], most=3)
