"""From one kind of data to another, and what is lost on the way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

from weightlab._text import listed
from weightlab.data import Instances, Leaderboard, Margins, Profile, Suite, TieBreak
from weightlab.data.convert import as_leaderboard
from weightlab.data.frame.named_tables import Table
from weightlab.exceptions import InputError

Data: TypeAlias = Leaderboard | Suite | Instances | Profile | Margins
"""Whatever a file holds."""


class Kind(StrEnum):
    """What a file holds."""

    LEADERBOARD = "leaderboard"
    SUITE = "suite"
    INSTANCES = "instances"
    PROFILE = "profile"
    MARGINS = "margins"

    @property
    def words(self) -> str:
        """The kind as a sentence says it."""
        return {"profile": "orders", "margins": "margins", "instances": "scores on instances"}.get(self, f"a {self}")


def kind_of(data: Data) -> Kind:
    """Return the kind of the data."""
    return Kind(type(data).__name__.casefold())


@dataclass(kw_only=True)
class Conversion:
    """How data become another kind, with a note of what each step loses.

    Attributes
    ----------
    dataset : str or None
        Of a suite, the only one that counts; of a table that becomes a suite, the name it has there.
    break_ties : {"alphabetical", "reverse", None}
        For orders.
    lost : list of str
        A sentence for each thing that the result does not hold.
    """

    dataset: str | None = None
    break_ties: TieBreak = None
    lost: list[str] = field(default_factory=list)

    def to(self, kind: Kind, data: Data) -> Data:
        """Return the data as another kind.

        Raises
        ------
        InputError
            If they cannot become that.
        """
        if kind is Kind.SUITE:
            return self._suite(data)
        if kind is Kind.LEADERBOARD:
            return self._leaderboard(data)
        if kind is Kind.PROFILE:
            return self._profile(data)
        if kind is Kind.MARGINS:
            return self._margins(data)
        if isinstance(data, Instances):
            return data
        raise InputError(f"{kind_of(data).words} cannot become scores on instances: no single ones are in the file")

    def _suite(self, data: Data) -> Suite:
        if isinstance(data, Suite):
            return self._only(data)
        board = self._leaderboard(data)
        self._leave_errors(board)
        if self.dataset is None:
            raise InputError("a suite holds tables by dataset: pass --dataset NAME to name this one")
        if board.groups:
            self.lost.append(f"Not kept: the groups {listed(board.groups)}.")
        table = Table(models=board.models, columns=board.tasks, cells=board.cells)
        return Suite(
            {self.dataset: table.exact_frame()},
            lower_is_better=board.lower_is_better,
            higher_is_better=set(board.tasks) - set(board.lower_is_better),  # doubts were noted for the board
            weights=board.weights,
            tolerance=board.tolerance,
            relative_tolerance=board.relative_tolerance,
        )

    def _leave_errors(self, board: Leaderboard) -> None:
        if board.error_cells is not None:
            self.lost.append("Not kept: standard errors.")

    def _leaderboard(self, data: Data) -> Leaderboard:
        if isinstance(data, Leaderboard):
            return data
        if isinstance(data, Suite):
            return data.to_leaderboard() if self.dataset is None else self._only(data).leaderboard(self.dataset)
        if isinstance(data, Instances):
            self.lost.append("Not kept: the scores on single instances; their means stand for them.")
            return data.means()
        if isinstance(data, Profile):
            self.lost.append("An order is a task that weighs its voters, and places (1 is best) stand for scores.")
            return as_leaderboard(data.break_ties(self.break_ties))
        raise InputError("margins cannot become scores or rankings: they hold no single tasks")

    def _only(self, suite: Suite) -> Suite:
        """Return the suite of the one dataset that counts, or the suite."""
        if self.dataset is None:
            return suite
        kept = suite.select(datasets=[self.dataset])
        others = [dataset for dataset in suite.datasets if dataset != self.dataset]
        if others:
            self.lost.append(f"Left out: the datasets {listed(others)}.")
        return kept

    def _profile(self, data: Data) -> Profile:
        if isinstance(data, Profile):
            return data.break_ties(self.break_ties)
        board = self._leaderboard(data)
        self.lost.append(f"Lost: scores (rankings kept), and {_names(board)}.")
        self._leave_errors(board)
        if board.missing_cells:
            self.lost.append("A model without a score on a task is not ranked there.")
        return board.rankings(break_ties=self.break_ties)

    def _margins(self, data: Data) -> Margins:
        if isinstance(data, Margins):
            return data
        if isinstance(data, Profile):
            self.lost.append("Lost: rankings (margins kept).")
            return data.break_ties(self.break_ties).margins()
        board = self._leaderboard(data)
        self.lost.append(f"Lost: scores (margins kept), and {_names(board)}.")
        self._leave_errors(board)
        return board.margins() if self.break_ties is None else board.rankings(self.break_ties).margins()


def _names(board: Leaderboard) -> str:
    groups: Sequence[str] = tuple(board.groups)
    return f"the names of tasks and the groups {listed(groups)}" if groups else "the names of tasks"
