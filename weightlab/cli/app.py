"""The commands, put together."""

from __future__ import annotations

import inspect
import os
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from weightlab._text import shortened, shown_lines
from weightlab._version import __version__
from weightlab.cli import commands, lazy
from weightlab.cli.options.shared import EXPERT, flattened
from weightlab.cli.terminal.answered import answered
from weightlab.cli.terminal.show import NOTES, noted_warnings, say

GROUPS = {
    "Who can win": {
        "win": "Who can win, under which weights, and what blocks the rest.",
        "nearest": "The nearest weights with which a model wins head-to-head.",
        "region": "All weights with which a model wins head-to-head, exactly.",
        "improve": "The least that a model must improve to win head-to-head.",
        "map": "Who wins head-to-head where in the triangle of three weights.",
        "missing": "Who wins head-to-head whatever the missing scores are.",
        "settle": "Which missing scores to measure next, until a claim is proved.",
    },
    "The order": {
        "rank": "The models in the order of a voting rule.",
        "compare": "Many rules side by side, and how far they agree.",
        "disagreement": "Why two rules disagree, and which weights reconcile them.",
        "graph": "What the majorities say: winner, sets, cycles.",
        "stability": "How far weights may move before the winner changes.",
        "changes": "Pairs that swap when one model is added or removed.",
        "robustness": "On how few tasks a model must rise to win, by rule.",
        "duels": "Who beats whom under all, some or no weights.",
        "paired": "Is one model better than another: a test on the same tasks.",
    },
    "Which to use": {
        "ask": "Which model is the best for you, from a few answers.",
        "shortlist": "The few models that suffice whatever the weights.",
    },
    "The benchmark": {
        "smallest": "The fewest tasks that keep the winner, the top or the order.",
        "audit": "Whether a benchmark's rankings are well behaved.",
        "sweep": "The same for many sets of models and metrics.",
        "study": "The papers' experiments on a table of your own.",
    },
    "Share and check": {
        "report": "One page that answers the questions, to send.",
        "page": "A page that answers in the browser, to open or to host.",
        "check": "Whether a new version of a table keeps its policy.",
        "read": "How a table is read, and the command that says all of it.",
        "convert": "A table in another form.",
        "verify": "Re-check a result that you were sent.",
    },
}
"""All commands, in the order of ``--help``, and what each is about; each is the function of that name in `commands`."""
COMMANDS = {name: about for each in GROUPS.values() for name, about in each.items()}
ABOUT = "Proofs about benchmark score tables: who can win, by which rule, and why not."
COMPLETES, COMPLETED = "_WEIGHTLAB_COMPLETE", ("COMP_WORDS", "_TYPER_COMPLETE_ARGS")
"""What shells set when they ask how a line goes on, and where they put the words that are to be completed."""
INTERRUPTED = 130
"""What Typer returns after Ctrl-C."""
OFTEN = ("--complete", "--tasks", "--lower", "--plot", "--json", "--output", "--all")
"""Options of other panels that the short help has, too."""
EXAMPLES = 2
"""Examples in the short help."""
WORDING = {
    r"\. Did you mean (.*)\?$": r" (did you mean \1?)",
    r"\(Possible options: (.*)\)$": r"(did you mean \1?)",
    "Value error, ": "",
    "Input should be a valid (integer|number), .*": r"this is no \1",
}
"""Words of Typer, and the same as weightlab says it."""
CALL_ERRORS: Any = typer.BadParameter.__mro__[2]
"""What Typer raises for a wrong call; it exports only this subclass of a subclass of it."""


class Listed(TyperGroup):
    """The command line, whose help lists commands by what they are for."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the commands, a section per group."""
        del ctx
        wide = max(map(len, COMMANDS))
        for heading, those in GROUPS.items():
            with formatter.section(heading):
                formatter.write_dl([(f"{name:<{wide}}", about) for name, about in those.items()])


class Paneled(TyperCommand):
    """A command whose help has its own options; ``--help-all`` has all, those of each panel by themselves."""

    whole = False

    def parse_args(self, ctx: Any, args: list[str]) -> Any:
        """Read the words of a call."""
        self.whole = "--help-all" in args
        return super().parse_args(ctx, ["--help"] if self.whole else args)

    def invoke(self, ctx: Any) -> Any:
        """Run the command, within its time limit if any; advice given meanwhile names only options that it has."""
        lazy.offer(option for one in self.params for option in one.opts)
        given = ctx.get_parameter_source("time_limit")
        if given is None or given.name == "DEFAULT":
            return super().invoke(ctx)
        from weightlab._solver import within

        with within(ctx.params["time_limit"]):
            return super().invoke(ctx)

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write arguments and options, those of other panels below them or, in the short help, the most used ones."""
        panels: dict[str, list[tuple[str, str]]] = {"Arguments": [], "Options": []}
        count = 0
        for one in self.get_params(ctx):
            panel = getattr(one, "rich_help_panel", None)
            if not self.whole and panel and not {*one.opts} & {*OFTEN}:
                count += 1
                continue
            heading = "Arguments" if one.param_type_name == "argument" else (self.whole and panel) or "Options"
            if record := one.get_help_record(ctx):
                panels.setdefault(heading, []).append(record)
        if count:
            panels["Options"].append(("--help-all", f"Show {count} more options, and all examples."))
        for heading, records in sorted(panels.items(), key=lambda panel: panel[0] == EXPERT):
            if records:
                with formatter.section(heading):
                    formatter.write_dl(records)

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        """Write examples."""
        del ctx
        lines = (self.epilog or "").split("\n")
        formatter.write("\n" + "\n  ".join(["Examples:", *(lines if self.whole else lines[:EXAMPLES])]) + "\n")


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


def _not_loaded() -> None:
    """Stand for a command that is only listed."""


def _called(name: str, ask: Callable[..., Any]) -> Callable[..., None]:
    """Return the function that Typer calls: it takes single options and prints a command's answer."""
    signature, gathered = flattened(ask)

    def called(**given: Any) -> None:
        answered(name, ask, gathered(given))

    called.__signature__ = signature  # type: ignore[attr-defined]
    called.__annotations__ = {one.name: one.annotation for one in signature.parameters.values()}
    return called


def app(names: Iterable[str] = tuple(COMMANDS)) -> typer.Typer:
    """Return the command line; only the modules of the named commands are loaded, which takes a while for all."""
    made = typer.Typer(
        name="weightlab",
        cls=Listed,
        help=ABOUT,
        epilog="'weightlab COMMAND --help' shows options and examples; without FILE a command reads the bundled table.",
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    made.callback()(weightlab)
    loaded = set(names)
    for name, about in COMMANDS.items():
        if name in loaded:
            ask = getattr(commands, name)
            whole, _, examples = inspect.cleandoc(ask.__doc__ or "").partition("\n\nExamples\n--------\n")
            made.command(name, cls=Paneled, help=whole, short_help=about, epilog=examples)(_called(name, ask))
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


@cache
def _made(names: tuple[str, ...]) -> Any:
    """Return Typer's command line; building it takes longer than many answers."""
    return typer.main.get_command(app(names))


def command(arguments: Sequence[str]) -> int:
    """Run one command and return its exit code; a wrong call gets its error and a pointer to the help."""
    made = _made(_command_named(arguments))
    NOTES.call = tuple(arguments)
    NOTES.begin()
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
