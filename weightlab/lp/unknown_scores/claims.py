"""Claims about a ranking, as pairs whose first model must be ahead of the second; and whether completions meet them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final, Literal, TypeAlias

import numpy as np

from weightlab._exact import BoolArray
from weightlab._result import Record
from weightlab._text import counted
from weightlab._validate import one_of
from weightlab.data.linear_rule import MEAN
from weightlab.exceptions import InputError, UnknownNameError
from weightlab.lp.unknown_scores.bounds import BORDA
from weightlab.lp.unknown_scores.spans import Spans

WINNER: Final = "winner"
TOP: Final = "top"
ORDER: Final = "order"
CAN: Final = "can"
NEVER: Final = "never"
What: TypeAlias = Literal["winner", "top", "order", "can", "never"]
Settled: TypeAlias = Literal["certain", "refuted", "open"]
CERTAIN: Final = "certain"
REFUTED: Final = "refuted"
OPEN: Final = "open"


class Claim(Record, eq=True):
    """What is to be proved.

    Attributes
    ----------
    what : {"winner", "top", "order", "can", "never"}
        One model before all others; ``k`` models, in any order, before all others; each of the first ``k`` before all
        after it; one model wins under some, or under no, weights of a space.
    k : int
        How many models; 1 unless it is about the top or the order.
    models : tuple of str
        Which, in order; empty where the claim is that there are some.
    """

    what: What
    k: int
    models: tuple[str, ...]

    def pairs(self, rows: Sequence[int], count: int) -> BoolArray:
        """Return for the rows of these models whether each model must be ahead of each other one (models x models)."""
        ahead = np.zeros((count, count), dtype=np.bool_)
        for place, row in enumerate(rows):
            ahead[row] = True
            ahead[row, rows[: place + 1] if self.what == ORDER else rows] = False
        return ahead

    @property
    def words(self) -> str:
        """The claim as it stands inside a sentence, without models."""
        return {WINNER: "the winner", TOP: f"the top {self.k}", ORDER: f"the order of the first {self.k}"}.get(
            self.what, ""
        )


def claim_of(names: Sequence[str], what: Any, k: int | None, models: str | Sequence[str] | None) -> Claim:
    """Return the claim that a user means about these models.

    Raises
    ------
    InputError, UnknownNameError
        If there is no such claim or model, or numbers and names do not fit it.
    """
    one_of("claim", what, (WINNER, TOP, ORDER, NEVER, CAN))
    if not isinstance(models, Iterable | None):
        raise InputError(f"models is a name or a list of names; got {models!r}")
    named = (models,) if isinstance(models, str) else tuple(map(str, models or ()))
    for model in named:
        if model not in names:
            raise UnknownNameError("model", model, names)
    if len(set(named)) < len(named):
        raise InputError(f"models: each is named once; got {', '.join(map(repr, named))}")
    if what in (CAN, NEVER) and len(named) != 1:
        got = counted(len(named), "name")
        raise InputError(f"the claim {what!r} is about one model, which must be named; got {got}")
    single = what not in (TOP, ORDER)
    size = k if k is not None else 1 if single else len(named)
    if type(size) is not int or (single and size != 1):
        raise InputError(f"k is the number of models, 1 unless the claim is 'top' or 'order'; got {k!r}")
    if not 1 <= size < len(names):
        raise InputError(f"k must be from 1 to {len(names) - 1}, fewer than the models of the table; got {size}")
    if named and len(named) != size:
        raise InputError(
            f"the claim is about {counted(size, 'model')}, not about the {counted(len(named), 'name')} in models=: "
            "pass all of them or none"
        )
    return Claim(what=what, k=size, models=named)


def judged(spans: Spans, claim: Claim, rows: Sequence[int]) -> tuple[Settled, tuple[int, ...]]:
    """Return whether a claim is certain, refuted or open, and for which rows it is certain.

    Parameters
    ----------
    spans : Spans
        The table.
    claim : Claim
        A claim about a ranking.
    rows : sequence of int
        The models that it names.

    Notes
    -----
    "In all completions all pairs hold" is "each pair holds in all completions", so the least leads decide what is
    certain. A pair that holds in no completion refutes.
    """
    least, greatest = spans.leads
    sure, able = least > 0, greatest > 0
    if rows:
        pairs = claim.pairs(rows, len(sure))
        return (CERTAIN if sure[pairs].all() else OPEN if able[pairs].all() else REFUTED), tuple(rows)
    # Each of the first k is surely ahead of n - k models at least, every other of fewer: there is one candidate.
    np.fill_diagonal(sure, val=False)
    first = np.argsort(-sure.sum(axis=1), kind="stable")[: claim.k].tolist()
    if sure[claim.pairs(first, len(sure))].all():
        return CERTAIN, tuple(first)
    return (REFUTED if _none_can(spans, claim, able) else OPEN), ()


def _none_can(spans: Spans, claim: Claim, able: BoolArray) -> bool:
    """Return whether it is shown that no models meet a claim in any completion; by the mean whether it is so."""
    least, greatest = spans.leads
    known = np.sign(least) == np.sign(greatest)
    if known[~np.eye(len(least), dtype=np.bool_)].all():  # all leads have a known sign, and the claim is not certain
        return True
    if spans.rule != MEAN:
        np.fill_diagonal(able, val=True)
        if claim.what == ORDER or claim.k == 1:  # of two that tie for certain neither is among the first
            return not able.all(axis=1).any() or int((able | able.T).all(axis=1).sum()) < claim.k
        return min(_taken(able, row) for row in range(len(able))) > claim.k
    worst, best = spans.totals
    if claim.what == ORDER:  # models that are equal for certain are behind the first k only where k others can be ahead
        fixed = worst[worst == best]
        equal = fixed[[(fixed == one).sum() > 1 for one in fixed.tolist()]]
        return bool(any((best > one).sum() < claim.k for one in equal.tolist()))
    return bool(np.sort(worst)[::-1][claim.k] >= np.sort(best)[::-1][claim.k - 1])


def _taken(able: BoolArray, row: int) -> int:
    """Return the least number of models among the first if a model is: it, and all those that it never leads."""
    inside = np.arange(len(able)) == row
    while not np.array_equal(inside, grown := inside | ~able[inside].all(axis=0)):
        inside = grown
    return int(inside.sum())


def relevant(spans: Spans, claim: Claim, rows: Sequence[int]) -> BoolArray:
    """Return the pairs that are still undecided and that an open claim depends on (models x models).

    Parameters
    ----------
    spans, claim, rows
        As in `judged`.
    """
    least, greatest = spans.leads  # no model is ahead of itself: these least leads are 0 or less
    if claim.what in (CAN, NEVER):  # some weights may let any sign decide
        return claim.pairs(rows, len(least))
    undecided = (least <= 0) & (greatest > 0)
    if rows:
        return undecided & claim.pairs(rows, len(least))
    np.fill_diagonal(undecided, val=False)
    if claim.what == WINNER or claim.k == 1:
        able = greatest > 0
        np.fill_diagonal(able, val=True)
        return undecided & np.asarray(able.all(axis=1))[:, None]
    undecided = (least != greatest) & ~(least > 0) & ~(greatest < 0)
    np.fill_diagonal(undecided, val=False)
    # Behind k models for certain is out; but whether one that may be in is ahead of it can be open all the same.
    out = np.asarray((least > 0).sum(axis=0) >= claim.k)
    return np.asarray(undecided & ~out[:, None])


def can_matter(spans: Spans, claim: Claim, rows: Sequence[int]) -> BoolArray:
    """Return the missing cells, of an open claim, that may still decide it (models x tasks); all others are idle."""
    free = spans.free
    if spans.rule == MEAN and not rows and claim.what != ORDER:
        worst, best = spans.totals
        above = len(worst) - np.searchsorted(np.sort(worst), best, side="right")  # others that are ahead for certain
        near = (
            len(best) - np.searchsorted(np.sort(best), worst, side="left") - 1
        )  # others that are not behind for certain
        return np.asarray(free & np.asarray((above < claim.k) & (near >= claim.k))[:, None])
    if spans.rule == BORDA:
        return free
    pairs = relevant(spans, claim, rows)
    if spans.rule == MEAN:
        return np.asarray(free & np.asarray(pairs.any(axis=0) | pairs.any(axis=1))[:, None])
    pairs = pairs | pairs.T
    free &= np.asarray(pairs.any(axis=1))[:, None]
    # Without tolerances, what reaches from the lowest end of all to the highest changes its sign over everyone.
    widest = (spans.low <= spans.low.min(axis=0)) & (spans.high >= spans.high.max(axis=0))
    matter: BoolArray = free & widest & (spans.tolerances[:2] == 0).all(axis=0)
    for task in np.flatnonzero((free & ~matter).any(axis=0)).tolist():
        left = np.flatnonzero(free[:, task] & ~matter[:, task])
        low, high = spans.low[:, task], spans.high[:, task]
        worst, best = spans.signs(task, low[left, None], high), spans.signs(task, high[left, None], low)
        matter[left, task] = (pairs[left] & (worst != best)).any(axis=1)
    return matter
