"""Whether ties can be broken so that all voters rank alike, or alike but for one pair of models."""

from __future__ import annotations

from dataclasses import dataclass

import networkx as nx
import numpy as np

from weightlab._record import Record
from weightlab._result import ensure
from weightlab._typing import AnyArray
from weightlab.data.profile import Profile

__all__ = ["StrictCircles", "near_consensus"]

Step = tuple[str, str, str]
"""A voter, a model, and one that the voter ranks strictly below it."""


@dataclass(frozen=True, kw_only=True, eq=False)
class StrictCircles(Record):
    """Strict preferences of several voters that lead back to where they start.

    One circle shows that not all voters can rank alike. They cannot rank alike but for one pair of neighbours either
    if a circle has three models or more (between the two of the pair there would be a third), or if two pairs of
    models are each ranked in both ways.

    Attributes
    ----------
    circles : tuple of circles
        Each a tuple of steps: a voter, a model and one that the voter ranks strictly below it, where the next step
        begins.
    """

    circles: tuple[tuple[Step, ...], ...]

    def __str__(self) -> str:
        """Quote the steps."""
        listed = [", ".join(f"{voter} ranks {a} above {b}" for voter, a, b in circle) for circle in self.circles]
        return "; ".join(listed)

    def check(self, profile: Profile, degree: int) -> None:
        """Raise ProofError unless the voters rank so and that excludes a distance of at most the degree."""
        ensure(degree <= 1, "circles say nothing about larger distances")
        place = {model: position for position, model in enumerate(profile.models)}
        for circle in self.circles:
            ensure(len({a for _, a, _ in circle}) == len(circle) > 1, "a circle passes through a model twice")
            for step, (voter, a, b) in enumerate(circle):
                ensure(b == circle[(step + 1) % len(circle)][1], "the steps do not follow each other")
                ensure(voter in profile.voters and a in place and b in place, "a step leads out of the profile")
                row = profile.ranks[profile.voters.index(voter)]
                ensure(row[place[a]] < row[place[b]], f"voter {voter!r} does not rank {a!r} above {b!r}")
        pairs = {frozenset(a for _, a, _ in circle) for circle in self.circles}
        enough = len(pairs) > degree or any(len(one) > 2 for one in pairs)
        ensure(enough, "one pair ranked in both ways is allowed")


def near_consensus(profile: Profile, degree: int) -> AnyArray | StrictCircles:
    """Return strict ranks that break the ties so that no two voters disagree on more than ``degree`` pairs.

    Parameters
    ----------
    profile : Profile
        Weak orders of all models.
    degree : {0, 1}
        How many pairs two voters may disagree on.

    Notes
    -----
    By Lemma A.6 all orders are then one order, some of them with one and the same pair of neighbours swapped. So draw
    an arrow from x to y when some voter ranks x strictly above y: there is such an order if at most ``degree`` pairs
    have arrows both ways and, with such a pair merged into one, the arrows run in no circle.
    O(models^2 x voters).
    """
    arrows = _arrows(profile)
    both = [(a, b) for a, b in arrows.edges if a < b and arrows.has_edge(b, a)]
    if len(both) > degree:
        return StrictCircles(circles=tuple(_circle(profile, [a, b]) for a, b in both[: degree + 1]))
    merged = {b: a for a, b in both}
    contracted: nx.DiGraph[int] = nx.DiGraph()
    contracted.add_nodes_from(merged.get(model, model) for model in range(len(profile.models)))
    contracted.add_edges_from(
        (merged.get(a, a), merged.get(b, b)) for a, b in arrows.edges if merged.get(a, a) != merged.get(b, b)
    )
    if not nx.is_directed_acyclic_graph(contracted):
        return StrictCircles(circles=(_circle(profile, _unmerged(contracted, arrows, merged)),))
    order = [model for one in nx.topological_sort(contracted) for model in (one, *(b for a, b in both if a == one))]
    ranks = np.empty_like(profile.ranks)
    ranks[:, order] = np.arange(1, len(order) + 1)
    for a, b in both:
        swapped = profile.ranks[:, a] > profile.ranks[:, b]
        ranks[swapped, a], ranks[swapped, b] = ranks[swapped, b].copy(), ranks[swapped, a].copy()
    return ranks


def _arrows(profile: Profile) -> nx.DiGraph[int]:
    ranks = profile.ranks
    arrows: nx.DiGraph[int] = nx.DiGraph()
    arrows.add_nodes_from(range(ranks.shape[1]))
    for model in range(ranks.shape[1]):
        below = np.flatnonzero((ranks[:, model, None] < ranks).any(axis=0))
        arrows.add_edges_from((model, int(other)) for other in below)
    return arrows


def _unmerged(contracted: nx.DiGraph[int], arrows: nx.DiGraph[int], merged: dict[int, int]) -> list[int]:
    """Return a circle of models, each passed once, for one among merged models."""
    circle = [a for a, _ in nx.find_cycle(contracted)]
    apart = {a: [a, *(b for b, into in merged.items() if into == a)] for a in circle}
    models: list[int] = []
    for step, one in enumerate(circle):
        before = apart[circle[step - 1]]
        after = apart[circle[(step + 1) % len(circle)]]
        enters = [model for model in apart[one] if any(arrows.has_edge(other, model) for other in before)]
        leaves = [model for model in apart[one] if any(arrows.has_edge(model, other) for other in after)]
        through = next((model for model in enters if model in leaves), None)
        # The two of a merged pair are ranked in both ways, so one can be reached from the other.
        models += [enters[0], leaves[0]] if through is None else [through]
    return models


def _circle(profile: Profile, models: list[int]) -> tuple[Step, ...]:
    steps = []
    for place, a in enumerate(models):
        b = models[(place + 1) % len(models)]
        voter = int((profile.ranks[:, a] < profile.ranks[:, b]).argmax())
        steps.append((profile.voters[voter], profile.models[a], profile.models[b]))
    return tuple(steps)
