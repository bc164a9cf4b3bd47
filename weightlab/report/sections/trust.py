"""Whether rules agree, rankings have a structure, and the order can be trusted: the later questions about a table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from weightlab._result import Result
from weightlab._text import counted, level_text, listed, shown
from weightlab.data import Leaderboard
from weightlab.data.linear_rule import rule_words
from weightlab.data.suite import ALL_TASKS
from weightlab.lp import RankRanges, rank_ranges
from weightlab.lp.ranks.rank_range import UNSETTLED
from weightlab.report.blocks import Block, Drawing, Facts, Section, Table, Words
from weightlab.report.context import ReportContext
from weightlab.report.sections.board import NO_ANSWER
from weightlab.rules import RULES, Comparison, Rule, compare
from weightlab.rules.comparison import compared_rules
from weightlab.rules.ranking import own_rule_name
from weightlab.rules.registry import COMPARED, USUAL
from weightlab.studies import RankSets, rank_sets
from weightlab.studies.structure.dataset import DatasetAudit, DatasetBoard, audit_dataset
from weightlab.views.audit import majority_lines, property_rows
from weightlab.views.unproved import fits
from weightlab.views.verdicts import rank_rows, rule_rows
from weightlab.views.ways import own_ways
from weightlab.views.words import by_reason

SEARCHED = 60
"""Largest number of models for which rules that search for an order run by default."""
PATHS = 500
"""Of more models, rules that take seconds then, by paths of majorities or by iteration, are, too.

Nor are sets of ranks drawn, which hold a number a pair of models.
"""
STRUCTURED = 120
"""Largest number of models for which structures are tested."""
RANGED = 30
"""Largest number of models for which best and worst ranks are computed."""
RULE_SECONDS = 10.0
"""Time limit for one rule that searches, in seconds."""
TOP = 5
"""Models of each ranking compared."""


def _rules_to_compare(board: Leaderboard, rules: Sequence[str | Rule]) -> tuple[str | Rule, ...]:
    """Return the rules to compare: those named, else the usual ones but, on long tables, for the slow ones."""
    if rules:
        return tuple(rules)
    slow = {"schulze", "ranked_pairs", "bradley_terry"} if len(board.models) > PATHS else set()
    slow |= {name for name in USUAL if len(board.models) > SEARCHED and "time_limit" in RULES[name].parameters}
    names = dict.fromkeys((*compared_rules(board), *USUAL, "plurality", "dowdall"))
    return tuple(name for name in names if name not in slow)[:COMPARED]


def do_rules_agree(board: Leaderboard, rules: Sequence[str | Rule], context: ReportContext) -> Section:
    """Say who wins by each rule, and how far the rankings agree."""
    left_out: list[str] = []
    chosen = _rules_to_compare(board, rules)
    limit = context.left(RULE_SECONDS)
    found = context.ask("rules side by side", lambda: compare(board, chosen, time_limit=limit), left_out, _by(chosen))
    skipped = [] if rules else [name for name in USUAL[:COMPARED] if name not in chosen]
    if skipped:
        left_out.append(f"Of so many models these are asked only by name: {listed(skipped)}.")
    answer, blocks = NO_ANSWER, list[Block]()
    named = context.call.each("--rule", [str(one) for one in chosen]) if rules or skipped else ()
    if found is not None:
        answer = shown(found)
        left_out += by_reason(found.left_out)
        headings, rows, right = rule_rows(found, min(TOP, len(board.models)))
        blocks += [Table.of("What each rule says", headings, rows, right)]
        plot = context.call.of("compare", *named, "--plot", "ranks.svg")
        blocks += [Drawing.of(found, "ranks", "Ranks by rule", command=plot)]
        headings, rows, right = rank_rows(found)
        blocks += [Table.of("Rank of every model by every rule", headings, rows, right)]
    command = context.call.of("compare", *named, "--all")
    question = "Do the rules agree?"
    return Section.of("rules", question, answer, blocks, command=command, results=(found,), left_out=left_out)


def _by(rules: Sequence[str | Rule]) -> Callable[[Any], bool]:
    """Return a test whether a comparison uses these rules."""
    names = {str(one) for one in rules}
    return lambda one: isinstance(one, Comparison) and {*one.rankings, *one.left_out} == names


def _drawn(rule: str | Rule, seed: int) -> Callable[[Any], bool]:
    """Return a test whether rank sets are over tasks, by this rule and from this seed."""
    drawn = fits(RankSets, over="tasks", level=0.95, repeats=2000, seed=seed)
    return lambda one: drawn(one) and str(one.question.rule) == str(rule)


def is_it_well_behaved(board: Leaderboard, context: ReportContext) -> Section:
    """Say which structures the tasks' rankings have, with a witness for each answer, and what their majority does."""
    left_out: list[str] = []
    question = "Is the benchmark well behaved?"
    if len(board.models) > STRUCTURED:
        left_out.append(f"Structures are tested up to {STRUCTURED} models; here are {len(board.models)}.")
    narrow = _narrowed(board, left_out) if not left_out else None
    limit = context.left(RULE_SECONDS)
    found = None
    if narrow is not None:
        found = context.ask(
            "structures of the rankings",
            lambda: audit_dataset(ALL_TASKS, narrow, break_ties="alphabetical", time_limit=limit),
            left_out,
            lambda one: (
                fits(DatasetAudit, dataset=ALL_TASKS, break_ties="alphabetical", left_out=narrow.left_out)(one)
                and one.board.equals(narrow.board)
            ),
        )
    if found is None:
        return Section.of("behaved", question, NO_ANSWER, left_out=left_out)
    headings, rows = property_rows(found)
    blocks = (
        Words(text="Ties were broken alphabetically before the rankings were tested."),
        Table.of("Structures of the rankings of the tasks", headings, rows),
        Facts.of("What the majority of the tasks says", list(majority_lines(found))),
    )
    command = context.call.of("report", "--only", "behaved", "--as", "md")
    return Section.of("behaved", question, shown(found), blocks, command=command, results=(found,), left_out=left_out)


def _narrowed(board: Leaderboard, left_out: list[str]) -> DatasetBoard | None:
    """Return the models with every score, on tasks with a weight; None where rankings cannot be tested."""
    if board.tolerance or board.relative_tolerance:
        left_out.append("Rankings need transitive ties, and ties within a score tolerance are not transitive.")
        return None
    weighty = board.select(tasks=[str(task) for task, weight in board.weights.items() if weight])
    gaps: dict[str, tuple[str, ...]] = {}
    for model, task in weighty.missing_cells:
        gaps[model] = (*gaps.get(model, ()), task)
    whole = [model for model in board.models if model not in gaps]
    if len(whole) < 2:
        left_out.append(f"Only {counted(len(whole), 'model')} with every score: two are needed.")
        return None
    if gaps:
        left_out.append(f"Models that lack a score are left out: {listed(gaps)}.")
    return DatasetBoard(board=weighty.select(models=whole), left_out=gaps, lacking=())


def can_it_be_trusted(board: Leaderboard, rules: Sequence[str | Rule], context: ReportContext) -> Section:
    """Say which ranks hold for all models together when tasks are drawn at random, and which ranks weights can give."""
    left_out: list[str] = []
    rule = next(iter(rules), own_rule_name(board))
    way = own_ways(board)[0]
    draw = partial(rank_sets, board, rule, rng=context.seed)
    if len(board.models) <= PATHS:
        drawn = context.ask("ranks that hold together", draw, left_out, _drawn(rule, context.seed))
    else:
        drawn = None
        left_out.append(f"Ranks that hold together are looked for up to {PATHS} models.")
    ranges, seed = None, [] if context.seed == 0 else ["--seed", str(context.seed)]
    if way.rule.is_majority or len(board.models) > RANGED:
        left_out.append(f"Ranks under all weights are looked for up to {RANGED} models.")
    else:
        ranges = context.ask(
            f"ranks {way.rule.by} under all weights",
            lambda: rank_ranges(way.board, rule=way.rule, time_limit=context.left(RULE_SECONDS)),
            left_out,
            lambda one: isinstance(one, RankRanges) and one.rule == way.rule and not one.space.conditions,
        )
        if ranges is not None and not ranges.settled.all():
            left_out.append(UNSETTLED)
    results: list[Result] = [one for one in (drawn, ranges) if one is not None]
    complete = ["--complete"] if drawn is not None and drawn.incomplete else []
    again = context.call.of("rank", *complete, *context.call.each("--rule", [str(rule)]), "--level", "0.95", *seed)
    blocks = [
        *([] if drawn is None else _sets(drawn, f"{again} --plot intervals.svg")),
        *([] if ranges is None else _ranges(ranges)),
    ]
    command = "\n".join([again, *([] if ranges is None else [context.call.of("win", "--rule", way.rule.name)])])
    question = "Can the order be trusted?"
    answer = shown(results[0]) if results else NO_ANSWER
    return Section.of("trust", question, answer, blocks, command=command, results=results, left_out=left_out)


def _sets(found: RankSets, plot: str) -> list[Block]:
    caption, letters = f"Joint rank intervals {rule_words(str(found.question.rule))}", found.classes
    rows = [
        (shown(model), f"{low} to {high}", letters[model], str(int(found.above.loc[[model]].to_numpy().sum())))
        for model, (low, high) in found.rank_sets.items()
    ]
    headings = ("model", f"ranks at {level_text(found.level)}", "letters", "models separated below")
    return [Drawing.of(found, "rank_intervals", caption, command=plot), Table.of(caption, headings, rows, (1, 3))]


def _ranges(found: RankRanges) -> list[Block]:
    caption = f"Best and worst rank {found.rule.by} under all weights"
    return [Words(text=shown(found), proof=found.proof), Table.of_frame(caption, "model", found.summary(), (1, 2))]
