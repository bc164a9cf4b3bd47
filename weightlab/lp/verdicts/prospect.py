"""Prospects: whether some weights make a model the Condorcet winner (Vote'n'Rank, section 3.2), or a rule's winner.

`prospect` answers for linear rules here, and hands Copeland's and minimax to the programs that answer for them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from math import floor
from typing import Any, Literal, TypeAlias, Unpack, overload

import numpy as np
import pandas as pd

from weightlab._exact import AnyArray, BoolArray, Number
from weightlab._result import ByName, Proof, Record, Seen, ensure, exact_series
from weightlab._solver import Rows, Solver, solver_name, within
from weightlab._solver.propose import smallest, smallest_program
from weightlab._text import percent
from weightlab.data.convert import SignsLike
from weightlab.data.linear_rule import (
    CONDORCET,
    MAJORITY,
    POINT_RULES,
    LinearRule,
    PointsLike,
    RuleLike,
    Scale,
    refuse_point_options,
)
from weightlab.data.points import Missing, Ties
from weightlab.exceptions import ImpossibleError, InputError, UnknownNameError, UnprovedError
from weightlab.lp.by_model import Asked, OfModel, Options, in_points
from weightlab.lp.certificate import (
    check_bound,
    check_exact,
    check_leads,
    check_weighting,
    leads,
    multipliers_of,
    series_dict,
)
from weightlab.lp.certificates.max_margin import MarginProof, Verdict, shares_frame, verdict_between, widest_margin
from weightlab.lp.space.space import Vectors, WeightSpace
from weightlab.lp.verdicts.geometric import GeometricProspect
from weightlab.lp.verdicts.majority_prospect import MajorityProspect
from weightlab.lp.verdicts.one_by_one import ONE_BY_ONE, prospect_by_rule

LinearName: TypeAlias = Literal["majority", "condorcet", "mean", "borda", "dowdall", "plurality", "veto"]
LinearLike: TypeAlias = LinearName | list[Number] | tuple[Number, ...] | LinearRule
"""Rules by which a prospect is a `Prospect`."""


class Prospect(OfModel, kind="prospect"):
    """Whether a model can win by a linear rule, proved by weights from below and by blockers from above.

    Attributes
    ----------
    model, rule, signs, points, space
        As of an `OfModel`.
    lower, upper : Fraction
        Bounds of the margin, the largest t with G w >= t for some weights w of the space, equal when it is exact: a
        share of total weight, or points per unit of weight (weights sum to 1, so that a total is a weighted mean).
    weights : Series of Fraction by task
        Weights under which the least lead is ``lower``.
    blockers : Series of Fraction by rival
        A mixture of rivals (shares that sum to 1) over which no weights lead by more than ``upper``.
    vectors : tuple of mappings from task to Fraction
        One per condition of the space, for that proof; ``multipliers`` says how much each counts.
    fewest : FewestBlockers or None
        When asked for, and the model cannot win head-to-head strictly: as few rivals as can block it.
    """

    derived = ("verdict",)

    lower: Fraction
    upper: Fraction
    weights: Seen[pd.Series] = ByName("space.tasks")
    blockers: Seen[pd.Series] = ByName()
    vectors: Vectors
    fewest: FewestBlockers | None = None

    @property
    def proofs(self) -> Mapping[str, Proof]:
        """What is claimed, and how much of each claim ``verify`` re-checks."""
        fewest = {} if self.fewest is None else {"no fewer rivals block": self.fewest.proof}
        return {"verdict": Proof.EXACT} | fewest

    @property
    def verdict(self) -> Verdict:
        """By the rule: ``strict`` (can beat every rival, or be alone first), ``weak`` (ties at best) or ``never``.

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
        """The largest possible least lead, as a share of total weight or in points of the rule.

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
        return multipliers_of(self.space, self.vectors) / self.unit

    @property
    def rivals(self) -> tuple[str, ...]:
        """All models but the one, in board order."""
        return tuple(vars(self)["blockers"])

    @property
    def leads(self) -> pd.Series:
        """The exact lead over each rival under ``weights``, as a share of total weight or in points of the rule."""
        return exact_series(self.scaled(leads(self.rows, self.weights.tolist())), self.rivals, "lead")

    @property
    def dominators(self) -> tuple[str, ...]:
        """Rivals tied or ahead on every task, and ahead on some: each alone keeps the model from winning.

        A rival tied on every task is no dominator but a twin: see ``twins``.
        """
        return self._rivals_where((self.rows.max(axis=1) <= 0) & (self.rows.min(axis=1) < 0))

    @property
    def twins(self) -> tuple[str, ...]:
        """Rivals tied with the model on every task (a missing score is a tie): it can never do more than tie them."""
        return self._rivals_where((self.rows == 0).all(axis=1))

    def _rivals_where(self, holds: BoolArray) -> tuple[str, ...]:
        return tuple(rival for rival, one in zip(self.rivals, holds.tolist(), strict=True) if one)

    def __str__(self) -> str:
        """Say the verdict in one sentence; another one names the conditions, if there are any."""
        return self._sentence() + self.space.conditions_sentence

    def _sentence(self) -> str:
        if self.points is not None:
            return self._sentence_by_points()
        if self.verdict is Verdict.STRICT:
            lead = "on 100%" if self.lower == 1 else f"by at least {percent(self.lower, floor)}"
            return f"Head-to-head, {self.model} can win: at its best weights it leads every rival {lead} of the weight."
        if self.verdict is Verdict.WEAK:
            best = "some weights leave it undefeated, but none make it beat every rival"
            return f"Head-to-head, {self.model} ties at best: {best}."
        lead = f"by at least {percent(-self.upper, floor)} of the weight"
        lead = "on every task that has weight" if self.upper == -1 else lead
        return f"Head-to-head, {self.model} can never win: under every weighting some rival leads it {lead}."

    def _sentence_by_points(self) -> str:
        if self.verdict is Verdict.STRICT:
            best = f"its best possible lead is {in_points(self.lower)}"
            best += "" if self.lower == self.upper else " or more"
            return f"{self.model} can be the only winner {self.rule.by}: {best}."
        if self.verdict is Verdict.WEAK:
            return f"{self.model} can share the first place {self.rule.by} but never have it alone."
        behind = f"under all weights some rival is {in_points(-self.upper)} or more ahead"
        return f"{self.model} can never win {self.rule.by}: {behind}."

    def to_frame(self) -> pd.DataFrame:
        """Return the weights and blockers that are not 0."""
        return shares_frame(self.weights, self.blockers)

    def verify(self, source: SignsLike | PointsLike | None = None) -> bool:
        """Re-check the claim in exact arithmetic, without a solver.

        The weights must be weights of the space under which every lead is at least ``lower``; the blockers and
        vectors must show, column by column, that no weights do better than ``upper``. Points must be what the rule
        gives for the order that they put the models in (for the mean any numbers can be scores: only with ``source`` is
        it known that they are the table's, and not points of another rule).

        Parameters
        ----------
        source : Leaderboard, Profile or Signs, optional
            The table; its signs, or the points that the rule gives for it, must be those that the result carries.

        Returns
        -------
        bool
            True.

        Raises
        ------
        ProofError
            Naming the first inequality that fails.
        """
        self.check_rows(self.rivals, source)
        check_exact(lower=self.lower, upper=self.upper)
        check_weighting(self.weights, self.space)
        rows, unit = self.rows, self.unit
        lead = check_leads(rows, self.rivals, self.weights.tolist(), self.lower * unit) / unit
        ensure(lead == self.lower, f"the least lead is {lead}, not {self.lower}")
        check_bound(rows, self.rivals, self.blockers, self.vectors, self.space, bound=self.upper, unit=unit)
        ensure(self.lower <= self.upper, f"the margin cannot lie between {self.lower} and {self.upper}")
        ensure(
            verdict_between(self.lower, self.upper) is not None,
            f"a margin between {self.lower} and {self.upper} proves no verdict",
        )
        if self.fewest is not None:
            check_fewest(self.fewest, rows, self.rivals, self.space)
        return True


@overload
def prospect(
    board: SignsLike, model: str, *, rule: LinearLike = ..., fewest_blockers: bool = ..., **options: Unpack[Options]
) -> Prospect: ...


@overload
def prospect(
    board: SignsLike, model: str, *, rule: RuleLike, fewest_blockers: bool = ..., **options: Unpack[Options]
) -> Prospect | MajorityProspect | GeometricProspect: ...


def prospect(
    board: SignsLike,
    model: str,
    *,
    rule: RuleLike = MAJORITY,
    ties: Ties | None = None,
    missing: Missing | None = None,
    scaled: Scale | None = None,
    space: WeightSpace | None = None,
    fewest_blockers: bool = False,
    time_limit: float | None = None,
) -> Prospect | MajorityProspect | GeometricProspect:
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
        ``"majority"`` (or ``"condorcet"``); ``"mean"``, ``"mean:scaled=range"`` (each task's scores from 0 to 1 between
        its own extremes), ``"mean:scaled=z"`` (in its standard deviations, rounded to 12 digits), ``"borda"``,
        ``"dowdall"``, ``"plurality"``, ``"veto"``, or the points of the places, best first, one per model, with their
        options as in ``"borda:ties=max"``; ``"copeland"``, or ``"minimax"`` (defeats measured by margins); or
        ``"geometric_mean"``, over all weights, by which ties are not decided.
    ties, missing : str, optional
        For rules by points: tied models get the points of the best of their places with ``ties="min"`` (the least
        rank), of the worst with ``"max"``, else the ``"average"``; ``missing="last"`` lets missing scores tie for the
        last places, else they are refused. The mean takes neither.
    scaled : {"range", "z"}, optional
        By the mean: scores on a scale of each task's own, from 0 to 1 or in standard deviations from its mean.
    space : WeightSpace, optional
        Allowed weights; by default all that are not negative and sum to 1.
    fewest_blockers : bool
        Find also a smallest set of rivals that keeps the model from being the Condorcet winner (an integer program).
    time_limit : float, optional
        Seconds for all programs.

    Returns
    -------
    Prospect, MajorityProspect or GeometricProspect
        For linear rules, for Copeland and minimax, or for the geometric mean.

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
    One linear program with a column per task; rivals enter as rows when they are violated, so that the number of rows
    stays near the number of tasks. The exact solution of its basis costs O(tasks^3). Copeland and minimax are integer
    programs with binaries for the head-to-heads of all models where no simpler argument settles the question: seconds
    for a dozen models and ten tasks, minutes or more by Copeland for twenty models or by either for 16 models and 72
    tasks.

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
    named = rule if isinstance(rule, str) else None
    if fewest_blockers and named not in (MAJORITY, CONDORCET):
        raise InputError(f"fewest_blockers is about Condorcet winners; the rule is {rule!r}")
    if named in ONE_BY_ONE and scaled is None:
        refuse_point_options(named, ties, missing)
        return prospect_by_rule(board, model, named, space=space, time_limit=time_limit)
    known = (MAJORITY, CONDORCET, *POINT_RULES, *ONE_BY_ONE)
    if named is not None and named.partition(":")[0] not in known:
        raise UnknownNameError("rule", rule, (MAJORITY, *ONE_BY_ONE, *POINT_RULES), holder="list of rules for weights")
    asked = Asked.of(board, rule, ties=ties, missing=missing, scaled=scaled, space=space)
    with within(time_limit):
        found = linear_prospect(asked, model)
        if not fewest_blockers or found.upper > 0:
            return found
        with within(None, prospect=found):
            fewest = fewest_blockers_of(found.rows, found.rivals, asked.space)
    return replace(found, fewest=fewest).verified()


def linear_prospect(
    asked: Asked, model: str, *, space: WeightSpace | None = None, time_limit: float | None = None
) -> Prospect:
    """Return a model's exact prospect by a linear rule, over other weights where they are given."""
    allowed = asked.space if space is None else space
    proof = widest_margin(asked.leads.matrix(model), asked.leads.rivals(model), allowed, time_limit=time_limit)
    return prospect_from(replace(asked, space=allowed), model, proof)


def prospect_from(asked: Asked, model: str, proof: MarginProof) -> Prospect:
    """Return the verified prospect that a proof stands for."""
    return Prospect(
        model=str(model),
        **asked.fields(model),
        lower=proof.lower / asked.leads.unit,
        upper=proof.upper / asked.leads.unit,
        weights=exact_series(proof.weights, asked.leads.tasks, "weight"),
        blockers=exact_series(proof.blockers, proof.rivals, "blocker"),
        vectors=proof.vectors,
        space=asked.space,
    ).verified()


def prospect_with_margin(asked: Asked, model: str, least: Fraction) -> Prospect:
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
    widest = linear_prospect(asked, model)
    if widest.margin < least:
        raise ImpossibleError(
            f"{asked.rule.by} no weights give {model!r} a lead of {least} over every rival; the best possible is "
            f"{widest.margin}",
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
        never = f"no weights make {found.model!r} win head-to-head; it ties at best"
        if found.points is not None:
            never = f"{found.rule.by} no weights make {found.model!r} the only winner; it ties at best"
        raise ImpossibleError(never, proof=found)


# Fewest blockers: as few rivals as suffice to keep a model from winning.


BLOCK = 2_000
"""Number of rivals compared with all others at a time in the search for a pair."""


class FewestBlockers(Record):
    """A smallest set of rivals against which no weights win.

    Attributes
    ----------
    blockers : Series of Fraction by rival
        A mixture of these rivals alone over which no weights lead by more than ``bound``.
    vectors : tuple of mappings from task to Fraction
        One per condition of the space.
    bound : Fraction
        At most 0.
    proof : Proof
        Of minimality: re-checked too (``exact``: one rival; without conditions up to three, where no rival blocks
        alone and no pair does), or resting on an integer program's bound.
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


def check_fewest(fewest: FewestBlockers, signs: AnyArray, rivals: Sequence[str], space: WeightSpace) -> None:
    """Ensure that the mixture blocks and, where minimality is called exact, that no smaller set does."""
    shares, named = series_dict(fewest.blockers), fewest.rivals
    idle = [rival for rival, share in shares.items() if share <= 0]
    ensure(not idle, f"{idle[:1]} is among the fewest blockers without a share")
    ensure(isinstance(fewest.bound, Fraction), f"the bound {fewest.bound!r} is not an exact number")
    ensure(fewest.bound <= 0, f"the fewest blockers prove only a margin of at most {fewest.bound}")
    check_bound(signs, rivals, shares, fewest.vectors, space, bound=fewest.bound)
    alone = [] if len(named) == 1 else np.flatnonzero(signs.max(axis=1) <= 0).tolist()
    ensure(not alone, f"{[rivals[one] for one in alone[:1]]} blocks alone, so {len(named)} blockers are not the fewest")
    if _is_checkable(len(named), space):
        pair = _blocking_pair(signs) if len(named) == 3 else None
        ensure(
            pair is None, f"{[rivals[one] for one in pair or ()]} block, so {len(named)} blockers are not the fewest"
        )
        ensure(fewest.proof is Proof.EXACT, "the number of blockers is exact and does not rely on a solver")
    else:
        ensure(fewest.proof is Proof.EXACT_WITNESS, "the minimum number of blockers relies on a solver's bound")
    ensure((fewest.solver is None) == (fewest.proof is Proof.EXACT), "a solver is named where its bound is relied on")


def _is_checkable(size: int, space: WeightSpace) -> bool:
    """Return whether it takes no solver to see that no smaller set of rivals blocks."""
    return size == 1 or (size <= 3 and not space.conditions)


def _blocking_pair(signs: AnyArray) -> tuple[int, int] | None:
    """Return two rivals that block together, given that none of them blocks alone and all weights are allowed.

    Some mixture of two rows is nowhere positive. Where one has 1 the other must have -1, so equal shares work: the
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


def fewest_blockers_of(signs: AnyArray, rivals: Sequence[str], space: WeightSpace) -> FewestBlockers:
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
        there are ``at_least`` that number.
    """
    to_hit: list[np.ndarray] = []
    best: list[FewestBlockers] = []
    known: dict[str, Any] = {}

    def refute(chosen: list[int]) -> Rows | None:
        known["at_least"] = len(chosen)
        if best and len(best[0].rivals) <= len(chosen):
            return None
        # Rivals are added until they block: each weighting that beats those before it is one more set to hit. The
        # final blockers are the fewest as soon as no smaller number hits all sets.
        grown, names, before = list(chosen), [rivals[one] for one in chosen], len(to_hit)
        while (proof := widest_margin(signs[grown], names, space)).upper > 0:
            to_hit.append(np.array([lead <= 0 for lead in leads(signs, proof.weights)]))
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


def _most_blocking(signs: AnyArray) -> int:
    """Return a rival that blocks alone when there is one: one that the model leads nowhere and trails most often."""
    behind = signs.max(axis=1) <= 0
    total = signs.sum(axis=1, dtype=np.int64)
    return int(np.argmin(np.where(behind, total - 2 * signs.shape[1], total)))


def _proved(proof: MarginProof, space: WeightSpace) -> FewestBlockers:
    checkable = _is_checkable(len(proof.mixture), space)
    return FewestBlockers(
        blockers=proof.mixture,
        vectors=proof.vectors,
        bound=proof.upper,
        proof=Proof.EXACT if checkable else Proof.EXACT_WITNESS,
        solver=None if checkable else solver_name(),
    )
