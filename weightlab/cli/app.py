"""The commands, put together."""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType
from typing import Annotated, Any

import typer

from weightlab._version import __version__

__all__ = ["COMMANDS", "app", "command"]

COMMANDS = (
    "win",
    "rank",
    "compare",
    "graph",
    "stability",
    "duels",
    "audit",
    "sweep",
    "study",
    "report",
    "convert",
    "verify",
)
"""All commands, in the order of ``--help``; each is the function of that name in the module of that name."""

CALL_ERRORS: Any = typer.BadParameter.__mro__[2]
"""What Typer raises for a wrong call; it exports only this subclass of a subclass of it."""

# ruff: noqa: PLC0415 - late imports are what the next functions are for


def _module(name: str) -> ModuleType:  # noqa: PLR0911 - one a command
    """Return the module of a command, loading it and what it needs alone."""
    match name:
        case "win":
            from weightlab.cli import win

            return win
        case "rank":
            from weightlab.cli import rank

            return rank
        case "compare":
            from weightlab.cli import compare

            return compare
        case "graph":
            from weightlab.cli import graph

            return graph
        case "stability":
            from weightlab.cli import stability

            return stability
        case "duels":
            from weightlab.cli import duels

            return duels
        case _:
            return _other_module(name)


def _other_module(name: str) -> ModuleType:
    """Return the module of a command about suites, studies or documents."""
    match name:
        case "audit":
            from weightlab.cli import audit

            return audit
        case "sweep":
            from weightlab.cli import sweep

            return sweep
        case "study":
            from weightlab.cli import study

            return study
        case "report":
            from weightlab.cli import report

            return report
        case "convert":
            from weightlab.cli import convert

            return convert
        case _:
            from weightlab.cli import verify

            return verify


def _version(asked: bool) -> None:
    if asked:
        print(f"weightlab {__version__}")
        raise typer.Exit


def weightlab(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    """Proofs about benchmark score tables: who can win, and why not."""


def app(names: Sequence[str] = COMMANDS) -> typer.Typer:
    """Return the command line with some commands; only their modules are loaded, which takes a while for all."""
    made = typer.Typer(
        name="weightlab",
        help="Proofs about benchmark score tables: who can win, and why not.",
        no_args_is_help=True,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
    )
    made.callback()(weightlab)
    for name in names:
        module = _module(name)
        made.command(name, epilog=module.EXAMPLES)(getattr(module, name))
    return made


def command(arguments: Sequence[str]) -> int:
    """Run one command and return its exit code; errors of the call itself are printed as usual for command lines."""
    asked = arguments[0] if arguments else ""
    names = (asked,) if asked in COMMANDS else () if asked == "--version" else COMMANDS
    try:
        code = typer.main.get_command(app(names)).main(list(arguments), prog_name="weightlab", standalone_mode=False)
    except CALL_ERRORS as error:
        error.show()
        return int(error.exit_code)
    except typer.Abort:
        return 130
    except SystemExit:
        return 0  # the reader of our output closed it, as 'head' does
    return code if isinstance(code, int) else 0
