"""``weightlab ask``: which of two models would you rather have, until your model is proved."""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Sequence
from contextlib import suppress
from math import ceil, floor
from pathlib import Path
from typing import Annotated, Any

import typer

from weightlab._files import write_whole
from weightlab._solver import within
from weightlab._text import counted, listed, percent, shown
from weightlab.cli.inputs.gaps import read_for
from weightlab.cli.options import shared
from weightlab.cli.options.table import Source
from weightlab.cli.options.weights import ANY_WEIGHTS, Conditions
from weightlab.cli.terminal.documents import ensure_apart, put_document
from weightlab.cli.terminal.show import note, say, table
from weightlab.data import Leaderboard
from weightlab.exceptions import InputError, UnprovedError
from weightlab.lp import Answer, Asked, prospects, weight_ranges
from weightlab.lp import ask as ask_of

TASKS = 5
"""Tasks shown of a question: those where the two models differ most."""
KNOWN_IN = 20
"""Seconds for what is proved so far, where it ends before a model is proved."""
SAYS = {"1": "first", "2": "second", "=": "equal", "s": "skip", "b": "back", "q": "stop"}
"""Keys of answers."""
COLUMNS = ("first", "second", "says")


def ask(
    source: Source,
    loss: Annotated[str, typer.Option("--loss", metavar="LOSS", help="Accept a model this many points below.")] = "0",
    equal: Annotated[
        str, typer.Option("--equal", metavar="PART", help="About equal: a lead below this part of the largest.")
    ] = "0.01",
    answers: Annotated[
        str | None, typer.Option("--answers", metavar="FILE", help="Save answers here as they come, and resume.")
    ] = None,
    blind: Annotated[bool, typer.Option("--blind", help="Hide the models' names.")] = False,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="Random seed of the questions.")] = 0,
    rule: Annotated[str, shared.rule_option(help="mean, borda, dowdall, plurality, veto, or points.")] = "mean",
    ties: shared.Ties = None,
    missing: shared.Missing = None,
    conditions: Conditions = ANY_WEIGHTS,
    ends: shared.Ends = shared.HERE,
) -> None:
    """Ask which of two models you would rather have, until one is proved to be the best for you.

    Examples
    --------
    weightlab ask superglue.csv --complete --answers mine.csv
    weightlab ask superglue.csv --complete --loss 0.5 --blind
    """
    ensure_apart({"--answers": answers, "--output": ends.output}, source.file, source.config)
    ruled = shared.ruled(rule, ties, missing)
    board, source = read_for(source, ruled)
    space = conditions.space(board, ruled)
    given: list[Any] = list(_read(answers))
    interruption: KeyboardInterrupt | None = None
    while True:
        found = ask_of(
            board, given, loss=loss, equal=equal, space=space, seed=seed, time_limit=ends.time_limit, **ruled
        )
        asks = found.next is not None or found.conflict is not None
        if not asks or ends.as_json or not _has_terminal():
            break
        try:
            more = _mended(found, given) if found.conflict is not None else _extended(found, given, board, blind=blind)
        except KeyboardInterrupt as error:  # what is known is printed before it ends the command
            more, interruption = None, error
        if more is None:
            break
        given = more
        _save(answers, given)
    if not put_document("ask", (found,), source, ends):
        say(shown(found), "")
        if found.settled:
            say("Proof checked in exact arithmetic.")
        else:
            _say_known(found, board, ruled)
        if not found.settled and answers is not None and Path(answers).exists():
            note(f"Answers are in {answers}: the same command resumes.")

    if interruption is not None:
        raise interruption


def _say_known(found: Asked, board: Leaderboard, ruled: dict[str, Any]) -> None:
    """Print what is proved so far: who can still be first, the leader's ranks, and ranges of the weights."""
    if found.leader is None:
        return
    with suppress(UnprovedError), within(KNOWN_IN):
        some = prospects(board, space=found.allowed, **ruled).with_verdict("strict", "weak")
        others = f"{len(some)} of {counted(len(board.models), 'model')} can still be first"
        best, worst = found.ranks or (1, 1)
        ranks = f"{shown(found.leader)} ranks between {best} and {worst}"
        say(f"Proved so far: {others} ({listed(some, 8)}); {ranks}.", "")
        level = Leaderboard({task: {"one": 0, "other": 0} for task in found.space.tasks})  # under any weights both lead
        ranges = weight_ranges(level, "one", space=found.allowed)
        pairs = [(task, ranges.low[task], ranges.high[task]) for task in found.space.tasks]
        cells = [(shown(task), percent(low, floor), percent(high, ceil)) for task, low, high in pairs if high - low < 1]
        if cells:
            say("Weights that fit your answers:", table(["task", "at least", "at most"], cells, right=(1, 2)), "")


def _mended(found: Asked, given: list[Any]) -> list[Any] | None:
    """Return the answers without those to withdraw, if that is agreed to."""
    say(shown(found), "")
    line = _typed(f"Withdraw {', '.join(map(str, found.withdraw))}? [Y/n] ")
    kept = [one for place, one in enumerate(given, start=1) if place not in found.withdraw]
    return kept if line in {"", "y", "yes"} else None


def _extended(found: Asked, given: list[Any], board: Leaderboard, *, blind: bool) -> list[Any] | None:
    """Return the answers with the next one, or without the last; None if there are no more questions."""
    said = _answer(found, board, blind=blind)
    if said == "stop":
        return None
    return given[:-1] if said == "back" else [*given, _as_answer(found, said)]


def _has_terminal() -> bool:
    """Return whether a person may type answers."""
    return sys.stdin is not None and sys.stdin.isatty()


def _answer(found: Asked, board: Leaderboard, *, blind: bool) -> str:
    """Return the answer about the next pair."""
    one, other = found.next or ("", "")
    names = ("the first", "the second") if blind else (shown(one), shown(other))
    rows = [found.points.numerators[found.points.models.index(model)].tolist() for model in (one, other)]
    lead = [own - rival for own, rival in zip(*rows, strict=True)]
    order = sorted(range(len(lead)), key=lambda place: -abs(lead[place]))[:TASKS]
    tasks = [found.points.tasks[at] for at in order]
    cells = [
        (
            f"{shown(task)} (lower is better)" if task in board.lower_is_better else shown(task),
            *(f"{float(str(board.scores.loc[model, task])):.6g}" for model in (one, other)),
        )
        for task in tasks
    ]
    say("", table(["task", f"1: {names[0]}", f"2: {names[1]}"], cells, right=(1, 2)))
    count = len(found.answers) + 1
    while True:
        line = _typed(f"{count}. Which would you rather have? [1/2, = about equal, s skip, b back, q stop] ")
        if line is None:
            return "stop"
        if line in SAYS and not (line == "b" and not found.answers):
            return SAYS[line]


def _typed(question: str) -> str | None:
    """Return the line that is typed, in small letters; None at its end."""
    sys.stderr.write(question)
    sys.stderr.flush()
    line = sys.stdin.readline()
    return line.strip().casefold() if line else None


def _as_answer(found: Asked, said: str) -> Answer:
    one, other = found.next or ("", "")
    if said == "second":
        one, other = other, one
    return Answer(first=one, second=other, says="equal" if said == "equal" else "skip" if said == "skip" else "first")


def _read(file: str | None) -> list[tuple[str, str, str]]:
    """Return the answers of a file; none where there is no such file yet."""
    if file is None or not Path(file).exists():
        return []
    with Path(file).open(encoding="utf-8", newline="") as lines:
        rows = list(csv.reader(lines))
    if not rows or tuple(rows[0]) != COLUMNS or any(len(row) != len(COLUMNS) for row in rows):
        raise InputError(f"--answers {file!r}: a table with the columns {', '.join(COLUMNS)} is needed")
    return [(first, second, says) for first, second, says in rows[1:]]


def _save(file: str | None, given: Sequence[Answer | tuple[str, str, str]]) -> None:
    """Write the answers so far."""
    if file is None:
        return
    rows = [(one.first, one.second, one.says) if isinstance(one, Answer) else one for one in given]
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([COLUMNS, *rows])
    write_whole((Path(file), [text.getvalue().encode()]))
