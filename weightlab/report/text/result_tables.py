"""The table of a result as its command prints it and a notebook shows it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from weightlab import lp
from weightlab._exact import WeightsLike
from weightlab._notebook import cell_text, is_numbers
from weightlab._result import Proof, Result
from weightlab._text import counted, listed, number, percent, rounded, shown
from weightlab.data import Leaderboard
from weightlab.lp.choosing.shortlist import cost_words, loss_words
from weightlab.lp.sensitivity.least_change import reversal
from weightlab.lp.space.space import shares_of
from weightlab.report.text.improvement import improvement_rows
from weightlab.report.text.prospect import interval_words, share_cell
from weightlab.report.text.stability import change_rows, sampled
from weightlab.report.text.tables import notebook_rows, rule_rows
from weightlab.report.text.words import Rows

if TYPE_CHECKING:  # the rules and the studies load all graphs, which those who ask about weights can do without
    from weightlab.rules import Ranking, TwoStepRanking
    from weightlab.studies import Audit, NoisyVerdicts

CORNERS = 6
"""Corners of an area shown."""
KINDS = {
    "beats always": (lp.Outcome.ALWAYS_WINS,),
    "wins or ties": (lp.Outcome.NEVER_LOSES,),
    "either way": (lp.Outcome.EITHER,),
    "always ties": (lp.Outcome.ALWAYS_TIES,),
    "loses or ties": (lp.Outcome.NEVER_WINS,),
    "loses always": (lp.Outcome.ALWAYS_LOSES,),
}
"""Kinds of head-to-heads."""


def notebook_table(found: Result) -> tuple[str, pd.DataFrame]:
    """Return the notebook sentence of a result and the table of its command, else of its summary."""
    if found.kind == "prospects":
        sentence, (headings, rows, right) = notebook_rows(found)  # type: ignore[arg-type]
    else:
        sentence = str(found)
        headings, rows, right = TABLES.get(found.kind, lambda one: frame_rows(one.summary()))(found)
    frame = pd.DataFrame([row[1:] for row in rows], columns=headings[1:])
    frame.index = pd.Index([row[0] for row in rows], name="".join(headings[:1]), dtype=object)
    frame.attrs["right"] = [place - 1 for place in right]
    return sentence, frame


def frame_rows(frame: pd.DataFrame) -> Rows:
    """Return human-readable rows of a table; its index, unless it only counts, is the first column."""
    frame = with_index(frame)
    right = tuple(place for place in range(len(frame.columns)) if is_numbers(frame.iloc[:, place]))
    rows = [tuple(map(_cell, row)) for row in frame.itertuples(index=False, name=None)]
    return [shown(name).replace("_", " ") for name in frame.columns], rows, right


def with_index(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a table whose index, unless it only counts, is its first column."""
    if isinstance(frame.index, pd.RangeIndex):
        return frame
    return frame.rename_axis([name or "" for name in frame.index.names]).reset_index()


def _cell(value: Any) -> str:
    """Return a value as a table shows it; no number that is not 0 is shown as 0."""
    if not isinstance(value, float) or math.isnan(value):
        return shown(cell_text(value))
    if value and abs(value) < 0.0005:
        return f"{value:.1e}"
    text = f"{value:.3f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


# Head-to-heads.


def duel_rows(found: lp.Duels) -> Rows:
    """Return one row per model: how many of its head-to-heads are of each kind, of those kinds that there are."""
    counts = list(_counts(found))
    used = [column for column in range(len(KINDS)) if any(row[column] for _, row in counts)]
    rows = [(shown(model), *(str(row[column]) for column in used)) for model, row in counts]
    return ["model", *(list(KINDS)[column] for column in used)], rows, tuple(range(1, len(used) + 1))


def _counts(found: lp.Duels) -> Iterator[tuple[str, list[int]]]:
    """Yield each model with the number of its head-to-heads of each kind."""
    greatest = found.bounds.greatest
    for row, model in enumerate(found.models):
        others = np.arange(len(found.models)) != row
        pairs = zip((-greatest[others, row]).tolist(), greatest[row, others].tolist(), strict=True)
        outcomes = [lp.Outcome.between(least, most) for least, most in pairs]
        yield model, [sum(outcomes.count(kind) for kind in kinds) for kinds in KINDS.values()]


def duels_of_rows(found: lp.Duels, shares: lp.PairShares, weights: pd.Series) -> Rows:
    """Return one row per rival of a model: its lead now, the least shift that ties them, its share of weightings.

    ``shares`` are of the model with each rival; ``weights`` are the current ones. Leads and shifts are exact.
    """
    model, rivals = shares.pairs[0][0], [rival for _, rival in shares.pairs]
    signs = found.signs.over(found.models.index(model), [found.models.index(one) for one in rivals])
    today = list(shares_of(weights, found.space.tasks).values())
    rows = []
    for rival, row, share in zip(rivals, signs, shares.shares["share"].tolist(), strict=True):
        low, high = found.margins(model, rival)
        lead = sum((sign * one for sign, one in zip(row.tolist(), today, strict=True)), Fraction(0))
        turns = low <= 0 if lead >= 0 else high >= 0
        shift = percent(reversal("l1", row if lead >= 0 else -row, today, found.space).value / 2) if turns else "never"
        outcome = str(lp.Outcome.between(low, high))
        rows.append((shown(rival), percent(lead), shift, sampled(share, sure=low > 0) if high > 0 else "0%", outcome))
    headings = [f"{shown(model)} against", "lead now", "weight shift to tie", "share won", "over all weights"]
    return headings if not found.space.conditions else [*headings[:-1], "over these weights"], rows, (1, 2, 3)


def realisation_rows(found: lp.Realisation) -> Rows:
    """Return a row a head-to-head that is to be won: by whom, against whom, and its lead."""
    pairs = zip(found.duels, found.leads.tolist(), strict=True)
    return ["to win", "against", "lead"], [(shown(a), shown(b), percent(lead)) for (a, b), lead in pairs], (2,)


# Weights.


SMALL = Fraction(1, 10_000)
"""Changes of weights below this share one row: most are the slack with which a tie becomes a win."""


def weight_rows(found: lp.Scenario, weights: WeightsLike | None = None) -> Rows:
    """Return one row per changed task, most first; without current weights one per task with weight.

    Changes that are small share the last row.
    They are ``weights``, or those from which the scenario measures changes.
    """
    then = found.weights if found.strict_weights is None or not found.slack else found.strict_weights
    centre = current_weights(found) if weights is None else shares_of(weights, found.tasks)
    pairs = zip(found.tasks, then.tolist(), strict=True)
    if centre is None:
        rows = [(shown(task), f"{rounded(100 * weight, 2)}%") for task, weight in pairs if weight]
        return ["task", "winning weight"], rows, (1,)
    moved = [(shown(task), centre[task], weight, weight - centre[task]) for task, weight in pairs]
    moved = sorted((one for one in moved if one[3]), key=lambda one: -abs(one[3]))
    changes: list[tuple[str, ...]] = []
    large = [one for one in moved if abs(one[3]) >= SMALL] or moved
    for task, *numbers in large:
        cells = [f"{rounded(100 * one, 2)}%" for one in numbers]
        changes.append((task, *cells[:2], f"{'+' * (numbers[2] > 0)}{cells[2]}"))
    if rest := len(moved) - len(large):
        changes.append((counted(rest, "more task"), "", "", "< 0.01% each"))
    return ["task", "current weight", "winning weight", "change"], changes, (1, 2, 3)


def current_weights(found: lp.Scenario) -> dict[str, Fraction] | None:
    """Return the weights from which a scenario measures changes; None where it measures none."""
    centres = (getattr(getattr(stage, "objective", None), "centre", None) for stage in found.stages)
    centre = next((one for one in centres if one is not None), None)
    return None if centre is None else shares_of(centre, found.tasks)


def vertex_rows(found: lp.WinningRegion) -> Rows:
    """Return a row a vertex of the region: the weight of each task, or of tasks that are alike together."""
    rows = [
        (str(place), *map(percent, row)) for place, row in enumerate(found.corners.itertuples(index=False), start=1)
    ]
    headings = ["vertex", *(" + ".join(map(shown, tasks)) for tasks in found.classes)]
    return headings, rows, tuple(range(len(headings)))


def area_rows(found: lp.WinnerMap) -> Rows:
    """Return a row an area, largest first: who is unbeaten there, its share of the triangle, its corners."""
    rows = [
        (listed(one.models, 3) or "none", str(one.kind), percent(found.share_of(one)), _corners(one.vertices))
        for one in sorted(found.areas, key=lambda one: -one.share)
    ]
    return ["unbeaten", "kind", "share", f"corners ({', '.join(map(shown, found.names))})"], rows, (2,)


def _corners(vertices: Any) -> str:
    said = [f"({', '.join(number(weight) for weight in corner)})" for corner in vertices[:CORNERS]]
    return " ".join([*said, *([f"{len(vertices) - CORNERS} more"] if len(vertices) > CORNERS else [])])


def share_rows(found: lp.WinningShares) -> Rows:
    """Return one row per model, the largest share first: the share of weightings under which it wins."""
    rows = [(shown(one), share_cell(found, one), interval_words(found, one)) for one in found.summary().index]
    return ["model", "across all weightings", "95% interval"], rows, (1, 2)


def kept_rows(found: lp.SmallestBenchmark) -> Rows:
    """Return one row per kept task: its weight."""
    return ["task", "weight"], [(shown(task), percent(one)) for task, one in found.weights.items()], (1,)


def shortlist_rows(found: lp.Shortlist) -> Rows:
    """Return a row per set of models: its cost or size, and how far the best of it may be from the best of all."""
    rows = [
        (
            cost_words(found.price(one)) if found.costs else str(len(one.models)),
            loss_words(one.loss, of_range=found.of_range),
            ", ".join(map(shown, one.models)),
        )
        for one in found.frontier
    ]
    return ["cost" if found.costs else "models", "worst loss", "such as"], rows, (0, 1)


# Who can win, and between which ranks.


def possible_rows(found: lp.MissingScores) -> Rows:
    """Return one row per model that wins for some values of the missing scores."""
    frame, lead = found.to_frame(), percent if found.rule.is_majority else number
    rows = [
        (shown(model), *(lead(cell) if isinstance(cell, Fraction) else _cell(cell) for cell in cells))
        for model, *cells in frame[frame["possible"] | frame["necessary"]].itertuples(name=None)
    ]
    headings = ["model", *(str(name).replace("_", " ") for name in frame.columns)]
    return headings, rows, tuple(range(1, len(headings)))


def noise_rows(found: NoisyVerdicts) -> Rows:
    """Return one row per model that can win head-to-head at best: verdicts with open leads lost, and won."""
    told, place = found.summary(), [verdict.words for verdict in lp.Verdict].index
    able = told[told["at best"] != lp.Verdict.NEVER.words]
    able = able.sort_values(["at worst", "at best"], key=lambda words: words.map(place), kind="stable")
    rows = [(shown(model), *words) for model, *words in able.itertuples(name=None)]
    return ["model", "if all open leads are lost", "if all are won"], rows, ()


def between_rows(found: lp.RankRanges) -> Rows:
    """Return one row per model: its best and worst rank, and what proves them."""
    open_ranks = [] if found.settled.all() else ["not excluded"]
    rows = [
        (shown(model), str(best), str(worst), *(found[model].not_excluded for _ in open_ranks), _either(first, last))
        for model, best, worst, first, last in found.summary().iloc[:, :4].itertuples(name=None)
    ]
    return ["model", "best rank", "worst rank", *open_ranks, "proof"], rows, (1, 2)


def _either(*ends: str) -> str:
    first, last = ("bound of HiGHS" if one == Proof.EXACT_WITNESS else one for one in ends)
    return first if first == last else f"best {first}, worst {last}"


def ranking_rows(found: Ranking | TwoStepRanking) -> Rows:
    """Return one row per model, best first: its rank, the rule's score, the gap below, its rank in each step."""
    from weightlab.rules.ranking import score_texts  # noqa: PLC0415 - who ranks has loaded the rules

    steps = getattr(found, "steps", {})
    final: Any = getattr(found, "final", found)
    places = final.ranks.to_dict()
    if final.optimal is not None:
        places = dict(zip(final.models, final.optimal.places, strict=True))
    inner = {shown(name): step.ranks.to_dict() for name, step in steps.items()}
    inner |= {} if steps else _measured(final.source)
    scores = final.scores.tolist()
    exact = final.optimal is None and all(isinstance(score, Fraction) for score in scores)
    gaps = [_gap(scores, place) for place in range(len(scores))] if exact else []
    rows = []
    for place, (model, score) in enumerate(zip(final.scores.index, score_texts(scores), strict=True)):
        own = [str(one.get(model, "")) for one in inner.values()]
        rows.append((str(places[model]), shown(model), score, *gaps[place : place + 1], *own))
    headings = ["rank", "model", shown(final.rule.counts), *(["gap to next"] if exact else []), *inner]
    return headings, rows, (0, *range(2, len(headings)))


def _gap(scores: list[Fraction], place: int) -> str:
    """Return how far a score is ahead of the next one, if there is one, with three digits at least."""
    from weightlab.rules.ranking import score_text  # noqa: PLC0415 - as above

    if place + 1 == len(scores):
        return ""
    gap = scores[place] - scores[place + 1]
    return score_text(gap, 3)


def _measured(source: object) -> dict[str, dict[str, int]]:
    """Return a column that says on how many tasks each model has a score, where that differs."""
    if not isinstance(source, Leaderboard):
        return {}
    weighing = [task for task in source.tasks if source.weights[task]]
    counts = dict(zip(source.models, (~source.missing[weighing]).sum(axis=1).tolist(), strict=True))
    return {"tasks": counts} if len({*counts.values()}) > 1 else {}


def audit_rows(found: Audit) -> Rows:
    """Return one row per dataset or, for a single one, per property."""
    from weightlab.report.text.audit import dataset_rows, property_rows  # noqa: PLC0415 - loads domains and studies

    if len(found.datasets) > 1:
        return *dataset_rows(found), (1, 2)
    return *property_rows(next(iter(found.datasets.values()))), ()


TABLES: Mapping[str, Callable[[Any], Rows]] = {
    "audit": audit_rows,
    "comparison": lambda found: rule_rows(found, min(5, len(found.models))),
    "duels": duel_rows,
    "map_of_winners": area_rows,
    "missing": possible_rows,
    "noisy_verdicts": noise_rows,
    "rank_ranges": between_rows,
    "ranking": ranking_rows,
    "realisation": realisation_rows,
    "scenario": weight_rows,
    "shortlist": shortlist_rows,
    "smallest_benchmark": kept_rows,
    "stability": change_rows,
    "two_step_ranking": ranking_rows,
    "upset": improvement_rows,
    "winning_region": vertex_rows,
    "winning_shares": share_rows,
}
"""Tables by kind of result, where they are not those of summaries."""
