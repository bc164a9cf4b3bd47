"""Many cells, one after the other or side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from weightlab.data import Profile
from weightlab.exceptions import InputError
from weightlab.studies.cells import Cell, Facts, cell_facts

__all__ = ["finished_cells"]

LARGEST_CHUNK = 25
"""So many cells at most travel to another process together, so that few are lost when a sweep is stopped."""

CHUNKS_A_JOB = 8
"""So many chunks at least for each process, so that all end at about the same time."""

Finished = tuple[Cell, dict[str, Facts]]


def finished_cells(
    tables: Mapping[str, Profile],
    cells: Sequence[Cell],
    properties: Sequence[str],
    *,
    n_jobs: int = 1,
    backend: str | None = None,
) -> Iterator[Finished]:
    """Yield each cell with its facts as soon as it is done, in any order.

    Parameters
    ----------
    tables : dict from str to Profile
        The datasets.
    cells : sequence of Cell
        What is asked.
    properties : sequence of str
        Of each.
    n_jobs : int
        Processes; -1 for all cores. 1 without a backend runs here and needs no joblib.
    backend : str, optional
        Any of joblib: ``"loky"``, ``"threading"``, ``"dask"`` (with a client), ...; by default joblib's own choice,
        which ``joblib.parallel_config`` sets.

    Raises
    ------
    InputError
        If joblib is needed and not installed, or ``n_jobs`` is 0.
    """
    if n_jobs == 0:
        raise InputError("n_jobs must be 1 or more, or negative to leave cores free (-1: all cores); got 0")
    if (n_jobs == 1 and backend is None) or not cells:
        yield from _chunk(tables, cells, properties)
        return
    try:
        import joblib  # noqa: PLC0415 - optional
    except ImportError:
        raise InputError(
            f"n_jobs={n_jobs} and backend={backend!r} need joblib: install weightlab[parallel], or leave both out"
        ) from None
    try:
        # The context, unlike the parameter of Parallel, knows backends of other packages, such as Dask's.
        with joblib.parallel_config(**({} if backend is None else {"backend": backend})):
            parallel = joblib.Parallel(n_jobs=n_jobs, return_as="generator_unordered")
    except ValueError as error:
        raise InputError(f"backend {backend!r}: {error}") from None
    size = max(1, min(LARGEST_CHUNK, len(cells) // (CHUNKS_A_JOB * joblib.effective_n_jobs(n_jobs))))
    chunks = [cells[start : start + size] for start in range(0, len(cells), size)]
    asked: Callable[..., list[Finished]] = joblib.delayed(_listed)
    for part in parallel(asked(tables, chunk, properties) for chunk in chunks):
        yield from part


def _listed(tables: Mapping[str, Profile], cells: Sequence[Cell], properties: Sequence[str]) -> list[Finished]:
    return list(_chunk(tables, cells, properties))


def _chunk(tables: Mapping[str, Profile], cells: Sequence[Cell], properties: Sequence[str]) -> Iterator[Finished]:
    for cell in cells:
        yield cell, cell_facts(tables, cell, properties)
