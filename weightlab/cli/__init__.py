"""The command line: each command reads, asks, shows, and says by its exit code how it went."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from weightlab.exceptions import (
    ImpossibleError,
    InputError,
    MissingScoresError,
    NoWinnerError,
    ProofError,
    UnprovedError,
    WeightlabError,
)

__all__ = ["main"]

FALSE, WRONG, UNPROVED, INTERRUPTED = 1, 2, 3, 130


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit.

    Exit codes: 0 answered; 1 ``verify`` found a claim false; 2 the input or the call is wrong, such as a question that
    has no answer on the table; 3 not proved, or a time limit; 130 interrupted.
    """
    sys.exit(run(sys.argv[1:] if arguments is None else list(arguments)))


def run(arguments: Sequence[str]) -> int:
    """Run the command line and return its exit code; every foreseen fault is one message on standard error."""
    _open_streams()
    try:
        from weightlab.cli.app import command  # noqa: PLC0415 - typer and rich are loaded only for the command line

        code = command(arguments)
    except (WeightlabError, OSError, KeyboardInterrupt) as error:
        code, message = _exit(error)
        _say(message)
        return code
    if code == INTERRUPTED:
        _say("interrupted")
    return code


def _open_streams() -> None:
    """Let streams take any text; what is written to a closed one is lost, and a closed input is empty."""
    if sys.stdin is None:
        sys.stdin = Path(os.devnull).open(encoding="utf-8")  # noqa: SIM115 - it serves until the process ends
    if sys.stdout is None:
        sys.stdout = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def _exit(error: BaseException) -> tuple[int, str]:
    """Return the exit code and the message of a foreseen fault."""
    if isinstance(error, ProofError):
        return FALSE, str(error)
    if isinstance(error, MissingScoresError):
        from weightlab.cli.options.rules import as_options  # noqa: PLC0415 - as above

        return WRONG, as_options(str(error))
    if isinstance(error, InputError | NoWinnerError | ImpossibleError):
        return WRONG, str(error)
    if isinstance(error, KeyboardInterrupt):
        return INTERRUPTED, "interrupted"
    if isinstance(error, OSError):
        return WRONG, f"{error.filename}: {error.strerror}" if error.filename else str(error)
    from weightlab.cli.terminal.show import known_lines  # noqa: PLC0415 - as above

    return UNPROVED, "\n".join([str(error), *known_lines(error.known if isinstance(error, UnprovedError) else {})])


def _say(message: str) -> None:
    from weightlab.cli.terminal.show import shown_lines  # noqa: PLC0415 - as above

    sys.stderr.write(f"weightlab: {shown_lines(message)}\n")
