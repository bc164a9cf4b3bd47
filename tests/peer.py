"""Second opinions from a process of their own.

pref_voting loads OR-Tools, which brings a HiGHS library of its own, and tests of the solver load highspy as it comes:
of these two the second fails to load ("undefined symbol"). weightlab avoids that (``_solver/highs_library.py``), tests
need not: peers are asked in a child process that never loads highspy.
"""

from __future__ import annotations

import atexit
import importlib.util
import multiprocessing
import os
from concurrent.futures import ProcessPoolExecutor
from functools import cache

import pytest


@cache
def _process(*, compiled):
    """Return a process that compiles pref_voting's loops or does not: one that changes its mind is left in pieces."""
    pool = ProcessPoolExecutor(
        max_workers=1,
        mp_context=multiprocessing.get_context("spawn"),
        initializer=None if compiled else _leave_uncompiled,
    )
    atexit.register(pool.shutdown)
    return pool


def _leave_uncompiled():
    os.environ["NUMBA_DISABLE_JIT"] = "1"


def asked(package, function, *arguments, compiled=True):
    """Return what a function of a module says in the peers' process; skip the test where the package is absent.

    Compiling takes pref_voting half a minute: for small profiles it is quicker not to.
    """
    if importlib.util.find_spec(package) is None:
        pytest.skip(f"{package} is absent: it gives the second opinion (extra 'peers')")
    return _process(compiled=compiled).submit(function, *arguments).result()


def pref_voting_margins(ranks, weights):
    """Return pref_voting's margins of ballots (a rank or 0 a candidate) and its Condorcet winner."""
    from pref_voting.profiles_with_ties import ProfileWithTies

    count = len(ranks[0])
    ballots = [{candidate: rank for candidate, rank in enumerate(row) if rank} for row in ranks]
    profile = ProfileWithTies(ballots, rcounts=weights, candidates=list(range(count)))
    margins = [[profile.margin(row, column) for column in range(count)] for row in range(count)]
    return margins, profile.condorcet_winner()
