"""What the majorities of a table say, at a glance: winners, sets, cycles."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

import pandas as pd

from weightlab import graph
from weightlab._result import Result, ensure
from weightlab._text import first_few
from weightlab.data import Margins, as_table
from weightlab.rules.inputs import Data, Source
from weightlab.rules.ranking import ensure_same_source

SETS = {
    "weak_condorcet_winners": graph.weak_condorcet_winners,
    "smith": graph.smith_set,
    "schwartz": graph.schwartz_set,
    "uncovered": graph.uncovered_set,
}
"""Sets of winners that are worked out again when the overview is verified."""


class MajorityOverview(Result, kind="majority_overview"):
    """Winners, sets of winners and cycles of the majorities.

    Attributes
    ----------
    condorcet_winner, condorcet_loser : str or None
        The model that wins, or loses, every head-to-head.
    sets : dict from str to tuple of str
        ``weak_condorcet_winners`` (undefeated), ``smith``, ``schwartz``, ``uncovered`` (Gillies), and
        ``essential``: the models with a chance in a maximal lottery (the bipartisan set where no head-to-head ties).
    triple : tuple of str or None
        Models x, y, z such that x beats y and y beats z but x does not beat z; None where the majorities are
        transitive.
    three_cycles : int
        How many sets of three models beat one another in a cycle.
    cycle : StrongestCycle or None
        The strongest majority cycle; None if there is no cycle.
    lottery : MaximalLottery
        What the essential set is read from.
    source : Leaderboard, Profile or Margins
        Whose duels these are.
    """

    condorcet_winner: str | None
    condorcet_loser: str | None
    sets: Mapping[str, tuple[str, ...]]
    triple: tuple[str, ...] | None
    three_cycles: int
    cycle: graph.StrongestCycle | None
    lottery: graph.MaximalLottery
    source: Data

    @cached_property
    def margins(self) -> Margins:
        """The duels."""
        return graph.margins_of(self.source)

    def __str__(self) -> str:
        """Return the sentence that names the winner, or says that no model wins."""
        rivals = len(self.margins.models) - 1
        if self.condorcet_winner is not None:
            them = "its only rival" if rivals == 1 else f"all {rivals} rivals"
            return f"{self.condorcet_winner} beats {them}: it is the Condorcet winner."
        smith = self.sets["smith"]
        if len(smith) == len(self.margins.models):
            return (
                f"No model beats all its rivals, and the Smith set is all {len(smith)} models: no part beats the rest."
            )
        return f"No model beats all its rivals. Smith set (each beats every model outside): {first_few(smith)}."

    def to_frame(self) -> pd.DataFrame:
        """Return which model is in which set, models x sets."""
        models = list(self.margins.models)
        return pd.DataFrame({name: [m in members for m in models] for name, members in self.sets.items()}, index=models)

    def verify(self, source: Source | None = None) -> bool:
        """Work everything out again; the cycle and the lottery, whose checks need no solver, are re-checked.

        Raises
        ------
        ProofError
            Naming the first thing that does not hold.
        """
        ensure_same_source(self.source, source)
        self.margins.check()
        ensure(self.condorcet_winner == graph.condorcet_winner(self.margins), "the Condorcet winner is another")
        ensure(self.condorcet_loser == graph.condorcet_loser(self.margins), "the Condorcet loser is another")
        ensure(set(self.sets) == {*SETS, "essential"}, "the sets are not the requested ones")
        for name, question in SETS.items():
            ensure(self.sets[name] == question(self.margins), f"the set {name!r} is another")
        self.lottery.verify(self.margins)
        ensure(self.lottery.duels == "signs", "the lottery is of another game")
        ensure(self.sets["essential"] == self.lottery.support, "the essential set is not the support of the lottery")
        ensure(self.triple == graph.intransitive_triple(self.margins), "the intransitive triple is another")
        ensure(self.three_cycles == graph.count_three_cycles(self.margins), "the number of cycles of three is another")
        if self.cycle is None:
            ensure(graph.strongest_cycle(self.margins) is None, "there is a cycle")
        else:
            self.cycle.verify(self.margins)
        return True


def majority_overview(source: Source) -> MajorityOverview:
    """Return a summary of the majorities of a table.

    Parameters
    ----------
    source : Leaderboard, Profile or Margins
        Tasks or voters count with their weights; a missing score counts as a tie.

    Returns
    -------
    MajorityOverview
        ``.condorcet_winner`` ``.condorcet_loser`` ``.sets`` ``.triple`` ``.three_cycles`` ``.cycle`` ``.verify()``.

    Notes
    -----
    O(models^3) in fast arithmetic and one linear program over the Smith set.

    Examples
    --------
    >>> import weightlab as wl
    >>> profile = wl.Profile.from_orders([["a", "b", "c"], ["b", "c", "a"], ["c", "a", "b"]])
    >>> overview = majority_overview(profile)
    >>> overview.condorcet_winner is None, overview.sets["smith"], overview.three_cycles
    (True, ('a', 'b', 'c'), 1)
    """
    table: Data = as_table(source)
    margins = graph.margins_of(table)
    lottery = graph.maximal_lottery(margins, duels="signs")
    sets = {name: question(margins) for name, question in SETS.items()}
    return MajorityOverview(
        condorcet_winner=graph.condorcet_winner(margins),
        condorcet_loser=graph.condorcet_loser(margins),
        sets={**sets, "essential": lottery.support},
        triple=graph.intransitive_triple(margins),
        three_cycles=graph.count_three_cycles(margins),
        cycle=graph.strongest_cycle(margins),
        lottery=lottery,
        source=table,
    )
