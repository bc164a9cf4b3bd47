"""How far rules agree on a board: the first and the last few, rank correlations, rank-biased overlap."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any, ClassVar, Literal, TypeAlias, get_args

import numpy as np
import pandas as pd

from weightlab._result import Result, ensure
from weightlab._text import counted
from weightlab._validate import one_of
from weightlab.data import Leaderboard, LeaderboardLike
from weightlab.exceptions import InputError
from weightlab.rules import rank_biased_overlap, reversed_pairs, rho_matrix, tau_matrix, top_agreement
from weightlab.rules.similarity.rank_biased_overlap import OverlapTies
from weightlab.studies.parallel import checked_count, checked_share, each_checked
from weightlab.studies.question import Answers, OfRules, RulesLike, ask

Statistic: TypeAlias = Literal["tau_b", "rho", "overlap"]
"""Kendall's tau-b, Spearman's rho, rank-biased overlap."""
TOP, LAST = (1, 3, 5, 7), (3, 5, 7)
"""Vote'n'Rank, table 1, whose rows "least-5" use the last three: the last five are added."""


class Agreement(OfRules, Result, kind="agreement"):
    """How far the rankings of one board by several rules agree.

    Attributes
    ----------
    answers : Answers
        The rankings by rule, with the board.
    reference : str or None
        The rule that all others are compared with; None compares all pairs.
    top, last : tuple of int
        How many of the first and of the last models are compared.
    persistence : float
        Of the rank-biased overlap.
    overlap_ties : {"w", "a", "b"}
        How the rank-biased overlap takes ties.
    """

    derived: ClassVar[tuple[str, ...]] = ("statistics",)

    reference: str | None
    top: tuple[int, ...]
    last: tuple[int, ...]
    persistence: float
    overlap_ties: OverlapTies
    answers: Answers

    def __post_init__(self) -> None:
        """Raise InputError for an invalid number of models or persistence."""
        for name, listed in (("top", self.top), ("last", self.last)):
            if _counts(name, listed, (), self.answers.board) != tuple(listed):
                raise InputError(f"{name} names a number of models twice")
        checked_share("persistence", self.persistence)

    def pairs(self) -> pd.DataFrame:
        """Return one row per pair of rules, with every statistic.

        The columns are ``first`` and ``second``, the exact shares of the first and last k models in common (such as
        ``top-3`` and ``last-5``), ``tau_b``, ``rho``, ``overlap``, and ``reversed``: how many pairs of models the two
        rules order in opposite ways.

        A tie that reaches beyond place k counts with the share of it that is within; tau-b leaves pairs out that a
        ranking ties; rho gives tied models the mean of their ranks. Where a rule ties all models, tau-b and rho are
        NaN.
        """
        orders = self.answers.orders
        place = {name: row for row, name in enumerate(orders)}
        matrices = {name: self.matrix(name).to_numpy() for name in get_args(Statistic)}
        rows = []
        for first, second in self._compared():
            one, other = orders[first], orders[second]
            row: dict[str, Any] = {"first": first, "second": second}
            row |= {f"top-{k}": top_agreement(one, other, k) for k in self.top}
            row |= {f"last-{k}": top_agreement(one, other, k, last=True) for k in self.last}
            row |= {name: float(matrix[place[first], place[second]]) for name, matrix in matrices.items()}
            rows.append({**row, "reversed": len(reversed_pairs(one, other))})
        return pd.DataFrame(rows, columns=self._columns())

    def matrix(self, statistic: Statistic = "tau_b") -> pd.DataFrame:
        """Return one statistic between all pairs of rules, rules x rules.

        Parameters
        ----------
        statistic : {"tau_b", "rho", "overlap"}
            Which.

        Raises
        ------
        InputError
            If there is no such statistic.
        """
        one_of("statistic", statistic, get_args(Statistic))
        orders = list(self.answers.orders.values())
        if statistic == "overlap":
            measured = np.array([[self._overlap(one, other) for other in orders] for one in orders])
        else:
            measured = (tau_matrix if statistic == "tau_b" else rho_matrix)(orders)
        return pd.DataFrame(measured, index=list(self.rules), columns=list(self.rules))

    def __str__(self) -> str:
        """Say between which rules the rank correlation is least and greatest."""
        pairs = self.pairs().dropna(subset=["tau_b"]).sort_values("tau_b", kind="stable")
        models = counted(len(self.answers.board.models), "model")
        compared = counted(len(self._compared()), "pair")
        if pairs.empty:
            return f"{compared} of rules on {models}: none has a rank correlation."
        low, high = (f"{one.tau_b:.2f} ({one.first} and {one.second})" for one in (pairs.iloc[0], pairs.iloc[-1]))
        between = low if len(pairs) == 1 else f"from {low} to {high}"
        return f"{compared} of rules on {models}: Kendall's tau-b {between}."

    def to_frame(self) -> pd.DataFrame:
        """Return one row per pair of rules; against a reference the rows are the rules, as in the paper."""
        table = self.pairs()
        return table if self.reference is None else table.drop(columns="first").set_index("second").rename_axis(None)

    def verify(self, source: Leaderboard | None = None) -> bool:
        """Re-check every ranking; given the board, also that each was read from it.

        The statistics are computed from the rankings whenever they are read: there is nothing else to check.

        Raises
        ------
        ProofError
            Naming the first thing that does not hold.
        """
        self.answers.verify(source)
        ensure(self.reference is None or self.reference in self.answers, f"{self.reference!r} has no ranking")
        return True

    @property
    def statistics(self) -> list[dict[str, Any]]:
        """What ``pairs`` shows, row by row, as floats; None where it is NaN."""
        rows = []
        for row in self.pairs().to_dict(orient="records"):
            floats = {name: one if isinstance(one, str | int) else float(one) for name, one in row.items()}
            rows.append({str(name): None if one != one else one for name, one in floats.items()})  # noqa: PLR0124
        return rows

    def _compared(self) -> list[tuple[str, str]]:
        names = self.rules
        if self.reference is not None:
            return [(self.reference, name) for name in names if name != self.reference]
        return [(one, other) for place, one in enumerate(names) for other in names[place + 1 :]]

    def _columns(self) -> list[str]:
        shares = [f"top-{k}" for k in self.top] + [f"last-{k}" for k in self.last]
        return ["first", "second", *shares, *get_args(Statistic), "reversed"]

    def _overlap(self, one: Any, other: Any) -> float:
        return rank_biased_overlap(one, other, persistence=self.persistence, ties=self.overlap_ties)


def agreement(
    board: LeaderboardLike,
    rules: RulesLike = None,
    *,
    options: Mapping[str, Any] | None = None,
    reference: str | None = None,
    top: Iterable[int] | None = None,
    last: Iterable[int] | None = None,
    persistence: float = 0.9,
    overlap_ties: OverlapTies = "w",
) -> Agreement:
    """Measure how far the rankings of a board by several rules agree.

    Parameters
    ----------
    board : Leaderboard
        What is ranked.
    rules : rule, function, iterable or mapping of these, optional
        See `Question` for what a function may be. By default those of Vote'n'Rank, as far as they apply: the
        optimality gap needs ``options={"gamma": ...}``.
    options : mapping, optional
        Options for all rules that have them, such as ``{"ties": "max", "missing": "last"}``.
    reference : str, optional
        The rule that all others are compared with, such as ``"mean"``; all pairs by default.
    top, last : iterable of int, optional
        How many of the first and last models to compare: by default 1, 3, 5, 7 and 3, 5, 7, as far as there are that
        many models.
    persistence : float
        Of the rank-biased overlap: how probably a reader goes on to the next place.
    overlap_ties : {"w", "a", "b"}
        What a tie is to the rank-biased overlap, see `rank_biased_overlap`.

    Returns
    -------
    Agreement
        ``.summary()`` ``.pairs()`` ``.matrix(statistic)`` ``.left_out`` ``.verify()``.

    Raises
    ------
    UnknownNameError
        If there is no such rule, or the reference is none of them.
    InputError
        If an option is wrong, there are fewer than two rules, or a number of models is invalid.

    Notes
    -----
    O(rules^2 x models^2), plus the rankings. Rankings are weak orders and stay so: no statistic depends on the
    order of the file. (Table 1 of Vote'n'Rank breaks ties as its sort happens to leave them, and its column of
    Kendall's tau compares lists of names by alphabet.)

    References
    ----------
    Vote'n'Rank, section 3.1 and table 1.

    Examples
    --------
    >>> import weightlab as wl
    >>> board = wl.Leaderboard({"x": {"a": 9, "b": 8, "c": 1}, "y": {"a": 1, "b": 5, "c": 2}})
    >>> found = agreement(board, ["mean", "borda", "plurality"], reference="mean")
    >>> found.summary()[["top-1", "last-3", "tau_b", "reversed"]].round(2)
               top-1  last-3  tau_b  reversed
    borda        1.0     1.0   1.00         0
    plurality    0.5     1.0   0.82         0
    """
    answers = ask(board, rules, options=options)
    if len(answers) < 2:
        missing = "; ".join(f"{name}: {reason}" for name, reason in answers.left_out.items())
        raise InputError(f"two rules are needed to compare; got {counted(len(answers), 'rule')} {missing}".rstrip())
    return Agreement(
        answers=answers,
        reference=None if reference is None else _reference(reference, answers),
        top=_counts("top", top, TOP, answers.board),
        last=_counts("last", last, LAST, answers.board),
        persistence=checked_share("persistence", persistence),
        overlap_ties=one_of("overlap_ties", overlap_ties, get_args(OverlapTies)),
    )


def _reference(name: Any, answers: Answers) -> str:
    """Return the name of a rule that has an answer; the bare name of a rule with options is enough if it is unique."""
    if not isinstance(name, str):
        raise InputError(f"reference is the name of a rule; got {name!r}")
    own = [one for one, question in answers.questions.items() if question.rule and question.rule.name == name]
    if name not in answers and len(own) == 1:
        return own[0]
    answers[name]
    return name


def _counts(name: str, given: Iterable[int] | None, default: Sequence[int], board: Leaderboard) -> tuple[int, ...]:
    count = len(board.models)
    if given is None:
        return tuple(k for k in default if k <= count)
    listed = each_checked(name, given, partial(checked_count, name, least=1), such_as="[1, 3, 5]")
    if any(k > count for k in listed):
        raise InputError(f"{name} must be numbers of models, at most {count}; got {max(listed)}")
    return listed
