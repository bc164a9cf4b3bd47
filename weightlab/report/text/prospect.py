"""What a prospect says about one model, in plain sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import ceil, floor
from typing import Any, Literal

from weightlab._record import to_json
from weightlab._result import Result
from weightlab._text import percent, rounded, shown
from weightlab._validate import counted
from weightlab.data import Leaderboard
from weightlab.exceptions import ImpossibleError
from weightlab.lp import (
    Objective,
    Prospect,
    Scenario,
    Upset,
    Verdict,
    WeightRanges,
    WeightSpace,
    WinningShares,
    closest_to,
    fewest_tasks,
    most_balanced,
    most_weight,
    upset,
    weight_ranges,
)
from weightlab.lp import scenario as scenario_of
from weightlab.lp.improvement.costs import improvement_text
from weightlab.lp.sampling.estimates import ALMOST_ALL
from weightlab.report.context import Unproved, fits
from weightlab.report.text.words import listed, mixture, named_shares, weights_line

UPSET_SECONDS = 10.0
"""So long is looked for the least to improve, where no time limit is given: the question is NP-hard."""
KEPT = {1: "one task", 2: "two tasks"}
"""So few tasks that keep weight are worth a word."""


@dataclass(frozen=True, kw_only=True)
class SummaryOptions:
    """What summaries of models are to hold besides their verdicts.

    Attributes
    ----------
    shares : WinningShares or None
        Estimated once for all models; None leaves shares out.
    improve : str or None
        What improving costs, as `upset` has it: ``"score"`` or ``"result"``; None leaves it out.
    time_limit : float or None
        Seconds for each program.
    """

    shares: WinningShares | None = None
    improve: Literal["score", "result"] | None = "score"
    time_limit: float | None = None


@dataclass(frozen=True, kw_only=True)
class ModelSummary:
    """A model's prospect with the scenarios that make it tangible.

    Attributes
    ----------
    prospect : Prospect
        The verdict.
    nearest, balanced, fewest : Scenario or None
        The winning weights nearest to today's, those whose largest weight is least, and some on as few tasks as can
        be; None when there are none, or none was found in time.
    ranges : WeightRanges or None
        What each task must and may weigh.
    shares : WinningShares or None
        Under which share of weightings models win.
    upsets : tuple of (str, Upset or None)
        What to improve, under which weights; None where no improvement does.
    only : bool
        Whether it is proved that under exactly one weighting the model is undefeated.
    emptied : bool
        Whether it is proved that all weights as near put nothing on the tasks on which the nearest ones put nothing,
        though today all these tasks have weight.
    today : str
        How its duels go under today's weights.
    """

    prospect: Prospect
    nearest: Scenario | None
    balanced: Scenario | None
    fewest: Scenario | None
    ranges: WeightRanges | None
    shares: WinningShares | None
    upsets: tuple[tuple[str, Upset | None], ...]
    only: bool
    emptied: bool
    today: str

    def lines(self, board: Leaderboard) -> list[Line]:
        """Return headed lines, without the first sentence and the last line."""
        verdict = self.prospect.verdict
        told: list[Line] = [("At today's weights", [self.today])]
        improve = upset_lines(self.upsets)
        if verdict is Verdict.NEVER:
            return [*told, *_obstacle(self.prospect), *improve]
        widest = "The only weighting that does it" if self.only else "Weights with the widest lead"
        told.append((widest, [weights_line(named_shares(self.prospect.weights))]))
        if verdict is Verdict.WEAK:
            told += _obstacle(self.prospect)
        return [*told, *self._weightings(board), *self._share(), *improve]

    def _weightings(self, board: Leaderboard) -> list[Line]:
        """Return what is known of the weightings under which the model wins, or ties."""
        if self.only:
            far = [] if self.nearest is None else [_far(self.nearest, emptied=self.emptied)]
            return [(f"Distance from {centre_words(board)}", far)] if far else []
        told: list[Line] = []
        if self.nearest is not None:
            told.append((f"Nearest to {centre_words(board)}", _nearest(self.nearest, emptied=self.emptied)))
        if self.balanced is not None:
            told.append(_balanced(self.balanced, self.prospect.verdict))
        if self.fewest is not None:
            told += fewest_lines(self.fewest)
        if self.ranges is not None:
            told += range_lines(self.ranges)
        return told

    def _share(self) -> list[Line]:
        if self.prospect.verdict is Verdict.WEAK and not self.prospect.space.conditions:
            return [("Share of all weightings", ["0%: it ties at best"])]
        return [] if self.shares is None else share_lines(self.shares, self.prospect.model)

    def results(self) -> list[Result]:
        """Return all results that the summary rests on but the shares, which are those of all models."""
        parts = (self.prospect, self.nearest, self.balanced, self.fewest, self.ranges, *(one for _, one in self.upsets))
        return [part for part in parts if part is not None]


def model_summary(board: Leaderboard, prospect: Prospect, unproved: Unproved, options: SummaryOptions) -> ModelSummary:
    """Return which winning weights of a model are near, balanced, on few tasks, the only ones; and what to improve.

    What ends without a proof is left out of it, and added to ``unproved``.
    """
    model, named, can = prospect.model, shown(prospect.model), prospect.verdict is not Verdict.NEVER
    asked: dict[str, Any] = {"space": prospect.space, "time_limit": options.time_limit}

    def find(what: str, objective: Objective, form: str) -> Scenario | None:
        question = partial(scenario_of, board, model, objective, **asked)
        return unproved.ask(f"{named}, {what}", question, serves(model, form)) if can else None

    nearest = find("nearest weights", closest_to(), "DistanceFrom")
    balanced = find("flattest weights", most_balanced(), "LargestWeight")
    fewest = find("smallest set of tasks", fewest_tasks(), "")
    ask = partial(weight_ranges, board, model, **asked)
    ranges = unproved.ask(f"{named}, least and most weights", ask, fits(WeightRanges, model=model)) if can else None
    only = _is_only(prospect, ranges)
    emptied = False
    if nearest is not None:
        emptied = _is_emptied(board, nearest, unproved, only=only, time_limit=options.time_limit)
    return ModelSummary(
        prospect=prospect,
        nearest=nearest,
        balanced=balanced,
        fewest=fewest,
        ranges=ranges,
        shares=options.shares,
        upsets=tuple(_upsets(board, prospect, unproved, options)),
        only=only,
        emptied=emptied,
        today=_today(board, prospect.model),
    )


def _upsets(
    board: Leaderboard, prospect: Prospect, unproved: Unproved, options: SummaryOptions
) -> Iterator[tuple[str, Upset | None]]:
    """Yield what a model that does not win must improve: at today's weights and, where no weights help, under some."""
    if options.improve is None:
        return
    strict, free = prospect.verdict is Verdict.STRICT, not prospect.space.conditions
    questions: list[tuple[str, WeightSpace | None]] = []
    if free and not (strict and _wins_today(board, prospect.model)):
        questions.append((f"at {centre_words(board)}", None))
    if not strict:
        questions.append(("under some weights" if free else "under some allowed weights", prospect.space))
    limit = UPSET_SECONDS if options.time_limit is None else options.time_limit
    for where, space in questions:
        ask = partial(upset, board, prospect.model, space=space, kind=options.improve, time_limit=limit)
        fit = partial(_improves, prospect.model, options.improve, space)
        try:
            found = unproved.ask(f"{shown(prospect.model)}, what to improve {where}", ask, fit)
        except ImpossibleError:
            yield where, None
        else:
            if found is not None:
                yield where, found


def _improves(model: str, unit: str, space: WeightSpace | None, one: Any) -> bool:
    """Tell whether a result says what this model must improve, under any weights of this space."""
    return fits(Upset, model=model, cost_unit=unit)(one) and to_json(one.space) == to_json(space)


def _wins_today(board: Leaderboard, model: str) -> bool:
    margins = board.margins()
    return all(margins.margin(model, rival) > 0 for rival in board.models if rival != model)


def centre_words(board: Leaderboard) -> str:
    """Return what today's weights are called."""
    return "equal weights" if len(set(board.weights)) == 1 else "today's weights"


def proof_line(duels: int, tasks: int, space: WeightSpace) -> str:
    """Return the line that says what was checked."""
    conditions = f" under {counted(len(space.conditions), 'condition')}" if space.conditions else ""
    checked = f"{counted(duels, 'head-to-head')} x {counted(tasks, 'task')}{conditions}"
    return f"Proof checked in exact arithmetic: {checked}."


def _is_only(prospect: Prospect, ranges: WeightRanges | None) -> bool:
    """Tell whether it is proved that under exactly one weighting a model that cannot win is undefeated."""
    if prospect.verdict is not Verdict.WEAK or ranges is None:
        return False
    return all(low == high for low, high in zip(ranges.low, ranges.high, strict=True))


def _is_emptied(
    board: Leaderboard, nearest: Scenario, unproved: Unproved, *, only: bool, time_limit: float | None
) -> bool:
    """Tell whether all but one or two tasks go to zero under every weighting that is as near as the nearest one.

    Nothing is asked about more tasks, nor about weights that are not those shown, nor about tasks at zero already.
    """
    idle = [task for task, weight in named_shares(nearest.weights) if not weight]
    kept = len(nearest.tasks) - len(idle)
    as_shown = nearest.strict_weights is None or not nearest.slack
    if not idle or kept not in KEPT or not as_shown or not all(board.weights[task] for task in idle):
        return False
    if only:
        return True
    as_near = nearest.at_optimum.space
    ask = partial(scenario_of, board, nearest.model, most_weight(idle), space=as_near, time_limit=time_limit)

    def fit(one: Any) -> bool:
        of_these = serves(nearest.model, "WeightOf")(one) and set(one.stages[0].objective.tasks) == set(idle)
        return of_these and one.space.to_dict() == as_near.to_dict()

    most = unproved.ask(f"{shown(nearest.model)}, whether tasks go to zero", ask, fit)
    return most is not None and most.value == 0


def serves(model: str, objective: str) -> Callable[[Any], bool]:
    """Return what tells whether a scenario is of this model and serves one objective, of this form; or few tasks."""

    def fit(one: Any) -> bool:
        if not fits(Scenario, model=model)(one) or len(one.stages) != 1:
            return False
        return type(getattr(one.stages[0], "objective", "")).__name__ == (objective or "str")

    return fit


def _today(board: Leaderboard, model: str) -> str:
    margins = board.margins()
    leads = {rival: margins.margin(model, rival) for rival in board.models if rival != model}
    won = [rival for rival, lead in leads.items() if lead > 0]
    lost = [rival for rival, lead in leads.items() if lead < 0]
    tied = [rival for rival, lead in leads.items() if lead == 0]
    if len(leads) == 1:
        does = "beats" if won else "ties" if tied else "loses to"
        return f"{does} its only rival{': it is the Condorcet winner' if won else ''}"
    if len(won) == len(leads):
        return f"beats all {len(won)} rivals: it is the Condorcet winner"
    parts = [f"beats {len(won)} of {len(leads)} rivals"]
    parts += [f"ties {listed(tied, 3)}"] if tied else []
    parts += [f"loses to {listed(lost, 3)}"] if lost else []
    return "; ".join(parts)


def _obstacle(prospect: Prospect) -> list[Line]:
    heading = "Why it only ties" if prospect.verdict is Verdict.WEAK else "Why it cannot win"
    if prospect.dominators:
        named = listed(prospect.dominators, 3)
        return [(heading, [f"dominated by {named}: ahead or tied on every task"])]
    if prospect.twins and prospect.verdict is Verdict.WEAK:
        return [(heading, [f"ties {listed(prospect.twins, 3)} on every task"])]
    many = len([share for share in prospect.blockers if share]) > 1
    over = "this mixture" if many else "this rival"
    said = f"no weighting gives {shown(prospect.model)} a lead over {over}"
    if prospect.verdict is not Verdict.WEAK:
        behind = f"by at least {percent(-prospect.upper, floor)} of the weight"
        said = f"under every weighting {shown(prospect.model)} trails {over} {behind}"
    told = [(heading, [f"{mixture(named_shares(prospect.blockers))}:", said])]
    if prospect.fewest is not None and len(prospect.fewest.rivals) < sum(1 for share in prospect.blockers if share):
        told.append(("Fewest rivals that block it", [mixture(named_shares(prospect.fewest.blockers))]))
    return told


def _nearest(nearest: Scenario, *, emptied: bool) -> list[str]:
    weights = nearest.strict_weights if nearest.strict_weights is not None else nearest.weights
    if nearest.value == 0:
        distance = "0: they make it win" if nearest.attained else "0: they let it tie"
    else:
        distance = _far(nearest, emptied=emptied)
    if nearest.strict_weights is not None and nearest.slack:
        distance += f" (ties there, wins just beyond: shown at {rounded(nearest.value + nearest.slack, 4)})"
    return [f"distance {distance}", weights_line(named_shares(weights))]


def _far(nearest: Scenario, *, emptied: bool) -> str:
    kept = sum(1 for weight in nearest.weights if weight)
    lost = f": all but {KEPT[kept]} would have to go to zero" if emptied else ""
    return f"{rounded(nearest.value, 2)} of 2 (L1){lost}"


def _balanced(balanced: Scenario, verdict: Verdict) -> Line:
    such = "winning" if verdict is Verdict.STRICT else "undefeated"
    return f"Flattest {such} weights", [f"no task above {percent(balanced.value, ceil)}"]


# Headed lines about one model: the fewest tasks, what each task weighs, its share of weightings, what to improve.

Line = tuple[str, list[str]]
"""A heading and what stands beside it."""
RANGES = 20
"""So many ranges are written out; the rest is counted."""
IMPROVEMENTS = 4
"""On so many tasks is it told what to improve; the rest is counted."""


def fewest_lines(fewest: Scenario) -> list[Line]:
    """Say how few tasks suffice, and weights on them that win strictly where any do."""
    weights = fewest.weights if fewest.strict_weights is None else fewest.strict_weights
    line = weights_line(named_shares(weights))
    if fewest.slack:
        lines = [f"{fewest.value} to be undefeated, {fewest.value + fewest.slack} to win:", line]
    else:
        lines = [f"{fewest.value}: {line}"]
    return [("Smallest set of tasks", lines)]


def range_lines(ranges: WeightRanges) -> list[Line]:
    """Say what each task must and may weigh, the indispensable ones first; those with the same range together."""
    alike: dict[tuple[Fraction, Fraction], list[str]] = {}
    for one in ranges.ranges:
        if not one.is_group or one.low > 0 or one.high < 1:
            alike.setdefault((one.low, one.high), []).append(one.label)
    ordered = sorted(alike, key=lambda ends: (-ends[0], ends[1]))
    lines = [f"{_range(*ends)}: {listed(alike[ends])}" for ends in ordered[:RANGES]]
    if len(ordered) > RANGES:
        lines.append(f"{len(ordered) - RANGES} more ranges (all of them with --json)")
    return [("Least and most weight of a task", lines)]


def _range(low: Fraction, high: Fraction) -> str:
    if low == high:
        return f"exactly {percent(low)}"
    return f"{percent(low, floor)} to {percent(high, ceil)}"


def share_lines(shares: WinningShares, model: str) -> list[Line]:
    """Say under which share of weightings the model beats every rival."""
    said = share_cell(shares, model)
    of = "allowed weightings" if shares.space.conditions else "all weightings"
    share, low, high, positive = _row(shares, model)
    drawn = f"{shares.draws.samples:,} drawn at random"
    if positive and share == 0:
        said += f" (95% interval; none of {drawn} makes it win)"
    elif positive and low < high:
        said += f" (95% interval {percent(Fraction(min(low, ALMOST_ALL)))} to {percent(Fraction(high))}, {drawn})"
    return [(f"Share of {of}", [said])]


def share_cell(shares: WinningShares, model: str) -> str:
    """Return a model's share for a table: exactly 0, or what was estimated, or what it lies above and below."""
    share, low, high, positive = _row(shares, model)
    if not positive:
        return "0"
    if share > ALMOST_ALL and low < high:
        return f"above {percent(Fraction(min(low, ALMOST_ALL)))}"
    return f"above 0, below {percent(Fraction(high))}" if share == 0 else percent(Fraction(share))


def _row(shares: WinningShares, model: str) -> tuple[float, float, float, bool]:
    share, low, high, positive = tuple(shares.shares.loc[model])
    return float(share), float(low), float(high), bool(positive)


def upset_lines(upsets: Sequence[tuple[str, Upset | None]]) -> list[Line]:
    """Say what to improve; None where no improvement of its own scores would do."""
    lines = [f"{where}: {_plan(one)}" for where, one in upsets]
    return [("What to improve", lines)] if lines else []


def _plan(upset: Upset | None) -> str:
    if upset is None:
        return "no improvement of its scores makes it win"
    if not upset.improvements:
        return "nothing"
    lower, improvements = set(upset.table.lower_is_better), upset.improvements
    words = improvement_text(improvements[:IMPROVEMENTS], lower, by_score=upset.cost_unit == "score")
    if len(improvements) > IMPROVEMENTS:
        words += f", and improve on {len(improvements) - IMPROVEMENTS} more tasks (all of them with --json)"
    return f"{shown(words)}{f' (least by the bound of {upset.solver})' if upset.solver else ''}"
