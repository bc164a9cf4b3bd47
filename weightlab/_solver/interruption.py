"""Ctrl-C while a solver runs: noted at once, answered when the solver has stopped."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

__all__ = ["deferred_interruption"]


@contextmanager
def deferred_interruption() -> Iterator[Callable[[], bool]]:
    """Hold back Ctrl-C until the block ends, and yield a function that says whether it was pressed.

    An exception raised inside a callback would unwind through the solver's own frames and leave it broken. So the
    signal is noted, the callback asks the solver to stop, and the handler that was in place (by default it raises
    ``KeyboardInterrupt``) runs when the solver has returned.

    Signals reach the main thread alone; in any other thread nothing is held back.
    """
    handler = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(handler):
        yield lambda: False
        return
    pressed: list[tuple[int, FrameType | None]] = []
    signal.signal(signal.SIGINT, lambda number, frame: pressed.append((number, frame)))
    try:
        yield lambda: bool(pressed)
    finally:
        signal.signal(signal.SIGINT, handler)
        if pressed:
            handler(*pressed[0])
