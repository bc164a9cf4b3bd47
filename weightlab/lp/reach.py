"""Whether a lead is within reach at all: what every question about winning weights asks first."""

from __future__ import annotations

from fractions import Fraction

from weightlab.data.signs import Signs
from weightlab.exceptions import ImpossibleError, InputError
from weightlab.lp.prospect import Prospect, prospect
from weightlab.lp.space import WeightSpace

__all__ = ["prospect_in_reach", "refuse_ties"]


def prospect_in_reach(
    signs: Signs, model: str, space: WeightSpace, least: Fraction, *, time_limit: float | None = None
) -> Prospect:
    """Return a model's prospect when some weights of the space give it leads of at least ``least``.

    Raises
    ------
    InputError
        If the lead asked for is negative.
    ImpossibleError
        If it is out of reach; its ``proof`` is the Prospect that shows it.
    """
    if least < 0:
        raise InputError(f"margin must not be negative, since a model that trails somebody does not win; got {least}")
    widest = prospect(signs, model, space=space, time_limit=time_limit)
    if widest.margin < least:
        raise ImpossibleError(
            f"no weights give {model!r} a lead of {least} over every rival; the best possible is {widest.margin}",
            proof=widest,
        )
    return widest


def refuse_ties(found: Prospect) -> None:
    """Refuse a question about strict wins of a model that can only tie.

    Raises
    ------
    ImpossibleError
        Its ``proof`` is the Prospect that shows it.
    """
    if found.margin <= 0:
        raise ImpossibleError(f"no weights make {found.model!r} win every duel; it can tie at best", proof=found)
