"""Options, a line each: how one is spelt, what it takes and says, and what a shell may complete it to."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias, get_type_hints

import typer

from weightlab.cli.terminal.show import NOTES, note
from weightlab.exceptions import InputError, UnknownNameError

if TYPE_CHECKING:
    from weightlab.data import Leaderboard

EXPERT, OUTPUT, TABLE, WEIGHTS = "Expert", "Output", "Table", "Conditions on weights"
"""Panels of the whole help; the first comes last."""
LINEAR = ("mean", "borda", "plurality", "veto", "dowdall")
"""Rules under which a model's score is a weighted sum of its points."""
TIES = ("average", "min", "max")
MISSING = ("error", "last", "skip", "median")
Many: TypeAlias = list[str] | None
"""A repeatable option."""
Views: TypeAlias = Iterator[Any]
"""What a command yields: views."""


def opt(spelt: str, told: str, panel: str | None = None, *, known: Sequence[str] = (), **more: Any) -> Any:
    """Return an option spelt as in ``--model -m NAME``, flags first; of words it takes those that are ``known``."""
    words = spelt.split(" ")
    flags = [word for word in words if word.startswith("-")]
    if known:
        more = {"callback": one_of(flags[0], known), "autocompletion": completing(*known), **more}
    takes = " ".join(word for word in words if not word.startswith("-"))
    return typer.Option(*flags, metavar=takes or None, help=told, rich_help_panel=panel, **more)


def one_of(option: str, known: Sequence[str]) -> Callable[[str | None], str | None]:
    """Return a validator that passes these words and raises InputError for others."""

    def checked(given: str | None) -> str | None:
        if given is not None and given not in known:
            raise InputError(f"{option} must be {', '.join(known[:-1])} or {known[-1]}; got {given!r}")
        return given

    return checked


def completing(*known: str) -> Callable[[str], list[str]]:
    """Return a completer for these words."""

    def completion(incomplete: str) -> list[str]:
        return [word for word in known if word.startswith(incomplete)]

    return completion


def rules(incomplete: str) -> list[str]:
    """Return the names of rules that begin so."""
    from weightlab.rules import RULES

    return completing(*RULES)(incomplete)


def level(text: str) -> float:
    """Return a level, such as 0.95 or 95%."""
    from weightlab._exact import fraction_or_percent

    try:
        return float(fraction_or_percent(text))
    except InputError as error:
        raise typer.BadParameter(str(error)) from None


def seconds(limit: float | None) -> float | None:
    """Return a time limit, or raise InputError unless it is a length of time."""
    if limit is not None and not limit >= 0:
        raise InputError(f"--time-limit is a number of seconds, 0 or more; got {limit:g}")
    return limit


def way_or_score(given: str | None) -> str | None:
    """Return the treatment of missing scores, one of some words or a number, or raise InputError."""
    if given is not None and given not in MISSING:
        from weightlab._exact import fraction
        from weightlab._result import told_of

        with told_of(f"--missing must be {', '.join(MISSING)} or a score", InputError):
            fraction(given)
    return given


def hushed(quiet: bool) -> bool:
    """Let notes and bars know whether they are to be seen."""
    NOTES.quiet = quiet
    return quiet


# What several commands have.

ByOwnRule: TypeAlias = Annotated[
    str | None, opt("--rule -r RULE", "mean, borda or majority [default: the table's own rule].")
]
AnyRule = {"autocompletion": rules}
Ties: TypeAlias = Annotated[
    str | None, opt("--ties WAY", "Tied places count as average, min or max.", EXPERT, known=TIES)
]
Missing: TypeAlias = Annotated[
    str | None, opt("--missing WAY", "Missing scores: error, last, skip or median.", EXPERT, known=MISSING)
]
MissingOrScore: TypeAlias = Annotated[
    str | None,
    opt(
        *("--missing WAY", "Missing scores: error, last, skip, median or a score for each, such as 0.", EXPERT),
        callback=way_or_score,
        autocompletion=completing(*MISSING),
    ),
]
RuleOptions: TypeAlias = Annotated[
    Many, opt("--option NAME=VALUE", "Another option of the rules, such as gamma=95. Repeatable.", EXPERT)
]
ModelColumn: TypeAlias = Annotated[
    str | None, opt("--model-column NAME", "Model column of a FILE with scores on instances.", EXPERT)
]
InstanceColumn: TypeAlias = Annotated[
    str | None, opt("--instance-column NAME", "Instance column of a FILE with scores on instances.", EXPERT)
]
Jobs: TypeAlias = Annotated[int, opt("--jobs -j N", "Number of processes; -1 for all cores.", EXPERT)]
Quiet: TypeAlias = Annotated[bool, opt("--quiet -q", "Hide notes and progress bars.", OUTPUT, callback=hushed)]
Level: TypeAlias = Annotated[float | None, opt("--level LEVEL", "Confidence level, such as 95%.", parser=level)]


class Theme(StrEnum):
    """On which paper a picture is drawn."""

    LIGHT = "light"
    DARK = "dark"


@dataclass(frozen=True, kw_only=True)
class Ends:
    """Where an answer goes, and how long it may take; each field is an option."""

    plot: Annotated[str | None, opt("--plot FILE", "Draw a picture of the answer: .png, .svg or .pdf.", OUTPUT)] = None
    theme: Annotated[Theme | None, opt("--theme", "Theme of the picture [default: light].", OUTPUT)] = None
    as_json: Annotated[bool, opt("--json", "Print one JSON document, for 'weightlab verify'.", OUTPUT)] = False
    output: Annotated[
        str | None,
        opt("--output -o FILE", "Write that document or, by its name, .csv, .tsv, .md, .tex, .html.", OUTPUT),
    ] = None
    every: Annotated[bool, opt("--all", "Show all rows of tables.", OUTPUT)] = False
    time_limit: Annotated[
        float | None, opt("--time-limit SECONDS", "Time limit of the whole command.", EXPERT, callback=seconds)
    ] = None
    quiet: Quiet = False


HERE = Ends()
"""To the terminal, in any time."""


@dataclass(frozen=True, kw_only=True)
class ByRule:
    """By which rule a model wins, where not head-to-head; each field is an option."""

    rule: Annotated[
        str | None,
        opt(
            *("--rule -r RULE", "By mean, borda, dowdall, plurality, veto or points 3,2,1 instead of head-to-head."),
            autocompletion=completing(*LINEAR),
        ),
    ] = None
    ties: Ties = None
    missing: Missing = None

    @property
    def options(self) -> dict[str, Any]:
        """Options of questions about weights, besides their own; none by majority."""
        return ruled(self.rule, self.ties, self.missing)


BY_MAJORITY = ByRule()


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
    """Return a table's own rule, the default, with a note that names it and why."""
    from weightlab.data.linear_rule import LinearRule, rule_words

    own = LinearRule.or_own(None, board).name
    note(f"{rule_words(own, begins=True)}, the table's own rule: {board.rule_reason}.")
    return own


def _rule_or_points(text: str, known: Sequence[str]) -> str | list[str]:
    """Return a rule's name, or the points that are written instead."""
    from weightlab._exact import fraction
    from weightlab._result import told_of
    from weightlab.data.linear_rule import refuse_irrational

    if "," not in text or ":" in text:
        if text.partition(":")[0] not in known:
            refuse_irrational(text)
            raise UnknownNameError("rule", text, known, holder="list of rules for --rule")
        return text
    points = [part.strip() for part in text.split(",")]
    with told_of(f"--rule {text!r}", InputError):
        for point in points:
            fraction(point)
    return points


# From the parameters of a command to those that Typer reads.


def flattened(command: Callable[..., Any]) -> tuple[inspect.Signature, Callable[[dict[str, Any]], dict[str, Any]]]:
    """Return a signature with an option for each field of each dataclass of options, and what gathers them again.

    Options of a dataclass without a default come behind all others. A field whose name or flag is one of theirs is no
    other option, and has the value of the parameter of its name, if there is one.
    """
    hints, own = get_type_hints(command, include_extras=True), inspect.signature(command).parameters
    whole = {name: hints[name] for name in own if is_dataclass(hints[name])}
    taken = {flag for name, hint in hints.items() if name not in whole for flag in _flags(hint)}
    made: list[list[inspect.Parameter]] = [[], []]
    for name, parameter in own.items():
        if name not in whole:
            made[0].append(parameter.replace(annotation=hints[name]))
            continue
        made[parameter.default is inspect.Parameter.empty] += [
            inspect.Parameter(field, parameter.kind, default=getattr(whole[name], field), annotation=hint)
            for field, hint in get_type_hints(whole[name], include_extras=True).items()
            if field not in own and not taken & {*_flags(hint)}
        ]

    def gathered(given: dict[str, Any]) -> dict[str, Any]:
        rest = {name: value for name, value in given.items() if name in own}
        return rest | {
            name: kind(**{one.name: given[one.name] for one in fields(kind) if one.name in given})
            for name, kind in whole.items()
        }

    # A parameter without a default may follow one that has one: Typer goes by names.
    return inspect.Signature([*made[0], *made[1]], __validate_parameters__=False), gathered


def _flags(hint: Any) -> Iterable[str]:
    """Return how an annotated option is written; ``Option`` takes the first of its names as if it were a default."""
    for one in getattr(hint, "__metadata__", ()):
        yield from (word for word in (one.default, *(getattr(one, "param_decls", None) or ())) if isinstance(word, str))
