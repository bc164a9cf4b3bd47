"""Ctrl-C: the solver stops soon, nothing breaks, no child is left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time

import pytest

from weightlab._solver.highs import deferred_interruption


@pytest.fixture(autouse=True)
def ctrl_c_is_answered():
    """Answer Ctrl-C as Python does, children too: a run in the background of a shell ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


SCRIPT = """
import sys, time
from tests._solver.test_solution import box, market_split
from weightlab._solver import Sense, solve

print("started", flush=True)
try:
    solve(market_split())
except KeyboardInterrupt:
    print("interrupted", flush=True)
print(solve(box(Sense.MAXIMISE, (1, 1), [{0: 1, 1: 1}], high=7, integral=(True, True))).value, flush=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent differently on Windows")
def test_ctrl_c_stops_a_long_run_and_leaves_the_process_whole(solver):
    environment = os.environ | {"WEIGHTLAB_SOLVER": solver}
    with subprocess.Popen(
        [sys.executable, "-c", SCRIPT], stdout=subprocess.PIPE, text=True, env=environment, start_new_session=True
    ) as process:
        assert process.stdout.readline() == "started\n"
        time.sleep(1.0)
        started = time.monotonic()
        process.send_signal(signal.SIGINT)
        assert process.stdout.readline() == "interrupted\n"
        assert time.monotonic() - started < 10
        assert float(process.stdout.readline()) == pytest.approx(7)
        assert process.wait() == 0
        with pytest.raises(ProcessLookupError):
            os.killpg(process.pid, 0)


def test_ctrl_c_is_noted_at_once_and_answered_at_the_end():
    steps = []

    def work():
        with deferred_interruption() as pressed:
            steps.append(pressed())
            signal.raise_signal(signal.SIGINT)
            steps.append(pressed())

    with pytest.raises(KeyboardInterrupt):
        work()
    assert steps == [False, True]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_handler_of_the_callers_own_is_the_one_that_answers():
    received = []
    before = signal.signal(signal.SIGINT, lambda number, _frame: received.append(number))
    try:
        with deferred_interruption():
            signal.raise_signal(signal.SIGINT)
            assert received == []
        assert received == [signal.SIGINT]
    finally:
        signal.signal(signal.SIGINT, before)


def test_where_ctrl_c_is_ignored_it_stays_ignored():
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with deferred_interruption() as pressed:
            signal.raise_signal(signal.SIGINT)
            assert not pressed()
    finally:
        signal.signal(signal.SIGINT, before)


def test_in_other_threads_nothing_is_held_back():
    answers = []

    def work():
        with deferred_interruption() as pressed:
            answers.append(pressed())

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert answers == [False]
