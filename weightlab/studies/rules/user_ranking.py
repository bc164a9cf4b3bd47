"""A ranking for a user who says what each group of tasks matters: plain, weighted by group, in two steps."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import pandas as pd

from weightlab._exact import Number
from weightlab._result import Proof, Result, ensure
from weightlab._text import counted
from weightlab.data import Leaderboard, LeaderboardLike, Order
from weightlab.data.linear_rule import rule_words
from weightlab.rules import Ranking, RuleLike, TwoStepRanking, grouped, rank, two_step
from weightlab.rules.inputs import Preparation, checked_group_weights
from weightlab.rules.ranking import ensure_same_source
from weightlab.studies.question import checked_board


class UserRanking(Result, kind="user_ranking"):
    """One rule in three settings: all tasks alike, groups with weights, and a ranking of the groups' rankings.

    Attributes
    ----------
    board : Leaderboard
        What is ranked, with the groups.
    group_weights : dict from str to Fraction
        What each group matters.
    basic : Ranking
        Of the board as it is: a group with many tasks counts for more.
    weighted : Ranking
        Of the board whose tasks share the weight of their group.
    two_step : TwoStepRanking
        Of the groups' own rankings, which are its ``.steps``, with the weights of the groups.
    """

    group_weights: Mapping[str, Fraction]
    basic: Ranking
    weighted: Ranking
    two_step: TwoStepRanking
    board: Leaderboard

    @property
    def groups(self) -> Mapping[str, Ranking]:
        """The ranking of each group with a weight on its own."""
        return self.two_step.steps

    @property
    def orders(self) -> dict[str, Order]:
        """The weak orders, best first, by setting."""
        return {name: one.places for name, one in self._settings.items()}

    @property
    def winners(self) -> dict[str, tuple[str, ...]]:
        """Who wins, by setting."""
        return {name: one.winners for name, one in self._settings.items()}

    @property
    def proofs(self) -> Mapping[str, Proof]:
        """The rankings, and how much of each ``verify`` re-checks."""
        return {name: one.proof for name, one in self._settings.items()}

    @property
    def _settings(self) -> dict[str, Ranking | TwoStepRanking]:
        return {"basic": self.basic, "weighted": self.weighted, "two_step": self.two_step}

    def __str__(self) -> str:
        """Say who wins in each setting."""
        names = {"basic": "all tasks alike", "weighted": "weighted by group", "two_step": "in two steps"}
        listed = "; ".join(f"{names[name]}: {' and '.join(one)}" for name, one in self.winners.items())
        return (
            f"{rule_words(self.basic.rule, begins=True)}, over {counted(len(self.group_weights), 'group')}: {listed}."
        )

    def table(self) -> pd.DataFrame:
        """Return the exact scores, models x settings and groups, in the order of the two-step ranking."""
        columns, index = {**self._settings, **self.groups}, self.two_step.scores.index
        return pd.DataFrame({name: one.scores.reindex(index) for name, one in columns.items()})

    def to_frame(self) -> pd.DataFrame:
        """Return the ranks, models x settings and groups, in the order of the two-step ranking."""
        columns, index = {**self._settings, **self.groups}, self.two_step.scores.index
        return pd.DataFrame({name: one.ranks.reindex(index).astype("Int64") for name, one in columns.items()})

    def verify(self, source: Leaderboard | None = None) -> bool:
        """Re-check all rankings; given the board, also that they were read from it with these weights.

        Raises
        ------
        ProofError
            Naming the first thing that does not hold.
        """
        rules = {str(self.basic.rule), str(self.weighted.rule), str(self.two_step.final.rule)}
        rules |= {str(one.rule) for one in self.groups.values()}
        ensure(len(rules) == 1, f"the rankings are by several rules: {', '.join(sorted(rules))}")
        weighing = {name: weight for name, weight in self.group_weights.items() if weight}
        two = dict(zip(self.groups, self.two_step.weights, strict=True))
        ensure(two == weighing, "the weights of the second step are not those of the groups")
        prepared = Preparation(how="grouped", group_weights=self.group_weights)
        ensure(self.weighted.preparation == prepared, "the weights by group are not those of the groups")
        ensure(self.basic.preparation == Preparation.none(), "the basic ranking is not of the board as it is")
        ensure_same_source(self.board, source)
        for one in self._settings.values():
            one.verify(self.board)
        ensure(set(self.board.groups) == set(self.group_weights), "the groups are not those of the source")
        return True


def user_ranking(
    board: LeaderboardLike,
    rule: RuleLike = "borda",
    *,
    group_weights: Mapping[str, Number] | None = None,
    **options: Any,
) -> UserRanking:
    """Rank the models for a user who says what each group of tasks matters, in three settings.

    Parameters
    ----------
    board : Leaderboard
        With groups that do not overlap and hold every task that weighs, such as performance, efficiency and fairness.
    rule : str or Rule
        For all settings, and both steps of the last.
    group_weights : mapping from group to number, optional
        Exact as written; unlisted groups weigh 1.
    **options
        Options of the rule.

    Returns
    -------
    UserRanking
        ``.basic`` ``.weighted`` ``.two_step`` ``.groups`` ``.summary()`` (ranks) ``.table()`` (scores) ``.verify()``.

    Raises
    ------
    InputError
        If there are no groups, or a task that weighs is in none or in several.

    References
    ----------
    Vote'n'Rank, section 3.4 and table 5, with weights 0.4, 0.3 and 0.3; its weighted column has equal weights.

    Examples
    --------
    >>> import weightlab as wl
    >>> board = wl.Leaderboard(
    ...     {"x": {"a": 3, "b": 2}, "y": {"a": 2, "b": 1}, "z": {"a": 1, "b": 3}},
    ...     groups={"speed": ["x", "y"], "quality": ["z"]},
    ... )
    >>> print(user_ranking(board, group_weights={"quality": 2}))
    By Borda, over 2 groups: all tasks alike: a; weighted by group: b; in two steps: b.
    """
    board = checked_board(board)
    weights = checked_group_weights(board, group_weights)
    return UserRanking(
        board=board,
        group_weights=weights,
        basic=rank(board, rule, **options),
        weighted=grouped(board, rule, group_weights=weights, **options),
        two_step=two_step(board, rule, group_weights=weights, **options),
    )
