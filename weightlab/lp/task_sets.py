"""The fewest tasks that a model needs to win, and every set of so few."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Any

import pandas as pd

from weightlab._exact import fraction
from weightlab._record import SignMatrix, Travels
from weightlab._result import Proof, Result, ensure
from weightlab._typing import Number
from weightlab._validate import truth
from weightlab.data.convert import SignsLike, as_signs
from weightlab.lp.certificate import check_form, check_signs_are_of
from weightlab.lp.prospect import space_for
from weightlab.lp.reach import prospect_in_reach, refuse_ties
from weightlab.lp.smallest_sets import SmallestSets, smallest_sets
from weightlab.lp.space import WeightSpace
from weightlab.lp.wording import given

__all__ = ["TaskSets", "fewest_task_sets"]


@dataclass(frozen=True, kw_only=True, eq=False)
class TaskSets(Result, kind="task_sets"):
    """Every smallest set of tasks on which some weights make a model win, with the proof that there is no other.

    Attributes
    ----------
    model : str
        Who is to win.
    found : SmallestSets
        The sets with their weights, and the barriers that all other sets of that size and below fail.
    rivals : tuple of str
        Rows of the signs.
    signs : ndarray of int8, rivals x tasks
        G_m.
    space : WeightSpace
        The weights that were allowed.
    """

    model: str
    found: Annotated[SmallestSets, Travels(SmallestSets.to_dict, _sets_from_json, ("space",))]
    rivals: tuple[str, ...]
    signs: SignMatrix
    space: WeightSpace

    @property
    def proof(self) -> Proof:
        """``exact``, unless that there is no other set, or no smaller one, rests on a solver's bound."""
        return self.found.proof

    @property
    def size(self) -> int:
        """The number of tasks in each set."""
        return len(self.found.sets[0])

    @property
    def sets(self) -> tuple[tuple[str, ...], ...]:
        """The sets, tasks in the order of the table."""
        return self.found.sets

    @property
    def margin(self) -> Fraction:
        """Least lead that was asked for."""
        return self.found.least

    def __str__(self) -> str:
        """Say how few tasks suffice, and how many sets there are."""
        wins = "win every duel" if self.found.strict else "lose to nobody"
        if self.margin:
            wins = f"lead everybody by at least {self.margin}"
        tasks = "1 task" if self.size == 1 else f"{self.size} tasks"
        count = len(self.sets)
        first = " + ".join(self.sets[0])
        sets = f"only on {first}" if count == 1 else f"on {count} sets, {first} among them"
        return f"{self.model} needs {tasks} to {wins}, and can do so {sets}.{given(self.space)}"

    def summary(self) -> pd.DataFrame:
        """Return one row a set: weights (float) that win on its tasks alone."""
        table = {number: weights.astype(float) for number, weights in enumerate(self.found.weights, start=1)}
        return pd.DataFrame(table).T.rename_axis(index="set")

    def verify(self, source: SignsLike | None = None) -> bool:
        """Re-check the weights of each set, the barriers, and that no other set passes them, without a solver.

        Parameters
        ----------
        source : Leaderboard, Profile or Signs, optional
            The table; its signs must be those that the result carries.

        Raises
        ------
        ProofError
            Naming the first inequality that fails.
        """
        check_form(self.model, self.rivals, self.space.tasks, self.signs, self.space)
        if source is not None:
            check_signs_are_of(source, self.model, self.rivals, self.space.tasks, self.signs)
        ensure(self.found.size is not None, "there is no set of tasks")
        ensure(self.found.is_complete is True, "the sets are not all that there are")
        ensure(self.found.least >= 0, f"a margin of {self.found.least} is no win")
        self.found.check(self.signs, self.rivals, self.space)
        return True


def fewest_task_sets(
    board: SignsLike,
    model: str,
    *,
    strict: bool = False,
    space: WeightSpace | None = None,
    margin: Number = 0,
    time_limit: float | None = None,
) -> TaskSets:
    """Find every smallest set of tasks such that a model wins under weights on these tasks alone.

    Parameters
    ----------
    board : Leaderboard, Profile or Signs
        The table. Missing scores count as ties.
    model : str
        Who is to win.
    strict : bool
        Whether it must win every duel; otherwise it may tie. A strict win can take more tasks.
    space : WeightSpace, optional
        Allowed weights.
    margin : number
        Least lead over every rival, as a share of total weight; not negative.
    time_limit : float, optional
        Seconds for each program, and for the search.

    Returns
    -------
    TaskSets

    Raises
    ------
    ImpossibleError
        If no weights of the space do it; its ``proof`` is the Prospect that shows it.
    InputError
        If the margin is negative, or ``strict`` is no truth value.
    UnknownNameError, EmptySpaceError
        As for `prospect`.
    TimeLimitError, UnprovedError
        ``known["size"]`` is the least size that was not ruled out.

    Notes
    -----
    NP-hard: a smallest set that meets every barrier, barriers generated as sets fail. `scenario` with
    ``fewest_tasks()`` finds one such set, which is faster where there are many.

    Examples
    --------
    >>> import weightlab as wl
    >>> scores = {"x": {"a": 2, "b": 1, "c": 2}, "y": {"a": 1, "b": 1, "c": 0}, "z": {"a": 3, "b": 4, "c": 1}}
    >>> board = wl.Leaderboard(scores)
    >>> print(wl.lp.fewest_task_sets(board, "a"))
    a needs 1 task to lose to nobody, and can do so on 2 sets, x among them.
    >>> wl.lp.fewest_task_sets(board, "a", strict=True).sets
    (('x', 'y'), ('x', 'z'))
    """
    signs = as_signs(board)
    allowed = space_for(signs, space)
    strictly = truth(strict, "strict")
    least = fraction(margin)
    widest = prospect_in_reach(signs, model, allowed, least, time_limit=time_limit)
    if strictly:
        refuse_ties(widest)
    matrix, rivals = widest.signs, widest.rivals
    found = smallest_sets(matrix, rivals, allowed, least=least, strict=strictly, every=True, time_limit=time_limit)
    result = TaskSets(model=model, found=found, rivals=rivals, signs=matrix, space=allowed)
    result.verify()
    return result


def _sets_from_json(document: Any, _: str, space: WeightSpace) -> SmallestSets:
    return SmallestSets.from_dict(document, space)
