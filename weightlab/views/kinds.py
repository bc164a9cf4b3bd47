"""Every kind of result as a view; a kind is looked up by name, which loads no class."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from weightlab._result import Result
from weightlab._text import shown
from weightlab.views import order, pairs, weights
from weightlab.views.improvement import improvement_view
from weightlab.views.verdicts import notebook_view
from weightlab.views.view import Table, View

if TYPE_CHECKING:
    from weightlab.studies import Audit


def audit_view(found: Audit) -> View:
    """Return whether a benchmark is well behaved."""
    from weightlab.views.audit import audit_view as view  # noqa: PLC0415 - loads domains and studies

    return view(found)


def shares_view(found: Any) -> View:
    """Return under which share of weightings each model wins."""
    table = Table(*weights.share_rows(found), caption="Winning shares", most=None)
    return View(headline=shown(found), blocks=[table], results=[found], picture=found)


VIEWS: Mapping[str, Callable[[Any], View]] = {
    "audit": audit_view,
    "broken_cycle": pairs.no_winner_view,
    "comparison": order.comparison_view,
    "duels": pairs.duels_view,
    "leave_one_out": order.leave_one_out_view,
    "majority_overview": order.overview_view,
    "map_of_winners": weights.map_view,
    "micro_macro": order.averages_view,
    "missing": weights.missing_view,
    "noisy_verdicts": order.noise_view,
    "prospects": notebook_view,
    "rank_ranges": order.ranges_view,
    "ranking": order.ranking_view,
    "realisation": pairs.realisation_view,
    "scenario": weights.scenario_view,
    "settle": weights.settle_view,
    "shortlist": weights.shortlist_view,
    "smallest_benchmark": weights.smallest_view,
    "stability": pairs.stability_view,
    "two_step_ranking": order.ranking_view,
    "upset": improvement_view,
    "winning_region": weights.region_view,
    "winning_shares": shares_view,
}
"""Kinds that have a view of their own; others show their sentence and their summary."""


def view_of(found: Result) -> View:
    """Return the view of a result."""
    tell = VIEWS.get(found.kind)
    if tell is not None:
        return tell(found)
    kind = (found.kind or type(found).__name__).replace("_", " ")
    table = Table.of_frame(found.summary(), f"{kind[:1].upper()}{kind[1:]}")
    return View(headline=shown(found), blocks=[table], results=[found], picture=found)
