"""How a command went: its exit code, and one message for every error."""

from __future__ import annotations

import errno
import os
import sys
import traceback
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from weightlab.exceptions import (
    ImpossibleError,
    InputError,
    NoWinnerError,
    ProofError,
    ReadingError,
    UnprovedError,
    WeightlabError,
)

FALSE, WRONG, UNPROVED, FAULT = 1, 2, 3, 4
FULL = {errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC)}
"""No room: where no file is named, it is a stream that has none."""
DEBUG = "WEIGHTLAB_DEBUG"
"""Environment variable that shows the traceback of an error."""


def run(arguments: Sequence[str]) -> int:
    """Run the command line and return its exit code; every error is one message on standard error."""
    _open_streams()
    code, message = _answer(arguments)
    unwritten = _unwritten()
    if unwritten and code == 0:
        code, message = WRONG, f"standard output: {unwritten}"
    if message:
        _say(message)
    return code


def _answer(arguments: Sequence[str]) -> tuple[int, str]:
    """Run one command, and return its exit code and the message of an error."""
    try:
        from weightlab.cli.app import command

        return command(arguments), ""
    except BrokenPipeError:
        return 0, ""  # the reader of our output closed it, as 'head' does
    except BaseException as error:  # noqa: BLE001 - exit code 1 says that a claim is false, and must say nothing else
        _raise_interruption(error)
        try:
            return _asked(error, arguments) if isinstance(error, ReadingError) else _told(error, arguments)
        except MemoryError:
            return FAULT, "there is not enough memory"


def _asked(error: ReadingError, arguments: Sequence[str]) -> tuple[int, str]:
    """Ask at a terminal whether a table is to be read as is likely, and run the command so; elsewhere tell it."""
    from weightlab.cli.terminal.confirm import accepted, may_ask

    if not may_ask(error, arguments):
        return _told(error, arguments)
    words = accepted(error, arguments)
    return (WRONG, "") if words is None else _answer([*arguments, *words])


def _raise_interruption(error: BaseException | None) -> None:
    """Raise KeyboardInterrupt if an error began as one: a module interrupted while loading may raise its own error."""
    while error is not None:
        if isinstance(error, KeyboardInterrupt):
            raise KeyboardInterrupt from None
        error = error.__cause__ or error.__context__


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


def _unread(error: ReadingError, arguments: Sequence[str]) -> str:
    """Return the problem with a table, and below it the commands that read it."""
    from weightlab.cli.terminal.cures import as_options, command_line

    commands = command_line(arguments, *error.ways)
    heads = {0: [], 1: ["To read it so:"]}.get(len(commands), ["Either of:"])
    return "\n".join([error.message if commands else error.told(as_options), *heads, *(f"  {one}" for one in commands)])


def _told(error: BaseException, arguments: Sequence[str]) -> tuple[int, str]:
    """Return the exit code and the message of an error."""
    if isinstance(error, ProofError):
        return FALSE, str(error)
    if isinstance(error, InputError | NoWinnerError | ImpossibleError):
        from weightlab.cli.terminal.cures import as_options

        return WRONG, _unread(error, arguments) if isinstance(error, ReadingError) else error.told(as_options)
    if isinstance(error, WeightlabError):
        from weightlab.cli.terminal.cures import as_options
        from weightlab.views.words import known_lines

        known = known_lines(error.known if isinstance(error, UnprovedError) else {})
        return UNPROVED, "\n".join([error.told(as_options), *known])
    if isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno == errno.ENOMEM):
        return FAULT, "there is not enough memory"
    if isinstance(error, OSError):
        said = error.strerror or str(error)
        named = error.filename or ("standard output" if error.errno in FULL else None)
        return WRONG, said if named is None else f"{named}: {said}"
    if os.environ.get(DEBUG):
        traceback.print_exception(error)
    sentence = " ".join(str(error).split())
    return FAULT, f"internal error; please report it ({type(error).__name__}: {sentence}); {DEBUG}=1 shows where"


def _unwritten() -> str:
    """Return why what was printed could not be written; nothing where it was, or no reader wanted more of it."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        return ""
    except OSError as error:
        return error.strerror or str(error)
    return ""


def _say(message: str) -> None:
    try:
        from weightlab._text import shown_lines

        message = shown_lines(message)
    except (ImportError, MemoryError):
        message = message.encode("ascii", "backslashreplace").decode()
    with suppress(OSError):
        sys.stderr.write(f"weightlab: {message}\n")
        sys.stderr.flush()
