"""Arguments and options that commands share: spelt, explained and checked in one place."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from typing import Annotated, TypeAlias

import typer

from weightlab.exceptions import InputError

__all__ = [
    "LINEAR",
    "AsJson",
    "Complete",
    "CompleteSuite",
    "Config",
    "File",
    "Fixed",
    "Jobs",
    "Least",
    "Missing",
    "Most",
    "NoLess",
    "Output",
    "Plot",
    "PlotTheme",
    "Quiet",
    "ScoredOnly",
    "SuiteFile",
    "Theme",
    "Ties",
    "TimeLimit",
    "rules",
    "studies",
    "words",
]

# What a shell may complete a line with, besides commands, options and files.

Completion: TypeAlias = Callable[[str], list[str]]
"""From the beginning of a word to the words it may become."""
LINEAR = ("mean", "borda", "plurality", "veto", "dowdall")
"""Rules under which a model's score is a weighted sum of its points."""


# ruff: noqa: PLC0415 - what a shell asks for while somebody types loads no more than it must


def words(*known: str) -> Completion:
    """Return what completes one of some words."""

    def completion(incomplete: str) -> list[str]:
        return _beginning(incomplete, known)

    return completion


def rules(incomplete: str) -> list[str]:
    """Return the names of rules that begin so."""
    from weightlab.rules import RULES

    return _beginning(incomplete, RULES)


def studies(incomplete: str) -> list[str]:
    """Return the names of studies that begin so."""
    from weightlab.cli.options.study_registry import STUDIES

    return _beginning(incomplete, STUDIES)


def _beginning(incomplete: str, known: Iterable[str]) -> list[str]:
    return [word for word in known if word.startswith(incomplete)]


TIES = ("average", "min", "max")
MISSING = ("error", "last", "skip", "median")


class Theme(StrEnum):
    """On which paper a picture is drawn."""

    LIGHT = "light"
    DARK = "dark"


def _seconds(limit: float | None) -> float | None:
    """Return a time limit, or raise InputError unless it is a length of time."""
    if limit is not None and not limit >= 0:
        raise InputError(f"--time-limit is a number of seconds, 0 or more; got {limit:g}")
    return limit


def _one_of(option: str, known: Sequence[str]) -> Callable[[str | None], str | None]:
    """Return what passes one of some words, and raises InputError of another."""

    def checked(given: str | None) -> str | None:
        if given is not None and given not in known:
            raise InputError(f"{option} must be {', '.join(known[:-1])} or {known[-1]}; got {given!r}")
        return given

    return checked


# What is read.

File: TypeAlias = Annotated[
    str | None,
    typer.Argument(
        metavar="FILE", help="Score table or folder of results, '-' for standard input; by default the one that ships."
    ),
]
SuiteFile: TypeAlias = Annotated[
    str | None,
    typer.Argument(
        metavar="FILE",
        help="Long table (dataset, metric, model, score), score table or folder of results, '-' for standard input; by "
        "default the suite that ships.",
    ),
]
Config: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--config", metavar="TOML", help="TOML file of directions, weights and the like; by default beside the table."
    ),
]
Complete: TypeAlias = Annotated[bool, typer.Option("--complete", help="Keep only the models with every score.")]
CompleteSuite: TypeAlias = Annotated[
    bool, typer.Option("--complete", help="Keep only the models with every score on every dataset.")
]
# How scores are read by a rule.

Ties: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--ties",
        metavar="WAY",
        help="Tied places count as average, min or max.",
        callback=_one_of("--ties", TIES),
        autocompletion=words(*TIES),
    ),
]
Missing: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--missing",
        metavar="WAY",
        help="Missing scores: error, last, skip or median.",
        callback=_one_of("--missing", MISSING),
        autocompletion=words(*MISSING),
    ),
]
# Which weights are allowed; `tables.space_from` makes a space of them.

Most: TypeAlias = Annotated[
    list[str] | None, typer.Option("--max", metavar="TASK=SHARE", help="At most this share; @GROUP for a group.")
]
Least: TypeAlias = Annotated[list[str] | None, typer.Option("--min", metavar="TASK=SHARE", help="At least this share.")]
Fixed: TypeAlias = Annotated[list[str] | None, typer.Option("--fix", metavar="TASK=SHARE", help="Exactly this share.")]
NoLess: TypeAlias = Annotated[
    list[str] | None, typer.Option("--no-less", metavar="TASK=OTHER", help="TASK weighs no less than OTHER.")
]
ScoredOnly: TypeAlias = Annotated[bool, typer.Option("--scored-only", help="Fix tasks of weight 0 at 0.")]
# What is written, and how long it may take.

AsJson: TypeAlias = Annotated[bool, typer.Option("--json", help="Print one JSON document, for 'weightlab verify'.")]
Output: TypeAlias = Annotated[
    str | None, typer.Option("--output", "-o", metavar="FILE", help="Write that document to a file.")
]
Plot: TypeAlias = Annotated[
    str | None, typer.Option("--plot", metavar="FILE", help="Draw a picture of the answer: .png, .svg or .pdf.")
]
PlotTheme: TypeAlias = Annotated[
    Theme | None, typer.Option("--theme", help="With --plot: on light paper, the default, or dark.")
]
Quiet: TypeAlias = Annotated[bool, typer.Option("--quiet", "-q", help="No notes and no progress bar.")]
TimeLimit: TypeAlias = Annotated[
    float | None,
    typer.Option(
        "--time-limit", metavar="SECONDS", help="Seconds for each search that may be long.", callback=_seconds
    ),
]
Jobs: TypeAlias = Annotated[int, typer.Option("--jobs", "-j", metavar="N", help="Processes; -1 for all cores.")]
