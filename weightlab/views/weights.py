"""Weights with which models win: the nearest ones, regions, maps, and what little suffices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import ceil, floor
from typing import Any

from weightlab import lp
from weightlab._exact import WeightsLike
from weightlab._text import counted, first_few, listed, number, percent, rounded, shown
from weightlab.data import Leaderboard, Margins
from weightlab.lp.choosing.shortlist import cost_words, loss_words
from weightlab.lp.space.space import shares_of
from weightlab.views.pairs import three_digits
from weightlab.views.prospect import interval_words, move_words, share_cell
from weightlab.views.view import Block, Fact, Facts, Table, View, cell_words
from weightlab.views.words import Rows, named_shares, names_in_words, weights_line

CORNERS = 6
"""Corners of an area shown."""
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
            listed(one.models, len(one.models)),
        )
        for one in found.frontier
    ]
    return ["cost" if found.costs else "models", "worst loss", "such as"], rows, (0, 1)


def scenario_view(found: lp.Scenario, weights: WeightsLike | None = None) -> View:
    """Return the optimum in words, the weights, and the rivals that are nearest to a tie."""
    headings, rows, right = weight_rows(found, weights)
    none = "No weight has to change from the current ones."
    blocks: list[Any] = [Table(headings, rows, right, "Weights", None) if rows else none]
    if getattr(getattr(found.stages[0], "objective", None), "norm", None) == "l1" and found.value:
        blocks.append(f"{move_words(found).capitalize()}.")
    tied = names_in_words([str(rival) for rival, lead in found.leads.items() if lead == found.margin], 5)
    if tied and found.strict_weights is not None and found.slack and not found.margin:
        blocks.append(f"At exactly the optimum it ties {tied}; the weights shown win.")
    elif tied:
        blocks.append(f"{'Leads by exactly the required margin over' if found.margin else 'Still tied with'} {tied}.")
    return View(headline=shown(found), blocks=blocks, results=[found], picture=found)


def region_view(found: lp.WinningRegion, sampled: lp.WinningShares | None = None) -> View:
    """Return the region of weights with which a model wins: its share, centre and vertices."""
    duels = [str(name) for kind, name in found.facets.itertuples(index=False) if kind == "duel"]
    radius = f"{percent(found.radius)} of the weight may move in any way from there"
    lines: list[Fact] = [("Centre", [weights_line(named_shares(found.centre)), radius])]
    lines += [("Rivals that bound it", [listed(duels)])] if duels else []
    if sampled is not None:
        share, interval = (words(sampled, found.model) for words in (share_cell, interval_words))
        lines.append(("Share", [f"{share} of {sampled.draws.samples:,} weightings (95% interval {interval})"]))
    return View(
        headline=shown(found), blocks=[Facts(lines), Table(*vertex_rows(found), caption="Vertices")], results=[found]
    )


def map_view(found: lp.WinnerMap, weights: WeightsLike | None = None) -> View:
    """Return who wins where in a triangle of weights; a picture marks the current ones."""
    drawn: dict[str, Any] = {}
    if weights is not None:
        from weightlab.plots.weights.winner_map import weights_of_corners  # noqa: PLC0415 - only where it is drawn

        drawn = {"called": "the weights of the table", "weights": weights_of_corners(found, weights)}
    table = Table(*area_rows(found), caption="Areas", most=None)
    return View(headline=shown(found), blocks=[table], results=[found], picture=found, drawn=drawn)


def smallest_view(found: lp.SmallestBenchmark) -> View:
    """Return the fewest tasks that keep an answer, other such sets, and what fewer tasks keep."""
    fewer = [step for step in found.steps if len(step.tasks) < len(found.tasks or ())]
    rows = [[str(len(step.tasks)), percent(step.kept), listed(step.tasks, len(step.tasks))] for step in fewer]
    others = tuple(f"Or: {', '.join(map(shown, tasks))}" for tasks in found.sets[1:])
    believed = f"; optimality relies on the bound of {found.found.solver}" if found.found.solver else ""
    proved = f"Proof checked in exact arithmetic: {counted(len(found.table.tasks), 'task')}{believed}."
    steps = Table(["with fewer tasks", "pairs kept", "such as"], rows, (0, 1), "Fewer tasks", None)
    blocks: list[Block] = [Table(*kept_rows(found), caption="Kept tasks", most=None), others, steps, proved]
    return View(headline=shown(found), blocks=blocks, results=[found])


def shortlist_view(found: lp.Shortlist) -> View:
    """Return the few models that suffice whatever the weights."""
    models, tasks = len(found.points.models), len(found.points.tasks)
    unproved = sorted({one.solver for one in found.frontier if one.solver})
    rests = f"; that the set is optimal relies on {' and '.join(unproved)}" if unproved else ""
    proved = f"Proof checked in exact arithmetic: {counted(models, 'model')}, {counted(tasks, 'task')}{rests}."
    table = Table(*shortlist_rows(found), caption="Models that are enough", most=None)
    return View(headline=shown(found), blocks=[table, proved], results=[found], picture=found)


# Missing scores.


def possible_rows(found: lp.MissingScores) -> Rows:
    """Return one row per model that wins for some values of the missing scores."""
    frame, lead = found.to_frame(), percent if found.rule.is_majority else three_digits
    rows = [
        (shown(model), *(lead(cell) if isinstance(cell, Fraction) else cell_words(cell) for cell in cells))
        for model, *cells in frame[frame["possible"] | frame["necessary"]].itertuples(name=None)
    ]
    headings = ["model", *(str(name).replace("_", " ") for name in frame.columns)]
    return headings, rows, tuple(range(1, len(headings)))


def missing_view(found: lp.MissingScores) -> View:
    """Return who by a rule can win for some values of the missing scores, and the scores that decide alone."""
    lines = []
    for cell in found.cells or ():
        does = [f"rules out {listed(cell.rules_out)}"] if cell.rules_out else []
        does += [f"settles it for {listed(cell.settles)}"] if cell.settles else []
        lines.append(f"{shown(cell.model)} on {shown(cell.task)}: some value {' and '.join(does)}")
    lines.append(f"{counted(len(found.ranges), 'missing score')} counted as unknown.")
    table = Table(*possible_rows(found), caption="Possible winners", most=None)
    return View(headline=shown(found), blocks=[table, tuple(lines)], results=[found])


TO_MEASURE, PAIRS_AT_ONCE = 5, 10**7
"""Scores to measure shown by default, and largest work for which the whole plan is made unasked."""


def settle_view(found: lp.Settlement, count: int = TO_MEASURE, *, plan: bool = False, idle: bool = False) -> View:
    """Return whether a claim holds whatever the missing scores are, and which of them to measure next."""
    blocks: list[Any] = []
    if found.verdict == "open":
        gaps, matter = len(found.table.missing_cells), int(found.matter.sum())
        rest = "" if matter == gaps else f"; skip the other {gaps - matter:,} (--idle lists them)"
        small = matter * (1 if found.rule.name == "mean" else len(found.table.models) ** 2) <= PAIRS_AT_ONCE
        chosen = found.plan if plan or small else found.next(count)
        facts: list[Fact] = [
            ("Can still matter", [f"{matter:,} of {counted(gaps, 'missing score')} for this claim{rest}"])
        ]
        if found.reach is None and (plan or small):
            price = sum(chosen["cost"], Fraction(0))
            costs = f", at a cost of {number(price)}" if found.prices else ""
            facts.append(("Expected", [f"about {len(chosen):,} more{costs}, if the predictions hold"]))
        told = chosen if plan else chosen[:count]
        rows = [(m, t, number(c), why) for m, t, c, why in told.itertuples(index=False, name=None)]
        blocks += [
            Facts(facts, wide=18),
            Table(["measure next", "task", "cost", "why"], rows, (2,), "To measure", None),
        ]
    if idle:
        cells = [tuple(map(str, one)) for one in found.idle.itertuples(index=False, name=None)]
        blocks.append(f"Cannot matter any more for this claim: {counted(len(cells), 'missing score')}.")
        blocks.append(Table(["model", "task", "why"], cells, (), "Scores that cannot matter", None))
    blocks += ["Verdict checked in exact arithmetic."] if found.verdict != "open" else []
    return View(headline=shown(found), blocks=blocks, results=[found], picture=found)


# How few tasks: to win by improving, or before a winner falls.


def lifts_view(board: Leaderboard, found: Sequence[lp.LiftCounts | lp.FewestLifts]) -> View:
    """Return on how few tasks models must rise to win, a row per rule."""
    counts = [one for one in found if isinstance(one, lp.LiftCounts)]
    solvers = sorted({one.solver for each in counts for one in each.lifts.values() if one.solver})
    believed = f"; optimality relies in part on the bound of {' and '.join(solvers)}" if solvers else ""
    proved = (
        f"Proof checked in exact arithmetic: {len(board.models)} models by {counted(len(counts), 'rule')}{believed}."
    )
    headings = ["rule", "median", "minimum", "models", "winner now", "lead"]
    table = Table(headings, list(map(_lift_row, counts)), (1, 2, 5), "Lifts", None)
    told = f"Tasks to raise to the best score for a win by each rule, of {counted(len(board.tasks), 'task')}"
    return View(headline=told, blocks=[table, proved], results=found) if counts else View(results=found)


def _lift_row(counts: lp.LiftCounts) -> list[str]:
    median = "never" if counts.median is None else str(counts.median)
    fewest = str(counts.counts[counts.fewest[0]]) if counts.fewest else "never"
    winners = [model for model, one in counts.lifts.items() if one.tasks == ()]
    lead = _lead(counts, winners[0]) if len(winners) == 1 else ""
    return [str(counts.rule), median, fewest, listed(counts.fewest, 2), listed(winners, 2) or "none", lead]


def _lead(counts: lp.LiftCounts, winner: str) -> str:
    """Return by how much the winner leads the second today: a share of the weight, or what the rule counts."""
    from weightlab.rules import rank  # noqa: PLC0415 - loads all rules
    from weightlab.rules.ranking import score_text  # noqa: PLC0415 - as above

    board, rivals = counts.table, [one for one in counts.table.models if one != winner]
    if counts.rule.name == "majority":
        margins = board.margins()
        least = min(margins.margin(winner, rival) for rival in rivals) / sum(board.weights, Fraction(0))
        return f"{rounded(100 * least, 1)}% of the weight"
    if counts.rule.name == "median":
        medians = dict(zip(board.models, counts.medians, strict=True))
        return f"{score_text(medians[winner] - max(medians[rival] for rival in rivals))} in score"
    scores = rank(board, counts.rule.name, missing=counts.rule.missing).scores
    unit = {"mean": "in score", "mean_win_rate": "in win rate"}.get(counts.rule.name, "in points")
    return f"{score_text(scores[winner] - max(scores[rival] for rival in rivals))} {unit}"


def drops_view(
    board: Leaderboard | Margins, found: Sequence[lp.FewestDrops], drop: str, pair: tuple[str, str] | None
) -> View:
    """Return how few tasks, models or votes must go before a winner falls behind, a row per rule."""
    whose = f"{pair[0]} is behind {pair[1]}" if pair else "the winner is behind a rival"
    headings = ["rule", "ahead today", "leave out", "then ahead", "such as"]
    rows = [
        [str(one.rule), one.model, "never" if one.count is None else f"{one.count:,}", one.rival or "", _dropped(one)]
        for one in found
    ]
    proved = f"Proof checked in exact arithmetic: {len(board.models)} models by {counted(len(found), 'rule')}."
    told = f"How many {drop} must be left out before {whose}"
    return View(headline=told, blocks=[Table(headings, rows, (2,), "Drops", None), proved], results=found)


def _dropped(found: lp.FewestDrops) -> str:
    if found.votes is not None and found.share is not None:
        return f"{percent(found.share)} of all votes, won against {found.rival}"
    return first_few(found.dropped or (), 3) if found.count is not None else found.why_never


# What answers about pairs of models say of the weights.


def known_blocks(found: lp.Asked, board: Leaderboard, ruled: Mapping[str, Any]) -> list[Any]:
    """Return the blocks proved so far: who can still be first, the leader's ranks, and ranges of the weights."""
    some = lp.prospects(board, space=found.allowed, **ruled).with_verdict("strict", "weak")
    others = f"{len(some)} of {counted(len(board.models), 'model')} can still be first or tied for first"
    best, worst = found.ranks or (1, 1)
    ranks = f"{found.leader} ranks between {best} and {worst}"
    told = f"Proved so far {found.rule.by}: {others} ({listed(some, 8)}); {ranks}."
    level = Leaderboard({task: {"one": 0, "other": 0} for task in found.space.tasks})  # under any weights both lead
    ranges = lp.weight_ranges(level, "one", space=found.allowed)
    pairs = [(task, ranges.low[task], ranges.high[task]) for task in found.space.tasks]
    cells = [(task, percent(low, floor), percent(high, ceil)) for task, low, high in pairs if high - low < 1]
    rest = len(pairs) - len(cells)
    others = f" (any weight on the other {counted(rest, 'task')})" if rest else ""
    title = f"Weights that fit your answers{others}:"
    return [told, *[Table(["task", "at least", "at most"], cells, (1, 2), title, None, titled=True)] * bool(cells)]
