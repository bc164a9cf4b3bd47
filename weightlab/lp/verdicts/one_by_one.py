"""Prospects of all models by rules that take a program per model: Copeland, minimax and the geometric mean."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import pandas as pd

from weightlab._result import Proof, Result, ensure, told_of
from weightlab._solver import deadline_in, seconds_left
from weightlab._text import counted, in_words
from weightlab.data.convert import SignsLike, as_signs, as_table
from weightlab.data.linear_rule import rule_words
from weightlab.exceptions import TimeLimitError, UnknownNameError, UnprovedError
from weightlab.lp.certificates.max_margin import Verdict
from weightlab.lp.space.space import WeightSpace
from weightlab.lp.verdicts.geometric import GEOMETRIC_MEAN, GeometricProspect, prospect_by_products
from weightlab.lp.verdicts.majority_prospect import DUEL_RULES, MajorityProspect, prospect_by_duels

ONE_BY_ONE = (*DUEL_RULES, GEOMETRIC_MEAN)
"""Rules by which prospects are decided one model at a time."""
SHARE = 4
"""Largest ratio of a model's time to the time that would be left for each model after it."""


class PartialProspects(Result, kind="partial_prospects"):
    """The verdicts on all models by Copeland, minimax or the geometric mean, as far as they were proved.

    Attributes
    ----------
    rule : str
        ``"copeland"``, ``"minimax"`` or ``"geometric_mean"``.
    models : tuple of str
        All models, in board order.
    prospects : tuple of MajorityProspect or GeometricProspect
        Of the models whose verdict was proved, in board order.
    open : mapping from model to str
        Why the verdict on each of the others is open.
    """

    derived = ("verdicts",)

    rule: str
    models: tuple[str, ...]
    prospects: tuple[MajorityProspect | GeometricProspect, ...]
    open: Mapping[str, str]

    @property
    def verdicts(self) -> Mapping[str, Verdict | None]:
        """Verdict by model, None where it is open."""
        found = {one.model: one.verdict for one in self.prospects}
        return {model: found.get(model) for model in self.models}

    @property
    def proofs(self) -> Mapping[str, Proof]:
        """Of each verdict how much is re-checked."""
        return {f"the verdict on {one.model}": one.proof for one in self.prospects}

    def __getitem__(self, model: str) -> MajorityProspect | GeometricProspect:
        """Return one model's prospect.

        Raises
        ------
        UnknownNameError
            If there is no such model.
        UnprovedError
            If its verdict is open.
        """
        if model not in self.models:
            raise UnknownNameError("model", model, self.models)
        if model in self.open:
            raise UnprovedError(f"the verdict on {model!r} {rule_words(self.rule)} is open: {self.open[model]}")
        return next(one for one in self.prospects if one.model == model)

    def __str__(self) -> str:
        """Count the verdicts in one sentence, and name the models whose verdict is open in another."""
        strict, weak, never = (sum(one is verdict for one in self.verdicts.values()) for verdict in Verdict)
        tie = f"{weak} {'ties' if weak == 1 else 'tie'} at best, " if self.rule in DUEL_RULES else ""
        by, count = rule_words(self.rule, begins=True), len(self.models)
        able = f"{by}, {strict} of {count} models can be the only winner, {tie}{never} can never win"
        if not self.open:
            return f"{able}."
        return f"{able}; {counted(len(self.open), 'verdict')} not proved: {in_words([*self.open])}."

    def to_frame(self) -> pd.DataFrame:
        """Return the verdicts, how much each is proved, and why others are open, one row per model."""
        proofs = {one.model: str(one.proof) for one in self.prospects}
        rows = [(str(one or "open"), proofs.get(model, ""), self.open.get(model, "")) for model, one in self._pairs()]
        return pd.DataFrame(rows, index=list(self.models), columns=["verdict", "proof", "why open"])

    def _pairs(self) -> list[tuple[str, Verdict | None]]:
        return list(self.verdicts.items())

    def verify(self, source: SignsLike | None = None) -> bool:
        """Re-check every verdict that was proved.

        Raises
        ------
        ProofError
            Naming the first model whose proof fails.
        """
        ensure(self.rule in ONE_BY_ONE, f"{self.rule!r} is not a rule that treats each model on its own")
        found = [one.model for one in self.prospects]
        ensure([one for one in self.models if one not in self.open] == found, "each model has a proof, or is open")
        ensure({*self.open} <= {*self.models} and len({*self.models}) == len(self.models), "the models are others")
        asked = _asked_of(self.prospects[0]) if self.prospects else {}
        for one in self.prospects:
            with told_of(repr(one.model)):
                own = one.signs if isinstance(one, MajorityProspect) else one.points
                rule = one.rule if isinstance(one, MajorityProspect) else GEOMETRIC_MEAN
                ensure(own.models == self.models and rule == self.rule, "it is by another rule, or about other models")
                ensure(_asked_of(one) == asked, "it is of another table, or other conditions")
                one.verify(source)
        return True


def _asked_of(one: MajorityProspect | GeometricProspect) -> dict[str, Any]:
    """Return the table and the conditions of a prospect, as they are written."""
    written = one.to_dict()
    return {name: written.get(name) for name in ("signs", "points", "space", "shared_tables")}


def prospect_by_rule(
    board: SignsLike, model: str, rule: str, *, space: WeightSpace | None = None, time_limit: float | None = None
) -> MajorityProspect | GeometricProspect:
    """Return the verified prospect of one model by Copeland, minimax or the geometric mean."""
    if rule == GEOMETRIC_MEAN:
        return prospect_by_products(board, model, space=space)
    return prospect_by_duels(board, model, rule, space=space, time_limit=time_limit)


def prospects_one_by_one(
    board: SignsLike, rule: str, *, space: WeightSpace | None = None, time_limit: float | None = None
) -> PartialProspects:
    """Return the verdicts proved for all models within a time limit, which they share."""
    table, deadline = cast("SignsLike", as_table(board)), deadline_in(time_limit)
    models = as_signs(table).models
    open_, found = dict[str, str](), list[MajorityProspect | GeometricProspect]()
    for place, model in enumerate(models):
        left = seconds_left(deadline)
        limit = None if left is None else min(left, SHARE * left / (len(models) - place))
        try:
            found.append(prospect_by_rule(table, model, rule, space=space, time_limit=limit))
        except TimeLimitError:
            open_[model] = "the time limit came first"
        except UnprovedError as error:
            open_[model] = str(error)
    return PartialProspects(rule=rule, models=models, prospects=tuple(found), open=open_)
