"""Prospects by Copeland and minimax: whether a model can have the best record of head-to-heads under some weights."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

import numpy as np
import pandas as pd

from weightlab import _solver
from weightlab._exact import AnyArray, FloatArray, SignArray
from weightlab._result import ByName, Frozen, Proof, Result, Seen, ensure, exact_series, on_word_of
from weightlab._solver import Solver, deadline_in, seconds_left, solver_name
from weightlab._solver.propose import proposed
from weightlab.data.convert import SignsLike, as_signs
from weightlab.data.linear_rule import rule_words
from weightlab.data.margins import Margins
from weightlab.data.signs import Signs
from weightlab.exceptions import ImpossibleError
from weightlab.lp.certificate import check_exact, check_table, check_weighting, nearby_weightings
from weightlab.lp.certificates.lp_rows import allowed_rows, margin_program
from weightlab.lp.certificates.max_margin import Verdict, verdict_at, widest_margin
from weightlab.lp.space.space import WeightSpace, space_for

DUEL_RULES = ("copeland", "minimax")
"""Rules that read the margins of the head-to-heads; minimax measures a defeat by its margin."""


class MajorityProspect(Result, kind="majority_prospect"):
    """Whether a model can win by Copeland or by minimax, with weights that show how well it can do.

    Attributes
    ----------
    model : str
        Whom the question is about.
    rule : {"copeland", "minimax"}
        Head-to-heads won minus lost, or the smallest margin of the worst defeat.
    lead : Fraction
        How far ahead of its best rival the model is under ``weights``: in head-to-heads by Copeland, in weight by
        minimax. Negative when it is behind. Its sign is that of the greatest lead there is, and so the verdict; the
        lead itself need not be the greatest.
    weights : Series of Fraction by task
        Weights of the space with that lead.
    signs : Signs
        The table's signs, which decide all head-to-heads.
    space : WeightSpace
        The weights that were allowed.
    solver : Solver or None
        Whose bound says that no weights do better, where that is not exact.
    """

    derived = ("verdict",)

    model: str
    rule: str
    lead: Fraction
    weights: Seen[pd.Series] = ByName("space.tasks")
    signs: Signs
    space: WeightSpace
    solver: Solver | None

    @property
    def verdict(self) -> Verdict:
        """By the rule: ``strict`` (can be the only winner), ``weak`` (can tie for the first place) or ``never``."""
        return verdict_at(self.lead)

    @property
    def proofs(self) -> Mapping[str, Proof]:
        """Every yes is exact, and a no that a rival shows; that else no weights do better is the solver's claim."""
        return {"the lead under the weights": Proof.EXACT, "no weights do better": on_word_of(self.solver)}

    @property
    def ahead(self) -> str | None:
        """The rival that proves a no without a solver; None if no rival does, or there is nothing to prove.

        It leads the model on every task; or it is nowhere behind it and does no worse against any other model.
        """
        rival = _proving_rival(self.rule, self.signs, self._position, self.lead)
        return None if rival is None else self.signs.models[rival]

    @property
    def margins(self) -> pd.DataFrame:
        """The margins of the head-to-heads under ``weights``, models x models, as floats."""
        return Margins.from_signs(self.signs, self.weights.tolist()).frame()

    @property
    def shares(self) -> pd.Series:
        """The weights."""
        return self.weights

    @property
    def _position(self) -> int:
        return self.signs.position(self.model)

    def __str__(self) -> str:
        """Say the verdict in one sentence; others say what it rests on, and name the conditions, if there are any."""
        if self.verdict is Verdict.STRICT:
            sentence = f"{self.model} can be the only winner {rule_words(self.rule)}."
        elif self.verdict is Verdict.WEAK:
            sentence = f"{self.model} can share the first place {rule_words(self.rule)} but never have it alone."
        else:
            sentence = f"{self.model} can never win {rule_words(self.rule)}."
        return sentence + self._grounds() + self.space.conditions_sentence

    def _grounds(self) -> str:
        if self.verdict is Verdict.STRICT:
            return ""
        if self.solver is None:
            why = "does no worse in any head-to-head" if self.verdict is Verdict.WEAK else "leads it on every task"
            return f" {self.ahead} {why}."
        return f" Optimality relies on the bound of {self.solver}."

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
        ensure(not (exact and self.solver), "this is exact and does not rely on a solver")
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
    integer program is solved only where neither settles the question.
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
        better, near = _best_nearby(rule, signs, position, allowed, weights if found is None else found)
        if found is None and verdict_at(better) is verdict_at(lead):
            break
        lead, weights = better, near
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
    """Return the best lead under some weights and those tried nearby, with its weights."""
    best = lead_of(rule, signs, position, weights), tuple(weights)
    for tried in nearby_weightings(space, weights) if best[0] <= 0 else ():
        lead = lead_of(rule, signs, position, tried)
        best = (lead, tried) if lead > best[0] else best
    return best


def _is_exact(rule: str, signs: Signs, position: int, lead: Fraction) -> bool:
    """Return whether the verdict that a lead gives needs no solver's bound."""
    return lead > 0 or _proving_rival(rule, signs, position, lead) is not None


def _proving_rival(rule: str, signs: Signs, position: int, lead: Fraction) -> int | None:
    """Return a rival that proves that no weights give a lead of another sign, where the lead is not a win."""
    if lead >= 0:
        return never_ahead(signs, position) if lead == 0 else None
    shown = [rival for rival in range(len(signs.models)) if strictly_ahead(signs, position, rival, rule)]
    return shown[0] if shown else None


# Copeland and minimax at single weights, and rivals that no weights put behind: exact, from signs alone.


def lead_of(rule: str, signs: Signs, position: int, weights: Sequence[Fraction]) -> Fraction:
    """Return by how much a model is ahead of its best rival: in head-to-heads for Copeland, in margin for minimax.

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
    """Return whether a rival leads the model on every task, and so keeps it from the first place under all weights.

    By Copeland the rival, which does no worse against every other model, wins one head-to-head more and loses one less.
    By minimax the model's worst defeat is as bad as can be, while under any weights some model is not led by another on
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


# Integer programs for Copeland and minimax: weights, and binaries that say how the head-to-heads end.


class _ProgramBuilder:
    """A program under construction: the weights and the auxiliary variables of the space come first."""

    def __init__(self, space: WeightSpace) -> None:
        self.space = space
        self.columns: list[tuple[str, _solver.Number, _solver.Number | None, bool]] = []
        self.rows: list[dict[int, _solver.Number]] = []
        self.least: list[_solver.Number] = []
        for name in (*space.tasks, *space.auxiliaries):
            self.column(name, 0, None, integral=False)

    def column(self, name: str, lower: _solver.Number, upper: _solver.Number | None, *, integral: bool = True) -> int:
        """Add a variable and return its position."""
        self.columns.append((name, lower, upper, integral))
        return len(self.columns) - 1

    def at_least(
        self, bound: _solver.Number, terms: dict[int, _solver.Number], signs: SignArray | None = None, sign: int = 1
    ) -> None:
        """Add the row that the margin of a head-to-head (times a sign) and some terms are at least a bound."""
        margin = {} if signs is None else {int(task): sign * int(signs[task]) for task in np.flatnonzero(signs)}
        self.rows.append({**margin, **terms})
        self.least.append(bound)

    def formulation(self, name: str, objective: int | None = None) -> _solver.Formulation:
        """Return the program that makes one variable large, or asks for any point."""
        names, lower, upper, integral = zip(*self.columns, strict=True)
        width, labels = len(names), [str(row) for row in range(len(self.rows))]
        allowed = allowed_rows(self.space.tasks, self.space.auxiliaries, self.space.rows, width)
        return _solver.Formulation.over(
            names,
            _solver.Rows.join(
                allowed, _solver.Rows.from_dicts(self.rows, width=width, lower=self.least, labels=labels)
            ),
            name=name,
            sense=_solver.Sense.MAXIMISE,
            objective=[int(place == objective) for place in range(width)],
            lower=lower,
            upper=upper,
            integral=integral,
        )


def copeland_weights(
    signs: SignArray, model: int, space: WeightSpace, *, strictly: bool, time_limit: float | None = None
) -> tuple[Fraction, ...] | None:
    """Return exact weights with a Copeland lead of 0 or more, or strictly more, or None: the solver's claim for none.

    Parameters
    ----------
    signs : ndarray of int8, models x models x tasks
        Signs of all over all.
    model : int
        Whose lead it is.
    space : WeightSpace
        Allowed weights.
    strictly : bool
        Whether the lead must be of one head-to-head at least.
    time_limit : float, optional
        Seconds.

    Notes
    -----
    Two binaries per head-to-head say whether it is won or lost. Margins of those won are only asked not to be negative,
    so that however narrow the space is no weights are overlooked. Whether some weights decide the head-to-heads that
    are called won, and tie those that are neither, is then settled by an exact linear program; where none do, its
    multipliers name those that exclude each other (combinatorial Benders cuts; Codato and Fischetti, 2006).
    """
    deadline, least = _solver.deadline_in(time_limit), int(strictly)
    builder, count = _ProgramBuilder(space), len(signs)
    won: dict[tuple[int, int], int] = {}
    for one in range(count):
        for other in range(one + 1, count):
            won[one, other], won[other, one] = _duel_binaries(builder, signs[one, other], f"{one} {other}")
    for rival in range(count):
        if rival != model:
            builder.at_least(least, _score_difference(won, model, rival, count))
    program = builder.formulation(f"a Copeland lead of {least}")
    weights: list[tuple[Fraction, ...]] = []

    def refute(point: FloatArray) -> _solver.Rows | None:
        ended = {pair: bool(round(float(point[place]))) for pair, place in won.items()}
        decided = [pair for pair, wins in ended.items() if wins]
        tied = [pair for pair in ended if pair[0] < pair[1] and not ended[pair] and not ended[pair[::-1]]]
        found = _weights_with(signs, decided, tied, space, _solver.seconds_left(deadline))
        if isinstance(found, tuple):
            weights.append(found)
            return None
        # Some head-to-head called won is not won, or some called tied is won by either side.
        pairs = [{won[one]: -1, won[other]: -1} for one, other in _opposed(signs, decided)]
        own = {won[pair]: -1 for pair in found.decided} | {
            won[side]: 1 for pair in found.tied for side in (pair, pair[::-1])
        }
        return _cuts([*pairs, own], [-1] * len(pairs) + [1 - len(found.decided)], len(program.columns))

    return None if proposed(program, refute, called="lead", time_limit=time_limit) is None else weights[0]


def _opposed(signs: SignArray, decided: Sequence[tuple[int, int]]) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """Yield pairs of head-to-heads that no weights decide together: on no task their signs sum to more than 0."""
    rows = np.array([signs[pair] for pair in decided])
    for place, row in enumerate(rows):
        for other in np.flatnonzero((rows[place + 1 :] + row <= 0).all(axis=1)).tolist():
            yield decided[place], decided[place + 1 + other]


def _cuts(rows: Sequence[dict[int, int]], least: Sequence[int], width: int) -> _solver.Rows:
    return _solver.Rows.from_dicts(rows, width=width, lower=least, labels=["not these together"] * len(rows))


def _score_difference(won: dict[tuple[int, int], int], model: int, rival: int, count: int) -> dict[int, _solver.Number]:
    """Return the Copeland score of a model less that of a rival, as a sum of binaries."""
    terms: dict[int, _solver.Number] = {}
    for who, sign in ((model, 1), (rival, -1)):
        for other in range(count):
            if other != who:
                for place, factor in ((won[who, other], sign), (won[other, who], -sign)):
                    terms[place] = terms.get(place, 0) + factor
    return terms


def _duel_binaries(builder: _ProgramBuilder, signs: SignArray, name: str) -> tuple[int, int]:
    """Add the binaries of one head-to-head and the rows that tie them to its margin."""
    places = []
    for sign, word in ((1, "won"), (-1, "lost")):
        # ``low <= sign * margin <= high`` for all weights: where that settles the head-to-head the binary is fixed.
        low, high = sorted((sign * int(signs.min()), sign * int(signs.max())))
        place = builder.column(f"{name} {word}", int(low > 0), int(high > 0))
        places.append(place)
        if low <= 0 < high:
            # At 1 the margin is not negative, at 0 the row says no more than ``low``.
            builder.at_least(low, {place: low}, signs, sign)
            # At 0 the margin is at most 0, at 1 the row says no more than ``high``.
            builder.at_least(0, {place: high}, signs, -sign)
    return places[0], places[1]


def minimax_weights(
    signs: SignArray, model: int, space: WeightSpace, *, strictly: bool, time_limit: float | None = None
) -> tuple[Fraction, ...] | None:
    """Return exact weights with a minimax lead (by margins) of 0 or more, or strictly more; None if no weights do.

    Notes
    -----
    No defeat of the model is worse than a variable says; for each rival a binary picks a head-to-head that it loses by
    at least that and the lead. Only those of a rival's head-to-heads enter that no other exceeds on every task.
    With the picks fixed a linear program is left, whose optimum is exact; where it falls short, its multipliers name
    picks that fall short together, and others are tried until the solver finds none: no bound of its, in floats, is
    compared.
    """
    deadline = _solver.deadline_in(time_limit)
    builder, worst, lead = _defeats(signs, model, space, least=0)
    picks: dict[int, SignArray] = {}
    for rival in (one for one in range(len(signs)) if one != model):
        own = {builder.column(f"{rival} by {n}", 0, 1): duel for n, duel in enumerate(_worst_duels(signs, rival))}
        for pick, duel in own.items():
            # ``worst + lead`` is a margin, so at most 1: a head-to-head that is not picked adds no constraint.
            room = 1 - int(duel.min())
            builder.at_least(-room, {worst: -1, lead: -1, pick: -room}, duel)
        builder.at_least(1, dict.fromkeys(own, 1))
        picks |= own
    program = builder.formulation("best minimax lead", lead)
    weights: list[tuple[Fraction, ...]] = []

    def refute(point: FloatArray) -> _solver.Rows | None:
        chosen, worst, lead = _defeats(signs, model, space, least=-2)
        picked = [pick for pick in picks if round(float(point[pick]))]
        first = len(chosen.formulation("without picks", lead).rows)
        for pick in picked:
            chosen.at_least(0, {worst: -1, lead: -1}, picks[pick])
        optimum = _solver.exact_optimum(
            chosen.formulation("minimax lead by picks", lead), time_limit=_solver.seconds_left(deadline)
        )
        if optimum.value > 0 or (optimum.value == 0 and not strictly):
            weights.append(optimum.x[: len(space.tasks)])
            return None
        short = {pick: -1 for pick, dual in zip(picked, optimum.duals[first:], strict=True) if dual}
        return _cuts([short], [1 - len(short)], len(program.columns))

    return None if proposed(program, refute, called="lead", time_limit=time_limit) is None else weights[0]


def _defeats(signs: SignArray, model: int, space: WeightSpace, *, least: int) -> tuple[_ProgramBuilder, int, int]:
    """Return a program in which no rival's margin over the model exceeds a variable, that variable and the lead."""
    builder = _ProgramBuilder(space)
    worst = builder.column("worst defeat", -1, 1, integral=False)
    lead = builder.column("lead", least, 2, integral=False)
    for rival in range(len(signs)):
        if rival != model:
            builder.at_least(0, {worst: 1}, signs[rival, model], -1)
    return builder, worst, lead


def _worst_duels(signs: SignArray, rival: int) -> SignArray:
    """Return the signs of others over a rival, without those that another exceeds on every task."""
    duels = np.unique(np.delete(signs[:, rival], rival, axis=0), axis=0)
    exceeded = [bool(((duels >= duel).all(axis=1) & (duels > duel).any(axis=1)).any()) for duel in duels]
    return np.asarray(duels[~np.array(exceeded)])


class _Excluded(Frozen, eq=True):
    """Duels that no weights of a space decide, and at the same time tie."""

    decided: list[tuple[int, int]]
    tied: list[tuple[int, int]]


def _weights_with(
    signs: SignArray,
    decided: Sequence[tuple[int, int]],
    tied: Sequence[tuple[int, int]],
    space: WeightSpace,
    time_limit: float | None,
) -> tuple[Fraction, ...] | _Excluded:
    """Return weights that win the decided head-to-heads by as much as possible and tie the tied ones."""
    program = margin_program(space.tasks, space.rows, space.auxiliaries)
    width, first = len(program.columns), len(program.rows)
    duels = np.zeros((len(tied) + len(decided), width), dtype=np.int64)
    for row, pair in enumerate([*tied, *decided]):
        duels[row, : len(space.tasks)] = signs[pair]
    duels[len(tied) :, width - 1] = -1
    above: list[_solver.Number | None] = [0] * len(tied) + [None] * len(decided)
    labels = [str(row) for row in range(len(duels))]
    rows = _solver.Rows.from_matrix(duels, lower=[0] * len(duels), upper=above, labels=labels)
    try:
        optimum = _solver.exact_optimum(program.with_rows(rows), time_limit=time_limit)
    except ImpossibleError as error:
        multipliers = error.proof.multipliers[first:]
    else:
        if not decided or optimum.value > 0:
            return optimum.x[: len(space.tasks)]
        multipliers = optimum.duals[first:]
    used = [pair for pair, one in zip([*tied, *decided], multipliers, strict=True) if one]
    return _Excluded(decided=[one for one in used if one in decided], tied=[one for one in used if one in tied])
