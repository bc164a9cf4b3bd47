"""Why rules differ on the winner, task by task; and the average over tasks beside the average over instances."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path

from rich.console import RenderableType

from weightlab._exact import fraction
from weightlab._result import told_of
from weightlab._text import first_few, listed, shown
from weightlab.cli.options.table import Source
from weightlab.cli.terminal.show import say, table
from weightlab.data import Leaderboard
from weightlab.exceptions import ImpossibleError, InputError
from weightlab.graph import margins_of
from weightlab.lp import FewestDrops, fewest_drops
from weightlab.lp.improvement.lift_rules import LIFT_RULES
from weightlab.rules import Comparison, MicroMacro, Needs, Ranking, micro_and_macro
from weightlab.rules.ranking import score_text

TASKS = 5
"""Tasks named in a cell."""
OF_LIFTS = {"majority": " (head-to-head)", "median": " (lower)"}
"""How a rule is asked which tasks to drop, where that differs: of two middle scores the median is the lower one."""


def table_of(board: object, option: str) -> Leaderboard:
    """Return a score table, or raise InputError: votes and orders have no tasks to name or count."""
    if not isinstance(board, Leaderboard):
        raise InputError(f"{option} needs scores on tasks; this file holds votes or orders")
    return board


def why_they_differ(found: Comparison, board: Leaderboard) -> Iterator[tuple[str, FewestDrops]]:
    """Yield for each rule with another winner the fewest tasks without which the two rules agree on the two winners.

    Yielded are the rule that rests on the tasks, and the result that proves that no fewer do. A rule that reads
    majorities is asked head-to-head; rules that `lp.fewest_drops` does not know are passed over.
    """
    (first, leading), *others = found.rankings.items()
    asked: set[tuple[str, str, str]] = set()
    for name, one in others:
        winner, other = leading.winners[0], one.winners[0]
        if winner in one.winners or other in leading.winners:
            continue
        for label, ranking, pair in ((first, leading, (winner, other)), (name, one, (other, winner))):
            rule = _droppable(ranking, board, pair)
            if rule is None or (rule, *pair) in asked:
                continue
            asked.add((rule, *pair))
            try:
                yield label, fewest_drops(board, rule, drop="tasks", pair=pair)
            except ImpossibleError as error:
                yield label, error.proof
            except InputError:
                continue  # by this rule the two are tied today


def _droppable(ranking: Ranking, board: Leaderboard, pair: tuple[str, str]) -> str | None:
    """Return the rule by which tasks are left out, where there is one that puts the first of a pair ahead."""
    if ranking.rule.needs is Needs.MARGINS:
        return "majority" if margins_of(board).margin(*pair) > 0 else None
    own = ranking.rule.name
    return own if own in LIFT_RULES and ranking.rule.options.get("missing", "error") == "error" else None


def tell_differences(reasons: Sequence[tuple[str, FewestDrops]], *, asked: bool) -> None:
    """Print which tasks make rules differ."""
    if asked and not reasons:
        say("", "The rules that --why explains have the same winner.")
    if not reasons:
        return
    rows = [
        (
            name + OF_LIFTS.get(str(one.rule), ""),
            shown(one.model),
            shown(one.rivals[0]),
            "never" if one.tasks is None else first_few(map(shown, one.tasks), TASKS),
        )
        for name, one in reasons
    ]
    say("", table(["by", "is ahead", "of", "unless dropped"], rows))
    say("", "unless dropped: the fewest tasks without which it is behind, as by the other rule. Proof checked exactly.")


def counted_averages(board: Leaderboard, counts: str, source: Source) -> MicroMacro:
    """Return the averages over tasks and over instances; InputError if a task has no count, or a count is none."""
    return micro_and_macro(board, _counts(board, counts, source))


def average_rows(found: MicroMacro) -> RenderableType:
    """Return both ranks of each model."""
    rows = [
        (shown(model), *(f"{one.ranks[model]} ({score_text(one.scores[model])})" for one in (found.macro, found.micro)))
        for model in found.macro.scores.index
    ]
    return table(["model", "macro rank (mean)", "micro rank (mean)"], rows, right=(1, 2))


def _counts(board: Leaderboard, counts: str, source: Source) -> dict[str, Fraction]:
    """Return the number of instances of each task, from a file or a column of the table that is read."""
    rows = _column(counts, source) if not Path(counts).is_file() else _lines(counts)
    found: dict[str, Fraction] = {}
    for place, task, text in rows:
        with told_of(f"--counts {counts!r}, {place}", InputError):
            number = fraction(text)
            if number <= 0:
                raise InputError(f"expected a number of instances above 0; got {text!r}")
            if found.setdefault(task, number) != number:
                raise InputError(f"{task!r} has two counts, {found[task]} and {number}")
    # A task of a long table is called like its data set, with its metric before or behind a slash.
    own = {task: _of_task(task, found) for task in board.tasks}
    if lacking := [task for task, number in own.items() if number is None]:
        raise InputError(f"--counts {counts!r}: no count for {listed(map(repr, lacking), 5)}")
    return {task: number for task, number in own.items() if number is not None}


def _of_task(task: str, found: Mapping[str, Fraction]) -> Fraction | None:
    parts = (task, task.partition("/")[0], task.partition("/")[2], task.rpartition("/")[0])
    return next((found[one] for one in parts if one in found), None)


def _lines(file: str) -> Iterable[tuple[str, str, str]]:
    """Yield line, task and count of a file of two columns; a heading is passed over."""
    with Path(file).open(encoding="utf-8-sig", newline="") as lines:
        for place, row in enumerate(csv.reader(lines), start=1):
            if not row or (place == 1 and not _is_number(row[-1])):
                continue
            if len(row) != 2:
                raise InputError(f"--counts {file!r}, line {place}: expected TASK,COUNT; got {','.join(row)!r}")
            yield f"line {place}", row[0], row[1]


def _column(name: str, source: Source) -> Iterable[tuple[str, str, str]]:
    """Yield the entries of a column of a long table, which is to be the same throughout each data set."""
    if source.file in (None, "-"):
        raise InputError(f"--counts {name!r}: file not found")
    key = source.dataset_column or "dataset"
    with Path(str(source.file)).open(encoding="utf-8-sig", newline="") as lines:
        rows = csv.DictReader(lines, delimiter=source.separator or ",")
        if not {name, key} <= {*(rows.fieldnames or ())}:
            raise InputError(f"--counts {name!r}: file not found, and FILE is no long table with such a column")
        yield from ((f"line {place}", str(row[key]), str(row[name])) for place, row in enumerate(rows, start=2))


def _is_number(text: str) -> bool:
    try:
        fraction(text)
    except InputError:
        return False
    return True
