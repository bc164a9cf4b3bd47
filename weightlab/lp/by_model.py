"""What results are about: one model and the rows of its question by a linear rule, or all models by name."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import floor
from typing import Any, Generic, TypedDict, TypeVar, cast

from weightlab._exact import AnyArray
from weightlab._result import Frozen, Result, SignMatrix, ensure
from weightlab._text import percent
from weightlab.data.convert import as_table
from weightlab.data.linear_rule import MAJORITY, LeadsLike, LinearRule, RuleLike, Scale
from weightlab.data.points import Missing, Points, Ties
from weightlab.data.signs import Signs
from weightlab.exceptions import UnknownNameError
from weightlab.lp.certificate import check_form, check_table
from weightlab.lp.space.space import WeightSpace, space_for

One = TypeVar("One")


EXACT = 1000
"""Leads that are multiples of a thousandth are printed exactly, others with three digits."""


def in_points(number: Fraction) -> str:
    """Return a lead by a rule as words."""
    shown = f"{float(number):.10g}" if EXACT % number.denominator == 0 else f"about {float(number):.3g}"
    return f"{shown} {'point' if number == 1 else 'points'}"


class Options(TypedDict, total=False):
    """What most questions take besides the table and the rule, as `prospect` says."""

    ties: Ties | None
    missing: Missing | None
    scaled: Scale | None
    space: WeightSpace | None
    time_limit: float | None


class Asked(Frozen):
    """The rule of a question, the rows that it reads, and the weights that it allows.

    Attributes
    ----------
    rule : LinearRule
        The majority, or what a place or a score is worth.
    leads : Signs or Points
        Of all models on all tasks.
    space : WeightSpace
        The weights that are allowed, tasks in the order of the table.
    """

    rule: LinearRule
    leads: Signs | Points
    space: WeightSpace

    @classmethod
    def of(
        cls,
        board: LeadsLike,
        rule: RuleLike | None = MAJORITY,
        *,
        ties: Ties | None = None,
        missing: Missing | None = None,
        scaled: Scale | None = None,
        space: WeightSpace | None = None,
    ) -> Asked:
        """Return the question about a table; rule and space are a user's, and without a rule the table's own counts.

        Raises
        ------
        UnknownNameError, InputError, MissingScoresError
            If there is no such linear rule, it has no such option or the table does not hold what it reads; or the
            space is not valid, or covers different tasks.
        """
        table = as_table(board)
        linear = LinearRule.or_own(rule, table, ties=ties, missing=missing, scaled=scaled)
        leads = linear.leads(cast("LeadsLike", table))
        return cls(rule=linear, leads=leads, space=space_for(leads, space))

    def fields(self, model: str) -> dict[str, Any]:
        """Return the fields of an `OfModel` except the model itself and the space."""
        if isinstance(self.leads, Points):
            return self.of_table
        return self.of_table | {"signs": self.leads.matrix(model)}

    @property
    def of_table(self) -> dict[str, Any]:
        """The fields of an `OfTable` except the space."""
        is_points = isinstance(self.leads, Points)
        return {
            "rule": self.rule,
            "signs": None if is_points else self.leads,
            "points": self.leads if is_points else None,
        }


class ByRule(Result):
    """Base of results by a linear rule: they say which, and what of the table it reads."""

    rule: LinearRule = LinearRule(name=MAJORITY)
    points: Points | None = None
    space: WeightSpace

    @property
    def by_rule(self) -> str:
        """By which rule, as a sentence begins."""
        return self.rule.by[:1].upper() + self.rule.by[1:]

    def check_kind(self, signs: object) -> None:
        """Ensure that there are signs by majority, and points by any other rule."""
        ensure(self.rule.is_majority == (self.points is None), "majorities are read off signs, all else off points")
        ensure((signs is None) != (self.points is None), "there must be signs or points, and not both")


class OfTable(ByRule):
    """Base of results about all models of a table by a linear rule.

    Attributes
    ----------
    rule : LinearRule
        The majority, or what a place or a score is worth.
    signs : Signs or None
        The table's signs; None by other rules than the majority.
    points : Points or None
        The points of all models by another rule.
    space : WeightSpace
        The weights that were allowed.
    """

    signs: Signs | None

    @property
    def leads(self) -> Signs | Points:
        """What puts models ahead of one another: signs, or points."""
        return cast("Signs", self.signs) if self.points is None else self.points

    @property
    def models(self) -> tuple[str, ...]:
        """All models, in board order."""
        return self.leads.models

    def check_leads(self, source: Any) -> None:
        """Ensure that signs or points are by the rule, about the tasks of the space, and those of a source if given."""
        self.check_kind(self.signs)
        if self.points is None:
            check_table(cast("Signs", self.signs), self.space, source)
        else:
            self.rule.check(self.points, self.space.tasks, source)


class OfModel(ByRule):
    """Base of results about one model by a linear rule: they carry the rows G by which it leads its rivals.

    Attributes
    ----------
    model : str
        Whom the question is about.
    rule : LinearRule
        The majority, or what a place or a score is worth.
    signs : ndarray of int8, rivals x tasks, or None
        G_m of the majority; None by other rules.
    points : Points or None
        The points of all models on all tasks by another rule; None by the majority.
    space : WeightSpace
        The weights that were allowed.
    """

    model: str
    signs: SignMatrix | None

    @property
    def tasks(self) -> tuple[str, ...]:
        """Columns of the rows, in board order."""
        return self.space.tasks

    @property
    def rows(self) -> AnyArray:
        """G: by how much the model leads each rival on each task (rivals x tasks), times ``unit``."""
        if self.points is not None:
            return self.points.matrix(self.model)
        return cast("AnyArray", self.signs)

    @property
    def unit(self) -> int:
        """What the whole numbers of the rows are divided by."""
        return 1 if self.points is None else self.points.denominator

    def scaled(self, leads: Sequence[Fraction]) -> list[Fraction]:
        """Return leads by the whole numbers of the rows in units of the rule: shares of weight, or points."""
        return [lead / self.unit for lead in leads]

    def lead_words(self, lead: Fraction) -> str:
        """Return how large a lead is, rounded down."""
        return f"{percent(lead, floor)} of the weight" if self.points is None else in_points(lead)

    def check_rows(self, rivals: tuple[str, ...], source: Any) -> None:
        """Ensure that the rows are by the rule, fit rivals and tasks, and match a source if there is one."""
        self.check_kind(self.signs)
        if self.points is None:
            check_form(self.model, rivals, self.tasks, self.rows, self.space, source=source)
            return
        self.rule.check(self.points, self.space.tasks, source)
        ensure(self.model in self.points.models, f"{self.model!r} is not among the models")
        ensure(rivals == self.points.rivals(self.model), "the rivals are not those of the points, in order")


class ByModel(Generic[One]):
    """Base of results about all models: ``found["T5"]`` is one model's result."""

    @property
    @abstractmethod
    def models(self) -> tuple[str, ...]:
        """All models, in board order."""

    @abstractmethod
    def _one(self, position: int) -> One:
        """Return the result of the model at a position."""

    def __getitem__(self, model: str) -> One:
        """Return one model's result.

        Raises
        ------
        UnknownNameError
            If there is no such model.
        """
        if model not in self.models:
            raise UnknownNameError("model", model, self.models)
        return self._one(self.models.index(model))

    def __len__(self) -> int:
        """Return the number of models."""
        return len(self.models)

    def __iter__(self) -> Iterator[str]:
        """Go through the models' names, in board order."""
        return iter(self.models)
