"""The commands, put together."""

from __future__ import annotations

import inspect
import os
import re
import shutil
import sys
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from weightlab._text import shortened, shown_lines
from weightlab._version import __version__
from weightlab.cli.terminal.show import NOTES, noted_warnings, say

COMMANDS = {
    "win": "Who can win, under which weights, and what blocks the rest.",
    "nearest": "The nearest weights with which a model wins head-to-head.",
    "region": "All weights with which a model wins head-to-head, exactly.",
    "improve": "The least that a model must improve to win head-to-head.",
    "map": "Who wins head-to-head where in the triangle of three weights.",
    "missing": "Who wins head-to-head whatever the missing scores are.",
    "settle": "Which missing scores to measure next, until a claim is proved.",
    "rank": "The models in the order of a voting rule.",
    "compare": "Many rules side by side, and how far they agree.",
    "disagreement": "Why two rules disagree, and which weights reconcile them.",
    "graph": "What the majorities say: winner, sets, cycles.",
    "stability": "How far weights may move before the winner changes.",
    "changes": "Pairs that swap when one model is added or removed.",
    "robustness": "On how few tasks a model must rise to win, by rule.",
    "ask": "Which model is the best for you, from a few answers.",
    "shortlist": "The few models that suffice whatever the weights.",
    "smallest": "The fewest tasks that keep the winner, the top or the order.",
    "duels": "Who beats whom under all, some or no weights.",
    "paired": "Is one model better than another: a test on the same tasks.",
    "audit": "Whether a benchmark's rankings are well behaved.",
    "sweep": "The same for many sets of models and metrics.",
    "study": "The papers' experiments on a table of your own.",
    "report": "One page that answers the questions, to send.",
    "page": "A page that answers in the browser, to open or to host.",
    "check": "Whether a new version of a table keeps its policy.",
    "read": "How a table is read, and the command that says all of it.",
    "convert": "A table in another form.",
    "verify": "Re-check a result that you were sent.",
}
"""All commands, in the order of ``--help``, and what each is about; each is the function of that name in the module of
that name."""
COMPLETES = "_WEIGHTLAB_COMPLETE"
"""What shells set when they ask how a line goes on."""
COMPLETED = ("COMP_WORDS", "_TYPER_COMPLETE_ARGS")
"""Where shells put the words that are to be completed."""
HELP = Path(__file__).with_name("help.txt")
"""What ``--help`` says of each command, a page each, as ``python -m tests.cli.test_help`` writes it: a command that is
loaded to be asked brings the tables, the solver and pandas with it."""
INTERRUPTED = 130
"""What Typer returns after Ctrl-C."""
COLUMNS = 80
"""Help is no wider."""
WORDING = {
    r"\. Did you mean (.*)\?$": r" (did you mean \1?)",
    r"\(Possible options: (.*)\)$": r"(did you mean \1?)",
    "Value error, ": "",
    "Input should be a valid (integer|number), .*": r"this is no \1",
}
"""Words of Typer, and the same as weightlab says it."""
CALL_ERRORS: Any = typer.BadParameter.__mro__[2]
"""What Typer raises for a wrong call; it exports only this subclass of a subclass of it."""


# ruff: noqa: PLC0415 - late imports are what the next functions are for


def _module(name: str) -> ModuleType:  # noqa: C901, PLR0912 - one a command
    """Return the module of a command, loading it and what it needs alone."""
    module: ModuleType
    match name:
        case "nearest" | "region" | "improve":
            from weightlab.cli.win import each_model as module
        case "win" | "map" | "missing":
            from weightlab.cli import win as room
            from weightlab.cli.win import map, missing, win  # noqa: A004, F401 - its parts

            module = getattr(room, name)
        case "paired" | "disagreement" | "changes":
            from weightlab.cli.study import everyday as module
        case "study":
            from weightlab.cli.study import study as module
        case "read" | "convert" | "check" | "verify" | "report" | "page":
            module = _module_of_files(name)
        case "rank":
            from weightlab.cli.commands import rank as module
        case "compare":
            from weightlab.cli.commands import compare as module
        case "graph":
            from weightlab.cli.commands import graph as module
        case "stability":
            from weightlab.cli.commands import stability as module
        case "duels":
            from weightlab.cli.commands import duels as module
        case "robustness":
            from weightlab.cli.commands import robustness as module
        case "ask":
            from weightlab.cli.choosing import ask as module
        case "settle":
            from weightlab.cli.choosing import settle as module
        case "shortlist":
            from weightlab.cli.choosing import shortlist as module
        case "smallest":
            from weightlab.cli.commands import smallest as module
        case "audit":
            from weightlab.cli.commands import audit as module
        case _:
            from weightlab.cli.commands import sweep as module
    return module


def _module_of_files(name: str) -> ModuleType:
    """Return the module of a command about tables and documents as files."""
    module: ModuleType
    match name:
        case "read":
            from weightlab.cli.commands import read as module
        case "convert":
            from weightlab.cli.commands import convert as module
        case "check":
            from weightlab.cli.commands import check as module
        case "report":
            from weightlab.cli.commands import report as module
        case "page":
            from weightlab.cli.commands import page as module
        case _:
            from weightlab.cli.commands import verify as module
    return module


def _version(value: bool) -> None:
    if value:
        print(f"weightlab {__version__}")
        raise typer.Exit


def weightlab(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    """Proofs about benchmark score tables: who can win, by which rule, and why not."""


EXPERT = "Expert"
"""The panel that comes last."""


class Paneled(TyperCommand):
    """A command whose help shows its own options first, and those of each panel under a heading of their own."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command, within its time limit if one is given; what is advised meanwhile are options that it has."""
        from weightlab.cli.terminal.cures import offer

        offer(option for one in self.params for option in one.opts)
        given = ctx.get_parameter_source("time_limit")
        if given is None or given.name == "DEFAULT":
            return super().invoke(ctx)
        from weightlab._solver import within

        with within(ctx.params["time_limit"]):
            return super().invoke(ctx)

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write arguments, options, and below them the options of other panels."""
        panels: dict[str, list[tuple[str, str]]] = {"Arguments": [], "Options": []}
        for one in self.get_params(ctx):
            heading = "Arguments" if one.param_type_name == "argument" else getattr(one, "rich_help_panel", None)
            if record := one.get_help_record(ctx):
                panels.setdefault(heading or "Options", []).append(record)
        for heading, records in sorted(panels.items(), key=lambda panel: panel[0] == EXPERT):
            if records:
                with formatter.section(heading):
                    formatter.write_dl(records)


def _not_loaded() -> None:
    """Stand for a command that is only listed."""


def app(names: Iterable[str] = tuple(COMMANDS)) -> typer.Typer:
    """Return the command line; only the modules of the named commands are loaded, which takes a while for all."""
    made = typer.Typer(
        name="weightlab",
        help="Proofs about benchmark score tables: who can win, by which rule, and why not.",
        epilog="'weightlab COMMAND --help' shows options and examples; without FILE a command reads the bundled ships.",
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    made.callback()(weightlab)
    loaded = set(names)
    for name, about in COMMANDS.items():
        if name in loaded:
            from weightlab.cli.options.shared import flattened

            command_of = flattened(getattr(_module(name), name))
            whole, _, examples = inspect.cleandoc(command_of.__doc__ or "").partition("\n\nExamples\n--------\n")
            epilog = "\n  ".join(["\b\nExamples:", *examples.splitlines()])
            made.command(name, cls=Paneled, help=whole, short_help=about, epilog=epilog)(command_of)
        else:
            made.command(name, short_help=about)(_not_loaded)
    return made


def _command_named(arguments: Sequence[str]) -> tuple[str, ...]:
    """Return the command that is called, or whose options a shell completes; none where commands are only listed."""
    words = list(arguments)
    if COMPLETES in os.environ:
        typed = next((os.environ[name] for name in COMPLETED if name in os.environ), "")
        words = re.split(r"\s", typed)[1:-1]
    return tuple(word for word in words[:1] if word in COMMANDS)


def _stored_help(arguments: Sequence[str]) -> str:
    """Return the stored help of a command if nothing else is requested and no line needs folding."""
    name, *rest = arguments or [""]
    if name not in COMMANDS or rest not in (["--help"], ["-h"]) or shutil.get_terminal_size().columns < COLUMNS:
        return ""
    return HELP.read_text(encoding="utf-8").split("\f")[list(COMMANDS).index(name)]


@cache
def _made(names: tuple[str, ...]) -> Any:
    """Return Typer's command line; building it takes longer than many answers."""
    return typer.main.get_command(app(names))


def command(arguments: Sequence[str]) -> int:
    """Run one command and return its exit code; a wrong call gets its error and a pointer to the help."""
    helped = _stored_help(arguments)
    if helped:
        print(helped)
        return 0
    made = _made(_command_named(arguments))
    NOTES.begin(arguments)
    try:
        with noted_warnings():
            code = made.main(list(arguments) or ["--help"], prog_name="weightlab", standalone_mode=False)
            if NOTES.pending:
                say()
    except CALL_ERRORS as error:
        return _wrong_call(error, arguments)
    except SystemExit:
        return 0  # the reader of our output closed it, as 'head' does
    if code == INTERRUPTED:
        raise KeyboardInterrupt
    return code if isinstance(code, int) else 0


def _wrong_call(error: Any, arguments: Sequence[str]) -> int:
    """Print the error in a call as one sentence, like every error, and return the exit code."""
    message = error.format_message().rstrip(".")
    for pattern, wording in WORDING.items():
        message = re.sub(pattern, wording, message)
    call = " ".join(["weightlab", *_command_named(arguments)])
    message = shown_lines(shortened(message))
    sys.stderr.write(f"weightlab: {message[:1].lower()}{message[1:]}; see '{call} --help'\n")
    return int(error.exit_code)
