"""The command line: each command reads, asks, shows, and says by its exit code how it went."""

from __future__ import annotations

TYPE_CHECKING = False  # what typing says, without loading it
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NoReturn

__all__ = ["main", "run"]


def main() -> NoReturn:
    """Run the command line and end the process.

    Exit codes: 0 answered; 1 ``verify`` found a claim false; 2 the input or the call is wrong, such as a question that
    has no answer on the table; 3 not proved, or a time limit; 4 out of memory, or an internal error; 130
    interrupted.
    """
    import gc
    import sys

    gc.set_threshold(50_000)  # what is loaded stays: to look through it time and again takes a tenth of a short command
    code, said = 0, ""
    try:
        code = run(sys.argv[1:])
    except KeyboardInterrupt:
        code, said = 130, "interrupted"
    except BaseException as error:  # noqa: BLE001 - where not even a message can be made, the exit code is right
        code, said = 4, f"internal error; please report it ({type(error).__name__})"
    _leave(code, said)


def run(arguments: Sequence[str]) -> int:
    """Run the command line and return its exit code; every error is one message on standard error.

    Raises
    ------
    KeyboardInterrupt
        After Ctrl-C, when solvers have stopped and unfinished files are gone.
    """
    from weightlab.cli import exit_codes

    return exit_codes.run(arguments)


def _leave(code: int, said: str) -> NoReturn:
    """End the process: pools and temporary folders go, but what was loaded is not taken apart piece by piece."""
    import atexit
    import os
    import sys
    import threading
    from contextlib import suppress

    try:
        for stream, text in ((sys.stdout, ""), (sys.stderr, said and f"weightlab: {said}\n")):
            if stream is not None:
                with suppress(OSError):
                    stream.write(text)
                    stream.flush()
        for end in (getattr(threading, "_shutdown", None), getattr(atexit, "_run_exitfuncs", None)):
            if end is not None:
                end()
    finally:
        os._exit(code)
