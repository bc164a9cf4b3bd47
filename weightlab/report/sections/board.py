"""The first questions about a score table: who can win head-to-head, who wins today, how firmly; a model; the table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, cast

from weightlab._text import counted, listed, number, shown
from weightlab.data import Leaderboard, Suite
from weightlab.data.linear_rule import MAJORITY, LinearRule
from weightlab.exceptions import ImpossibleError, NoWinnerError
from weightlab.graph import CycleRobustness, condorcet_winner
from weightlab.lp import (
    BrokenCycle,
    FewestDrops,
    LiftCounts,
    Prospect,
    Prospects,
    Stability,
    Verdict,
    WinningShares,
    fewest_drops,
    fewest_lifts,
    prospect,
    prospects,
)
from weightlab.lp import stability as stability_of
from weightlab.lp import winning_shares as shares_of
from weightlab.lp.certificate import todays_shares
from weightlab.report.blocks import Block, Drawing, Facts, Section, Table, Words
from weightlab.report.context import ReportContext, Unproved, fits
from weightlab.report.text.majority import overview_lines, robustness
from weightlab.report.text.prospect import Line, Story, StoryOptions, winning_weights
from weightlab.report.text.stability import change_rows, first_lines, nearest_lines
from weightlab.report.text.tables import DETAILED, Nearest, able_rows, nearest_weights, never_rows
from weightlab.rules import MajorityOverview, majority_overview

BLOCKED = 100
"""Of so many models that can never win it is said what blocks them."""
FEW = 6_000
"""On tables of so many cells it is asked which few tasks decide who wins."""
NO_ANSWER = "This was not answered."
"""What a section says whose question has no answer."""


def who_can_win(board: Leaderboard, context: ReportContext) -> tuple[Section, WinningShares | None]:
    """Say of every model whether some weights make it win, and how near they are; with the shares, for other parts."""
    left_out: list[str] = []
    question = partial(prospects, board, exact=True)
    asked = "who can win head-to-head"
    found = context.ask(asked, lambda: question(time_limit=context.left()), left_out, of_all_weights)
    if found is None:
        return Section.of("win", "Who can win?", NO_ANSWER, left_out=left_out), None
    draw = partial(shares_of, board, samples=context.samples, rng=context.seed, known=found)

    def drawn(one: Any) -> bool:
        return isinstance(one, WinningShares) and (one.draws.samples, one.draws.seed) == (context.samples, context.seed)

    shares = context.ask("shares of weightings", lambda: draw(time_limit=context.left()), left_out, drawn)
    near = _near(board, found, context, left_out)
    if (never := len(found.with_verdict(Verdict.NEVER))) > BLOCKED:
        left_out.append(
            f"Of {never:,} models that can never win head-to-head, {BLOCKED} are told with what blocks them."
        )
    command = context.call.of(
        "win", "--all", *([] if near else ["--quick"]), "--samples", str(context.samples), "--seed", str(context.seed)
    )
    blocks: list[Block] = []
    if shares is not None:
        how_often, plot = "How often each model wins head-to-head", f"{command} --plot shares.svg"
        blocks += [Words(text=shown(shares), proof=shares.proof)]
        blocks += [Drawing.of(shares, "winning_shares", how_often, command=plot)]
    for caption, (headings, rows, right) in (
        ("Models that can win head-to-head, or tie", able_rows(found, shares, near, winner=condorcet_winner(board))),
        ("Models that no weights make win", never_rows(found, BLOCKED)),
    ):
        if rows:
            blocks.append(Table.of(caption, headings, rows, right))
    results = (found, shares)
    return Section.of(
        "win", "Who can win?", shown(found), blocks, command=command, results=results, left_out=left_out
    ), shares


def of_all_weights(one: Any) -> bool:
    """Tell whether a result says of every model whether any weights at all make it win."""
    return isinstance(one, Prospects) and not one.space.conditions


def _is_free(one: Any) -> bool:
    return isinstance(one, Stability | BrokenCycle | Prospects) and not one.space.conditions


def _near(board: Leaderboard, found: Prospects, context: ReportContext, left_out: list[str]) -> Nearest:
    able = len(found.with_verdict(Verdict.STRICT, Verdict.WEAK))
    if able > DETAILED:
        left_out.append(
            f"How far their weights are is looked for up to {DETAILED} models that can win head-to-head or tie; "
            f"here are {able}."
        )
        return {}
    near = context.ask_in_parts(
        "nearest weights", lambda unproved: nearest_weights(board, found, unproved, context.left()), left_out
    )
    return near or {}


def who_wins_today(board: Leaderboard, context: ReportContext) -> Section:
    """Say what the duels decide under today's weights."""
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
    """Say how far the weights must move before today's winner no longer wins, or before some model does."""
    left_out: list[str] = []
    found = context.ask("how firmly it wins", lambda: _stability(board, context), left_out, _is_free)
    answer, blocks = NO_ANSWER, list[Block]()
    command = context.call.of("stability", "--rule", "majority", "--all")
    plot = f"{command} --plot stability.svg"
    if isinstance(found, Stability):
        answer = shown(found)
        headings, cells, _ = change_rows(found)
        rows = Table.of("How far weights must move before a rival ties the head-to-head winner", headings, cells)
        if firsts := list(first_lines(found)):
            caption = "Weights today, and where the head-to-head winner changes"
            blocks += [Facts.of("The least changes of weights that count", firsts)]
            blocks += [Drawing.of(found, "stability", caption, command=plot)]
        blocks += [rows.numbered(1)]
    elif isinstance(found, BrokenCycle):
        answer = f"No model beats all others under today's weights; {shown(found.nearest_text)}."
        blocks += [Facts.of("The nearest weights with a head-to-head winner", list(nearest_lines(found)))]
        caption = "Weights today, and the nearest ones with a head-to-head winner"
        blocks += [Drawing.of(found, "stability", caption, command=plot)]
    elif found is not None:
        answer = f"No model beats all others under today's weights, nor under any others. {shown(found)}"
    few = list(_how_few(board, context, left_out)) if isinstance(found, Stability) else []
    blocks += [Words(text=shown(one), proof=one.proof) for one in few]
    return Section.of("firm", "How firmly?", answer, blocks, command=command, results=(found, *few), left_out=left_out)


def _how_few(board: Leaderboard, context: ReportContext, left_out: list[str]) -> Iterator[FewestDrops | LiftCounts]:
    """Yield how few tasks must go for the winner to fall behind, and on how few others must rise: of small tables."""
    if len(board.models) * len(board.tasks) > FEW:
        return
    drops = context.ask("which tasks carry the winner", partial(_drops, board), left_out, fits(FewestDrops))
    what, limit = "on how few tasks others must rise", context.left()
    lifts = context.ask(what, lambda: fewest_lifts(board, time_limit=limit), left_out, fits(LiftCounts))
    yield from (one for one in (drops, lifts) if one is not None)


def _drops(board: Leaderboard) -> FewestDrops:
    try:
        return fewest_drops(board, "majority")
    except ImpossibleError as error:
        return cast("FewestDrops", error.proof)


def _stability(board: Leaderboard, context: ReportContext) -> Stability | BrokenCycle | Prospects:
    """Return what dethrones the winner; without one the nearest weights that have one, or that none have."""
    try:
        return stability_of(board, rule="majority", time_limit=context.left())
    except NoWinnerError as error:
        found = error.proof if error.nearest is None else error.nearest
        if not isinstance(found, BrokenCycle | Prospects):
            raise
        return found


# One model: when it wins, how near that is, what stands in its way, what to improve.


def model_section(
    board: Leaderboard, model: str, place: int, shares: WinningShares | None, context: ReportContext
) -> Section:
    """Tell one model's story; ``place`` makes the section's key."""
    left_out: list[str] = []
    key, heading = f"model-{place}", f"What about {shown(model)}?"
    question = partial(prospect, board, model)
    found = context.ask(
        shown(model),
        lambda: question(time_limit=context.left()),
        left_out,
        lambda one: fits(Prospect, model=model, rule=LinearRule(name=MAJORITY))(one) and not one.space.conditions,
    )
    if found is None:
        return Section.of(key, heading, NO_ANSWER, left_out=left_out)
    options = StoryOptions(shares=lambda: shares, time_limit=context.left())

    def tell(unproved: Unproved) -> tuple[Story, list[Line]]:
        story = Story(board, found, unproved, options)
        return story, [*story.lines(), *story.details(), ("What was checked", [story.last_line()])]

    told = context.ask_in_parts(f"the story of {shown(model)}", tell, left_out)
    seeds = ("--samples", str(context.samples), "--seed", str(context.seed))
    command = context.call.of("win", *context.call.each("--model", [model]), "--details", *seeds)
    blocks = [] if told is None else _model_blocks(board, *told, f"{command} --plot weights.svg")
    results = (found,) if told is None else tuple(told[0].results)
    return Section.of(key, heading, shown(found), blocks, command=command, results=results, left_out=left_out)


def _model_blocks(board: Leaderboard, told: Story, lines: Sequence[Line], plot: str) -> list[Block]:
    model = shown(told.prospect.model)
    blocks: list[Block] = [Facts.of(f"The story of {model}", lines)]
    if told.ranges is not None:
        caption = f"What each task must and may weigh for {model}"
        blocks.append(Drawing.of(told.ranges, "weight_ranges", caption, command=plot))
    nearest = told.nearest
    if nearest is not None:
        weights = winning_weights(nearest)
        todays = todays_shares(board, nearest.tasks)
        rows = [
            (shown(task), number(weight), number(today))
            for task, weight, today in zip(nearest.tasks, weights.tolist(), todays, strict=True)
        ]
        blocks.append(
            Table.of(
                f"Nearest weights that let {model} win or tie head-to-head",
                ("task", "weight", "weight today"),
                rows,
                (1, 2),
            )
        )
    return blocks


# What stands at the end of a report: the table itself, as it was read.

NAMED = 40
"""So many tasks, models or cells are named in a row."""


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
    ]
    columns = [board.cells.texts(column) for column in range(len(board.tasks))]
    rows = [(shown(model), *scores) for model, *scores in zip(board.models, *columns, strict=True)]
    tasks = (f"{shown(task)} (lower is better)" if task in lower else shown(task) for task in board.tasks)
    blocks = (Facts.of("The table as it was read", facts), Table.of("All scores", ("model", *tasks), rows).numbered(1))
    return Section.of("table", "What was measured?", f"{shown(repr(board))}.", blocks)


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
