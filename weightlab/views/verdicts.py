"""Every model's verdict, under which share of weightings it wins and how close that is, as rows of tables."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

import pandas as pd

from weightlab._result import Frozen, Proof, Result
from weightlab._solver import ensure_time
from weightlab._text import counted, listed, percent, shown
from weightlab.data.linear_rule import MAJORITY, MEAN, LeadsLike, LinearRule, rule_words
from weightlab.lp import (
    GeometricProspect,
    MajorityProspect,
    Prospects,
    Scenario,
    Verdict,
    WinningShares,
    closest_to,
    winning_shares,
)
from weightlab.lp import scenario as scenario_of
from weightlab.views.prospect import (
    conditions_words,
    interval_words,
    obstacle_words,
    serves,
    share_cell,
    winning_weights,
)
from weightlab.views.unproved import Unproved
from weightlab.views.view import Facts, Table, View
from weightlab.views.words import Rows, named_shares, names_in_words, quoted_name, weights_line

if TYPE_CHECKING:  # the rules load all graphs, which those who ask about weights can do without
    from weightlab.rules import Comparison

Nearest: TypeAlias = Mapping[str, Scenario | None]
"""The winning weights nearest to today's by model; None: not found in time."""
DETAILED = 60
"""Largest number of possible winners for which a page finds the nearest winning weights."""
SAMPLES = 10_000
"""Number of weightings to sample."""
SECONDS = 5.0
"""Time limit of each answer in a notebook, in seconds."""
TASKS = 1
"""Tasks of the nearest weights named."""


class Verdicts(Frozen):
    """What weights can do for all models by one rule.

    Attributes
    ----------
    found : Prospects
        The verdicts.
    shares : WinningShares or None
        None leaves their column out.
    nearest : mapping
        Nearest winning weights by model; empty leaves their column out.
    """

    found: Prospects
    shares: WinningShares | None = None
    nearest: Nearest = field(default_factory=dict)

    def of(self, model: str) -> Verdict | None:
        """Return the verdict on a model; None where the rule does not rank it."""
        return self.found.verdicts[model] if model in self.found.models else None

    @property
    def able(self) -> list[str]:
        """The models that by the rule can win and behind them those that tie at best, each the nearest first."""

        def place(model: str) -> tuple[bool, bool, Fraction, bool]:
            one, weak = self.nearest.get(model), self.of(model) is Verdict.WEAK
            return (weak, True, Fraction(0), False) if one is None else (weak, False, one.value, not one.attained)

        return sorted(self.found.with_verdict(Verdict.STRICT, Verdict.WEAK), key=place)

    def headings(self, *, details: bool) -> list[str]:
        """Return the headings of the columns by this rule."""
        by = self.found.rule.by
        heads = [by] if self.shares is None else [f"share {by}", f"95% interval {by}"][: 1 + details]
        return heads + ([f"weight shift {by}"] if self.nearest else [])

    def cells(self, model: str, *, details: bool) -> list[str]:
        """Return a model's cells under these headings."""
        verdict = self.of(model)
        if verdict is None:
            return ["not ranked", *["-"] * (len(self.headings(details=details)) - 1)]
        cells = [CELLS[verdict]]
        if self.shares is not None:
            cells = [share_cell(self.shares, model)] if verdict is Verdict.STRICT else cells
            cells += [interval_words(self.shares, model)] if details else []
        return cells + ([_shift(self.nearest.get(model), verdict)] if self.nearest else [])


CELLS = {Verdict.STRICT: "yes", Verdict.WEAK: "tie only", Verdict.NEVER: "never"}
"""Verdicts below the name of a rule."""


def able_rows(asked: Sequence[Verdicts], *, details: bool = False) -> Rows:
    """Return a row for each model that by some of the rules can win or tie, those of the first rule on top.

    Parameters
    ----------
    asked : sequence of Verdicts
        By each rule. For a single rule, the tasks of the nearest weights are shown, too.
    details : bool
        Whether to show intervals of shares.
    """
    headings = ["model", *(one for each in asked for one in each.headings(details=details))]
    right = tuple(range(1, len(headings)))
    alone = asked[0].nearest if len(asked) == 1 else {}
    rows: list[tuple[str, ...]] = []
    for model in able_models(asked):
        cells = [cell for each in asked for cell in each.cells(model, details=details)]
        rows.append((shown(model), *cells, *([_gains(alone.get(model))] if alone else [])))
    return [*headings, *(["nearest winning weights"] if alone else [])], rows, right


def able_models(asked: Sequence[Verdicts]) -> list[str]:
    """Return the models that by some rule can win or tie, those that the first rule puts first in front."""
    return list(dict.fromkeys(model for each in asked for model in each.able))


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

    def nearest(model: str) -> Scenario:
        ensure_time("nearest winning weights")
        goal = closest_to(today)
        return scenario_of(board, model, goal, rule=found.rule, space=found.space, time_limit=time_limit)

    for model in found.with_verdict(Verdict.STRICT, Verdict.WEAK):
        near[model] = unfound.ask(shown(model), partial(nearest, model), serves(model, "DistanceFrom", rule=found.rule))
        progress(1)
    if without := [model for model, one in near.items() if one is None]:
        unproved.messages.append(f"not found where the table has '?', for {listed(without)}: {unfound.messages[0]}")
    return near


def _shift(near: Scenario | None, verdict: Verdict) -> str:
    """Return the share of the weight that shifts to the nearest weights: half of the sum of changes."""
    if near is None:
        return "-" if verdict is Verdict.NEVER else "?"
    if not near.value and near.attained:
        return "none: leads now" if verdict is Verdict.STRICT else "none: ties now"
    return f"> {percent(near.value / 2, math.floor)}" if near.slack else percent(near.value / 2)


def _gains(near: Scenario | None) -> str:
    """Return the tasks that gain most weight at the nearest weights, if any."""
    if near is None:
        return "?"
    if not near.value:
        return "an arbitrarily small change: tied now" if near.slack else "current"
    today = near.stages[0].objective.centre  # type: ignore[union-attr]
    pairs = zip(near.tasks, winning_weights(near).tolist(), strict=True)
    gains = sorted(((weight - today[task], weight, task) for task, weight in pairs), key=lambda gain: -gain[0])
    told = [f"{quoted_name(task)} {percent(weight)}" for gain, weight, task in gains if gain > 0]
    return ", ".join([*told[:TASKS], *["..."][: len(told) > TASKS]])


def never_rows(found: Prospects, most: int | None = None) -> Rows:
    """Return a row for each of the first models that can never win by the rule, with its obstacles; maybe none."""
    blocked = found.with_verdict(Verdict.NEVER)[:most]
    return (
        [f"can never win {found.rule.by}", "because"],
        [(shown(model), obstacle_words(found.bounded(model), after=True)) for model in blocked],
        (),
    )


def left_out_lines(
    asked: Sequence[Verdicts], shown_rows: int, *, every: bool, hint: str = " (--all lists them)"
) -> Iterator[str]:
    """Yield what a table leaves out: rows beyond those shown, and models that can never win by any of the rules."""
    hint = "" if every else hint
    by = " or ".join(one.found.rule.by for one in asked)
    more = len(able_models(asked)) - shown_rows
    if more > 0:
        yield f"{counted(more, 'more model')} can win or tie {by}{hint}."
    found, *others = (one.found for one in asked)
    blocked = [
        model
        for model in found.with_verdict(Verdict.NEVER)
        if all(other.verdicts.get(model) in (None, Verdict.NEVER) for other in others)
    ]
    if blocked and not every:
        clear = next((one for one in map(found.bounded, blocked) if one.dominators), found.bounded(blocked[0]))
        name, why = names_in_words([clear.model]), obstacle_words(clear, after=True)
        many = f"{counted(len(blocked), 'model')} can never win {by}, among them {name}: {why}{hint}."
        yield many if len(blocked) > 1 else f"{name} can never win {by}: {why}."


ABLE = {
    Verdict.STRICT: "can come first",
    Verdict.WEAK: "can only tie for first",
    Verdict.NEVER: "can never come first",
}
"""Verdicts in a sentence that says the rule behind them."""
BUT = {Verdict.STRICT: "can win", Verdict.WEAK: "can only tie", Verdict.NEVER: "never"}
"""Another rule's verdict behind the first one's."""


def contrast_lines(one: Verdicts, other: Verdicts) -> Iterator[str]:
    """Yield which models have another verdict by another rule, the greatest difference first."""
    told: dict[tuple[Verdict, Verdict], list[str]] = {}
    for model in one.found.models:
        pair = one.of(model), other.of(model)
        if pair[0] is not None and pair[1] is not None and pair[0] is not pair[1]:
            told.setdefault((pair[0], pair[1]), []).append(model)
    order = [*Verdict]
    apart = sorted(told.items(), key=lambda item: abs(order.index(item[0][0]) - order.index(item[0][1])), reverse=True)
    for (first, second), models in apart:
        yield contrast_words(models, (one.found.rule, first), (other.found.rule, second))


def contrast_words(models: Sequence[str], one: tuple[LinearRule, Verdict], other: tuple[LinearRule, Verdict]) -> str:
    """Return the verdicts on models by two rules in one sentence."""
    (rule, verdict), (second, its) = one, other
    if verdict is its:
        also = ", nor " if verdict is Verdict.NEVER else " and "
        return f"{names_in_words(models)} {ABLE[verdict]} {rule.by}{also}{second.by}."
    but = "can tie" if verdict is Verdict.NEVER and its is Verdict.WEAK else BUT[its]
    return f"{names_in_words(models)} {ABLE[verdict]} {rule.by}, but {but} {second.by}."


def legend_lines(asked: Sequence[Verdicts]) -> Iterator[str]:
    """Yield what the columns say, and what it is to win by each rule."""
    where = "allowed" if asked[0].found.space.conditions else "all"
    share = f"share: of {where} weightings, those under which it wins"
    shift = "weight shift: the least share of the weight that must shift from the current weights before it wins"
    told = [share] * (asked[0].shares is not None) + [shift] * bool(asked[0].nearest)
    if told:
        yield f"{'; '.join(told)}."
    yield " ".join(
        f"{one.found.by_rule}: {MEANINGS.get(one.found.rule.name, 'most weighted points')}." for one in asked
    )


MEANINGS = {
    MEAN: "highest weighted mean",
    MAJORITY: "against each rival, ahead on tasks that hold more weight than those where it is behind",
}
"""What it is to win."""


def foot_line(asked: Sequence[Verdicts], *, details: bool) -> str:
    """Return which parts are proved and which are estimated."""
    line = f"Verdicts proved in exact arithmetic{conditions_words(asked[0].found.space)}"
    drawn = [one for one in asked if one.shares is not None]
    if not drawn:
        return f"{line}."
    samples = max(one.shares.draws.samples for one in drawn if one.shares is not None)
    more = "" if details else " (95% intervals with --details)"
    without = "".join(map(_undecided, drawn))
    return f"{line}; shares estimated from {counted(samples, 'weighting')}{more}{without}."


def _undecided(one: Verdicts) -> str:
    """Return under what share of weightings no model wins by a rule, if any."""
    shares = one.shares
    if shares is None:
        return ""
    # Not ``no_winner``, whose interval takes longer to load SciPy for than all else that a command does.
    none = Fraction(float(shares.wins.shares(shares.draws)[-1])) if shares.positive.any() else Fraction(1)
    lacking = "no head-to-head winner" if one.found.points is None else f"first place is shared {one.found.rule.by}"
    return f"; {lacking} in {percent(none)} of them" if none else ""


def notebook_view(found: Prospects) -> View:
    """Return the sentences and the table of ``weightlab win``."""
    unproved, near = Unproved(), dict[str, Scenario | None]()
    draw = partial(winning_shares, found.leads, rule=found.rule, samples=SAMPLES, rng=0, space=found.space, known=found)
    shares = unproved.ask("shares", partial(draw, time_limit=SECONDS))
    if found.today is not None and len(found.with_verdict(Verdict.STRICT, Verdict.WEAK)) <= DETAILED:
        near = nearest_weights(found.leads, found, unproved, SECONDS, today=found.today)
    asked = [Verdicts(found=found, shares=shares, nearest=near)]
    table = Table(*able_rows(asked), caption=f"Models that can win or tie {found.rule.by}")
    left = left_out_lines(asked, len(table.rows), every=False, hint=" (.summary() has all)")
    told = " ".join([str(found), *left, foot_line(asked, details=True)])
    return View(headline=told, blocks=[table], results=[found], picture=found)


# Rules side by side, as rows of tables.


def rule_rows(found: Comparison, top: int) -> Rows:
    """Return one row per rule: its winners, its agreement with the first one, and the number of tied models."""
    first = found.rules[0]
    shares, tied, tau = found.top(top), found.tied, found.agreement[first]
    rows: list[tuple[str, ...]] = [
        (shown(name), listed(found.winners[name], 3), _tau(tau[name]), f"{float(shares[name]):.2f}", str(tied[name]))
        for name in found.rules
    ]
    return ["rule", "winner", f"tau with {first}", f"top {top} in common", "tied"], rows, (2, 3, 4)


def rank_rows(found: Comparison) -> Rows:
    """Return one row per model: its rank by every rule."""
    frame = found.ranks
    places = zip(frame.index, frame.to_numpy().tolist(), strict=True)
    rows = [(shown(model), *map(str, row)) for model, row in places]
    return ["model", *map(shown, frame.columns)], rows, tuple(range(1, len(frame.columns) + 1))


def _tau(value: float) -> str:
    return "none" if math.isnan(value) else f"{value:.3f}"


# Verdicts as views.


def verdicts_view(asked: Sequence[Verdicts], firm: Sequence[Result], *, every: bool, details: bool, most: int) -> View:
    """Return a row for each model that can win by some of the rules, and why others never can by any."""
    headings, rows, right = able_rows(asked, details=details)
    never = [one.found for one in asked if every and one.found.with_verdict(Verdict.NEVER)]
    by = " or ".join(one.found.rule.by for one in asked)
    tables = [Table(headings, rows if every else rows[:most], right, f"Models that can win or tie {by}", None)]
    tables += [Table(*never_rows(one), f"Models that can never win {one.rule.by}", None) for one in never]
    left = left_out_lines(asked, len(rows) if every else most, every=every)
    results: list[Result] = []
    for one in asked:
        kept = [near for near in one.nearest.values() if near is not None]
        results += [one.found, *kept, *([] if one.shares is None else [one.shares])]
    nearest = {model: near for model, near in asked[0].nearest.items() if near is not None}
    return View(
        blocks=[*tables, (*left, *legend_lines(asked), foot_line(asked, details=details))],
        results=[*results, *firm],
        picture=asked[0].found,
        drawn={"shares": asked[0].shares, "nearest": nearest},
    )


def singly_view(found: MajorityProspect | GeometricProspect) -> View:
    """Return the verdict on a model by a rule that takes one at a time."""
    what = "Best weights found" if len(found.weights) else "Blockers"
    facts = Facts([(what, [weights_line(named_shares(found.shares))]), ("Proof", [_grounds(found)])])
    return View(headline=str(found), blocks=[facts], results=[found])


def all_singly_view(found: Sequence[MajorityProspect | GeometricProspect], undecided: Sequence[str] = ()) -> View:
    """Return the verdicts on all models by such a rule; ``undecided``: models whose search reached its limit."""
    order, by_margins = list(Verdict), isinstance(found[0], MajorityProspect)
    rows = [
        (shown(one.model), one.verdict.words, _grounds(one), weights_line(named_shares(one.shares)))
        for one in sorted(found, key=lambda one: order.index(one.verdict))
    ]
    alone, tied, never = (sum(one.verdict is verdict for one in found) for verdict in Verdict)
    tie = f"{tied} can at best tie for first, " if by_margins else ""
    more = f"; not decided within the time limit: {listed(undecided, 5)}" if undecided else ""
    told = (
        f"{rule_words(found[0].rule, begins=True)}, {alone} of {len(found) + len(undecided)} models can be the only "
        f"winner, {tie}{never} can never win{more}."
    )
    headings = ["model", "verdict", "proof", "weights" if by_margins else "weights or blockers"]
    return View(headline=told, blocks=[Table(headings, rows, (), "Verdicts", None)], results=found)


def _grounds(one: MajorityProspect | GeometricProspect) -> str:
    return "exact" if one.proof is Proof.EXACT else f"by the bound of {one.solver}"
