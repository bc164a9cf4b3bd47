"""Ctrl-C at the command line: one sentence and exit code 130, from weightlab's first instruction to the last.

While modules are loaded, and when the answer is out, nothing is open that has to be closed: the process ends at once.
(``KeyboardInterrupt`` would end in a traceback there, or be swallowed by a library that is just being imported.) In
between ``KeyboardInterrupt`` is raised, so that solvers stop and unfinished files go; where that gets lost, takes too
long or Ctrl-C is pressed again, the process ends at once, too.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # of which the module signal is made; that one loads others first
import os
import sys

TYPE_CHECKING = False  # what typing says, without loading it
if TYPE_CHECKING:
    from typing import NoReturn


INTERRUPTED = 130
GRACE = 2.0
"""Seconds for what is open to be closed."""
SENTENCE = b"weightlab: interrupted\n"
SHOW_CURSOR = b"\x1b[?25h"


def guard() -> None:
    """End at once from now on; nothing is done where Ctrl-C is ignored, as in the background of a shell."""
    if _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler:
        _signal.signal(_signal.SIGINT, _end)
        sys.unraisablehook = _unraisable


def raise_once() -> None:
    """Raise ``KeyboardInterrupt`` from now on, if Ctrl-C is guarded."""
    if _signal.getsignal(_signal.SIGINT) is _end:
        _signal.signal(_signal.SIGINT, _raise)


def end_at_once() -> None:
    """End at once again."""
    if _signal.getsignal(_signal.SIGINT) is _raise:
        _signal.signal(_signal.SIGINT, _end)


def said() -> None:
    """Take note that the sentence is about to be written: it is not written twice."""
    if _signal.getsignal(_signal.SIGINT) is _end:
        _signal.signal(_signal.SIGINT, _signal.SIG_IGN)
        _alarm(_end_silently)


def leave(code: int) -> NoReturn:
    """End the process: pools and temporary folders go, and nothing is left in which Ctrl-C could do harm."""
    import atexit  # noqa: PLC0415 - loaded late, as the next one is
    import threading  # noqa: PLC0415

    for end in (getattr(threading, "_shutdown", None), getattr(atexit, "_run_exitfuncs", None)):
        if end is not None:
            end()
    os._exit(code)


def _raise(*_: object) -> NoReturn:
    _signal.signal(_signal.SIGINT, _end)
    _alarm(_end)
    raise KeyboardInterrupt


def _end(*_: object) -> NoReturn:
    if sys.__stderr__ is not None:
        os.write(2, SHOW_CURSOR + SENTENCE if os.isatty(2) else SENTENCE)
    os._exit(INTERRUPTED)


def _end_silently(*_: object) -> NoReturn:
    os._exit(INTERRUPTED)


def _alarm(handler: object) -> None:
    """Call a handler after the time of grace, where the system has such alarms."""
    if hasattr(_signal, "setitimer"):
        _signal.signal(_signal.SIGALRM, handler)
        _signal.setitimer(_signal.ITIMER_REAL, GRACE)


def _unraisable(fault: sys.UnraisableHookArgs) -> None:
    """Keep silent about interruptions that got lost: the alarm ends the process."""
    if fault.exc_type is not KeyboardInterrupt:
        sys.__unraisablehook__(fault)
