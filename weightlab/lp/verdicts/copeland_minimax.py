"""Prospects by Copeland and minimax: whether a model can have the best record of duels under some weights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

import numpy as np
import pandas as pd

from weightlab._exact import AnyArray, SignArray
from weightlab._result import Proof, Result, ensure, exact_series, on_word_of
from weightlab._solver import Solver, deadline_in, seconds_left, solver_name
from weightlab.data.convert import SignsLike, as_signs
from weightlab.data.margins import Margins
from weightlab.data.signs import Signs
from weightlab.lp.certificates.max_margin import Verdict, verdict_at, widest_margin
from weightlab.lp.certificates.primal import check_exact, check_table, check_weighting, nearby_weightings
from weightlab.lp.space.condition_text import conditions_sentence
from weightlab.lp.space.space import TaskShares, WeightSpace, space_for
from weightlab.lp.verdicts.copeland_minimax_program import copeland_weights, minimax_weights

DUEL_RULES = ("copeland", "minimax")
"""Rules that read the margins of the duels; minimax measures a defeat by its margin."""


class MajorityProspect(Result, kind="majority_prospect"):
    """Whether a model can win by Copeland or by minimax, with weights that show how well it can do.

    Attributes
    ----------
    model : str
        Whom the question is about.
    rule : {"copeland", "minimax"}
        Head-to-heads won minus lost, or the smallest margin of the worst defeat.
    lead : Fraction
        How far ahead of its best rival the model is under ``weights``: in duels by Copeland, in shares of total weight
        by minimax. Negative when it is behind. Its sign is that of the greatest lead there is, and so the verdict; the
        lead itself need not be the greatest.
    weights : Series of Fraction by task
        Weights of the space with that lead.
    signs : Signs
        The table's signs: all duels take part.
    space : WeightSpace
        The weights that were allowed.
    solver : Solver or None
        Whose bound says that no weights do better, where that is not exact.
    """

    derived = ("verdict",)

    model: str
    rule: str
    lead: Fraction
    weights: TaskShares
    signs: Signs
    space: WeightSpace
    solver: Solver | None

    @property
    def verdict(self) -> Verdict:
        """``strict`` (can be the only winner), ``weak`` (can share the first place at best) or ``never``."""
        return verdict_at(self.lead)

    @property
    def proofs(self) -> Mapping[str, Proof]:
        """Every yes is exact, and a no that a rival shows; that else no weights do better is the solver's word."""
        return {"the lead under the weights": Proof.EXACT, "no weights do better": on_word_of(self.solver)}

    @property
    def ahead(self) -> str | None:
        """The rival that proves a no without a solver; None where there is none, or nothing to prove.

        It leads the model on every task; or it is nowhere behind it and does no worse against any other model.
        """
        rival = _proving_rival(self.rule, self.signs, self._position, self.lead)
        return None if rival is None else self.signs.models[rival]

    @property
    def margins(self) -> pd.DataFrame:
        """The margins of the duels under ``weights``, models x models, as floats."""
        return Margins.from_signs(self.signs, self.weights.tolist()).frame()

    @property
    def _position(self) -> int:
        return self.signs.position(self.model)

    def __str__(self) -> str:
        """Say the verdict in one sentence; others say what it rests on, and name the conditions, if there are any."""
        if self.verdict is Verdict.STRICT:
            sentence = f"{self.model} can be the only winner by {self.rule}."
        elif self.verdict is Verdict.WEAK:
            sentence = f"{self.model} can share the first place by {self.rule} but never have it alone."
        else:
            sentence = f"{self.model} can never win by {self.rule}."
        return sentence + self._grounds() + conditions_sentence(self.space)

    def _grounds(self) -> str:
        if self.verdict is Verdict.STRICT:
            return ""
        if self.solver is None:
            why = "does no worse in any head-to-head" if self.verdict is Verdict.WEAK else "leads it on every task"
            return f" {self.ahead} {why}."
        return f" That no weights do better is {self.solver}'s bound."

    def to_frame(self) -> pd.DataFrame:
        """Return the weights that are not 0."""
        shown = {str(task): weight for task, weight in self.weights.items() if weight}
        return pd.DataFrame({"weight": shown}, index=list(shown))

    def verify(self, source: SignsLike | None = None) -> bool:
        """Re-check in exact arithmetic that the weights are allowed and give that lead, and what needs no solver.

        Parameters
        ----------
        source : Leaderboard, Profile or Signs, optional
            The table; its signs must be those that the result carries.

        Raises
        ------
        ProofError
            Naming the first claim that fails.
        """
        ensure(self.rule in DUEL_RULES, f"there is no majority rule {self.rule!r}")
        check_exact(lead=self.lead)
        check_table(self.signs, self.space, source)
        ensure(self.model in self.signs.models, f"{self.model!r} is not among the models")
        check_weighting(self.weights, self.space)
        found = lead_of(self.rule, self.signs, self._position, self.weights.tolist())
        ensure(found == self.lead, f"the lead under the weights is {found}, not {self.lead}")
        exact = _is_exact(self.rule, self.signs, self._position, self.lead)
        ensure(exact or self.solver, "that no weights do better needs a solver's bound, and none is named")
        ensure(not (exact and self.solver), "this is exact, not on a solver's word")
        if self.solver is not None:
            lead, weights = _best_nearby(self.rule, self.signs, self._position, self.space, self.weights.tolist())
            better = verdict_at(lead) is not self.verdict
            ensure(not better, f"the weights {', '.join(map(str, weights))} do better: they give a lead of {lead}")
        return True


def prospect_by_duels(
    board: SignsLike, model: str, rule: str, *, space: WeightSpace | None = None, time_limit: float | None = None
) -> MajorityProspect:
    """Return the verified prospect of a model by Copeland or minimax.

    A Condorcet winner wins by both rules, a rival that is nowhere worse keeps a model from winning alone: an
    integer program is asked only where neither settles the question.
    """
    signs = as_signs(board)
    allowed, position = space_for(signs, space), signs.position(model)
    # The widest margin first: a positive one is a Condorcet winner, who wins by both rules.
    widest = widest_margin(signs.matrix(model), signs.rivals(model), allowed, time_limit=time_limit)
    lead, weights = _best_nearby(rule, signs, position, allowed, widest.weights)
    # A rival that is nowhere behind keeps the lead at 0 or below: the programs need not look higher.
    may_lead = never_ahead(signs, position) is None
    every = np.array([signs.over_all(one) for one in range(len(signs.models))])
    deadline = deadline_in(time_limit)
    while lead < 0 or (lead == 0 and may_lead):
        if lead < 0 and _proving_rival(rule, signs, position, lead) is not None:
            break
        ahead = copeland_weights if rule == "copeland" else minimax_weights
        found = ahead(every, position, allowed, strictly=lead >= 0, time_limit=seconds_left(deadline))
        tried = weights if found is None else found
        better, weights = _best_nearby(rule, signs, position, allowed, tried)
        if found is None and verdict_at(better) is verdict_at(lead):
            break
        lead = better
    return MajorityProspect(
        model=str(model),
        rule=rule,
        lead=lead,
        weights=exact_series(weights, signs.tasks, "weight"),
        signs=signs,
        space=allowed,
        solver=None if _is_exact(rule, signs, position, lead) else solver_name(),
    ).verified()


def _best_nearby(
    rule: str, signs: Signs, position: int, space: WeightSpace, weights: Sequence[Fraction]
) -> tuple[Fraction, tuple[Fraction, ...]]:
    """Return the best lead under some weights and those that are tried beside them, with its weights."""
    best = lead_of(rule, signs, position, weights), tuple(weights)
    for tried in nearby_weightings(space, weights) if best[0] <= 0 else ():
        lead = lead_of(rule, signs, position, tried)
        best = (lead, tried) if lead > best[0] else best
    return best


def _is_exact(rule: str, signs: Signs, position: int, lead: Fraction) -> bool:
    """Tell whether the verdict that a lead gives needs no solver's bound."""
    return lead > 0 or _proving_rival(rule, signs, position, lead) is not None


def _proving_rival(rule: str, signs: Signs, position: int, lead: Fraction) -> int | None:
    """Return a rival that shows that no weights give a lead of another sign, where the lead is no win."""
    if lead >= 0:
        return never_ahead(signs, position) if lead == 0 else None
    shown = [rival for rival in range(len(signs.models)) if strictly_ahead(signs, position, rival, rule)]
    return shown[0] if shown else None


# Copeland and minimax at single weights, and rivals that no weights put behind: exact, from signs alone.


def lead_of(rule: str, signs: Signs, position: int, weights: Sequence[Fraction]) -> Fraction:
    """Return by how much a model is ahead of its best rival: in duels for Copeland, in margin for minimax.

    Copeland counts head-to-heads won minus lost; minimax is minus the margin of the worst defeat (of the closest win,
    where there is no defeat).
    """
    margins = Margins.from_signs(signs, weights)
    scores = _copeland(margins.array) if rule == "copeland" else _minimax(margins.array)
    best = max(score for row, score in enumerate(scores) if row != position)
    unit = 1 if rule == "copeland" else margins.denominator
    return Fraction(scores[position] - best, unit)


def never_ahead(signs: Signs, position: int) -> int | None:
    """Return a rival that no weights put behind the model, by Copeland or minimax, or None.

    On every task it ties the model or is ahead, and does against every other model at least as well. Then it has
    no less of every margin, whatever the weights.
    """
    own = signs.over_all(position)
    for rival in np.flatnonzero((own <= 0).all(axis=1)).tolist():
        if rival != position and _does_no_worse(signs.over_all(rival), own, position, rival):
            return int(rival)
    return None


def strictly_ahead(signs: Signs, position: int, rival: int, rule: str) -> bool:
    """Tell whether a rival leads the model on every task, and so keeps it from the first place under all weights.

    By Copeland the rival, which does no worse against every other model, wins one duel more and loses one less. By
    minimax the model's worst defeat is as bad as can be, while under any weights some model is not led by another on
    every task that has weight: being ahead on all of these is a relation without cycles.
    """
    own = signs.over_all(position)
    if rival == position or not bool((own[rival] == -1).all()):
        return False
    return rule == "minimax" or _does_no_worse(signs.over_all(rival), own, position, rival)


def _does_no_worse(signs: SignArray, own: SignArray, position: int, rival: int) -> bool:
    others = np.ones(len(own), dtype=np.bool_)
    others[[position, rival]] = False
    return bool((signs[others] >= own[others]).all())


def _copeland(margins: AnyArray) -> list[int]:
    return [int(score) for score in (margins > 0).sum(axis=1) - (margins < 0).sum(axis=1)]


def _minimax(margins: AnyArray) -> list[int]:
    count = len(margins)
    return [-max(int(margins[rival, model]) for rival in range(count) if rival != model) for model in range(count)]
