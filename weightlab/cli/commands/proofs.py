"""``weightlab verify``: re-check a claim that was sent to you."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from weightlab._text import counted, listed, shown, without
from weightlab.cli import lazy
from weightlab.cli.options.shared import Quiet, Views, opt
from weightlab.cli.options.table import Source
from weightlab.cli.terminal.show import NOTES, note
from weightlab.exceptions import FileFormatError, InputError, ProofError

if TYPE_CHECKING:
    from weightlab._result import Result
    from weightlab.data import Instances, Leaderboard, Margins, Profile, Suite
    from weightlab.report import Document

OF_SUITES = {"audit", "dataset_audit", "repair", "sweep", "metric_cycles"}
"""Kinds of results that speak about a suite."""
OF_ORDERS = {"graph", "rank", "compare", "robustness"}
"""Commands that take votes, and the orders or margins of a PrefLib file, as they are, not as a table."""
GROUNDS = {"exact_witness": "a solver's bound", "sampled": "estimated from random samples"}
"""What claims rest on that are not proved."""
OF_DRAWS = {"rank_sets", "effects", "bootstrap", "omitted_scores", "paired", "task_subsets"}
"""Kinds of results about draws from a table that they do not carry."""
WAYS: dict[Any, str] = {"alphabetical": "alphabetically", "reverse": "in reverse alphabetical order"}
"""How ties are broken, in words."""
NAMED = 5
"""Unproved claims named per kind; the rest is counted."""


def verify(
    result: Annotated[
        str,
        typer.Argument(
            metavar="RESULT",
            help="JSON document, such as 'weightlab win --output' writes, or page of 'weightlab report'; '-' for "
            "standard input.",
        ),
    ],
    source: Source,
    complete: Annotated[
        bool | None, opt("--complete/--all", "Use complete (all) models [default: as in RESULT].")
    ] = None,
    independent: Annotated[bool, opt("--independent", "Check by weightlab/checker.py, which stands alone.")] = False,
    exact: Annotated[bool, opt("--exact", "Exit code 3 unless every claim is proved.")] = False,
    quiet: Quiet = False,
) -> Views:
    """Re-check a document in exact arithmetic, without a solver, and say what is not proved; exit code 1 if false.

    Examples
    --------
    weightlab verify proof.json superglue.csv
    weightlab verify report.html superglue.csv
    """
    if independent:
        yield from _verify_independently(result, source, complete=complete)
        return
    document = lazy.report.read_document(sys.stdin.buffer if result == "-" else result)
    board, spoken_of = None, ""
    if source.file is not None:
        board, spoken_of = _source(document, source, complete=complete)
    with lazy.told_of("false"):
        document.verify(board)
    _compare_readings(document.reading, NOTES.readings[-1].to_dict() if NOTES.readings else {})
    unread, unanswered = _compared_words(document, board)
    believed = _believed(document)
    if quiet:
        NOTES.pending.clear()
    else:
        first = _first(document, believed, board, "" if source.file is None else shown(Path(source.file).name))
        left = [f"Left without an answer: {listed(unanswered)}."] if unanswered else []
        told = [" ".join(filter(None, [first, spoken_of, *left])), *map(str, document.results)]
        if document.notes:
            told.append("The notes on how the table was read prove nothing and were not compared.")
        if document.page:
            told.append(unread or "The words of the page follow from its results; its pictures were not compared.")
        yield lazy.View(headline=tuple(told))
    if (exact and (believed or unread or unanswered)) or (board is None and _of_draws(document)):
        raise typer.Exit(3)


def _compare_readings(written: Mapping[str, Any] | None, made: Mapping[str, Any]) -> None:
    """Compare the tasks and their directions that a document says were read with those that are read now."""
    if not written or not made:
        return
    listed_so = isinstance(written.get("columns"), list) and all(isinstance(one, Mapping) for one in written["columns"])
    if not listed_so or not {"line", "models"} <= {*written}:
        raise InputError("the document's reading needs columns, models and a line")
    for one in written["columns"]:
        if one.get("role") not in _roles() or one.get("direction") not in {"", "lower", "higher"}:
            raise ProofError(f"false: its reading calls {one.get('name')!r} what no column is called")
    ways = [
        {(one["name"], one["direction"]) for one in of["columns"] if one["role"] == "task"} for of in (written, made)
    ]
    if ways[0] != ways[1] or bool(written.get("transposed")) != bool(made["transposed"]):
        odd = next(iter(sorted(ways[0] ^ ways[1])), ("the table", ""))
        raise ProofError(f"false: its reading is not that of the table, to begin with of {odd[0]!r}")
    held = re.compile(r": \d+ models?, \d+ tasks?")
    counts = [held.findall(str(of["line"]))[:1] for of in (written, made)]
    if written["models"] != made["models"] or counts[0] != counts[1]:
        raise ProofError(f"false: its reading does not count {made['models']} models and {len(ways[1])} tasks")


def _roles() -> set[str]:
    from weightlab.io.reading.reading import Role

    return {*map(str, Role)}


def _compared_words(document: Document, board: object) -> tuple[str, tuple[str, ...]]:
    """Compare the words of a page with its results; say why where they cannot be, and what the page does not answer."""
    if not document.page:
        return "", ()
    from weightlab.report.page_words import compared_words

    source = board if isinstance(board, lazy.data.Leaderboard | lazy.data.Suite) else None
    with lazy.told_of("false"):
        reason, unanswered = compared_words(document, source)
    return f"proofs checked, words not compared ({shown(reason)})" if reason else "", unanswered


def _first(document: Document, believed: Mapping[str, str], board: object, file: str) -> str:
    """Return the first line: which claims were checked, against which table, and for what part of it they hold."""
    if board is None and (unchecked := _of_draws(document)):
        return f"Consistent, not checked: {listed(unchecked)}: pass the score table to check it."
    follows = f"follows from {file}" if file else "follows from what the document holds"
    told = f"OK: every claim {follows}, in exact arithmetic"
    if believed:
        rests = "; ".join(f"{claims} ({ground})" for claims, ground in believed.items())
        told = f"OK, but not proved: {rests}; all else {follows}, in exact arithmetic"
    scopes = dict.fromkeys(one for result in document.results for one in scope_of(result, board))
    return f"{told}{''.join(f', {one}' for one in scopes)}{'' if file else '; no table was compared'}."


def _of_draws(document: Document) -> list[str]:
    return [one.kind for one in document.results if one.kind in OF_DRAWS]


def scope_of(result: Result, table: object) -> Iterator[str]:
    """Yield of what part of a table a result is true, and how ties were broken for it: its maker was free to choose.

    Both are derived from the table at hand: what a document says of them proves nothing.
    """
    for what, named in (("models", "models"), ("tasks", "tasks"), ("metrics", "metrics")):
        # The models of a set that suffices are an answer about all models of its points.
        held = getattr(result, "points", None) if result.kind == "shortlist" else None
        own, whole = getattr(held or result, named, None), getattr(table, named, None)
        if isinstance(own, tuple) and isinstance(whole, tuple) and {*own} < {*whole}:
            left = listed((shown(one) for one in without(whole, own)), NAMED)
            yield f"about {len(own)} of the table's {counted(len(whole), what[:-1])} (left out: {left})"
    if result.kind in {"changes", "check"} and getattr(result, "changes", result) is not None:
        yield "against an older table that was not compared"
    way = getattr(result, "break_ties", None)
    audits = [result, *dict(getattr(result, "datasets", None) or {}).values()]
    if way in WAYS and any(getattr(one, "ties", None) is not None for one in audits):
        yield f"with ties broken {WAYS[way]}"
    profile = getattr(result, "profile", None)
    if isinstance(profile, lazy.data.Profile) and isinstance(table, lazy.data.Leaderboard):
        yield from _breaking(profile, table)
    for label, told in dict(_labels(result.to_dict())).items():
        yield f"where {shown(label)!r} is {shown(told)}"


def _labels(part: Any) -> Iterator[tuple[str, str]]:
    """Yield the names that a document's maker gave to rules with options, as if they had none, and what they are."""
    if isinstance(part, Mapping):
        rule = part.get("rule")
        if isinstance(rule, Mapping) and rule.get("options") and part.get("label"):
            told = f"{rule.get('name')} ({', '.join(f'{key}={value}' for key, value in rule['options'].items())})"
            if str(part["label"]).lower().replace(" ", "_") == rule.get("name"):
                yield str(part["label"]), told
    for inner in part.values() if isinstance(part, Mapping) else part if isinstance(part, list) else ():
        yield from _labels(inner)


def _breaking(profile: Profile, table: Leaderboard) -> Iterator[str]:
    """Yield how the ties of a table were broken, where a profile has broken some."""
    given = table.rankings()
    own = {voter: dict(zip(profile.models, ranks, strict=True)) for voter, ranks in _ranks(profile)}
    tied = [
        voter
        for voter, ranks in _ranks(given)
        if voter in own and own[voter] != dict(zip(given.models, ranks, strict=True))
    ]
    for way, told in WAYS.items() if tied else ():
        broken = table.rankings(way)
        if all(
            own.get(voter) in (None, dict(zip(broken.models, ranks, strict=True))) for voter, ranks in _ranks(broken)
        ):
            yield f"with ties broken {told}"
            return
    if tied:
        yield f"with ties broken as the document lists, on {counted(len(tied), 'task')}"


def _ranks(profile: Profile) -> Iterator[tuple[str, list[int]]]:
    return zip(profile.voters, profile.ranks.tolist(), strict=True)


def _believed(document: Document) -> dict[str, str]:
    """Return the grounds of the claims that are not proved, by their kinds and names."""
    claims: dict[tuple[str, str], dict[str, None]] = {}
    for one in document.results:
        for claim, proof in one.proofs.items():
            if str(proof) in GROUNDS:
                claims.setdefault((one.kind, str(proof)), {})[claim] = None
    return {f"{kind}: {listed(named, NAMED)}": GROUNDS[proof] for (kind, proof), named in claims.items()}


def _verify_independently(result: str, source: Source, *, complete: bool | None) -> Views:
    """Pass the same files and options to the checker, and yield its output."""
    from weightlab.checker import Declared, FalseClaimError, WrongInputError, check, declared_in, read_text
    from weightlab.io.sources.urls import is_url
    from weightlab.io.writing.write import toml_text

    said = source.keywords()
    if is_url(source.file):
        raise InputError(
            "the checker reads files: 'weightlab convert URL table.csv' makes one of what is at an address"
        )
    try:
        text = "" if source.settings is None else read_text(source.settings)
        if said:
            text = toml_text(({} if source.settings is None else lazy.io.read_config(source.settings)) | said)
        declared = declared_in(text) if text else Declared()
        table = None if source.file is None else read_text(source.file)
        report = check(read_text(result), table, declared._replace(complete=complete))
    except FalseClaimError as error:
        raise ProofError(f"false: {error}") from None
    except WrongInputError as error:
        raise InputError(str(error)) from None
    if not NOTES.quiet:
        yield lazy.View(headline=tuple(report.lines))
    if report.code:
        raise typer.Exit(report.code)


def _source(
    document: Document, source: Source, *, complete: bool | None
) -> tuple[Leaderboard | Profile | Margins | Suite | Instances, str]:
    """Read the table of a document as when it was made, and say how many of its models the document covers."""
    made_with = document.options.get("flags")
    if made_with and not source.words:
        note(f"The claim was made with {lazy.quoted(made_with)}: pass the same here, to read the same table.")
    if document.reading and not source.words and source.file not in (None, "-"):
        source = _read_so(document.reading, source)
    columns = document.options.get("columns")
    if isinstance(columns, Mapping):
        return lazy.read_on_instances(source, (columns.get("model"), columns.get("instance"))), ""
    told = document.options.get("table")
    kept = bool(document.options.get("complete")) if complete is None else complete
    table: Leaderboard | Profile | Margins | Suite
    if told == "suite" or (told is None and any(map(_is_of_suite, document.results))):
        narrowed = document.command != "audit"
        table = lazy.read_long(replace(source, complete=False), narrowed=narrowed)
    else:
        table = _table(document, replace(source, complete=kept))
    if not kept or not isinstance(table, lazy.data.Leaderboard | lazy.data.Suite):
        return table, ""
    whole = table.complete()
    left_out = without(table.models, whole.models)
    missing = f"; excluded (missing scores): {listed(left_out)}" if left_out else ""
    return whole, f"Covers {len(whole.models)} of {counted(len(table.models), 'model')}{missing}."


def _read_so(reading: Mapping[str, Any], source: Source) -> Source:
    """Return the directions of a table's columns, where the table has them, as declared in a document."""
    try:
        header = {*lazy.columns_there(source)[0]}
    except FileFormatError:
        return replace(source, accept_reading=True)
    told = [one for one in reading.get("columns", ()) if isinstance(one, Mapping) and one.get("role") == "task"]
    ways: dict[str, list[str]] = {"lower": [], "higher": []}
    for one in told:
        if one.get("name") in header and one.get("direction") in ways and one.get("certainty") == "declared":
            ways[str(one["direction"])].append(str(one["name"]))
    return replace(source, accept_reading=True, lower=ways["lower"] or None, higher=ways["higher"] or None)


def _table(document: Document, source: Source) -> Leaderboard | Profile | Margins:
    made_with = document.options.get("config")
    if made_with and source.settings is None:
        note(f"The claim was made with {shown(made_with)} next to the table; pass such a file with --config.")
    if document.command in OF_ORDERS and (lazy.is_preflib(source.file) or lazy.is_votes(source)):
        return lazy.read_ranked(source, gaps_are_ties=True)
    return lazy.read_table(replace(source, complete=False), gaps_are_ties=not source.complete)


def _is_of_suite(result: Result) -> bool:
    return result.kind in OF_SUITES or (isinstance(result, lazy.studies.Independence) and result.of_suite)
