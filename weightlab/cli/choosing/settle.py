"""``weightlab settle``: whether a claim holds whatever the missing scores are, and which scores to measure next."""

from __future__ import annotations

import csv
import io
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any

import typer

from weightlab._files import write_whole
from weightlab._text import counted, number, shown
from weightlab.cli.inputs.bounds import bounds_of
from weightlab.cli.inputs.costs import read_costs
from weightlab.cli.inputs.tables import read_table
from weightlab.cli.options import shared
from weightlab.cli.options.plot import NO_PICTURE, Picture
from weightlab.cli.options.shared import AT_ONCE, Destination, Written
from weightlab.cli.options.table import Source, models, tasks
from weightlab.cli.options.weights import ANY_WEIGHTS, Conditions
from weightlab.cli.terminal.documents import ensure_apart, put_document
from weightlab.cli.terminal.show import headed, note, say, table
from weightlab.cli.win.each_model import meant_models
from weightlab.exceptions import InputError
from weightlab.lp import Settlement
from weightlab.lp import settle as settle_of

PAIRS = 10
"""Open pairs that are shown of a claim about named models."""


def settle(
    source: Source,
    claim: Annotated[
        str,
        typer.Option(
            "--claim",
            metavar="CLAIM",
            help="winner, top:K or order:K; can or never: win under free weights.",
            autocompletion=shared.words("winner", "top:", "order:", "can", "never"),
        ),
    ] = "winner",
    named: Annotated[
        list[str] | None,
        typer.Option(
            "--model", "-m", metavar="NAME", help="Claim it of this model. Repeatable.", autocompletion=models
        ),
    ] = None,
    between: Annotated[
        list[str] | None,
        typer.Option(
            "--between",
            metavar="[TASK=]LOW:HIGH",
            help="Range of the scores, such as 0:100, or of a task. Repeatable.",
            autocompletion=tasks,
        ),
    ] = None,
    count: Annotated[int, typer.Option("--next", metavar="N", help="Scores to measure next.")] = 5,
    plan: Annotated[bool, typer.Option("--plan", help="List all further scores if the predictions hold.")] = False,
    idle: Annotated[bool, typer.Option("--idle", help="List the missing scores that cannot matter any more.")] = False,
    cost: Annotated[
        str | None, typer.Option("--cost", metavar="FILE", help="Costs: task or model, cost; or model, task, cost.")
    ] = None,
    replay: Annotated[
        bool, typer.Option("--replay", help="Of a complete table: what this advice would have cost.")
    ] = False,
    rule: Annotated[
        str | None,
        shared.rule_option(
            help="mean, borda or majority [default: the table's own rule].",
            autocompletion=shared.words("mean", "borda", "majority"),
        ),
    ] = None,
    conditions: Conditions = ANY_WEIGHTS,
    picture: Picture = NO_PICTURE,
    ends: Written = AT_ONCE,
) -> None:
    """Find whether a claim holds whatever the missing scores are, and which scores to measure next.

    With --output FILE.csv the scores to measure are written as a list, otherwise the document.

    Examples
    --------
    weightlab settle superglue.csv --between 0:100
    weightlab settle superglue.csv --claim top:3 --between 0:100 --next 20 -o todo.csv
    weightlab settle superglue.csv --claim winner --model T5 --between 0:100 --cost prices.csv --plan
    """
    picture.ensure(source, {"--output": ends.output})
    ensure_apart({"--output": ends.output}, source.file, source.config)
    if count < 1:
        raise InputError(f"--next must be 1 or more; got {count}")
    board = read_table(source, gaps_are_ties=False)
    what, k = _claim(claim)
    asked = rule or ("majority" if what in ("can", "never") else shared.own_rule(board))
    question: dict[str, Any] = {
        "k": k,
        "models": meant_models(named, board) if named else None,
        "rule": asked,
        "bounds": bounds_of(between, board),
        "cost": None if cost is None else read_costs(cost, board),
    }
    if replay:
        from weightlab.studies import replay as replay_of  # noqa: PLC0415 - which loads all studies

        past = replay_of(board, what, **question)
        if not put_document("settle", (past,), source, ends):
            say(shown(past))
        return
    found = settle_of(board, what, space=conditions.space(board), **question)
    listed = ends.output is not None and ends.output.lower().endswith(".csv")
    document = Destination(as_json=ends.as_json, output=None if listed else ends.output)
    if not put_document("settle", (found,), source, document):
        _tell(found, count, plan=plan, idle=idle)
    if listed:
        chosen = (found.plan if plan else found.next(count)).assign(**{"for this claim": found.about})
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows([[*chosen.columns], *chosen.itertuples(index=False, name=None)])
        write_whole((Path(str(ends.output)), [text.getvalue().encode()]))
        told = f"{counted(len(chosen), 'score')} to measure for this claim: {ends.output}"
        note(f"{told}. Add them to the table and ask again.")
    picture.save(found)


def _claim(text: str) -> tuple[str, int | None]:
    """Return a claim and its number, as ``top:10`` is written."""
    what, separator, size = text.partition(":")
    if not separator:
        return what, None
    if not size.isdecimal():
        raise InputError(f"--claim {text!r}: write a number of models, such as {what}:10")
    return what, int(size)


def _tell(found: Settlement, count: int, *, plan: bool, idle: bool) -> None:
    say(shown(found))
    if found.verdict == "open":
        gaps, matter = len(found.table.missing_cells), int(found.matter.sum())
        rest = "" if matter == gaps else f"; skip the other {gaps - matter:,} (--idle lists them)"
        chosen = found.plan if plan or _is_small(found) else found.next(count)
        facts: list[tuple[str, list[str]]] = [
            ("Can still matter", [f"{matter:,} of {counted(gaps, 'missing score')} for this claim{rest}"])
        ]
        if found.reach is None and (plan or _is_small(found)):
            price = sum(chosen["cost"], Fraction(0))
            costs = f", at a cost of {number(price)}" if found.prices else ""
            facts.append(("Expected", [f"about {len(chosen):,} more{costs}, if the predictions hold"]))
        shown_rows = chosen if plan else chosen[:count]
        rows = [(shown(m), shown(t), number(c), why) for m, t, c, why in shown_rows.itertuples(index=False, name=None)]
        say("", headed(facts, wide=18), "", table(["measure next", "task", "cost", "why"], rows, right=(2,)))
    if idle:
        cells = [tuple(map(str, one)) for one in found.idle.itertuples(index=False, name=None)]
        say("", f"Cannot matter any more for this claim: {counted(len(cells), 'missing score')}.")
        if cells:
            say(table(["model", "task", "why"], cells))
    if found.verdict != "open":
        say("Verdict checked in exact arithmetic.")


def _is_small(found: Settlement) -> bool:
    """Return whether a plan is made in a moment: by other rules than the mean each step looks at all pairs."""
    pairs = 1 if found.rule.name == "mean" else len(found.table.models) ** 2
    return int(found.matter.sum()) * pairs <= 10**7
