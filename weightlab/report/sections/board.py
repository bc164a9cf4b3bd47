"""First questions about a score table: who can win by which rule, who wins now, how firmly; a model; the table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, TypeAlias

from weightlab._result import Result
from weightlab._text import counted, listed, number, shown
from weightlab._text import without as without_names
from weightlab.data import Leaderboard, Suite
from weightlab.data.linear_rule import MEAN, LinearRule
from weightlab.exceptions import InputError, NoWinnerError
from weightlab.graph import CycleRobustness
from weightlab.lp import (
    BrokenCycle,
    LiftCounts,
    PairShares,
    Prospect,
    Prospects,
    Shortlist,
    Stability,
    Verdict,
    WinningShares,
    fewest_lifts,
    pair_shares,
    prospect,
    prospects,
    settle,
    shortlist,
)
from weightlab.lp import stability as stability_of
from weightlab.lp import winning_shares as shares_of
from weightlab.lp.certificate import todays_shares
from weightlab.lp.improvement.lift_rules import LIFT_RULES
from weightlab.lp.unknown_scores.bounds import usual_bounds
from weightlab.report.blocks import Block, Drawing, Facts, Section, Table, Words
from weightlab.report.context import ReportContext
from weightlab.rules import MajorityOverview, majority_overview
from weightlab.studies import Card, LeaveOneOut, card, leave_one_out
from weightlab.views.majority import overview_lines, robustness
from weightlab.views.pairs import change_rows, first_lines, nearest_lines
from weightlab.views.prospect import Line, Story, StoryOptions, winning_weights
from weightlab.views.unproved import Unproved, fits
from weightlab.views.verdicts import (
    DETAILED,
    Nearest,
    Verdicts,
    able_rows,
    contrast_lines,
    contrast_words,
    foot_line,
    legend_lines,
    nearest_weights,
    never_rows,
)
from weightlab.views.ways import Way, own_ways
from weightlab.views.weights import shortlist_rows

BLOCKED = 100
"""Number of models that can never win shown with their blockers."""
FEW = 6_000
"""Largest table, in cells, for which the decisive tasks are searched."""
ENOUGH = 3
"""Largest set of models of which it is said how far the best of them may be from the best of all."""
NO_ANSWER = "This was not answered."
"""What a section says whose question has no answer."""


Shares: TypeAlias = Mapping[LinearRule, WinningShares]
"""Under what share of weightings each model wins, by each rule."""


def who_can_win(board: Leaderboard, context: ReportContext) -> tuple[Section, Shares]:
    """Say of every model whether some weights make it win by the table's own rule and head-to-head, and how close."""
    left_out: list[str] = []
    ways = own_ways(board)
    proved = [_proved(way, context, left_out) for way in ways]
    found = [(way, one) for way, one in zip(ways, proved, strict=True) if one is not None]
    if not found:
        return Section.of("win", "Who can win?", NO_ANSWER, left_out=left_out), {}
    asked = [_measured(way, one, context, left_out) for way, one in found]
    near = all(one.nearest for one in asked)
    command = context.call.of(
        "win", "--all", *([] if near else ["--quick"]), "--samples", str(context.samples), "--seed", str(context.seed)
    )
    blocks: list[Block] = [Words(text=way.told) for way in ways if way.told]
    if len(asked) > 1 and (contrast := " ".join(contrast_lines(*asked))):
        blocks.append(Words(text=contrast, proof=asked[0].found.proof))
    by = " or ".join(one.found.rule.by for one in asked)
    headings, rows, right = able_rows(asked)
    if rows:
        blocks.append(Table.of(f"Models that can win or tie {by}", headings, rows, right))
    blocks.append(Words(text=" ".join([*legend_lines(asked), foot_line(asked, details=True)])))
    for place, one in enumerate(asked):
        rule = f" --rule {one.found.rule.name}" if place else ""
        blocks += _of_rule(one, f"{command}{rule} --plot shares.svg", left_out)
    enough = [short for way in ways if (short := _enough(way, context, left_out)) is not None]
    for short in enough:
        blocks += [Words(text=shown(short), proof=short.proof)]
        blocks += [Table.of(f"How few models are enough {short.rule.by}", *shortlist_rows(short))]
    results = [*(result for one in asked for result in (one.found, one.shares)), *enough]
    answer = " ".join(shown(one.found) for one in asked)
    section = Section.of("win", "Who can win?", answer, blocks, command=command, results=results, left_out=left_out)
    return section, {one.found.rule: one.shares for one in asked if one.shares is not None}


def _enough(way: Way, context: ReportContext, left_out: list[str]) -> Shortlist | None:
    """Return how few models are enough whatever the weights, by a rule of points on a small table."""
    if way.rule.is_majority or not 1 < len(way.board.models) <= FEW // len(way.board.tasks):
        return None
    question = partial(shortlist, way.board, size=min(ENOUGH, len(way.board.models)), rule=way.rule)
    alike = fits(Shortlist, rule=way.rule, limit=None)

    def fit(one: Any) -> bool:
        return bool(alike(one)) and not one.space.conditions and one.among == one.points.models

    asked = f"how few models are enough {way.rule.by}"
    return context.ask(asked, lambda: question(time_limit=context.left()), left_out, fit)


def _of_rule(one: Verdicts, plot: str, left_out: list[str]) -> Iterator[Block]:
    """Yield the picture of shares by a rule, and what blocks those that can never win."""
    by = one.found.rule.by
    if one.shares is not None:
        yield Words(text=shown(one.shares), proof=one.shares.proof)
        yield Drawing.of(one.shares, "winning_shares", f"How often each model wins {by}", command=plot)
    headings, rows, right = never_rows(one.found, BLOCKED)
    if rows:
        yield Table.of(f"Models that can never win {by}", headings, rows, right)
    if (never := len(one.found.with_verdict(Verdict.NEVER))) > BLOCKED:
        left_out.append(f"Of {never:,} models that can never win {by}, blockers are shown for {BLOCKED}.")


def _proved(way: Way, context: ReportContext, left_out: list[str]) -> Prospects | None:
    """Return every model's verdict by a rule."""
    question = partial(prospects, way.board, rule=way.rule, exact=True)

    def fit(one: Any) -> bool:
        return isinstance(one, Prospects) and one.rule == way.rule and not one.space.conditions

    return context.ask(f"who can win {way.rule.by}", lambda: question(time_limit=context.left()), left_out, fit)


def _measured(way: Way, found: Prospects, context: ReportContext, left_out: list[str]) -> Verdicts:
    """Return the verdicts with how often each model wins, and how near its winning weights are."""
    draw = partial(shares_of, way.board, rule=way.rule, samples=context.samples, rng=context.seed, known=found)

    def drawn(one: Any) -> bool:
        same = isinstance(one, WinningShares) and one.rule == way.rule
        return same and (one.draws.samples, one.draws.seed) == (context.samples, context.seed)

    asked = f"shares of weightings {way.rule.by}"
    shares = context.ask(asked, lambda: draw(time_limit=context.left()), left_out, drawn)
    return Verdicts(found=found, shares=shares, nearest=_near(way.board, found, context, left_out))


def _near(board: Leaderboard, found: Prospects, context: ReportContext, left_out: list[str]) -> Nearest:
    able = len(found.with_verdict(Verdict.STRICT, Verdict.WEAK))
    if able > DETAILED:
        left_out.append(
            f"Weight shifts are computed for up to {DETAILED} models that can win or tie {found.rule.by}; "
            f"here are {able}."
        )
        return {}
    near = context.ask_in_parts(
        "nearest weights", lambda unproved: nearest_weights(board, found, unproved, context.left()), left_out
    )
    return near or {}


def who_wins_today(board: Leaderboard, context: ReportContext) -> Section:
    """Describe the head-to-heads under the current weights."""
    left_out: list[str] = []
    question = "Who wins today?"
    found = context.ask("majorities", lambda: majority_overview(board), left_out, fits(MajorityOverview))
    if found is None:
        return Section.of("today", question, NO_ANSWER, left_out=left_out)
    cycle = None if found.cycle is None else found.cycle.models
    behind = fits(CycleRobustness, cycle=cycle)
    robust = context.ask("what makes the cycle", lambda: robustness(board, found), left_out, behind)
    command = context.call.of("graph")
    blocks = (
        Drawing.of(board, "majority_graph", "Who beats whom", command=f"{command} --plot graph.svg --plot-kind graph"),
        Facts.of("What the majorities say together", list(overview_lines(found, robust))),
        Drawing.of(board, "margins", "By how much", command=f"{command} --plot margins.svg --plot-kind margins"),
    )
    results = (found, robust)
    return Section.of("today", question, shown(found), blocks, command=command, results=results, left_out=left_out)


def firmness(board: Leaderboard, context: ReportContext) -> Section:
    """Say how firm first place is by the table's own rule: in weights, in tasks left out, in errors of the scores."""
    left_out: list[str] = []
    way = own_ways(board)[0]
    found = context.ask("how firmly it wins", lambda: _stability(way, context), left_out, _is_free_by(way.rule))
    answer, blocks, shares = NO_ANSWER, list[Block](), None
    command = context.call.of("stability", "--rule", way.rule.name, "--all")
    plot, by = f"{command} --plot stability.svg", way.rule.by
    if isinstance(found, Stability):
        answer = shown(found)
        shares = _kept(way, found, context, left_out)
        headings, cells, _ = change_rows(found, shares)
        rows = Table.of(f"How far weights must move before a rival ties the winner {by}", headings, cells)
        if firsts := list(first_lines(found)):
            caption = f"Current weights, and where the winner {by} changes"
            blocks += [Facts.of(f"The least changes of weights that count {by}", firsts)]
            blocks += [Drawing.of(found, "stability", caption, command=plot)]
        blocks += [rows.numbered(1)]
    elif isinstance(found, BrokenCycle):
        answer = f"No model beats all others under today's weights; {shown(found.nearest_text)}."
        blocks += [Facts.of("The nearest weights with a head-to-head winner", list(nearest_lines(found)))]
        caption = "Weights today, and the nearest ones with a head-to-head winner"
        blocks += [Drawing.of(found, "stability", caption, command=plot)]
    elif found is not None:
        answer = f"No model beats all others under today's weights, nor under any others. {shown(found)}"
    few = list(_how_few(board, way, context, left_out))
    if found is None and few:
        answer = shown(few[0])
    blocks += [Words(text=shown(one), proof=one.proof) for one in few]
    for one in few:
        if isinstance(one, Card):
            drawn = context.call.of("rank", "--rule", way.rule.name, "--plot", "card.svg", "--plot-kind", "firmness")
            blocks.append(Drawing.of(one, "firmness", f"What ends first place {by}", command=drawn))
        if isinstance(one, LeaveOneOut):
            blocks.append(Table.of_frame(f"Who is first {by} without each task", "without", one.summary(), (2,)))
    results = (found, shares, *few)
    return Section.of("firm", "How firmly?", answer, blocks, command=command, results=results, left_out=left_out)


def _kept(way: Way, found: Stability, context: ReportContext, left_out: list[str]) -> PairShares | None:
    """Return under which share of weightings the winner stays ahead of each rival."""
    drawn = partial(pair_shares, way.board, found.pairs, rule=way.rule, samples=context.samples, rng=context.seed)
    fit = fits(PairShares, rule=way.rule, pairs=found.pairs)
    return context.ask("under which share of weightings it stays ahead", drawn, left_out, fit)


def _is_free_by(rule: LinearRule) -> Callable[[Any], bool]:
    """Return a test whether a result measures how stable a win by a rule is, without conditions."""

    def fit(one: Any) -> bool:
        if isinstance(one, BrokenCycle):
            return rule.is_majority and not one.space.conditions
        return isinstance(one, Stability | Prospects) and one.rule == rule and not one.space.conditions

    return fit


def _how_few(board: Leaderboard, way: Way, context: ReportContext, left_out: list[str]) -> Iterator[Result]:
    """Yield the card, who is first without each task, and on how few tasks others must rise: of small tables."""
    if len(board.models) * len(board.tasks) > FEW:
        return
    name, by = way.rule.name, way.rule.by
    firm: Any = fits(Card, rule=name)
    without: Any = fits(LeaveOneOut, drop="tasks", left_out=_unranked(board, way))
    asked: list[tuple[str, Callable[[], Result], Any]] = [
        (f"how firm first place is {by}", partial(card, board, name), firm),
        (f"who is first without each task {by}", partial(leave_one_out, board, name), without),
    ]
    if name in LIFT_RULES:
        limit = context.left()
        lifts = partial(fewest_lifts, way.board, None, name, time_limit=limit)
        asked.append((f"on how few tasks others must rise {by}", lifts, fits(LiftCounts)))
    for what, question, fit in asked:
        one = context.ask(what, question, left_out, fit)
        if one is not None:
            yield one


def _unranked(board: Leaderboard, way: Way) -> tuple[str, ...]:
    return tuple(without_names(board.models, way.board.models))


def _stability(way: Way, context: ReportContext) -> Stability | BrokenCycle | Prospects:
    """Return the change that dethrones the winner; without one, the nearest weights with a winner, or their absence."""
    try:
        return stability_of(way.board, rule=way.rule, time_limit=context.left())
    except NoWinnerError as error:
        found = error.proof if error.nearest is None else error.nearest
        if not isinstance(found, BrokenCycle | Prospects):
            raise
        return found


# One model: when it wins, how close that is, its obstacles, what to improve.


def model_section(board: Leaderboard, model: str, place: int, shares: Shares, context: ReportContext) -> Section:
    """Describe one model in detail by the table's own rule and head-to-head; ``place`` makes the section's key."""
    left_out: list[str] = []
    key, heading = f"model-{place}", f"What about {shown(model)}?"
    seeds = ("--samples", str(context.samples), "--seed", str(context.seed))
    command = context.call.of("win", *context.call.each("--model", [model]), "--details", *seeds)
    found: list[Prospect] = []
    results: list[Result] = []
    blocks: list[Block] = []
    for way in own_ways(board):
        one = _prospect(way, model, context, left_out)
        if one is None:
            continue
        told = _told(way, one, shares, context, left_out)
        found.append(one)
        results += [one] if told is None else told[0].results
        rule = f" --rule {way.rule.name}" if len(found) > 1 else ""
        blocks += [] if told is None else _model_blocks(way.board, *told, f"{command}{rule} --plot weights.svg")
    if not found:
        return Section.of(key, heading, NO_ANSWER, left_out=left_out)
    answer = shown(found[0])
    if len(found) > 1:
        answer = contrast_words([model], *((one.rule, one.verdict) for one in found))
    return Section.of(key, heading, answer, blocks, command=command, results=results, left_out=left_out)


def _prospect(way: Way, model: str, context: ReportContext, left_out: list[str]) -> Prospect | None:
    """Return the verdict on a model by a rule; None where it does not rank it."""
    if model not in way.board.models:
        left_out.append(f"{shown(model)} is not ranked {way.rule.by}: it lacks scores.")
        return None
    question: Any = partial(prospect, way.board, model, rule=way.rule)
    fit = fits(Prospect, model=model, rule=way.rule)
    return context.ask(
        f"{shown(model)} {way.rule.by}",
        lambda: question(time_limit=context.left()),
        left_out,
        lambda one: fit(one) and not one.space.conditions,
    )


def _told(
    way: Way, found: Prospect, shares: Shares, context: ReportContext, left_out: list[str]
) -> tuple[Story, list[Line]] | None:
    """Return a model's story by a rule, and its lines."""
    options = StoryOptions(shares=lambda: shares.get(way.rule), time_limit=context.left())

    def tell(unproved: Unproved) -> tuple[Story, list[Line]]:
        story = Story(way.board, found, unproved, options)
        return story, [*story.lines(), *story.details(), ("What was checked", [story.last_line()])]

    return context.ask_in_parts(f"details of {shown(found.model)} {way.rule.by}", tell, left_out)


def _model_blocks(board: Leaderboard, told: Story, lines: Sequence[Line], plot: str) -> list[Block]:
    model, by = shown(told.prospect.model), told.prospect.rule.by
    blocks: list[Block] = [Words(text=told.verdict, proof=told.prospect.proof)]
    blocks += [Facts.of(f"{model} in detail, {by}", lines)]
    if told.ranges is not None:
        caption = f"Weight range of each task for {model} {by}"
        blocks.append(Drawing.of(told.ranges, "weight_ranges", caption, command=plot))
    nearest = told.nearest
    if nearest is not None:
        weights = winning_weights(nearest)
        todays = todays_shares(board, nearest.tasks)
        rows = [
            (shown(task), number(weight), number(today))
            for task, weight, today in zip(nearest.tasks, weights.tolist(), todays, strict=True)
        ]
        caption = f"Closest weights where {model} wins or ties {by}"
        blocks.append(Table.of(caption, ("task", "weight", "current weight"), rows, (1, 2)))
    return blocks


# The end of a report: the table as read.

NAMED = 40
"""Tasks, models or cells named in a list."""


def board_table(board: Leaderboard) -> Section:
    """Return the scores, and what was declared about them."""
    lower = set(board.lower_is_better)
    gaps = [f"{shown(model)} on {shown(task)}" for model, task in board.missing_cells]
    tolerant = [
        f"{shown(task)} {number(value)}" for task, value in {**board.tolerance, **board.relative_tolerance}.items()
    ]
    facts = [
        ("Size", [f"{counted(len(board.models), 'model')} x {counted(len(board.tasks), 'task')}"]),
        ("Lower is better", [listed([task for task in board.tasks if task in lower], NAMED) or "on no task"]),
        ("Higher is better, whatever the name suggests", _doubtful(board)),
        ("Weights today", [_weights(board)]),
        ("Groups of tasks", [f"{shown(name)}: {listed(tasks, NAMED)}" for name, tasks in board.groups.items()]),
        ("Score tolerance", [listed(tolerant, NAMED)] if tolerant else []),
        ("Missing scores", [f"{len(gaps)}: {listed(gaps, NAMED)}" if gaps else "none"]),
        ("Missing scores that can matter", _mattering(board)),
    ]
    columns = [board.cells.texts(column) for column in range(len(board.tasks))]
    rows = [(shown(model), *scores) for model, *scores in zip(board.models, *columns, strict=True)]
    tasks = (f"{shown(task)} (lower is better)" if task in lower else shown(task) for task in board.tasks)
    blocks = (Facts.of("The table as it was read", facts), Table.of("All scores", ("model", *tasks), rows).numbered(1))
    return Section.of("table", "What was measured?", f"{shown(repr(board))}.", blocks)


def _mattering(board: Leaderboard) -> list[str]:
    """Return how many missing scores can still decide who is first by the mean, where it is known what they can be."""
    usual = next(usual_bounds(board), None)
    if not board.missing_cells or board.rule != MEAN or (not board.bounds and usual is None):
        return []
    low, high = ("", "") if usual is None else str(usual.value).split(":")
    try:
        found = settle(board, rule=MEAN, bounds=None if board.bounds else (low, high))
    except InputError:  # of some task there are no bounds
        return []
    within = "within their bounds" if board.bounds else f"if each lies between {low} and {high}"
    count = int(found.matter.sum())
    return [f"{count:,} of {len(board.missing_cells):,} for who is first by average, {within} (weightlab settle)"]


def _doubtful(table: Leaderboard | Suite) -> list[str]:
    """Return a line of tasks on which the higher score leads against what their names suggest; none without such."""
    return [listed(names, NAMED)] if (names := table.declarations.doubtful) else []


def _weights(board: Leaderboard) -> str:
    weights = board.weights
    if len(set(weights)) == 1:
        return "equal"
    return listed([f"{shown(task)} {number(weight)}" for task, weight in weights.items()], NAMED)


def suite_table(suite: Suite) -> Section:
    """Return which models and metrics each dataset has."""
    lower = listed(suite.lower_is_better, NAMED) or "on no metric"
    blocks = (
        Facts.of(
            "The suite as it was read",
            [("Lower is better", [lower]), ("Higher is better, whatever the name suggests", _doubtful(suite))],
        ),
        Table.of_frame("Datasets", "dataset", suite.summary()).numbered(1),
    )
    return Section.of("table", "What was measured?", f"{shown(repr(suite))}.", blocks)
