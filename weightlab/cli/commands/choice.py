"""``weightlab ask`` and ``weightlab shortlist``: one model for you, or the few that suffice whatever the weights."""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from weightlab._text import listed, percent, shown
from weightlab.cli import lazy
from weightlab.cli.options.shared import EXPERT, HERE, Ends, Missing, Ties, Views, opt, ruled
from weightlab.cli.options.table import Source
from weightlab.cli.options.weights import ANY_WEIGHTS, Conditions
from weightlab.cli.terminal.answered import ensure_apart
from weightlab.cli.terminal.show import note, say, table
from weightlab.exceptions import InputError, UnprovedError

if TYPE_CHECKING:
    from fractions import Fraction

    from weightlab.data import Leaderboard
    from weightlab.lp import Answer, Asked, Shortlist
    from weightlab.views.view import View

TASKS = 5
"""Tasks shown of a question: those where the two models differ most."""
KNOWN_IN = 20
"""Seconds for what is proved so far, where it ends before a model is proved."""
SAYS = {"1": "first", "2": "second", "=": "equal", "s": "skip", "b": "back", "q": "stop"}
"""Keys of answers."""
COLUMNS = ("first", "second", "says")
KINDS = ("first", "equal", "skip")
"""Answers in a file."""
Rule = Annotated[str, opt("--rule -r RULE", "mean, borda, dowdall, plurality, veto, or points.")]


def ask(
    source: Source,
    loss: Annotated[str, opt("--loss LOSS", "Accept a model this many points below.")] = "0",
    equal: Annotated[str, opt("--equal PART", "About equal: a lead below this part of the largest.", EXPERT)] = "0.01",
    answers: Annotated[str | None, opt("--answers FILE", "Save answers here as they come, and resume.")] = None,
    blind: Annotated[bool, opt("--blind", "Hide the models' names.")] = False,
    seed: Annotated[int, opt("--seed N", "Random seed of the questions.", EXPERT)] = 0,
    rule: Rule = "mean",
    ties: Ties = None,
    missing: Missing = None,
    conditions: Conditions = ANY_WEIGHTS,
    ends: Ends = HERE,
) -> Views:
    """Ask which of two models you would rather have, until one is proved to be the best for you.

    Examples
    --------
    weightlab ask superglue.csv --complete --answers mine.csv
    weightlab ask superglue.csv --complete --loss 0.5 --blind
    """
    ensure_apart({"--answers": answers, "--output": ends.output}, source.file, source.config)
    asked = ruled(rule, ties, missing)
    board = lazy.read_for(source, asked)
    options: dict[str, Any] = {"loss": loss, "equal": equal, "space": conditions.space(board, asked), "seed": seed}
    options |= {"time_limit": ends.time_limit, **asked}
    given: list[Any] = list(_answers(answers))
    interruption: KeyboardInterrupt | None = None
    while True:
        found = lazy.lp.ask(board, given, **options)
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
    known = ["Proof checked in exact arithmetic."] if found.settled else _known(found, board, asked)
    if any(one.says == "equal" for one in found.answers):
        part = percent(found.equal)
        known = [f"About equal: a lead below {part} of the largest lead that either has on a task.", *known]
    yield lazy.View(headline=str(found), blocks=known, results=[found])
    if not found.settled and answers is not None and Path(answers).exists():
        note(f"Answers are in {answers}: the same command resumes.")
    if interruption is not None:
        raise interruption


def _known(found: Asked, board: Leaderboard, asked: dict[str, Any]) -> list[Any]:
    """Return the results proved so far: who can still be first, the leader's ranks, and ranges of the weights."""
    from weightlab._solver import within
    from weightlab.views.weights import known_blocks

    if found.leader is not None:
        with suppress(UnprovedError), within(KNOWN_IN):
            return known_blocks(found, board, asked)
    return []


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
    some = f"The {len(order)} of {len(lead)} tasks on which they differ most:" if len(order) < len(lead) else ""
    say("", *[some] * bool(some), table(["task", f"1: {names[0]}", f"2: {names[1]}"], cells, right=(1, 2)))
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
    return lazy.lp.Answer(
        first=one, second=other, says="equal" if said == "equal" else "skip" if said == "skip" else "first"
    )


def _answers(file: str | None) -> list[tuple[str, str, str]]:
    """Return the answers of a file; none where there is no such file yet."""
    if file is None or not Path(file).exists():
        return []
    with Path(file).open(encoding="utf-8", newline="") as lines:
        rows = list(csv.reader(lines))
    if not rows or tuple(rows[0]) != COLUMNS or any(len(row) != len(COLUMNS) for row in rows):
        raise InputError(f"--answers {file!r}: a table with the columns {', '.join(COLUMNS)} is needed")
    for one in [row[2] for row in rows[1:] if row[2] not in KINDS]:
        raise InputError(f"--answers {file!r}: an answer must be {', '.join(KINDS)}; got {one!r}")
    return [(first, second, says) for first, second, says in rows[1:]]


def _save(file: str | None, given: Sequence[Any]) -> None:
    """Write the answers so far."""
    if file is None:
        return
    rows = [one if isinstance(one, tuple) else (one.first, one.second, one.says) for one in given]
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([COLUMNS, *rows])
    lazy.write_whole((file, text.getvalue()))


def shortlist(
    source: Source,
    size: Annotated[int | None, opt("--size N", "Number of models [default: up to 5].")] = None,
    loss: Annotated[str | None, opt("--loss LOSS", "Greatest loss: points, or 1% of each task's range.")] = None,
    cost: Annotated[
        str | None, opt("--cost FILE", "Costs, a table of one column: what each loss costs at least.")
    ] = None,
    among: Annotated[str | None, opt("--among NAME,NAME", "Choose only from these models.")] = None,
    rule: Rule = "mean",
    ties: Ties = None,
    missing: Missing = None,
    conditions: Conditions = ANY_WEIGHTS,
    ends: Ends = HERE,
) -> Views:
    """Find the few models that always include one within a loss of the best, whatever the weights of the tasks.

    Examples
    --------
    weightlab shortlist superglue.csv --complete --size 3
    weightlab shortlist superglue.csv --complete --loss 1%
    weightlab shortlist
    weightlab shortlist superglue.csv --complete --cost prices.csv
    weightlab shortlist superglue.csv --complete --loss 1 --cost prices.csv --json > proof.json
    """
    asked = ruled(rule, ties, missing)
    board = lazy.read_for(source, asked)
    options: dict[str, Any] = {
        "size": size,
        "loss": loss,
        "cost": None if cost is None else _costs(cost, board),
        "among": None if among is None else [name.strip() for name in among.split(",")],
        "space": conditions.space(board, asked),
        "time_limit": ends.time_limit,
    }
    try:
        found = lazy.lp.shortlist(board, **options, **asked)
    except (UnprovedError, KeyboardInterrupt) as error:
        if "result" in vars(error).get("known", {}):
            yield from _shown(vars(error)["known"]["result"])
        raise
    yield from _shown(found)


def _shown(found: Shortlist) -> Iterator[View]:
    from weightlab.lp.choosing.shortlist import COSTS, SIZES

    yield lazy.view_of(found)
    by_default = found.size is None and found.limit is None
    if by_default and found.loss and len(found.frontier) == (COSTS if found.costs else SIZES):
        more = "--loss LOSS for the cheapest set" if found.costs else "--size N, or --loss LOSS for the smallest set"
        note(f"More models come closer: {more} within a loss.")


def _costs(file: str, board: Leaderboard) -> dict[str, Fraction]:
    """Return the cost of each model of a board, from a table of one column."""
    from fractions import Fraction

    prices = lazy.io.read_leaderboard(file)
    if len(prices.tasks) != 1:
        raise InputError(f"--cost {file!r}: one column of costs is needed; got {len(prices.tasks)}")
    points = prices.points("scores")
    # Where lower is better, as under the heading "price", points are negative.
    unit = -points.denominator if prices.lower_is_better else points.denominator
    costs = {model: Fraction(int(one), unit) for model, one in zip(points.models, points.numerators[:, 0], strict=True)}
    if others := [model for model in costs if model not in board.models]:
        note(f"Costs of models that the table does not have (with all scores) are not read: {listed(others, 8)}.")
    return {model: own for model, own in costs.items() if model in board.models}
