"""``weightlab stability``: how far weights must move before today's winner, or a ranking, changes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Annotated, TypeAlias

import typer

from weightlab.cli.documents import print_document, save_document
from weightlab.cli.options import (
    AsJson,
    Complete,
    Config,
    File,
    Fixed,
    Least,
    Missing,
    Most,
    NoLess,
    Output,
    Quiet,
    ScoredOnly,
    Ties,
    TimeLimit,
)
from weightlab.cli.show import headed, listed, note, number, rounded, say, shown, table
from weightlab.cli.tables import Source, read_table, space_from
from weightlab.data import Leaderboard
from weightlab.exceptions import InputError, NoWinnerError
from weightlab.lp import BrokenCycle, Prospects, RankingStability, Stability, WeightSpace
from weightlab.lp import stability as stability_of
from weightlab.report import Document
from weightlab.report.story import proof_line

__all__ = ["EXAMPLES", "stability"]

EXAMPLES = """\b
Examples:
  weightlab stability
  weightlab stability superglue.csv --complete
  weightlab stability superglue.csv --rule mean
  weightlab stability superglue.csv --norm linf --max CoLA=0.3 --json > proof.json
"""

ROWS = 20
"""So many rows of a table are shown unless all are asked for."""

MOVED = 4
"""So many tasks whose weight changes are named."""

Answer: TypeAlias = Stability | RankingStability | BrokenCycle | Prospects
"""What may be found: without a winner the nearest weights with one, or the proof that no weights have one."""

CHANGES = {"l1": "sum of changes", "linf": "largest change"}


def stability(
    file: File = None,
    rule: Annotated[
        str | None,
        typer.Option("--rule", "-r", metavar="RULE", help="A ranking by mean, borda, plurality, veto or dowdall."),
    ] = None,
    norm: Annotated[
        str | None, typer.Option("--norm", metavar="NORM", help="Only the sum of changes (l1) or the largest (linf).")
    ] = None,
    ties: Ties = None,
    missing: Missing = None,
    complete: Complete = False,
    scored_only: ScoredOnly = False,
    most: Most = None,
    least: Least = None,
    fixed: Fixed = None,
    no_less: NoLess = None,
    config: Config = None,
    every: Annotated[bool, typer.Option("--all", help=f"Every row of the table, not only {ROWS}.")] = False,
    as_json: AsJson = False,
    output: Output = None,
    time_limit: TimeLimit = None,
    quiet: Quiet = False,
) -> None:
    """Find the least change of weights at which today's winner no longer wins, or a ranking changes."""
    source = Source(file=file, config=config, complete=complete)
    board = read_table(source, quiet=quiet, gaps_are_ties=rule is None)
    space = space_from(board, scored_only=scored_only, most=most, least=least, fixed=fixed, no_less=no_less)
    found = _found(board, rule, norm, (ties, missing), space=space, time_limit=time_limit)
    document = Document(results=(found,), options=source.options(), command="stability")
    if output is not None:
        save_document(document, output, file)
    if as_json:
        print_document(document)
        return
    rows = _show(found, every=every)
    if rows > ROWS and not every and not quiet:
        note(f"{ROWS} of {rows} rows are shown; --all shows the others.")


def _found(
    board: Leaderboard,
    rule: str | None,
    norm: str | None,
    options: tuple[str | None, str | None],
    *,
    space: WeightSpace | None,
    time_limit: float | None,
) -> Answer:
    """Return what is asked for; without a winner the nearest weights that have one, or the proof that none have."""
    ties, missing = options
    if rule is None and (ties is not None or missing is not None):
        raise InputError("--ties and --missing belong to a rule: say --rule")
    try:
        if rule is None:
            return stability_of(board, norm=norm, space=space, time_limit=time_limit)
        ways = {"ties": ties, "missing": missing}
        kept = {name: way for name, way in ways.items() if way is not None}
        return stability_of(board, rule=rule, norm=norm, space=space, time_limit=time_limit, **kept)  # type: ignore[call-overload, no-any-return]
    except NoWinnerError as error:
        found = error.proof if error.nearest is None else error.nearest
        if not isinstance(found, BrokenCycle | Prospects):
            raise
        return found


def _show(found: Answer, *, every: bool) -> int:
    """Print the answer, and return how many rows its table has when it is whole."""
    if isinstance(found, BrokenCycle | Prospects):
        if isinstance(found, BrokenCycle):
            say("No model beats all others under today's weights.", "", headed(_nearest(found)))
        else:
            say("No model beats all others under today's weights, nor under any allowed weights.", shown(found), "")
        duels = len(found.signs.models) * (len(found.signs.models) - 1)
        say(proof_line(duels, len(found.signs.tasks), found.space))
        return 0
    rows = list(_rivals(found) if isinstance(found, Stability) else _neighbours(found))
    names = ["rival"] if isinstance(found, Stability) else ["above", "below"]
    headings = [*names, "lead today", "least lead", *(CHANGES[norm] for norm in found.norms)]
    right = tuple(range(len(names), len(headings)))
    say(shown(found), "")
    if found.radius() is not None:
        say(headed(_first(found)), "")
    say(table(headings, rows if every else rows[:ROWS], right=right), "")
    say(proof_line(len(rows), len(found.space.tasks), found.space))
    return len(rows)


def _first(found: Stability | RankingStability) -> Iterator[tuple[str, list[str]]]:
    """Yield for each norm who draws level first, and what changes there."""
    today = found.weights.tolist()
    for norm in found.norms:
        position = found.tippings.first(norm)[0]
        point = found.tippings.points[norm][position]
        if point is None:
            continue
        firsts = (
            found.takers(norm) if isinstance(found, Stability) else [" and ".join(one) for one in found.first(norm)]
        )
        changes = [(task, new - old) for task, new, old in zip(found.space.tasks, point.weights, today, strict=True)]
        moved = _moved(changes) or "none: level today"
        yield f"Least {CHANGES[norm]}", [f"{number(point.value)}: {listed(firsts, 3)}", moved]


def _moved(changes: Sequence[tuple[str, Fraction]]) -> str:
    """Return the greatest changes of weights, such as ``BoolQ -1/72   RTE +1/72``."""
    ordered = sorted((one for one in changes if one[1]), key=lambda one: -abs(one[1]))
    parts = [f"{shown(task)} {'+' if change > 0 else ''}{number(change)}" for task, change in ordered[:MOVED]]
    if len(ordered) > MOVED:
        parts.append(f"and {len(ordered) - MOVED} more tasks")
    return "   ".join(parts)


def _rivals(found: Stability) -> Iterator[list[str]]:
    """Yield a row for each rival, the first to draw level first."""
    leads, least = found.leads.tolist(), found.least_leads.tolist()
    distances = [found.tippings.distances(norm) for norm in found.norms]
    order = sorted(range(len(leads)), key=lambda one: [_last(values[one]) for values in distances])
    for position in order:
        yield [
            shown(found.rivals[position]),
            number(leads[position]),
            number(least[position]),
            *(_cell(values[position]) for values in distances),
        ]


def _neighbours(found: RankingStability) -> Iterator[list[str]]:
    """Yield a row for each two neighbours, best first."""
    distances = [found.tippings.distances(norm) for norm in found.norms]
    leads, least = found.leads.tolist(), found.least_leads.tolist()
    for position, (upper, lower) in enumerate(found.pairs):
        changes = (_cell(values[position]) for values in distances)
        yield [shown(upper), shown(lower), number(leads[position]), number(least[position]), *changes]


def _last(value: Fraction | None) -> tuple[bool, Fraction]:
    return value is None, value or Fraction(0)


def _cell(value: Fraction | None) -> str:
    return "never" if value is None else rounded(value, 4)


def _nearest(found: BrokenCycle) -> Iterator[tuple[str, list[str]]]:
    words = found.nearest_words
    yield "Nearest weights with a winner", [f"{shown(words[0].upper() + words[1:])}."]
    weights = found.strict_weights.tolist()
    today = found.weights.tolist()
    changes = [(task, new - old) for task, new, old in zip(found.signs.tasks, weights, today, strict=True)]
    more = f", {number(found.slack)} more than the least change" if found.slack else ""
    yield f"Where {shown(found.model)} wins{more}", [_moved(changes) or "no change"]
