"""Many pieces of work, side by side if wanted; random draws, each with a seed of its own: the same for any n_jobs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

import numpy as np

from weightlab._validate import ensure_few_draws, ensure_jobs
from weightlab.exceptions import InputError

S = TypeVar("S")
T = TypeVar("T")
CHUNKS_A_JOB = 8
"""Minimum number of chunks for each process, so that all end at about the same time."""
LARGEST_CHUNK = 25
"""Maximum number of items sent to another process together, so that progress is reported, and saved, now and then."""


def parallel_map(
    work: Callable[[S], T], items: Sequence[S], *, n_jobs: int = 1, progress: Callable[[int], None] | None = None
) -> list[T]:
    """Return the result of a function for each item, in order.

    Parameters
    ----------
    work : callable
        From an item to anything. It is sent to other processes where ``n_jobs`` is not 1.
    items : sequence
        What is worked on.
    n_jobs : int
        Processes, not 0; 1 works here and needs no joblib. -1 takes all cores, -2 all but one.
    progress : callable, optional
        Called with the number of items done since the last call.

    Raises
    ------
    InputError
        If ``n_jobs`` is no such number, or joblib is needed and not installed.
    """
    ensure_jobs(n_jobs)
    found: list[T] = []
    for part in finished_parts(work, items, n_jobs=int(n_jobs)):
        found.extend(part)
        if progress is not None:
            progress(len(part))
    return found


def generator_of(seed: int, *draw: int) -> np.random.Generator:
    """Return the generator of one draw: the child of that number (and setting) of the seed's sequence."""
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=draw))


def checked_count(name: str, value: Any, *, least: int, most: int | None = None) -> int:
    """Return a whole number from ``least`` to ``most``, or raise InputError with the parameter's name."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
        raise InputError(f"{name} must be a whole number from {least}; got {value!r}")
    if most is not None and value > most:
        raise InputError(f"{name} must be at most {most:,}; got {value:,}")
    ensure_few_draws(name, int(value))
    return int(value)


def checked_share(name: str, value: Any) -> float:
    """Return a number between 0 and 1, neither of them included, or raise InputError."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 1:
        raise InputError(f"{name} must be between 0 and 1; got {value!r}")
    return float(value)


def each_checked(name: str, given: Any, check: Callable[[Any], T], *, such_as: str) -> tuple[T, ...]:
    """Return several values, each checked and each once, or raise InputError for a single bare value."""
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise InputError(f"{name} must be a list, such as {such_as}; got {given!r}")
    return tuple(dict.fromkeys(check(one) for one in given))


def finished_parts(
    work: Callable[[S], T], items: Sequence[S], *, n_jobs: int, backend: str | None = None, in_order: bool = True
) -> Iterator[list[T]]:
    """Yield what a piece of work makes of some items as soon as it is done, until all are; in any order if so asked.

    Raises
    ------
    InputError
        If joblib is needed and not installed, or knows no such backend.
    """
    ensure_jobs(n_jobs)
    if (n_jobs == 1 and backend is None) or not items:
        yield from ([work(item)] for item in items)
        return
    try:
        import joblib  # noqa: PLC0415 - optional
    except ImportError:
        needs = f"n_jobs={n_jobs} needs" if backend is None else f"n_jobs={n_jobs} and backend={backend!r} need"
        raise InputError(f"{needs} joblib: install weightlab[parallel], or leave n_jobs at 1") from None
    try:
        # The context, unlike the parameter of Parallel, knows backends of other packages, such as Dask's.
        # Dask's gets what all chunks need, which is sent only once; others pass it with each chunk.
        given = {} if backend is None else {"backend": backend}
        with joblib.parallel_config(**given, **({"scatter": [work]} if backend == "dask" else {})):
            parallel = joblib.Parallel(n_jobs=n_jobs, return_as="generator" if in_order else "generator_unordered")
    except ValueError as error:
        raise InputError(f"backend {backend!r}: {error}") from None
    size = max(1, min(LARGEST_CHUNK, len(items) // (CHUNKS_A_JOB * joblib.effective_n_jobs(n_jobs))))
    chunks = [items[start : start + size] for start in range(0, len(items), size)]
    asked: Callable[..., list[T]] = joblib.delayed(_chunk)
    yield from parallel(asked(work, chunk) for chunk in chunks)


def _chunk(work: Callable[[S], T], items: Sequence[S]) -> list[T]:
    return [work(item) for item in items]
