"""One model in detail: how it does now, how close a win is, who is in the way, whom to pass."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from math import ceil, floor
from typing import Any, cast

import numpy as np

from weightlab._exact import common_denominator
from weightlab._result import Frozen, Result, to_json
from weightlab._text import counted, in_words, listed, percent, rounded, shown
from weightlab.data import Leaderboard
from weightlab.data.linear_rule import MEAN, LinearRule
from weightlab.data.points import Points
from weightlab.exceptions import ImpossibleError
from weightlab.lp import (
    FewestLifts,
    MeanUpset,
    Objective,
    Prospect,
    Scenario,
    Upset,
    Verdict,
    WeightRanges,
    WeightSpace,
    WinningShares,
    closest_to,
    fewest_lifts,
    fewest_tasks,
    most_balanced,
    most_weight,
    prospect,
    upset,
    weight_ranges,
)
from weightlab.lp import scenario as scenario_of
from weightlab.lp.certificate import todays_shares
from weightlab.lp.improvement.lift_rules import LIFT_RULES
from weightlab.lp.sampling.draws import ALMOST_ALL
from weightlab.views.improvement import plan_words
from weightlab.views.unproved import Unproved, fits
from weightlab.views.ways import centre_words, first_by, totals_now
from weightlab.views.words import mixture, named_shares, names_in_words, quoted_name, weights_line

UPSET_SECONDS = 10.0
"""Default time limit for the smallest improvement, in seconds: the question is NP-hard."""
TODAY = "current weights"
KEPT = 2
"""Of weights on more tasks it is not asked whether they are the only ones."""
Line = tuple[str, list[str]]
"""A heading and its text."""
MOVED = 3
"""Tasks with changed weights named."""
RIVALS = 3
"""Rivals shown with the tasks on which they are ahead."""
RANGES = 20
"""Ranges written out; the rest is counted."""


class StoryOptions(Frozen, eq=True):
    """How far a story goes.

    Attributes
    ----------
    shares : callable
        Gives the shares of all models, or None where they are not found in time; asked at most once a story.
    quick : bool
        Whether to show only results that need no search.
    time_limit : float or None
        Seconds for each program.
    """

    shares: Callable[[], WinningShares | None]
    quick: bool = False
    time_limit: float | None = None


class Story:
    """A model's story: `lines` are found one by one as they are read, and `details` after them.

    What ends without a proof is left out, and added to ``unproved``.

    Attributes
    ----------
    prospect : Prospect
        The verdict, above the details.
    nearest : Scenario or None
        The winning weights nearest to today's, once they are found.
    ranges : WeightRanges or None
        Weight range of each task, under the same condition.
    results : list of Result
        Results that the story rests on so far, except the shares, which are those of all models.
    """

    def __init__(self, board: Leaderboard, prospect: Prospect, unproved: Unproved, options: StoryOptions) -> None:
        self.prospect = prospect
        self.nearest: Scenario | None = None
        self.ranges: WeightRanges | None = None
        self.results: list[Result] = [prospect]
        self._board, self._unproved, self._options = board, unproved, options
        rule = prospect.rule
        self._asked: dict[str, Any] = {"rule": rule, "space": prospect.space, "time_limit": options.time_limit}

    @property
    def verdict(self) -> str:
        """The first sentence."""
        found = self.prospect
        if found.verdict is not Verdict.STRICT or found.points is not None:
            return shown(found)
        conditions = f".{found.space.conditions_sentence}"
        return shown(f"Head-to-head, {found.model} can win: some weights make it beat every rival{conditions}")

    def lines(self) -> Iterator[Line]:
        """Yield headed lines as they are found, without the first sentence and the last line."""
        majority = self.prospect.points is None
        yield from (todays_lines if majority else ranked_lines)(self._board, self.prospect)
        quick, verdict = self._options.quick, self.prospect.verdict
        if verdict is not Verdict.NEVER and not quick:
            yield from self._near()
        if verdict is not Verdict.STRICT:
            yield "Blocked by", [obstacle_words(self.prospect)]
        if not quick:
            yield from self._plans()
            yield from self._share()

    def last_line(self) -> str:
        """Return which claims were checked, and which were not."""
        rivals, tasks = counted(len(self.prospect.rivals), "rival"), counted(len(self.prospect.tasks), "task")
        plans = [one.solver for one in self.results if isinstance(one, Upset)]
        plans += [one.lifts.solver for one in self.results if isinstance(one, FewestLifts)]
        solvers = list(dict.fromkeys(str(solver) for solver in plans if solver is not None))
        least = f"; that this is the minimum relies on the bound of {' and '.join(solvers)}" if solvers else ""
        return f"Proved in exact arithmetic: {rivals}, {tasks}{conditions_words(self.prospect.space)}{least}."

    # How close a win is.

    def _near(self) -> Iterator[Line]:
        self.nearest = nearest = self._scenario("nearest weights", closest_to(), "DistanceFrom")
        if nearest is None:
            return
        if self.prospect.verdict is Verdict.WEAK:
            only = ", the only such weights" if self._is_only(nearest) else ""
            weights = f"with {weights_line(named_shares(nearest.weights))}{only}; {move_words(nearest)}"
            yield "At best", [f"{self._ties} {weights if nearest.value else 'under the ' + TODAY}"]
        elif nearest.value:
            changes = changes_words(nearest, todays_shares(self._board, nearest.tasks).tolist())
            yield "Nearest winning weights", [f"{move_words(nearest)}{changes}"]
        elif not nearest.attained:
            yield "Nearest winning weights", [f"an arbitrarily small change of the {TODAY} makes it win"]

    @property
    def _ties(self) -> str:
        """What a model is under weights that let it win or tie."""
        return "undefeated" if self.prospect.points is None else "tied for first"

    def _is_only(self, nearest: Scenario) -> bool:
        """Return whether it is proved that no other weights leave the model undefeated.

        Weights sum to 1: where no task can weigh more than it does here, these are the only ones. The tasks without
        weight are tested together.
        """
        weights = named_shares(nearest.weights)
        kept = [(task, weight) for task, weight in weights if weight]
        idle = [task for task, weight in weights if not weight]
        if len(kept) > KEPT:
            return False
        most = [((task,), weight) for task, weight in kept] + ([(tuple(idle), Fraction(0))] if idle else [])
        for tasks, weight in most:
            found = self._scenario("whether other weights do it", most_weight(list(tasks)), "WeightOf", tasks)
            if found is None or found.value != weight:
                return False
        return True

    def _scenario(self, what: str, objective: Objective, form: str, tasks: tuple[str, ...] = ()) -> Scenario | None:
        model = self.prospect.model
        ask = partial(scenario_of, self._board, model, objective, **self._asked)
        fit = serves(model, form, tasks, rule=self.prospect.rule)
        found = self._unproved.ask(f"{shown(model)}, {what}", ask, fit)
        return self._kept(found) if not tasks else found

    def _kept(self, found: Any) -> Any:
        self.results += [] if found is None else [found]
        return found

    def _share(self) -> Iterator[Line]:
        heading = "Share of allowed" if self.prospect.space.conditions else "Share of weightings"
        if self.prospect.verdict is not Verdict.STRICT:
            yield heading, ["0%"]
        elif (shares := self._options.shares()) is not None:
            yield heading, [f"{share_cell(shares, self.prospect.model)} (estimated)"]

    # What to improve.

    def _plans(self) -> Iterator[Line]:
        """Yield what a model that does not win must improve: now and, where no weights help, under some weights."""
        model, found = self.prospect.model, self.prospect
        strict, free = found.verdict is Verdict.STRICT, not found.space.conditions
        now = free and not (strict and self._wins_now())
        questions: list[tuple[str, WeightSpace | None]] = [(TODAY, None)] if now else []
        questions += [] if strict else [("some weights" if free else "some allowed weights", found.space)]
        limit = UPSET_SECONDS if self._options.time_limit is None else self._options.time_limit
        parts = []
        for where, space in questions:
            asked = _what_improves(self._board, found, space, limit)
            if asked is None:
                continue
            what = f"{shown(model)}, what to improve under {where}"
            try:
                plan = self._kept(self._unproved.ask(what, *asked))
            except ImpossibleError:
                parts.append(f"{where}: no improvement of its scores is enough")
            else:
                parts += [] if plan is None else [f"{where}: {plan_words(plan)}"]
        if parts:
            yield "What it would take", ["; ".join(parts)]

    def _wins_now(self) -> bool:
        found = self.prospect
        if found.points is not None:
            return first_by(self._board, found.points) == [found.model]
        return min(leads_today(self._board, found.model).values()) > 0

    # Shown on request.

    def details(self) -> Iterator[Line]:
        """Yield the evidence for the story: the widest lead, the flattest weights, few tasks, ranges, intervals."""
        found, verdict = self.prospect, self.prospect.verdict
        yield from self._fewest_blockers()
        if verdict is Verdict.NEVER:
            return
        such = self._ties if verdict is Verdict.WEAK else "winning"
        if verdict is Verdict.STRICT:
            widest = f"{found.lead_words(found.lower)} over every rival, with "
            yield "Widest lead", [widest + weights_line(named_shares(found.weights))]
        flattest = self._scenario("flattest weights", most_balanced(), "LargestWeight")
        if flattest is not None:
            yield "Flattest weights", [f"{such} with no task above {percent(flattest.value, ceil)}"]
        fewest = self._scenario("smallest set of tasks", fewest_tasks(), "")
        if fewest is not None:
            yield "Smallest set of tasks", fewest_lines(fewest)
        ask = partial(weight_ranges, self._board, found.model, **self._asked)
        what = f"{shown(found.model)}, least and most weights"
        self.ranges = self._kept(self._unproved.ask(what, ask, fits(WeightRanges, model=found.model, rule=found.rule)))
        if self.ranges is not None:
            yield "Weight of each task", range_lines(self.ranges)
        shares = self._options.shares() if verdict is Verdict.STRICT else None
        if shares is not None:
            yield "95% interval", [f"{interval_words(shares, found.model)}, from {shares.draws.samples:,} weightings"]

    def _fewest_blockers(self) -> Iterator[Line]:
        """Yield the fewest rivals that block a model, where they are fewer than those of its proof."""
        own = [share for share in self.prospect.blockers if share]
        if self.prospect.verdict is Verdict.STRICT or len(own) == 1 or self.prospect.points is not None:
            return
        asked = self._asked | {"rule": self.prospect.rule.name}
        ask = partial(prospect, self._board, self.prospect.model, fewest_blockers=True, **asked)
        what = f"{shown(self.prospect.model)}, fewest blockers"
        found = self._unproved.ask(what, ask, fits(Prospect, model=self.prospect.model, rule=self.prospect.rule))
        if found is not None and found.fewest is not None:
            self.results[0] = found
            if len(found.fewest.rivals) < len(own):
                yield "Fewest blockers", [mixture(named_shares(found.fewest.blockers))]


def serves(model: str, objective: str, tasks: tuple[str, ...] = (), *, rule: LinearRule) -> Callable[[Any], bool]:
    """Return a test whether a scenario belongs to this model and has one objective of this form, or few tasks."""

    def fit(one: Any) -> bool:
        if not fits(Scenario, model=model, rule=rule)(one) or len(one.stages) != 1:
            return False
        served: Any = getattr(one.stages[0], "objective", "")
        return type(served).__name__ == (objective or "str") and (not tasks or set(tasks) == set(served.tasks))

    return fit


def _what_improves(
    board: Leaderboard, found: Prospect, space: WeightSpace | None, limit: float
) -> tuple[Callable[[], Any], Callable[[Any], bool]] | None:
    """Return the query for a model's smallest improvement by a rule, and the test of an answer; None by no rule.

    Head-to-head and by the mean scores rise by least; by points of places on the fewest tasks to the best score.
    """
    model, rule = found.model, found.rule
    options: dict[str, Any] = {"space": space, "time_limit": limit}
    if rule.is_majority or rule.name == MEAN:
        fit = fits(Upset if rule.is_majority else MeanUpset, model=model)
        ask: Callable[[], Any] = partial(upset, board, model, rule=rule.name, **options)
    elif rule.name in LIFT_RULES and rule.ties == "average":
        fit = fits(FewestLifts, model=model)
        ask = partial(fewest_lifts, board, model, rule.name, missing=rule.missing, **options)
    else:
        return None
    return ask, lambda one: fit(one) and to_json(one.space) == to_json(space)


# Today.


def ranked_lines(board: Leaderboard, found: Prospect) -> Iterator[Line]:
    """Yield which rank a model has now by a rule of points, and who is ahead of it."""
    points = cast("Points", found.points)
    totals = dict(zip(points.models, totals_now(board, points), strict=True))
    unit = points.denominator * sum(common_denominator(board.weights.loc[list(points.tasks)].tolist())[0])

    def lead(rival: str) -> Fraction:
        return Fraction(totals[rival] - totals[found.model], unit)

    ahead = sorted((rival for rival in totals if lead(rival) > 0), key=lead, reverse=True)
    tied = [rival for rival in totals if not lead(rival) and rival != found.model]
    told = [f"rank {len(ahead) + 1} of {len(totals)} ({centre_words(board)})"]
    told += [f"tied with {names_in_words(tied, 2)}"] if tied else []
    if ahead:
        behind = [f"{quoted_name(rival)} (by {_amount(lead(rival), found)})" for rival in ahead]
        told.append(f"behind {in_words(behind, RIVALS)}")
    elif not tied:
        second = max(lead(rival) for rival in totals if rival != found.model)
        told.append(f"{_amount(-second, found)} ahead of the next model")
    yield "Now", [", ".join(told)]


def _amount(lead: Fraction, found: Prospect) -> str:
    """Return a lead in points, rounded."""
    return f"{rounded(lead, 2 if lead >= 1 else 4)} points{'' if found.rule.name == MEAN else ' per task'}"


def leads_today(board: Leaderboard, model: str) -> dict[str, Fraction]:
    """Return a model's lead over each rival under today's weights."""
    margins = board.margins()
    return {rival: margins.margin(model, rival) for rival in board.models if rival != model}


def todays_lines(board: Leaderboard, found: Prospect) -> Iterator[Line]:
    """Yield how many rivals a model beats now, and which beat it on which tasks."""
    model = found.model
    leads = leads_today(board, model)
    won = [rival for rival, lead in leads.items() if lead > 0]
    tied = [rival for rival, lead in leads.items() if not lead]
    lost = [rival for rival, lead in leads.items() if lead < 0]
    does = [f"beats {len(won)} of {counted(len(leads), 'rival')}"]
    does += [f"ties {names_in_words(tied, 2)}"] if tied else []
    does += [f"loses to {len(lost)}"] if lost else []
    wins = ": it wins head-to-head" if len(won) == len(leads) else ""
    yield "Now", [f"{', '.join(does)} ({centre_words(board)}){wins}"]
    if lost:
        signs = board.signs()
        matrix, rivals = signs.matrix(model), signs.rivals(model)
        told = []
        for rival in lost[:RIVALS]:
            ahead = [signs.tasks[one] for one in np.flatnonzero(matrix[rivals.index(rival)] < 0)]
            told.append(f"{quoted_name(rival)} (ahead on {_some_tasks(ahead)})")
        more = f"; and {counted(len(lost) - RIVALS, 'more rival')}" if len(lost) > RIVALS else ""
        yield "Loses to", ["; ".join(told) + more]


def _some_tasks(tasks: list[str]) -> str:
    return f"{names_in_words(tasks, 2)} tasks" if len(tasks) > 3 else names_in_words(tasks, 3)


# Weights: how far they move, and where to.


def winning_weights(nearest: Scenario) -> Any:
    """Return the weights that are shown of a scenario: some that win where any do."""
    return nearest.weights if nearest.strict_weights is None else nearest.strict_weights


def move_words(nearest: Scenario) -> str:
    """Return how much of the weight moves to the nearest weights: half of the sum of changes."""
    share = nearest.value / 2
    if nearest.strict_weights is not None and nearest.slack:
        least, here = percent(share, floor), percent(share + nearest.slack / 2)
        shown_at = f" ({here} here)" if here != percent(share) else ""
        return f"more than {least} of the weight must shift{shown_at}"
    return f"at least {percent(share, floor)} of the weight must shift"


def changes_words(nearest: Scenario, today: list[Fraction]) -> str:
    """Return the greatest changes of weights, such as ``: RTE 14.3% (from 7.14%), AX 0% (from 7.14%)``."""
    weights = zip(named_shares(winning_weights(nearest)), today, strict=True)
    moved = [
        (new - old, task, percent(new), percent(old)) for (task, new), old in weights if percent(new) != percent(old)
    ]
    moved.sort(key=lambda one: (-abs(one[0]), one[0] < 0))
    told = [f"{quoted_name(task)} {new} (from {old})" for _, task, new, old in moved[:MOVED]]
    more = [f"{len(moved) - MOVED} more"] if len(moved) > MOVED else []
    return ": " * bool(told) + ", ".join([*told, *more])


def obstacle_words(found: Prospect, *, after: bool = False) -> str:
    """Return the obstacle to a win: a rival that is never behind, a twin, or a mixture of rivals.

    ``after`` a name, such as ``dee: ...``, the model is called "it"; else the mixture comes first, and is.
    """
    if found.dominators:
        does = "beats or ties" if len(found.dominators) == 1 else "each beat or tie"
        return f"{names_in_words(found.dominators)} {does} it on every task"
    if found.twins and found.verdict is Verdict.WEAK:
        return f"{names_in_words(found.twins)} {'ties' if len(found.twins) == 1 else 'tie'} it on every task"
    blockers = mixture(named_shares(found.blockers))
    model, them = ("it", blockers) if after else (quoted_name(found.model), "it")
    weights = f"{'allowed ' * bool(found.space.conditions)}weights"
    said = f"under all {weights} {model} trails {them} by {found.lead_words(-found.upper)} or more"
    if found.verdict is Verdict.WEAK:
        said = f"no {weights} give {model} a lead over {them}"
    return said if after else f"{blockers}: {said}"


def conditions_words(space: WeightSpace) -> str:
    """Return how many conditions the weights are under."""
    return f", under {counted(len(space.conditions), 'condition')}" if space.conditions else ""


def proof_line(duels: int, tasks: int, space: WeightSpace) -> str:
    """Return the line that says what was checked."""
    conditions = conditions_words(space).removeprefix(",")
    checked = f"{counted(duels, 'head-to-head')} x {counted(tasks, 'task')}{conditions}"
    return f"Proof checked in exact arithmetic: {checked}."


# Details: few tasks, what each task weighs, shares.


def fewest_lines(fewest: Scenario) -> list[str]:
    """Say how few tasks suffice, and weights on them that win strictly where any do."""
    line = weights_line(named_shares(winning_weights(fewest)))
    if fewest.slack:
        return [f"{fewest.value} to be undefeated, {fewest.value + fewest.slack} to win: {line}"]
    return [f"{fewest.value}: {line}"]


def range_lines(ranges: WeightRanges) -> list[str]:
    """Give the weight range of each task, the indispensable ones first; those with the same range together."""
    alike: dict[tuple[Fraction, Fraction], list[str]] = {}
    for one in ranges.ranges:
        if not one.is_group or one.low > 0 or one.high < 1:
            alike.setdefault((one.low, one.high), []).append(one.label)
    ordered = sorted(alike, key=lambda ends: (-ends[0], ends[1]))
    lines = [f"{_range(*ends)}: {listed(alike[ends])}" for ends in ordered[:RANGES]]
    if len(ordered) > RANGES:
        lines.append(f"{len(ordered) - RANGES} more ranges (all of them with --json)")
    return lines


def _range(low: Fraction, high: Fraction) -> str:
    if low == high:
        return f"exactly {percent(low)}"
    return f"{percent(low, floor)} to {percent(high, ceil)}"


def share_cell(shares: WinningShares, model: str) -> str:
    """Return a model's share of weightings: 0%, or what was estimated, or what it surely lies above or below."""
    place = shares.models.index(model)
    if not shares.positive[place]:
        return "0%"
    share = float(shares.wins.shares(shares.draws)[place])
    if 0 < share <= ALMOST_ALL:
        return percent(Fraction(share))
    if share == 0:
        return f"< {percent(Fraction(shares.wins.highest_unseen(shares.draws)[place]), ceil)}"
    low, high = _interval(shares, model)  # only here, since SciPy has to be loaded for it
    if low < high:
        return f"> {percent(Fraction(min(low, ALMOST_ALL)), floor)}"
    return percent(Fraction(share))


def interval_words(shares: WinningShares, model: str) -> str:
    """Return the 95% interval of a model's share."""
    low, high = _interval(shares, model)
    least = Fraction(low if low == high else min(low, ALMOST_ALL))
    return f"{percent(least, floor)} to {percent(Fraction(high), ceil)}"


def _interval(shares: WinningShares, model: str) -> tuple[float, float]:
    _, low, high, _ = tuple(shares.shares.loc[model])
    return float(low), float(high)
