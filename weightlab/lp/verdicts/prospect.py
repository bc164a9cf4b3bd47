"""Prospects: whether some weights make a model the Condorcet winner (Vote'n'Rank, section 3.2), or a rule's winner.

`prospect` answers for Condorcet's rule here, and hands other rules to the program that answers for them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import floor
from typing import Any, Literal, TypeAlias, overload

import numpy as np
import pandas as pd

from weightlab._exact import BoolArray, Number, SignArray
from weightlab._result import ByName, Proof, Record, Result, Seen, SignMatrix, ensure, exact_series
from weightlab._solver import Rows, Solver, solver_name, within
from weightlab._solver.propose import smallest, smallest_program
from weightlab._text import percent
from weightlab.data.convert import SignsLike
from weightlab.data.linear_rule import POINT_RULES, LinearRule, RuleLike
from weightlab.data.points import Missing, Ties
from weightlab.data.signs import Signs
from weightlab.exceptions import ImpossibleError, InputError, UnknownNameError, UnprovedError
from weightlab.lp.certificate import check_bound, multipliers_of
from weightlab.lp.certificates import dual
from weightlab.lp.certificates.max_margin import MarginProof, Verdict, shares_frame, verdict_between, widest_margin
from weightlab.lp.space.space import Vectors, WeightSpace, signs_and_space
from weightlab.lp.verdicts.copeland_minimax import DUEL_RULES, MajorityProspect, prospect_by_duels
from weightlab.lp.verdicts.scoring_rule import RuleProspect, prospect_by_points

CONDORCET = "condorcet"
"""The rule whose winner beats every rival: the question of Vote'n'Rank."""
PointRuleName: TypeAlias = Literal["mean", "borda", "dowdall", "plurality", "veto"]
DuelRuleName: TypeAlias = Literal["copeland", "minimax"]


class Prospect(Result, kind="prospect"):
    """Whether a model can win head-to-head: weights that prove how well it does, blockers that prove it does no better.

    Attributes
    ----------
    model : str
        Whom the question is about.
    lower, upper : Fraction
        Bounds of the margin, the largest t with G_m w >= t for some weights w of the space; equal when it is exact.
    weights : Series of Fraction by task
        Weights under which the least lead is ``lower``.
    blockers : Series of Fraction by rival
        A mixture of rivals (shares that sum to 1) over which no weights lead by more than ``upper``.
    vectors : tuple of mappings from task to Fraction
        One a condition of the space, for that proof; ``multipliers`` says how much each counts.
    signs : ndarray of int8, rivals x tasks
        G_m.
    space : WeightSpace
        The weights that were allowed.
    fewest : FewestBlockers or None
        When asked for, and the model cannot win head-to-head strictly: as few rivals as can block it.
    """

    derived = ("verdict",)

    model: str
    lower: Fraction
    upper: Fraction
    weights: Seen[pd.Series] = ByName("space.tasks")
    blockers: Seen[pd.Series] = ByName()
    vectors: Vectors
    signs: SignMatrix
    space: WeightSpace
    fewest: FewestBlockers | None = None

    @property
    def proofs(self) -> Mapping[str, Proof]:
        """What is claimed, and how much of each claim ``verify`` re-checks."""
        fewest = {} if self.fewest is None else {"no fewer rivals block": self.fewest.proof}
        return {"verdict": Proof.EXACT} | fewest

    @property
    def verdict(self) -> Verdict:
        """``strict`` (can beat every rival head-to-head), ``weak`` (can tie at best) or ``never``.

        Raises
        ------
        UnprovedError
            If the bounds leave it open.
        """
        proved = verdict_between(self.lower, self.upper)
        if proved is None:
            raise UnprovedError(
                f"the margin of {self.model!r} lies between {self.lower} and {self.upper}: the verdict is open",
                known={"lower": self.lower, "upper": self.upper},
            )
        return proved

    @property
    def margin(self) -> Fraction:
        """The largest possible least lead, as a share of total weight.

        Raises
        ------
        UnprovedError
            If only bounds of it are known; ``prospects(..., exact=True)`` closes the gap.
        """
        if self.lower != self.upper:
            raise UnprovedError(
                f"only bounds of the margin of {self.model!r} are known: {self.lower} and {self.upper}",
                known={"lower": self.lower, "upper": self.upper},
            )
        return self.lower

    @property
    def multipliers(self) -> pd.Series:
        """How much each condition counts in the proof of ``upper``: by how much that moves with its own bound."""
        return multipliers_of(self.space, self.vectors)

    @property
    def rivals(self) -> tuple[str, ...]:
        """Rows of the signs, in board order."""
        return tuple(map(str, self.blockers.index.tolist()))

    @property
    def tasks(self) -> tuple[str, ...]:
        """Columns of the signs, in board order."""
        return tuple(str(name) for name in self.weights.index)

    @property
    def duels(self) -> pd.Series:
        """The exact lead over each rival under ``weights``."""
        return exact_series(dual.leads(self.signs, self.weights.tolist()), self.rivals, "lead")

    @property
    def dominators(self) -> tuple[str, ...]:
        """Rivals tied or ahead on every task, and ahead on some: each alone keeps the model from winning.

        A rival tied on every task is no dominator but a twin: see ``twins``.
        """
        return self._rivals_where((self.signs.max(axis=1) <= 0) & (self.signs.min(axis=1) < 0))

    @property
    def twins(self) -> tuple[str, ...]:
        """Rivals tied with the model on every task (a missing score is a tie): it can never do more than tie them."""
        return self._rivals_where((self.signs == 0).all(axis=1))

    def _rivals_where(self, holds: BoolArray) -> tuple[str, ...]:
        return tuple(rival for rival, one in zip(self.rivals, holds.tolist(), strict=True) if one)

    def __str__(self) -> str:
        """Say the verdict in one sentence; another one names the conditions, if there are any."""
        return self._sentence() + self.space.conditions_sentence

    def _sentence(self) -> str:
        if self.verdict is Verdict.STRICT:
            lead = "on 100%" if self.lower == 1 else f"by at least {percent(self.lower, floor)}"
            return f"Head-to-head, {self.model} can win: at its best weights it leads every rival {lead} of the weight."
        if self.verdict is Verdict.WEAK:
            best = "some weights leave it undefeated, but none make it beat every rival"
            return f"Head-to-head, {self.model} ties at best: {best}."
        lead = f"by at least {percent(-self.upper, floor)} of the weight"
        lead = "on every task that has weight" if self.upper == -1 else lead
        return f"Head-to-head, {self.model} can never win: under every weighting some rival leads it {lead}."

    def to_frame(self) -> pd.DataFrame:
        """Return the weights and blockers that are not 0."""
        return shares_frame(self.weights, self.blockers)

    def verify(self, source: SignsLike | None = None) -> bool:
        """Re-check the claim in exact arithmetic, without a solver.

        The weights must be weights of the space under which every lead is at least ``lower``; the blockers and
        vectors must show, column by column, that no weights do better than ``upper``.

        Parameters
        ----------
        source : Leaderboard, Profile or Signs, optional
            The table; its signs must be those that the result carries.

        Returns
        -------
        bool
            True.

        Raises
        ------
        ProofError
            Naming the first inequality that fails.
        """
        dual.check_form(self.model, self.rivals, self.tasks, self.signs, self.space, source=source)
        dual.check_exact(lower=self.lower, upper=self.upper)
        dual.check_weighting(self.weights, self.space)
        lead = dual.check_leads(self.signs, self.rivals, self.weights.tolist(), self.lower)
        ensure(lead == self.lower, f"the least lead is {lead}, not {self.lower}")
        check_bound(self.signs, self.rivals, self.blockers, self.vectors, self.space, bound=self.upper)
        ensure(self.lower <= self.upper, f"the margin cannot lie between {self.lower} and {self.upper}")
        ensure(
            verdict_between(self.lower, self.upper) is not None,
            f"a margin between {self.lower} and {self.upper} proves no verdict",
        )
        if self.fewest is not None:
            check_fewest(self.fewest, self.signs, self.rivals, self.space)
        return True


@overload
def prospect(
    board: SignsLike,
    model: str,
    *,
    rule: Literal["condorcet"] = "condorcet",
    space: WeightSpace | None = None,
    fewest_blockers: bool = False,
    time_limit: float | None = None,
) -> Prospect: ...


@overload
def prospect(
    board: SignsLike,
    model: str,
    *,
    rule: DuelRuleName,
    space: WeightSpace | None = None,
    time_limit: float | None = None,
) -> MajorityProspect: ...


@overload
def prospect(
    board: SignsLike,
    model: str,
    *,
    rule: PointRuleName | list[Number] | tuple[Number, ...],
    ties: Ties | None = None,
    missing: Missing | None = None,
    space: WeightSpace | None = None,
    time_limit: float | None = None,
) -> RuleProspect: ...


@overload
def prospect(
    board: SignsLike,
    model: str,
    *,
    rule: RuleLike,
    ties: Ties | None = None,
    missing: Missing | None = None,
    space: WeightSpace | None = None,
    fewest_blockers: bool = False,
    time_limit: float | None = None,
) -> Prospect | RuleProspect | MajorityProspect: ...


def prospect(
    board: SignsLike,
    model: str,
    *,
    rule: RuleLike = CONDORCET,
    ties: Ties | None = None,
    missing: Missing | None = None,
    space: WeightSpace | None = None,
    fewest_blockers: bool = False,
    time_limit: float | None = None,
) -> Prospect | RuleProspect | MajorityProspect:
    """Decide whether a model can be the Condorcet winner, or the winner by another rule, under some weights.

    Maximises t subject to G_m w >= t over all weightings w of the space, exactly. The sign of the largest t, the
    margin, is the verdict; the multipliers are the blockers. By a linear rule the rows are differences of points.

    Parameters
    ----------
    board : Leaderboard, Profile or Signs
        The table; its weights play no part. In duels missing scores count as ties, as in equation (1) of the paper.
    model : str
        Whom the question is about.
    rule : str or sequence of numbers
        ``"condorcet"``; ``"copeland"`` or ``"minimax"`` (a defeat being measured by its margin); ``"mean"``,
        ``"borda"``, ``"dowdall"``, ``"plurality"`` or ``"veto"``; or the points of the places, best first, one a model.
    ties, missing : str, optional
        For rules by points: tied models get the points of the best of their places with ``ties="min"`` (the least
        rank), of the worst with ``"max"``, else the ``"average"``; ``missing="last"`` lets missing scores tie for the
        last places, else they are refused. The mean takes neither.
    space : WeightSpace, optional
        Allowed weights; by default all that are not negative and sum to 1.
    fewest_blockers : bool
        Find also a smallest set of rivals that keeps the model from being the Condorcet winner (an integer program).
    time_limit : float, optional
        Seconds for all programs.

    Returns
    -------
    Prospect, RuleProspect or MajorityProspect
        For Condorcet's rule, for a rule by points, or for Copeland and minimax.

    Raises
    ------
    UnknownNameError
        If there is no such model or rule.
    InputError, MissingScoresError
        If the rule has no such option, or reads scores or places that the table does not have.
    EmptySpaceError
        If no weights satisfy the conditions, with those that contradict each other.
    UnprovedError, TimeLimitError
        If no exact proof was found. Where only the fewest blockers are missing, ``known["prospect"]`` is the rest.

    Notes
    -----
    One linear program with a column a task; rivals enter as rows when they are violated, so that the number of rows
    stays near the number of tasks. The exact solution of its basis costs O(tasks^3). Copeland and minimax are integer
    programs with binaries for the duels of all models where no simpler argument settles the question: seconds for a
    dozen models and ten tasks, minutes or more by Copeland for twenty models or by either for 16 models and 72 tasks.

    References
    ----------
    Rofin et al., Vote'n'Rank, 2023, section 3.2 (where strict and weak together are called prospective).

    Examples
    --------
    >>> import weightlab as wl
    >>> board = wl.Leaderboard({"x": {"a": 2, "b": 1, "c": 3}, "y": {"a": 2, "b": 3, "c": 1}})
    >>> print(wl.lp.prospect(board, "a"))
    Head-to-head, a ties at best: some weights leave it undefeated, but none make it beat every rival.
    """
    if fewest_blockers and not (isinstance(rule, str) and rule == CONDORCET):
        raise InputError(f"fewest_blockers is about Condorcet winners; the rule is {rule!r}")
    if isinstance(rule, str) and rule not in (CONDORCET, *DUEL_RULES, *POINT_RULES):
        raise UnknownNameError("rule", rule, (CONDORCET, *DUEL_RULES, *POINT_RULES), holder="list of rules for weights")
    if not isinstance(rule, str) or rule in POINT_RULES:
        linear = LinearRule.of(rule, ties=ties, missing=missing)
        return prospect_by_points(board, model, linear, space=space, time_limit=time_limit)
    _refuse_point_options(rule, ties, missing)
    if rule in DUEL_RULES:
        return prospect_by_duels(board, model, rule, space=space, time_limit=time_limit)
    signs, allowed = signs_and_space(board, space)
    matrix = signs.matrix(model)
    with within(time_limit):
        proof = widest_margin(matrix, signs.rivals(model), allowed)
        found = prospect_from(signs, model, allowed, proof)
        if not fewest_blockers or proof.upper > 0:
            return found
        with within(None, prospect=found):
            fewest = fewest_blockers_of(matrix, signs.rivals(model), allowed)
    return prospect_from(signs, model, allowed, proof, fewest=fewest)


def _refuse_point_options(rule: str, ties: Ties | None, missing: Missing | None) -> None:
    """Raise InputError where ties or missing scores are to be treated in a way that duels do not know."""
    for name, value in (("ties", ties), ("missing", missing)):
        if value is not None:
            raise InputError(
                f"{rule} reads duels, where a tie or a missing score counts for neither: it takes no {name}={value!r}"
            )


def prospect_from(
    signs: Signs, model: str, space: WeightSpace, proof: MarginProof, *, fewest: FewestBlockers | None = None
) -> Prospect:
    """Return the verified prospect that a proof stands for."""
    return Prospect(
        model=model,
        lower=proof.lower,
        upper=proof.upper,
        weights=exact_series(proof.weights, signs.tasks, "weight"),
        blockers=exact_series(proof.blockers, proof.rivals, "blocker"),
        vectors=proof.vectors,
        signs=signs.matrix(model),
        space=space,
        fewest=fewest,
    ).verified()


def prospect_with_margin(signs: Signs, model: str, space: WeightSpace, least: Fraction) -> Prospect:
    """Return a model's prospect when some weights of the space give it leads of at least ``least``.

    Every question about winning weights asks this first.

    Raises
    ------
    InputError
        If the lead asked for is negative.
    ImpossibleError
        If it is out of reach; its ``proof`` is the Prospect that shows it.
    """
    if least < 0:
        raise InputError(f"margin must not be negative, since a model that trails a rival does not win; got {least}")
    widest = prospect(signs, model, space=space)
    if widest.margin < least:
        raise ImpossibleError(
            f"no weights give {model!r} a lead of {least} over every rival; the best possible is {widest.margin}",
            proof=widest,
        )
    return widest


def refuse_ties(found: Prospect) -> None:
    """Refuse a question about strict wins of a model that head-to-head can only tie.

    Raises
    ------
    ImpossibleError
        Its ``proof`` is the Prospect that shows it.
    """
    if found.margin <= 0:
        raise ImpossibleError(f"no weights make {found.model!r} win head-to-head; it ties at best", proof=found)


# Fewest blockers: as few rivals as suffice to keep a model from winning.


BLOCK = 2_000
"""So many rivals at a time are compared with all others in search of a pair."""


class FewestBlockers(Record):
    """A smallest set of rivals against which no weights win.

    Attributes
    ----------
    blockers : Series of Fraction by rival
        A mixture of these rivals alone over which no weights lead by more than ``bound``.
    vectors : tuple of mappings from task to Fraction
        One a condition of the space.
    bound : Fraction
        At most 0.
    proof : Proof
        Whether that no smaller set blocks is re-checked too (``exact``: one rival; without conditions up to three,
        where no rival blocks alone and no pair does), or rests on an integer program's bound.
    solver : Solver or None
        Whose bound that is.
    """

    blockers: Seen[pd.Series] = ByName()
    vectors: Vectors
    bound: Fraction
    proof: Proof
    solver: Solver | None = None

    def __str__(self) -> str:
        """Say who blocks."""
        names = ", ".join(self.rivals)
        if len(self.rivals) == 1:
            return f"{names} blocks alone."
        return f"{names} block together: no weights lead by more than {self.bound} over their mixture."

    @property
    def rivals(self) -> tuple[str, ...]:
        """The rivals, in board order."""
        return tuple(str(name) for name in self.blockers.index)


def check_fewest(fewest: FewestBlockers, signs: SignArray, rivals: Sequence[str], space: WeightSpace) -> None:
    """Ensure that the mixture blocks, and that no smaller set does as far as this is said to be exact."""
    shares, named = dual.series_dict(fewest.blockers), fewest.rivals
    idle = [rival for rival, share in shares.items() if share <= 0]
    ensure(not idle, f"{idle[:1]} is among the fewest blockers without a share")
    ensure(isinstance(fewest.bound, Fraction), f"the bound {fewest.bound!r} is no exact number")
    ensure(fewest.bound <= 0, f"the fewest blockers prove only a margin of at most {fewest.bound}")
    check_bound(signs, rivals, shares, fewest.vectors, space, bound=fewest.bound)
    alone = [] if len(named) == 1 else np.flatnonzero(signs.max(axis=1) <= 0).tolist()
    ensure(not alone, f"{[rivals[one] for one in alone[:1]]} blocks alone, so {len(named)} blockers are not the fewest")
    if _is_checkable(len(named), space):
        pair = _blocking_pair(signs) if len(named) == 3 else None
        ensure(
            pair is None, f"{[rivals[one] for one in pair or ()]} block, so {len(named)} blockers are not the fewest"
        )
        ensure(fewest.proof is Proof.EXACT, "that so few blockers are the fewest is exact, not on a solver's word")
    else:
        ensure(fewest.proof is Proof.EXACT_WITNESS, "that so many blockers are the fewest rests on a solver's bound")
    ensure((fewest.solver is None) == (fewest.proof is Proof.EXACT), "a solver is named where its bound is relied on")


def _is_checkable(size: int, space: WeightSpace) -> bool:
    """Tell whether it takes no solver to see that no smaller set of rivals blocks."""
    return size == 1 or (size <= 3 and not space.conditions)


def _blocking_pair(signs: SignArray) -> tuple[int, int] | None:
    """Return two rivals that block together, given that none of them blocks alone and all weights are allowed.

    Some mixture of two rows is nowhere positive. Where one has 1 the other must have -1, so equal shares will do: the
    rows sum to at most 0 everywhere.
    """
    ahead, level = (signs == 1).astype(np.float32), (signs >= 0).astype(np.float32)
    for start in range(0, len(signs), BLOCK):
        part = slice(start, start + BLOCK)
        positive = ahead[part] @ level.T + level[part] @ ahead.T
        pairs = np.argwhere(positive == 0)
        if len(pairs):
            return int(pairs[0][0]) + start, int(pairs[0][1])
    return None


def fewest_blockers_of(signs: SignArray, rivals: Sequence[str], space: WeightSpace) -> FewestBlockers:
    """Return a smallest set of rivals that keeps a model from winning strictly.

    A set blocks when it hits, for every weighting of the space, the rivals that are not beaten under it. Such sets of
    rivals are generated lazily (the implicit hitting set approach: Moreno-Centeno and Karp, Operations Research 61,
    2013): an integer program proposes the smallest set that hits those found so far, and the widest margin over the
    proposed rivals alone either proves that they block or yields a weighting that beats them all, hence the next set
    to hit.

    Raises
    ------
    UnprovedError, TimeLimitError
        If no proof was found, or the time limit came first; ``known`` has the fewest ``blockers`` so far, and that
        there are ``at_least`` so many.
    """
    to_hit: list[np.ndarray] = []
    best: list[FewestBlockers] = []
    known: dict[str, Any] = {}

    def refute(chosen: list[int]) -> Rows | None:
        known["at_least"] = len(chosen)
        if best and len(best[0].rivals) <= len(chosen):
            return None
        # Rivals are added until they block: each weighting that beats those before it is one more set to hit, and what
        # blocks in the end is the fewest as soon as no fewer hit all sets.
        grown, names, before = list(chosen), [rivals[one] for one in chosen], len(to_hit)
        while (proof := widest_margin(signs[grown], names, space)).upper > 0:
            to_hit.append(np.array([lead <= 0 for lead in dual.leads(signs, proof.weights)]))
            grown.append(int(np.argmax(to_hit[-1] * np.sum(to_hit, axis=0))))
            names.append(rivals[grown[-1]])
        found = _proved(proof, space)
        if not best or len(found.rivals) < len(best[0].rivals):
            best[:] = [found]
        known["blockers"] = best[0].rivals
        if len(best[0].rivals) <= len(chosen):
            return None
        new = np.array(to_hit[before:], dtype=np.int8)
        return Rows.from_matrix(new, lower=1, labels=["a weighting beats the others"] * len(new))

    first = refute([_most_blocking(signs)])
    if first is not None:
        try:
            smallest(smallest_program(rivals, first, "fewest blockers"), refute)
        except UnprovedError as error:
            error.known |= known
            raise
    return best[0]


def _most_blocking(signs: SignArray) -> int:
    """Return a rival that blocks alone when there is one: one that the model leads nowhere and trails most often."""
    behind = signs.max(axis=1) <= 0
    total = signs.sum(axis=1, dtype=np.int64)
    return int(np.argmin(np.where(behind, total - 2 * signs.shape[1], total)))


def _proved(proof: MarginProof, space: WeightSpace) -> FewestBlockers:
    blockers = dual.nonzero(proof.blockers, proof.rivals)
    checkable = _is_checkable(len(blockers), space)
    return FewestBlockers(
        blockers=blockers,
        vectors=proof.vectors,
        bound=proof.upper,
        proof=Proof.EXACT if checkable else Proof.EXACT_WITNESS,
        solver=None if checkable else solver_name(),
    )
