"""How strong each majority is, and the strongest paths of majorities."""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np

from weightlab._typing import AnyArray, IntArray
from weightlab.data.margins import Margins
from weightlab.exceptions import InputError
from weightlab.graph.majority import beats

__all__ = ["STRENGTHS", "Strength", "majorities", "path_strengths", "path_strengths_by_search"]

Strength: TypeAlias = Literal["margins", "winning_votes"]
"""How strong a majority is: its margin, or the weight on the winner's side."""

STRENGTHS = ("margins", "winning_votes")


def majorities(margins: Margins, strength: Strength) -> AnyArray:
    """Return the strength of every majority as an integer over the margins' denominator; 0 where a duel is not won.

    Raises
    ------
    InputError
        If the strength is not known.
    """
    if strength == "margins":
        return np.asarray(np.maximum(margins.array, 0))
    if strength == "winning_votes":
        return np.where(beats(margins), margins.wins, 0)
    raise InputError(f"strength must be 'margins' or 'winning_votes'; got {strength!r}")


def path_strengths(links: AnyArray) -> AnyArray:
    """Return the strength of the strongest path between all pairs, 0 where there is none.

    A path is as strong as its weakest link; links are positive. O(n^3): Floyd and Warshall.
    """
    values, work = _small(links)
    np.fill_diagonal(work, 0)
    via = np.empty_like(work)
    # After k rounds ``work[i, j]`` is the strongest path whose inner models are among the first k.
    for middle in range(len(work)):
        np.minimum(work[:, middle, None], work[middle], out=via)
        np.maximum(work, via, out=work)
    np.fill_diagonal(work, 0)
    return np.asarray(values[work]) if values is not None else work


def path_strengths_by_search(links: AnyArray) -> AnyArray:
    """Return what ``path_strengths`` returns, found by another algorithm: Dijkstra's search from all models at once."""
    values, small = _small(links)
    count = len(small)
    everyone = np.arange(count)
    strongest = small.copy()
    strongest[everyone, everyone] = small.max(initial=0)
    # Dijkstra with "weakest link" in place of length: the strongest waiting model can be reached no better, since going
    # on never makes a path stronger. A row a starting model, all rows in step.
    waiting = np.ones((count, count), dtype=np.bool_)
    for _ in range(count):
        reached = np.where(waiting, strongest, -1).argmax(axis=1)
        waiting[everyone, reached] = False
        onward = np.minimum(strongest[everyone, reached][:, None], small[reached])
        np.maximum(strongest, onward, out=strongest)
    np.fill_diagonal(strongest, 0)
    return np.asarray(values[strongest]) if values is not None else strongest


def _small(links: AnyArray) -> tuple[AnyArray | None, IntArray]:
    """Return links as machine integers to work on: themselves, or their ranks and the values that these stand for."""
    if links.dtype.kind == "i":
        return None, links.copy()
    values, ranks = np.unique(np.append(links.ravel(), 0), return_inverse=True)
    return values, ranks[:-1].reshape(links.shape).astype(np.int32)
