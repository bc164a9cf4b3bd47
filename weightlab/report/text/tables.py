"""Every model's verdict, under which share of weightings it wins and how near that is, as rows of tables."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

import pandas as pd

from weightlab._text import counted, listed, percent, shown
from weightlab.data.linear_rule import LeadsLike
from weightlab.lp import Prospects, Scenario, Verdict, WinningShares, closest_to, winning_shares
from weightlab.lp import scenario as scenario_of
from weightlab.report.context import Unproved
from weightlab.report.text.prospect import (
    conditions_words,
    interval_words,
    obstacle_words,
    serves,
    share_cell,
    winning_weights,
)
from weightlab.report.text.words import Rows, names_in_words, quoted_name

if TYPE_CHECKING:  # the rules load all graphs, which those who ask about weights can do without
    from weightlab.rules import Comparison

Nearest: TypeAlias = Mapping[str, Scenario | None]
"""The winning weights nearest to today's by model; None: not found in time."""
DETAILED = 60
"""Up to so many models that can win, a page looks for their nearest winning weights."""
SAMPLES = 10_000
"""So many weightings are drawn for shares."""
SECONDS = 5.0
"""So long a notebook looks for each answer."""
TASKS = 1
"""So many tasks of the nearest weights are named."""


def able_rows(
    found: Prospects,
    shares: WinningShares | None,
    nearest: Nearest,
    *,
    winner: str | None = None,
    details: bool = False,
) -> Rows:
    """Return a row for each model that by the rule can win or tie: those that can win first, the nearest on top.

    Parameters
    ----------
    found : Prospects
        The verdicts.
    shares : WinningShares or None
        None leaves their column out.
    nearest : mapping
        Empty leaves its columns out.
    winner : str, optional
        Who wins today, told by a star.
    details : bool
        Whether intervals of shares are told.
    """
    headings = ["model", found.rule.by]
    headings += [] if shares is None else ["across all weightings", "95% interval"][: 1 + details]
    right = tuple(range(2, len(headings) + bool(nearest)))
    headings += ["weight to move", "nearest winning weights"] if nearest else []
    rows: list[tuple[str, ...]] = []
    for model in able_models(found, nearest):
        share = [] if shares is None else [share_cell(shares, model)]
        share += [interval_words(shares, model)] if shares is not None and details else []
        name = shown(model) + " *" * (model == winner)
        rows.append((name, found.verdicts[model].words, *share, *_near_cells(nearest, model)))
    return headings, rows, right


def able_models(found: Prospects, nearest: Nearest) -> list[str]:
    """Return the models that by the rule can win and behind them those that tie at best, each the nearest first."""

    def place(model: str) -> tuple[bool, bool, Fraction, bool]:
        one, weak = nearest.get(model), found.verdicts[model] != Verdict.STRICT
        return (weak, True, Fraction(0), False) if one is None else (weak, False, one.value, not one.attained)

    return sorted(found.with_verdict(Verdict.STRICT, Verdict.WEAK), key=place)


def nearest_weights(
    board: LeadsLike,
    found: Prospects,
    unproved: Unproved,
    time_limit: float | None,
    *,
    progress: Callable[[int], None] = lambda _: None,
    today: pd.Series | None = None,
) -> dict[str, Scenario | None]:
    """Return each able model's nearest winning weights; what is not found in time is one message for all."""
    unfound, near = Unproved(unproved.answers), dict[str, Scenario | None]()
    for model in found.with_verdict(Verdict.STRICT, Verdict.WEAK):
        ask = partial(
            scenario_of, board, model, closest_to(today), rule=found.rule, space=found.space, time_limit=time_limit
        )
        near[model] = unfound.ask(shown(model), ask, serves(model, "DistanceFrom"))
        progress(1)
    if without := [model for model, one in near.items() if one is None]:
        unproved.messages.append(f"not found where the table has '?', for {listed(without)}: {unfound.messages[0]}")
    return near


def _near_cells(nearest: Nearest, model: str) -> tuple[str, ...]:
    """Return the share of the weight that moves, half of the sum of changes, and the tasks that gain most, if any."""
    one = nearest.get(model)
    if one is None:
        return ("?", "?") if nearest else ()
    if not one.value:
        return ("over 0%", "an arbitrarily small change: tied today") if one.slack else ("none", "today's")
    today = one.stages[0].objective.centre  # type: ignore[union-attr]
    pairs = zip(one.tasks, winning_weights(one).tolist(), strict=True)
    gains = sorted(((weight - today[task], weight, task) for task, weight in pairs), key=lambda gain: -gain[0])
    told = [f"{quoted_name(task)} {percent(weight)}" for gain, weight, task in gains if gain > 0]
    weights = ", ".join([*told[:TASKS], *["..."][: len(told) > TASKS]])
    return f"{'over ' * bool(one.slack)}{percent(one.value / 2)}", weights


def never_rows(found: Prospects, most: int | None = None) -> Rows:
    """Return a row for each of the first models that by the rule can never win, with what blocks it; maybe none."""
    blocked = found.with_verdict(Verdict.NEVER)[:most]
    return (
        [f"can never win {found.rule.by}", "because"],
        [(shown(model), obstacle_words(found.bounded(model), after=True)) for model in blocked],
        (),
    )


def left_out_lines(
    found: Prospects, shown_rows: int, *, every: bool, hint: str = " (--all lists them)"
) -> Iterator[str]:
    """Yield what a table leaves out: rows beyond those shown, and models that by the rule can never win, with one."""
    able, hint = able_models(found, {}), "" if every else hint
    cut = able[shown_rows:]
    weak = sum(found.verdicts[model] is Verdict.WEAK for model in cut)
    more = [f"{count} more {does}" for count, does in ((len(cut) - weak, "can win"), (weak, "tie at best")) if count]
    if more:
        yield f"{found.by_rule}, {' and '.join(more)}{hint}."
    blocked = found.with_verdict(Verdict.NEVER)
    if blocked and not every:
        clear = next((one for one in map(found.bounded, blocked) if one.dominators), found.bounded(blocked[0]))
        name, why = names_in_words([clear.model]), obstacle_words(clear, after=True)
        many = f"{found.by_rule}, {len(blocked)} can never win, among them {name}: {why}{hint}."
        yield many if len(blocked) > 1 else f"{found.by_rule}, {name} can never win: {why}."


def foot_line(found: Prospects, shares: WinningShares | None, *, details: bool) -> str:
    """Return what is proved and what is estimated."""
    line = f"Proved in exact arithmetic{conditions_words(found.space)}"
    if shares is None:
        return f"{line}."
    # Not ``no_winner``, whose interval takes longer to load SciPy for than all else that a command does.
    none = Fraction(float(shares.wins.shares(shares.draws)[-1])) if shares.positive.any() else Fraction(1)
    lacking = "without a head-to-head winner" if found.points is None else "with a tie for the first place"
    without = f", {percent(none)} of them {lacking}" if none else ""
    more = "" if details else " (95% intervals with --details)"
    return f"{line}; shares estimated from {counted(shares.draws.samples, 'weighting')}{more}{without}."


def notebook_rows(found: Prospects) -> tuple[str, Rows]:
    """Return what ``weightlab win`` tells of all models: sentences, and the table."""
    unproved, near = Unproved(), dict[str, Scenario | None]()
    draw = partial(winning_shares, found.leads, rule=found.rule, samples=SAMPLES, rng=0, space=found.space, known=found)
    shares = unproved.ask("shares", partial(draw, time_limit=SECONDS))
    if found.today is not None and len(found.with_verdict(Verdict.STRICT, Verdict.WEAK)) <= DETAILED:
        near = nearest_weights(found.leads, found, unproved, SECONDS, today=found.today)
    winner = next((model for model, one in near.items() if one is not None and one.attained and not one.value), None)
    table = able_rows(found, shares, near, winner=winner)
    left = left_out_lines(found, len(table[1]), every=False, hint=" (.summary() has all)")
    return " ".join([str(found), *left, foot_line(found, shares, details=True)]), table


# Rules side by side, as rows of tables.


def rule_rows(found: Comparison, top: int) -> Rows:
    """Return a row a rule: its winners, how far it agrees with the first one, how many models it leaves level."""
    first = found.rules[0]
    shares, tied, tau = found.top(top), found.tied, found.agreement[first]
    rows: list[tuple[str, ...]] = [
        (shown(name), listed(found.winners[name], 3), _tau(tau[name]), f"{float(shares[name]):.2f}", str(tied[name]))
        for name in found.rules
    ]
    return ["rule", "winner", f"tau with {first}", f"top {top} in common", "tied"], rows, (2, 3, 4)


def rank_rows(found: Comparison) -> Rows:
    """Return a row a model: its rank by every rule."""
    frame = found.ranks
    places = zip(frame.index, frame.to_numpy().tolist(), strict=True)
    rows = [(shown(model), *map(str, row)) for model, row in places]
    return ["model", *map(shown, frame.columns)], rows, tuple(range(1, len(frame.columns) + 1))


def _tau(value: float) -> str:
    return "none" if math.isnan(value) else f"{value:.3f}"
