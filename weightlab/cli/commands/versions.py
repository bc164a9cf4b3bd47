"""``weightlab check``: what changed between two versions of a table, and whether the new one keeps its policy."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from textwrap import indent
from typing import TYPE_CHECKING, Annotated

import typer

from weightlab._text import first_few, shell_word, shown
from weightlab.cli import lazy
from weightlab.cli.options.shared import HERE, Ends, InstanceColumn, ModelColumn, Views, opt
from weightlab.cli.options.table import Source, file_name
from weightlab.cli.terminal.answered import ensure_apart
from weightlab.cli.terminal.show import note
from weightlab.exceptions import InputError, UnprovedError

if TYPE_CHECKING:
    from weightlab.data import Instances, Leaderboard
    from weightlab.io.reading.reading import Reading
    from weightlab.studies import Changes, Check
    from weightlab.views.markdown import Names

POLICY = "weightlab-policy.toml"
"""Read where no policy is named, and written by ``--init``."""
MARKS = {True: "holds", False: "broken", None: "skipped"}
INDENTS = {"#": 0, "-": 2, "$": 10}
"""Blanks before a heading, an item, and a command."""
MEANS = "means.csv"
"""What commands call the table of the means of instances."""
ABLE = {"strict": "can win", "weak": "can only tie", "never": "never"}
"""Verdicts in a summary, below the rule that they are by."""
LEVEL, FIRST = 0.95, 20
"""Of the ranks in a summary: the level of their intervals, and how many models are shown."""
SWAPS = 10
"""Sentences on swaps shown."""


def check(
    source: Source,
    against: Annotated[str | None, opt("--against OLD", "Previous version, read with the same options.")] = None,
    policy: Annotated[str | None, opt("--policy TOML", f"Policy file; by default {POLICY} if it is there.")] = None,
    init: Annotated[bool, opt("--init", "Create a policy from the current table.")] = False,
    summary: Annotated[str | None, opt("--summary FILE", "Also write a Markdown summary.")] = None,
    model_column: ModelColumn = None,
    instance_column: InstanceColumn = None,
    ends: Ends = HERE,
) -> Views:
    """Say what changed since OLD, who moved and why, and whether FILE keeps its policy; exit code 1 if not.

    Examples
    --------
    weightlab check superglue.csv --complete --init
    weightlab check superglue.csv --complete
    weightlab check NEW --against OLD
    weightlab check NEW --against OLD --policy policy.toml --summary summary.md
    """
    columns = (model_column, instance_column)
    if init:
        if against is not None or summary is not None or ends.as_json or ends.output is not None:
            raise InputError(
                "--init writes a policy and nothing else; leave out --against, --summary, --json, --output"
            )
        yield lazy.View(headline=_start(source, policy or POLICY, columns))
        return
    named = policy or (POLICY if Path(POLICY).is_file() else None)
    ensure_apart({"--summary": summary, "--output": ends.output}, source.file, against, named)
    old = None if against is None else _read(replace(source, file=against), columns)
    found = lazy.studies.check(_read(source, columns), named, against=old, reading=_reading(source, columns))
    if named is None:
        note(f"No policy: 'weightlab check FILE --init' writes {POLICY}.")
    elif not found.findings:
        note(f"The policy {named} contains no rules.")
    lines = list(_lines(found, source, columns))
    if summary is not None:
        told = [*_markdown(lines, _names(found)), *_tiers(found.table, _names(found))]
        lazy.write_whole((summary, "\n".join(["# weightlab check", *told, ""])))
    yield lazy.View(headline=tuple(f"{' ' * INDENTS[mark]}{text}" for mark, text in lines), results=[found])
    if found.broken:
        raise typer.Exit(1)


def _read(source: Source, columns: tuple[str | None, str | None]) -> Leaderboard | Instances:
    return (
        lazy.read_on_instances(source, columns)
        if any(columns)
        else lazy.read_table(source, gaps_are_ties=False, with_errors=True)
    )


def _reading(source: Source, columns: tuple[str | None, str | None]) -> Reading | None:
    """Return how the file is read with all its columns, totals among them; None of what is no table of scores."""
    from weightlab.cli.inputs.tables import rewound
    from weightlab.io.evaluations.detect import holds_results
    from weightlab.io.read.leaderboards import KEYWORDS

    if source.file is None or any(columns) or lazy.is_preflib(source.file) or lazy.is_votes(source):
        return None
    if holds_results(source.file):
        return None
    declared = {name: value for name, value in source.keywords().items() if name not in {"drop", "keep"}}
    written = {} if source.settings is None else lazy.io.read_config(source.settings)
    config = {name: value for name, value in written.items() if name in KEYWORDS and name not in {"drop", "keep"}}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return lazy.io.propose_reading(
                rewound(source.file, source.size_limit), config=config, all_rows=True, **declared
            )
    except InputError:
        return None


def _start(source: Source, path: str, columns: tuple[str | None, str | None]) -> str:
    """Write a policy that the table passes, and return a sentence with the rules that require nothing yet."""
    if Path(path).exists():
        raise InputError(f"{path} already exists; omit --init to check with it, or choose another with --policy")
    text = lazy.studies.starting_policy(_read(source, columns))
    lazy.write_whole((path, text))
    rules = [line.partition(" =")[0] for line in text.splitlines() if " = " in line and "{" not in line]
    idle = [one.removeprefix("# ") for one in rules if one.startswith("# ")]
    kept = f"{len(rules) - len(idle)} rules that today's table keeps"
    return f"Wrote {path}: {kept}; behind '#': {first_few(idle, 9)}."


def _command(text: str, source: Source, columns: tuple[str | None, str | None]) -> str:
    """Return a command with the file and how it is read; instance tables get ranks only, others rules on means."""
    from weightlab.io.sources.urls import bare, is_url

    flags = dict(zip(("--model-column", "--instance-column"), columns, strict=True))
    named = [f"{flag}={name}" for flag, name in flags.items() if name]
    if named and "standard_errors" not in text:
        return text.replace("NEW", MEANS, 1)
    words = [
        *([bare(source.file) if is_url(source.file) else source.file] if source.file else []),
        *source.words,
        *["--complete"] * source.complete,
        *named,
    ]
    file = file_name(source.file) if is_url(source.file) else source.file
    beside = Path(file or "NEW").with_suffix(".toml")  # read together with the file from then on
    text = text.replace(
        " --write-config NEW.toml", "" if beside.exists() else f" --write-config {shell_word(str(beside))}"
    )
    return text.replace("NEW", " ".join(map(shell_word, words)), 1).replace(
        "standard_errors", "instances" if named else "standard_errors"
    )


Line = tuple[str, str]
"""What it is (``#`` a heading, ``-`` an item, ``$`` a command), and its text."""


def _lines(found: Check, source: Source, columns: tuple[str | None, str | None]) -> Iterator[Line]:
    """Yield the summary: the changes, then each rule, broken ones first, with the command that shows it."""
    if found.changes is not None:
        yield from _changed(found.changes)
    if found.findings:
        yield "#", "Policy"
    for one in sorted(found.findings, key=lambda one: (one.holds is not False, one.holds is None)):
        yield "-", f"{MARKS[one.holds]:8}{shown(one)}"
        if one.holds is False and lazy.is_whole(source.file or ""):
            command = _command(one.command, source, columns)
            yield "$", f"$ {command}"
            if MEANS in command:
                yield (
                    "-",
                    f"({MEANS}: the table of the means, as wl.write_leaderboard(instances.means(), ...) writes it)",
                )


def _changed(found: Changes) -> Iterator[Line]:
    yield "#", "Since the version before"
    for line in found.lines or ["Nothing changed."]:
        yield "-", shown(line)
    if found.moves:
        moves = (f"{shown(model)} {old} to {new}" for model, (old, new) in found.moves.items())
        yield "-", f"Places {lazy.rule_words(found.rule)}: {first_few(moves, 2 * SWAPS)}."
    told = found.told()
    yield from (("-", shown(line)) for line in told[:SWAPS])
    if len(told) > SWAPS:
        yield "-", f"{len(told) - SWAPS} more; --json has all of them."


def _markdown(lines: list[Line], names: Names) -> Iterator[str]:
    """Yield the lines as Markdown."""
    from weightlab.views.markdown import fenced, marked

    for mark, text in lines:
        if mark == "#":
            yield f"\n## {text}\n"
        elif mark == "$":
            yield f"\n{indent(fenced(text.removeprefix('$ '), 'sh'), '  ')}\n"
        else:
            yield f"- {marked(text, names)}"


def _tiers(board: Leaderboard, names: Names) -> Iterator[str]:
    """Yield the first models with joint rank intervals, tiers and verdicts by the table's own rule and head-to-head."""
    from weightlab.studies.versions.changes import own_rule
    from weightlab.views.markdown import marked

    rule = own_rule(board)
    try:
        whole = board.complete() if board.missing_cells else board
        ranks = lazy.rules.rank(whole, rule).ranks
        found = lazy.studies.rank_sets(whole, rule, over="tasks", level=LEVEL, rng=0)
        able = [
            {model: str(lazy.lp.prospect(of, model, rule=by).verdict) for model in ranks.index[:FIRST]}
            for by, of in ((rule, whole), ("majority", board))
        ]
    except (InputError, UnprovedError):
        return
    by = lazy.rule_words(rule)
    yield f"\n## Ranks {by}\n\n| rank | model | rank at {LEVEL:.0%} | tier | {by} | head-to-head |"
    yield "| ---: | --- | --- | --- | --- | --- |"
    for model in ranks.index[:FIRST]:
        low, high = found.rank_sets[model]
        held = str(low) if low == high else f"{low} to {high}"
        verdicts = " | ".join(ABLE[one[model]] for one in able)
        yield f"| {ranks[model]} | {marked(shown(model), names)} | {held} | {found.classes[model]} | {verdicts} |"
    drawn = f"joint {LEVEL:.0%} intervals, treating the {len(whole.tasks):,} tasks as a random sample"
    yield f"\nModels that share a letter are statistically indistinguishable ({drawn})."
    yield f"\nThe last two columns: who can come first {by}, or win head-to-head, under some weights."


def _names(found: Check) -> Names:
    """Return the names in the summary."""
    from weightlab.views.markdown import Names

    tables = [found.table, *([found.changes.old] if found.changes is not None else [])]
    return Names.of({name for one in tables for name in (*one.models, *one.tasks)})
