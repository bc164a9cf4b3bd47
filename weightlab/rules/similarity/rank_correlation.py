"""How far rankings agree: Kendall's tau-b, Spearman's rho, and the share of the first or last k."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from weightlab._exact import FloatArray, IntArray
from weightlab.data import Order
from weightlab.exceptions import InputError

BLOCK_CELLS = 1 << 20
"""Pairs are compared in blocks of so many, so that memory stays small."""


def kendall_tau(first: Order, second: Order) -> float:
    """Return Kendall's tau-b between two weak orders of the same models.

    Parameters
    ----------
    first, second : tuple of tuples of str
        Weak orders, best first.

    Returns
    -------
    float
        Pairs ordered alike minus pairs ordered otherwise, over the geometric mean of the numbers of pairs that each
        order does not tie. NaN where one ties all.

    Raises
    ------
    InputError
        If they do not order the same models.

    References
    ----------
    M. G. Kendall, "The treatment of ties in ranking problems", Biometrika 33 (1945).

    Examples
    --------
    >>> kendall_tau((("a",), ("b",), ("c",)), (("a",), ("c",), ("b",)))
    0.3333333333333333
    """
    return float(tau_matrix([first, second])[0, 1])


def tau_matrix(orders: Sequence[Order]) -> FloatArray:
    """Return Kendall's tau-b between all pairs of weak orders of the same models.

    Notes
    -----
    With one sign per pair of models and order, tau-b is the cosine of two vectors of signs: all pairs of orders come
    out of one product of matrices. O(models^2 x orders^2), exact up to the final square root.
    """
    models = models_of(orders)
    levels, count = np.array([above_and_tied(one, models)[0] for one in orders]), len(models)
    products = np.zeros((len(orders), len(orders)))
    rows = max(1, BLOCK_CELLS // max(1, count * len(orders)))
    for start in range(0, count, rows):
        signs = np.sign(levels[:, None, :] - levels[:, start : start + rows, None]).reshape(len(orders), -1)
        products += signs.astype(np.float64) @ signs.T
    untied = np.diag(products)
    with np.errstate(invalid="ignore"):
        return np.asarray(products / np.sqrt(np.outer(untied, untied)))


def spearman_rho(first: Order, second: Order) -> float:
    """Return Spearman's rank correlation between two weak orders of the same models.

    Parameters
    ----------
    first, second : tuple of tuples of str
        Weak orders, best first.

    Returns
    -------
    float
        The correlation of the ranks, where tied models share the average rank. NaN where one order ties all.

    Raises
    ------
    InputError
        If they do not order the same models.

    References
    ----------
    C. Spearman, "The proof and measurement of association between two things", American Journal of Psychology 15
    (1904); with mean ranks for ties, M. G. Kendall, "Rank Correlation Methods", 1948.

    Examples
    --------
    >>> spearman_rho((("a",), ("b",), ("c",)), (("a",), ("c",), ("b",)))
    0.5
    """
    return float(rho_matrix([first, second])[0, 1])


def rho_matrix(orders: Sequence[Order]) -> FloatArray:
    """Return Spearman's rank correlation between all pairs of weak orders of the same models.

    Notes
    -----
    O(models x orders^2), exact up to the final square root: twice the rank, less the mean of all ranks, is an integer.
    """
    models = models_of(orders)
    places = [above_and_tied(one, models) for one in orders]
    twice = np.array([2 * above + tied - len(models) for above, tied in places])
    products = (twice @ twice.T).astype(np.float64)
    spread = np.diag(products)
    with np.errstate(invalid="ignore"):
        return np.asarray(products / np.sqrt(np.outer(spread, spread)))


def top_agreement(first: Order, second: Order, k: int, *, last: bool = False) -> Fraction:
    """Return the share that the first k models of one weak order have in common with those of another.

    Parameters
    ----------
    first, second : tuple of tuples of str
        Weak orders of the same models, best first.
    k : int
        How many.
    last : bool
        Compare the last k instead.

    Returns
    -------
    Fraction
        Where a tie reaches beyond place k each of its models counts with the share of the tie that is within.

    References
    ----------
    Vote'n'Rank, section 3.1: the agreement rate, there without a word on ties.

    Examples
    --------
    >>> top_agreement((("a",), ("b", "c")), (("b",), ("a",), ("c",)), 2)
    Fraction(3, 4)
    """
    count = len(models_of([first, second]))
    if not 1 <= k <= count:
        raise InputError(f"k must be from 1 to the number of models ({count}); got {k!r}")
    one, other = (_within(tuple(reversed(order)) if last else order, k) for order in (first, second))
    return sum((min(share, other.get(model, Fraction(0))) for model, share in one.items()), Fraction(0)) / k


def _within(order: Order, k: int) -> dict[str, Fraction]:
    """Return which share of each model is within the first k places."""
    shares: dict[str, Fraction] = {}
    for group in order:
        room = k - sum(shares.values(), Fraction(0))
        if room <= 0:
            break
        shares.update(dict.fromkeys(group, min(Fraction(1), room / len(group))))
    return shares


def above_and_tied(order: Order, models: Sequence[str]) -> tuple[IntArray, IntArray]:
    """Return for each model how many stand above it, and how many share its place."""
    position = {model: row for row, model in enumerate(models)}
    above, tied = np.zeros((2, len(models)), dtype=np.int64)
    before = 0
    for group in order:
        rows = [position[model] for model in group]
        above[rows], tied[rows] = before, len(group)
        before += len(group)
    return above, tied


def models_of(orders: Sequence[Order]) -> tuple[str, ...]:
    """Return the models of weak orders, sorted by name.

    Raises
    ------
    InputError
        If the orders are not all of the same models.
    """
    models = tuple(sorted(name for group in orders[0] for name in group))
    for order in orders:
        if tuple(sorted(name for group in order for name in group)) != models or len(set(models)) < len(models):
            raise InputError("rankings can be compared only if they rank the same models")
    return models
