"""``weightlab missing`` and ``weightlab settle``: what holds whatever the missing scores are, and which to measure."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any, TypeAlias

from weightlab.cli import lazy
from weightlab.cli.options.shared import HERE, Ends, Many, Views, completing, opt, own_rule
from weightlab.cli.options.table import Source, model_option, tasks
from weightlab.cli.options.weights import ANY_WEIGHTS, Conditions
from weightlab.cli.terminal.show import note
from weightlab.exceptions import InputError

Between: TypeAlias = Annotated[
    Many,
    opt("--between [TASK=]LOW:HIGH", "Range of the missing scores, such as 0:100. Repeatable.", autocompletion=tasks),
]
Rule: TypeAlias = Annotated[
    str | None,
    opt(
        *("--rule -r RULE", "mean, borda or majority [default: the table's own rule]."),
        autocompletion=completing("mean", "borda", "majority"),
    ),
]


def missing(
    source: Source,
    between: Between = None,
    rule: Rule = None,
    conditions: Conditions = ANY_WEIGHTS,
    ends: Ends = HERE,
) -> Views:
    """Find who wins by --rule whatever the missing scores are, and which score alone decides.

    Examples
    --------
    weightlab missing superglue.csv --rule majority
    weightlab missing superglue.csv --between 0:100 --max BoolQ=0.3
    """
    board = lazy.read_table(source, gaps_are_ties=False)
    rule = rule or own_rule(board)
    asked: dict[str, Any] = {"space": conditions.space(board), "bounds": lazy.bounds_of(between, board)}
    yield lazy.view_of(lazy.lp.missing(board, rule=rule, time_limit=ends.time_limit, **asked))


def settle(
    source: Source,
    claim: Annotated[
        str,
        opt(
            *("--claim CLAIM", "winner, top:K or order:K; can or never: win under free weights."),
            autocompletion=completing("winner", "top:", "order:", "can", "never"),
        ),
    ] = "winner",
    named: Annotated[Many, model_option("Claim it of this model. Repeatable.")] = None,
    between: Between = None,
    count: Annotated[int, opt("--next N", "Number of scores to measure next.")] = 5,
    plan: Annotated[bool, opt("--plan", "List all further scores if the predictions hold.")] = False,
    idle: Annotated[bool, opt("--idle", "List the missing scores that cannot matter any more.")] = False,
    cost: Annotated[str | None, opt("--cost FILE", "Costs: task or model, cost; or model, task, cost.")] = None,
    replay: Annotated[bool, opt("--replay", "Of a complete table: what this advice would have cost.")] = False,
    rule: Rule = None,
    conditions: Conditions = ANY_WEIGHTS,
    ends: Ends = HERE,
) -> Views:
    """Find whether a claim holds whatever the missing scores are, and which scores to measure next.

    With --output FILE.csv the scores to measure are written as a list, otherwise the document.

    Examples
    --------
    weightlab settle superglue.csv --between 0:100
    weightlab settle superglue.csv --claim top:3 --between 0:100 --next 20 -o todo.csv
    weightlab settle superglue.csv --claim winner --model T5 --between 0:100 --cost prices.csv --plan
    """
    if count < 1:
        raise InputError(f"--next must be 1 or more; got {count}")
    board = lazy.read_table(source, gaps_are_ties=False)
    what, k = _claim(claim)
    asked = rule or ("majority" if what in ("can", "never") else own_rule(board))
    question: dict[str, Any] = {
        "k": k,
        "models": lazy.meant_models(named, board) if named else None,
        "rule": asked,
        "bounds": lazy.bounds_of(between, board),
        "cost": None if cost is None else lazy.read_costs(cost, board),
    }
    if replay:
        past = lazy.studies.replay(board, what, **question)
        yield lazy.View(headline=str(past), results=[past])
        return
    found = lazy.lp.settle(board, what, space=conditions.space(board), **question)
    chosen = (found.plan if plan else found.next(count)).assign(**{"for this claim": found.about})
    yield replace(lazy.weights.settle_view(found, count, plan=plan, idle=idle), files=lazy.frame_files(lambda: chosen))
    if ends.output is not None and ends.output.lower().endswith(".csv"):
        told = f"{len(chosen):,} score{'' if len(chosen) == 1 else 's'} to measure for this claim: {ends.output}"
        note(f"{told}. Add them to the table and ask again.")


def _claim(text: str) -> tuple[str, int | None]:
    """Return a claim and its number, as ``top:10`` is written."""
    what, separator, size = text.partition(":")
    if not separator:
        return what, None
    if not size.isdecimal():
        raise InputError(f"--claim {text!r}: write a number of models, such as {what}:10")
    return what, int(size)
