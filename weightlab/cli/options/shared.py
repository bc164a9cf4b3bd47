"""Arguments and options that commands share: spelt, explained and checked in one place."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields, is_dataclass
from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias, get_type_hints

import typer

from weightlab._exact import fraction, fraction_or_percent
from weightlab._result import told_of
from weightlab._text import shown
from weightlab.cli.terminal.show import NOTES, note
from weightlab.exceptions import InputError, UnknownNameError

if TYPE_CHECKING:
    from weightlab.data import Leaderboard

# What a shell may complete a line with, besides commands, options and files.

Completion: TypeAlias = Callable[[str], list[str]]
"""From the beginning of a word to the words it may become."""
LINEAR = ("mean", "borda", "plurality", "veto", "dowdall")
"""Rules under which a model's score is a weighted sum of its points."""


# ruff: noqa: PLC0415 - what a shell asks for while somebody types loads no more than it must


def words(*known: str) -> Completion:
    """Return a completer for these words."""

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


def _level(text: str) -> float:
    try:
        return float(fraction_or_percent(text))
    except InputError as error:
        raise typer.BadParameter(str(error)) from None


def _seconds(limit: float | None) -> float | None:
    """Return a time limit, or raise InputError unless it is a length of time."""
    if limit is not None and not limit >= 0:
        raise InputError(f"--time-limit is a number of seconds, 0 or more; got {limit:g}")
    return limit


def one_of(option: str, known: Sequence[str]) -> Callable[[str | None], str | None]:
    """Return a validator that passes these words and raises InputError for others."""

    def checked(given: str | None) -> str | None:
        if given is not None and given not in known:
            raise InputError(f"{option} must be {', '.join(known[:-1])} or {known[-1]}; got {given!r}")
        return given

    return checked


def way_or_score(given: str | None) -> str | None:
    """Return the treatment of missing scores, one of some words or a number, or raise InputError."""
    if given is not None and given not in MISSING:
        with told_of(f"--missing must be {', '.join(MISSING)} or a score", InputError):
            fraction(given)
    return given


EXPERT = "Expert"
"""The panel of ``--help`` that comes last."""


def hushed(quiet: bool) -> bool:
    """Let notes and bars know whether they are to be seen."""
    NOTES.quiet = quiet
    return quiet


expert, _written = (partial(typer.Option, rich_help_panel=panel) for panel in (EXPERT, "Output"))
rule_option = partial(typer.Option, "--rule", "-r", metavar="RULE")
level_option = partial(typer.Option, "--level", metavar="LEVEL", parser=_level)

# How scores are read by a rule.

Ties: TypeAlias = Annotated[
    str | None,
    expert(
        "--ties",
        metavar="WAY",
        help="Tied places count as average, min or max.",
        callback=one_of("--ties", TIES),
        autocompletion=words(*TIES),
    ),
]
Missing: TypeAlias = Annotated[
    str | None,
    expert(
        "--missing",
        metavar="WAY",
        help="Missing scores: error, last, skip or median.",
        callback=one_of("--missing", MISSING),
        autocompletion=words(*MISSING),
    ),
]
MissingOrScore: TypeAlias = Annotated[
    str | None,
    expert(
        "--missing",
        metavar="WAY",
        help="Missing scores: error, last, skip, median or a score for each, such as 0.",
        callback=way_or_score,
        autocompletion=words(*MISSING),
    ),
]
ModelColumn: TypeAlias = Annotated[
    str | None,
    typer.Option("--model-column", metavar="NAME", help="FILE has scores on instances; here are the models."),
]
InstanceColumn: TypeAlias = Annotated[
    str | None, typer.Option("--instance-column", metavar="NAME", help="FILE has scores on instances; here are these.")
]
# What is written, and how long it may take.

AsJson: TypeAlias = Annotated[bool, _written("--json", help="Print one JSON document, for 'weightlab verify'.")]
Output: TypeAlias = Annotated[
    str | None, _written("--output", "-o", metavar="FILE", help="Write that document to a file.")
]
Plot: TypeAlias = Annotated[
    str | None, _written("--plot", metavar="FILE", help="Draw a picture of the answer: .png, .svg or .pdf.")
]
PlotTheme: TypeAlias = Annotated[
    Theme | None, _written("--theme", help="With --plot: on light paper, the default, or dark.")
]
Quiet: TypeAlias = Annotated[bool, _written("--quiet", "-q", help="No notes and no progress bar.", callback=hushed)]
TimeLimit: TypeAlias = Annotated[
    float | None,
    expert("--time-limit", metavar="SECONDS", help="Time limit of the whole command, in seconds.", callback=_seconds),
]
Jobs: TypeAlias = Annotated[int, expert("--jobs", "-j", metavar="N", help="Processes; -1 for all cores.")]


# Options grouped as the fields of a dataclass.


@dataclass(frozen=True, kw_only=True)
class Destination:
    """Where a document goes; each field is an option."""

    as_json: AsJson = False
    output: Output = None


@dataclass(frozen=True, kw_only=True)
class Written(Destination):
    """Where an answer goes."""

    quiet: Quiet = False


@dataclass(frozen=True, kw_only=True)
class Ends(Destination):
    """Where an answer goes, and how long it may take."""

    time_limit: TimeLimit = None
    quiet: Quiet = False


@dataclass(frozen=True, kw_only=True)
class ByRule:
    """By which rule a model wins, where not head-to-head; each field is an option."""

    rule: Annotated[
        str | None,
        rule_option(
            help="By this rule instead of head-to-head: mean, borda, dowdall, plurality, veto, or points like 3,2,1.",
            autocompletion=words(*LINEAR),
        ),
    ] = None
    ties: Ties = None
    missing: Missing = None

    @property
    def options(self) -> dict[str, Any]:
        """Options of questions about weights, besides their own; none by majority."""
        return ruled(self.rule, self.ties, self.missing)


def ruled(rule: str | None, ties: str | None, missing: str | None, *, also: Sequence[str] = ()) -> dict[str, Any]:
    """Return the keywords of a question for a rule, known or other; none by majority.

    Raises
    ------
    InputError, UnknownNameError
        If there is no such rule, or an option of a rule comes without one.
    """
    ways = {name: way for name, way in (("ties", ties), ("missing", missing)) if way is not None}
    if rule is None:
        if ways:
            raise InputError("--ties and --missing require --rule")
        return {}
    return {"rule": _rule_or_points(rule, (*LINEAR, *also)), **ways}


def own_rule(board: Leaderboard) -> str:
    """Return a table's own rule, the default, and say which it is and why."""
    from weightlab.data.linear_rule import LinearRule, rule_words

    own = LinearRule.or_own(None, board).name
    note(f"{rule_words(own, begins=True)}, the table's own rule: {shown(board.rule_reason)}.")
    return own


def _rule_or_points(text: str, known: Sequence[str]) -> str | list[str]:
    """Return a rule's name, or the points that are written instead."""
    if "," not in text or ":" in text:
        if text.partition(":")[0] not in known:
            from weightlab.data.linear_rule import refuse_irrational

            refuse_irrational(text)
            raise UnknownNameError("rule", text, known, holder="list of rules for --rule")
        return text
    points = [part.strip() for part in text.split(",")]
    with told_of(f"--rule {text!r}", InputError):
        for point in points:
            fraction(point)
    return points


BY_MAJORITY = ByRule()
AT_ONCE, HERE = Written(), Ends()
"""To the terminal; the second, in any time."""


def flattened(command: Callable[..., Any]) -> Callable[..., Any]:
    """Return a command that takes an option for each field of each dataclass of options among its parameters.

    Options of a dataclass without a default come behind all others. A field whose name or flag is one of theirs is no
    other option, and has the value of the parameter of its name, if there is one.
    """
    hints = get_type_hints(command, include_extras=True)
    own = inspect.signature(command).parameters
    whole = {name: hints[name] for name in own if is_dataclass(hints[name])}
    taken = {flag for name, hint in hints.items() if name not in whole for flag in _flags(hint)}
    made: list[inspect.Parameter] = []
    last: list[inspect.Parameter] = []
    for name, parameter in own.items():
        if name not in whole:
            made.append(parameter.replace(annotation=hints[name]))
            continue
        there = last if parameter.default is inspect.Parameter.empty else made
        there += [
            inspect.Parameter(field, parameter.kind, default=getattr(whole[name], field), annotation=hint)
            for field, hint in get_type_hints(whole[name], include_extras=True).items()
            if field not in own and not taken & {*_flags(hint)}
        ]

    def called(**given: Any) -> Any:
        rest = {name: value for name, value in given.items() if name in own}
        for name, kind in whole.items():
            said = {one.name: given[one.name] for one in fields(kind) if one.name in given}
            rest[name] = kind(**said)
        return command(**rest)

    # A parameter without a default may follow one that has one: Typer goes by names.
    called.__doc__ = command.__doc__
    called.__signature__ = inspect.Signature([*made, *last], __validate_parameters__=False)  # type: ignore[attr-defined]
    called.__annotations__ = {one.name: one.annotation for one in (*made, *last)}
    return called


def _flags(hint: Any) -> Iterable[str]:
    """Return how an annotated option is written; ``Option`` takes the first of its names as if it were a default."""
    for one in getattr(hint, "__metadata__", ()):
        yield from (word for word in (one.default, *(getattr(one, "param_decls", None) or ())) if isinstance(word, str))
