"""How well rules tell models apart: how many share a place, and how large the largest tie is."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from math import comb
from typing import Any, ClassVar

import pandas as pd

from weightlab._result import Result, ensure
from weightlab._text import counted
from weightlab.data import Leaderboard, LeaderboardLike, Order
from weightlab.exceptions import InputError, UnknownNameError
from weightlab.studies.question import Answer, Answers, OfRules, RulesLike, ask

MOST_DECIMALS = 400
"""No table prints more, and every score that can be read has fewer."""
COUNTS = ("places", "below_a_tie", "tied", "largest_tie", "first_place", "tied_pairs")


class DiscriminativePower(OfRules, Result, kind="discriminative_power"):
    """How many models each rule leaves tied.

    Attributes
    ----------
    answers : Answers
        The rankings by rule, with the board.
    decimals : dict from str to int
        Rules whose scores are rounded before equal ones tie, and to how many decimals.
    """

    derived: ClassVar[tuple[str, ...]] = ("counts",)

    decimals: Mapping[str, int]
    answers: Answers

    def __post_init__(self) -> None:
        """Raise InputError for a number of decimals that no table prints."""
        for places in self.decimals.values():
            _whole(places)

    def order(self, rule: str) -> Order:
        """Return a rule's weak order, with the ties that rounding makes."""
        answer = self.answers[rule]
        return answer.places if rule not in self.decimals else _rounded(answer, self.decimals[rule], rule)

    def table(self) -> pd.DataFrame:
        """Return one row per rule: who ties whom.

        ``places`` counts the different places (or scores); ``below_a_tie`` the models less the places, which is the
        "number of tied alternatives" of Vote'n'Rank, table 2; ``tied`` the models that share their place with another;
        ``largest_tie`` the most models on one place (1 where none tie); ``first_place`` those on the first;
        ``tied_pairs`` the tied pairs, and ``decided`` the share of pairs that are not (exact).
        """
        return pd.DataFrame([_counts(self.order(name)) for name in self.rules], index=list(self.rules))

    def __str__(self) -> str:
        """Say which rule leaves most models tied, and how many leave none."""
        tied = self.table()["tied"]
        strict = int((tied == 0).sum())
        rules = f"{strict} of {counted(len(tied), 'rule')}"
        models = counted(len(self.answers.board.models), "model")
        if strict == len(tied):
            return f"{rules} put no two of {models} level."
        most = str(tied.idxmax())
        return f"{rules} put no two of {models} level; {most} leaves {tied.max()} of them sharing a place with another."

    def to_frame(self) -> pd.DataFrame:
        """Return the table."""
        return self.table()

    def verify(self, source: Leaderboard | None = None) -> bool:
        """Re-check every ranking; given the board, also that each was read from it.

        The counts are taken from the rankings whenever they are read: there is nothing else to check.

        Raises
        ------
        ProofError
            Naming the first thing that does not hold.
        """
        self.answers.verify(source)
        ensure(set(self.decimals) <= set(self.answers), "a rule is rounded that has no ranking")
        return True

    @property
    def counts(self) -> dict[str, dict[str, int]]:
        """What ``table`` shows, rule by rule."""
        table = self.table()[list(COUNTS)]
        return {str(name): {one: int(row[one]) for one in COUNTS} for name, row in table.iterrows()}


def discriminative_power(
    board: LeaderboardLike,
    rules: RulesLike = None,
    *,
    options: Mapping[str, Any] | None = None,
    decimals: int | Mapping[str, int] | None = None,
) -> DiscriminativePower:
    """Count how many models each rule leaves tied.

    Parameters
    ----------
    board : Leaderboard
        What is ranked.
    rules : rule, function, iterable or mapping of these, optional
        See `Question`. By default those of Vote'n'Rank, as far as they apply: the optimality gap needs
        ``options={"gamma": ...}``.
    options : mapping, optional
        Options for all rules that have them, such as ``{"ties": "max"}``.
    decimals : int or mapping from rule to int, optional
        Round the scores of all rules, or of some, and let equal ones tie: what a reader of a table with that many
        decimals cannot tell apart. Half goes to even. By default exact scores are compared.

    Returns
    -------
    DiscriminativePower
        ``.summary()`` ``.table()`` ``.order(rule)`` ``.left_out`` ``.verify()``.

    Raises
    ------
    InputError
        If an option is wrong, or a rule is to be rounded that gives no scores.

    References
    ----------
    Vote'n'Rank, section 3.1 and table 2; F. Brandt and H. G. Seedig, "On the discriminative power of tournament
    solutions", Operations Research Proceedings (2014), for the first place alone.

    Examples
    --------
    >>> import weightlab as wl
    >>> board = wl.Leaderboard({"x": {"a": 9, "b": 8, "c": 1}, "y": {"a": 1, "b": 5, "c": 2}})
    >>> discriminative_power(board, ["mean", "plurality"]).summary()[["places", "below_a_tie", "tied", "largest_tie"]]
               places  below_a_tie  tied  largest_tie
    mean            3            0     0            1
    plurality       2            1     2            2
    """
    answers = ask(board, rules, options=options)
    made = DiscriminativePower(answers=answers, decimals=_decimals(decimals, answers))
    for name in made.decimals:
        made.order(name)
    return made


def _decimals(given: Any, answers: Answers) -> dict[str, int]:
    """Return to how many decimals each rule is rounded; a bare name stands for the rule with any options."""
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        return dict.fromkeys(answers, _whole(given))
    found: dict[str, int] = {}
    for name, places in given.items():
        meant = [one for one, question in answers.questions.items() if question.rule and question.rule.name == name]
        if name in answers:
            meant = [str(name)]
        if not meant:
            raise UnknownNameError("rule", name, tuple(answers), holder="study")
        found |= dict.fromkeys(meant, _whole(places))
    return found


def _whole(given: Any) -> int:
    if isinstance(given, bool) or not isinstance(given, int) or abs(given) > MOST_DECIMALS:
        raise InputError(f"decimals are a whole number of at most {MOST_DECIMALS}; got {given!r}")
    return given


def _rounded(answer: Answer, decimals: int, name: str) -> Order:
    """Return the order in which equal rounded scores tie; rounding never swaps two models."""
    if answer.scores is None:
        raise InputError(f"{name!r} gives no scores that could be rounded")
    groups: list[list[str]] = []
    last: Any = None
    for model, score in answer.scores.items():
        rounded = _to_decimals(score, decimals)
        if groups and rounded == last:
            groups[-1].append(str(model))
        else:
            groups.append([str(model)])
        last = rounded
    position = {model: place for place, group in enumerate(answer.places) for model in group}
    return tuple(tuple(sorted(group, key=position.__getitem__)) for group in groups)


def _to_decimals(score: Any, decimals: int) -> Any:
    if not isinstance(score, Fraction):
        score = float(score)
        if math.isinf(score):
            return score
    return round(Fraction(score), decimals)


def _counts(order: Order) -> dict[str, Any]:
    sizes = [len(group) for group in order]
    models = sum(sizes)
    level = sum(comb(size, 2) for size in sizes)
    return {
        "places": len(sizes),
        "below_a_tie": models - len(sizes),
        "tied": sum(size for size in sizes if size > 1),
        "largest_tie": max(sizes),
        "first_place": sizes[0],
        "tied_pairs": level,
        "decided": 1 - Fraction(level, comb(models, 2)),
    }
