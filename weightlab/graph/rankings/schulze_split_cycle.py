"""Rankings by strongest paths: Schulze and split cycle."""

from __future__ import annotations

import numpy as np

from weightlab._exact import AnyArray
from weightlab.data.convert import Unlisted
from weightlab.graph.majority_graph import MajorityLike, margins_of
from weightlab.graph.paths import lasting_links
from weightlab.graph.rankings import ranking


class SchulzeRanking(ranking.MajorityRanking, kind="schulze"):
    """Schulze's ranking: x defeats y if its strongest path to y is stronger than y's to x.

    Attributes
    ----------
    defeats : DataFrame of bool, models x models
        Transitive, not always a weak order: ``order`` is None where two models that do not defeat one another
        are not defeated by the same models.
    strength : {"margins", "winning_votes"}
        How strong a majority counts.
    margins : Margins
        The margins that the claim is about.
    """

    def _check(self, links: AnyArray) -> None:
        # Checked by another algorithm than the one that found them: a search from each model instead of Floyd and
        # Warshall's recursion.
        strengths = ranking.path_strengths_by_search(links)
        self._ensure_defeats(np.asarray(strengths > strengths.T, dtype=np.bool_))


class SplitCycleRanking(ranking.MajorityRanking, kind="split_cycle"):
    """Split cycle: x defeats y if it beats y by more than every majority path from y back to x is worth.

    Attributes
    ----------
    defeats : DataFrame of bool, models x models
        Without cycles, not always transitive: ``order`` is mostly None; ``levels`` always exist.
    strength : {"margins", "winning_votes"}
        How strong a majority counts.
    margins : Margins
        The margins that the claim is about.
    """

    def _check(self, links: AnyArray) -> None:
        strengths = ranking.path_strengths_by_search(links)
        self._ensure_defeats(np.asarray((links > 0) & (links > strengths.T), dtype=np.bool_))


def schulze(
    source: MajorityLike, *, strength: ranking.Strength = "margins", unlisted: Unlisted | None = None
) -> SchulzeRanking:
    """Return Schulze's ranking by strongest paths (beatpath).

    Parameters
    ----------
    source : Leaderboard, Profile or Margins
        Tasks or voters count with their weights.
    strength : {"margins", "winning_votes"}
        How strong a majority counts. The two agree where no task has a tie or a missing score.
    unlisted : {"last", "unknown"}, optional
        What models are that a voter leaves out, as in `margins_of`.

    Returns
    -------
    SchulzeRanking
        ``.winners`` (whose path to every rival is at least as strong as the one back), ``.order`` (the weak order,
        if any), ``.defeats``, ``.path(x, y)``, ``.verify()``.

    Notes
    -----
    O(models^3) in whole-row operations. A path runs over duels that are won, and is as strong as the weakest; a tied
    duel is no link. With winning votes the weight against plays no part, not even among equal weights.

    References
    ----------
    M. Schulze, "A new monotonic, clone-independent, reversal symmetric, and Condorcet-consistent single-winner
    election method", Social Choice and Welfare 36 (2011).

    Examples
    --------
    >>> import weightlab as wl
    >>> profile = wl.Profile.from_orders(map(list, ["abc", "bca", "cab"]), weights=[4, 3, 2])
    >>> schulze(profile).order
    (('a',), ('b',), ('c',))
    >>> print(schulze(profile))
    Schulze: a wins: no model defeats it.
    """
    margins = margins_of(source, unlisted)
    strengths = ranking.path_strengths(ranking.majorities(margins, strength))
    return SchulzeRanking(
        defeats=ranking.relation_frame(strengths > strengths.T, margins.models), strength=strength, margins=margins
    )


def split_cycle(
    source: MajorityLike, *, strength: ranking.Strength = "margins", unlisted: Unlisted | None = None
) -> SplitCycleRanking:
    """Return the defeats that survive when every majority cycle is split at its weakest duels.

    Parameters
    ----------
    source : Leaderboard, Profile or Margins
        Tasks or voters count with their weights.
    strength : {"margins", "winning_votes"}
        How strong a majority counts.
    unlisted : {"last", "unknown"}, optional
        What models are that a voter leaves out, as in `margins_of`.

    Returns
    -------
    SplitCycleRanking
        ``.winners`` (undefeated), ``.defeats``, ``.levels``, ``.order`` (rarely there), ``.verify()``.

    Notes
    -----
    O(models^2 log(models)) in whole-array operations, by strong components of the majorities as strong: no cycle is
    enumerated. A duel that is among the weakest of some majority cycle through it is no defeat, also where several are
    equally weak.

    References
    ----------
    W. H. Holliday and E. Pacuit, "Split Cycle: a new Condorcet-consistent voting method independent of clones and
    immune to spoilers", Public Choice 197 (2023).

    Examples
    --------
    >>> import weightlab as wl
    >>> profile = wl.Profile.from_orders(map(list, ["abc", "bca", "cab"]), weights=[4, 3, 2])
    >>> split_cycle(profile).winners
    ('a',)
    """
    margins = margins_of(source, unlisted)
    # Instead of listing cycles: a win is among the weakest of some majority cycle exactly if some path back is at least
    # as strong as it is.
    defeats = lasting_links(ranking.majorities(margins, strength))
    return SplitCycleRanking(
        defeats=ranking.relation_frame(defeats, margins.models), strength=strength, margins=margins
    )
