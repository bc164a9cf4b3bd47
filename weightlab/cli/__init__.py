"""The command line: each command reads, asks, shows, and says by its exit code how it went."""

# ruff: noqa: PLC0415 - nothing is loaded before Ctrl-C is answered

from __future__ import annotations

TYPE_CHECKING = False  # what typing says, without loading it
if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["main", "run"]


def main() -> None:
    """Run the command line and end the process.

    Exit codes: 0 answered; 1 ``verify`` found a claim false; 2 the input or the call is wrong, such as a question that
    has no answer on the table; 3 not proved, or a time limit; 4 no memory left, or a fault of weightlab itself; 130
    interrupted.
    """
    from weightlab.cli import interruption

    interruption.guard()
    import gc
    import sys

    gc.set_threshold(50_000)  # what is loaded stays: to look through it time and again takes a tenth of a short command
    try:
        code = run(sys.argv[1:])
    except BaseException as error:  # noqa: BLE001 - where not even a message can be made, the exit code is right
        code = 4
        if sys.stderr is not None:
            sys.stderr.write(f"weightlab: a fault of weightlab itself ({type(error).__name__})\n")
    interruption.leave(code)


def run(arguments: Sequence[str]) -> int:
    """Run the command line and return its exit code; every fault is one message on standard error."""
    from weightlab.cli import exit_codes

    return exit_codes.run(arguments)
