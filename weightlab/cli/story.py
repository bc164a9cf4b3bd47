"""What a prospect says about one model, in plain sentences."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import ceil, floor

import pandas as pd

from weightlab._exact import fraction
from weightlab.cli.late import Late
from weightlab.cli.show import listed, mixture, number, rounded, shown, weights_line
from weightlab.data import Leaderboard
from weightlab.lp import Prospect, Scenario, Verdict, WeightSpace, closest_to, least_weight, most_balanced, most_weight
from weightlab.lp import scenario as scenario_of

__all__ = ["Story", "centre_words", "proof_line", "story"]

KEPT = {1: "one task", 2: "two tasks"}
"""So few tasks that keep weight are worth a word."""


@dataclass(frozen=True, kw_only=True)
class Story:
    """A model's prospect with the scenarios that make it tangible.

    Attributes
    ----------
    prospect : Prospect
        The verdict.
    nearest, balanced : Scenario or None
        The winning weights nearest to today's, and those whose largest weight is least; None when there are none, or
        none was found in time.
    only : bool
        Whether it is proved that under exactly one weighting the model loses to nobody.
    emptied : bool
        Whether it is proved that all weights as near put nothing on the tasks on which the nearest ones put nothing,
        though today all these tasks have weight.
    today : str
        How its duels go under today's weights.
    """

    prospect: Prospect
    nearest: Scenario | None
    balanced: Scenario | None
    only: bool
    emptied: bool
    today: str

    def lines(self, board: Leaderboard) -> list[tuple[str, list[str]]]:
        """Return headed lines, without the first sentence and the last line."""
        verdict = self.prospect.verdict
        told: list[tuple[str, list[str]]] = [("At today's weights", [self.today])]
        if verdict is Verdict.NEVER:
            return [*told, *_obstacle(self.prospect)]
        widest = "The only weighting that does it" if self.only else "Weights with the widest lead"
        told.append((widest, [weights_line(_pairs(self.prospect.weights))]))
        if verdict is Verdict.WEAK:
            told += _obstacle(self.prospect)
        if self.nearest is not None and not self.only:
            told.append((f"Nearest to {centre_words(board)}", _nearest(self.nearest, self.emptied)))
        if self.balanced is not None and not self.only:
            told.append(("Least largest weight", _balanced(self.balanced, verdict)))
        if self.nearest is not None and self.only:
            told.append((f"Distance from {centre_words(board)}", [_far(self.nearest, self.emptied)]))
        if verdict is Verdict.WEAK and not self.prospect.space.conditions:
            told.append(("Share of all weightings", ["0" if self.only else "0 make it win outright"]))
        return told


def story(board: Leaderboard, prospect: Prospect, late: Late, *, time_limit: float | None = None) -> Story:
    """Return a model's story: nearest and most balanced winning weights, and whether they are the only ones.

    What ends without a proof is left out of it, and added to ``late``.
    """
    space, named = prospect.space, shown(prospect.model)
    nearest = balanced = None
    only = emptied = False
    if prospect.verdict is not Verdict.NEVER:
        ask = partial(scenario_of, board, prospect.model, space=space, time_limit=time_limit)
        nearest = late.ask(f"{named}, nearest weights", lambda: ask(closest_to()))
        balanced = late.ask(f"{named}, least largest weight", lambda: ask(most_balanced()))
        only = late.ask(f"{named}, whether other weights do", lambda: _is_only(board, prospect, time_limit)) or False
    if nearest is not None:
        empty = partial(_is_emptied, board, nearest, only=only, time_limit=time_limit)
        emptied = late.ask(f"{named}, whether tasks go to zero", empty) or False
    return Story(
        prospect=prospect,
        nearest=nearest,
        balanced=balanced,
        only=only,
        emptied=emptied,
        today=_today(board, prospect.model),
    )


def centre_words(board: Leaderboard) -> str:
    """Return what today's weights are called."""
    return "equal weights" if len(set(board.weights)) == 1 else "today's weights"


def proof_line(duels: int, tasks: int, space: WeightSpace) -> str:
    """Return the line that says what was checked."""
    conditions = f" under {_counted(len(space.conditions), 'condition')}" if space.conditions else ""
    return f"Proof checked in exact arithmetic: {_counted(duels, 'duel')} x {_counted(tasks, 'task')}{conditions}."


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _is_only(board: Leaderboard, prospect: Prospect, time_limit: float | None) -> bool:
    """Tell whether no other weights keep the model from losing.

    They must put no weight on other tasks and at least as much on each task used; since weights sum to 1, that is all.
    """
    if prospect.verdict is not Verdict.WEAK:
        return False
    weights = _pairs(prospect.weights)
    idle = [task for task, weight in weights if not weight]
    questions = [(most_weight(idle), Fraction(0))] if idle else []
    questions += [(least_weight(task), weight) for task, weight in weights if weight]
    return all(
        scenario_of(board, prospect.model, question, space=prospect.space, time_limit=time_limit).value == value
        for question, value in questions
    )


def _is_emptied(board: Leaderboard, nearest: Scenario, *, only: bool, time_limit: float | None) -> bool:
    """Tell whether all but one or two tasks go to zero under every weighting that is as near as the nearest one.

    Nothing is asked about more tasks, nor about weights that are not those shown, nor about tasks at zero already.
    """
    idle = [task for task, weight in _pairs(nearest.weights) if not weight]
    kept = len(nearest.tasks) - len(idle)
    as_shown = nearest.strict_weights is None or not nearest.slack
    if not idle or kept not in KEPT or not as_shown or not all(board.weights[task] for task in idle):
        return False
    if only:
        return True
    as_near = nearest.at_optimum.space
    most = scenario_of(board, nearest.model, most_weight(idle), space=as_near, time_limit=time_limit)
    return most.value == 0


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


def _obstacle(prospect: Prospect) -> list[tuple[str, list[str]]]:
    heading = "Why it cannot win outright" if prospect.verdict is Verdict.WEAK else "Why it cannot win"
    if prospect.dominators:
        named = listed(prospect.dominators, 3)
        return [(heading, [f"dominated by {named}: ahead or level on every task"])]
    if prospect.twins and prospect.verdict is Verdict.WEAK:
        return [(heading, [f"level with {listed(prospect.twins, 3)} on every task"])]
    many = len([share for share in prospect.blockers if share]) > 1
    over = "this mixture" if many else "this rival"
    lead = "a positive lead" if prospect.verdict is Verdict.WEAK else f"a lead above {number(prospect.upper, ceil)}"
    lines = [f"{mixture(_pairs(prospect.blockers))}:", f"no weighting gives {shown(prospect.model)} {lead} over {over}"]
    told = [(heading, lines)]
    if prospect.fewest is not None and len(prospect.fewest.rivals) < sum(1 for share in prospect.blockers if share):
        told.append(("Fewest rivals that block it", [mixture(_pairs(prospect.fewest.blockers))]))
    return told


def _nearest(nearest: Scenario, emptied: bool) -> list[str]:
    weights = nearest.strict_weights if nearest.strict_weights is not None else nearest.weights
    if nearest.value == 0:
        distance = "0: they make it win" if nearest.attained else "0: they let it tie"
    else:
        distance = _far(nearest, emptied)
    if nearest.strict_weights is not None and nearest.slack:
        distance += f" (to win outright a little more: shown at {rounded(nearest.value + nearest.slack, 4)})"
    return [f"distance {distance}", weights_line(_pairs(weights))]


def _far(nearest: Scenario, emptied: bool) -> str:
    kept = sum(1 for weight in nearest.weights if weight)
    lost = f": all but {KEPT[kept]} would have to go to zero" if emptied else ""
    return f"{rounded(nearest.value, 2)} of 2 (L1){lost}"


def _balanced(balanced: Scenario, verdict: Verdict) -> list[str]:
    such = "winning" if verdict is Verdict.STRICT else "such"
    return [f"{number(balanced.value, floor)}: no {such} weighting keeps every task below that"]


def _pairs(series: pd.Series) -> list[tuple[str, Fraction]]:
    return [(str(name), fraction(value)) for name, value in zip(series.index, series.tolist(), strict=True)]
