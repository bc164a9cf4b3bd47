"""Missing scores as unknown numbers: who wins by a rule whatever they are, who for some values, and which decide."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property

import numpy as np
import pandas as pd

from weightlab._cures import Cure, Fault
from weightlab._exact import AnyArray, IntArray, SignArray, common_denominator, exact_products, largest_entry
from weightlab._result import ByName, Frozen, Record, Result, Seen, ensure, exact_series
from weightlab._solver import within
from weightlab._text import counted, first_few, in_words
from weightlab.data import Leaderboard, LeaderboardLike
from weightlab.data.frame.declarations import Range
from weightlab.data.linear_rule import MAJORITY, MEAN, LinearRule, RuleLike
from weightlab.data.own_rule import LARGE, SMALL
from weightlab.exceptions import InputError
from weightlab.lp.certificate import check_bound, check_weighting, leads, nonzero, series_dict
from weightlab.lp.certificates.max_margin import MarginProof, widest_margin
from weightlab.lp.improvement.improve import weights_words
from weightlab.lp.improvement.score_column import board_with_scores, refuse_wide_tolerances, score_columns, with_scores
from weightlab.lp.space.space import Vectors, WeightSpace, shares_of, space_for
from weightlab.lp.unknown_scores.borda_leads import completion_for, least_borda_leads, least_signs
from weightlab.lp.unknown_scores.completions import (
    BORDA,
    Bounds,
    Cell,
    Completions,
    Ends,
    Limit,
    bounds_text,
    limits_of,
    ranges_of,
)

FITS = 2**60
"""Leads of so many units and a few times as many fit 64 bits."""
_MOST_TRIED = 2 * 10**8
"""Values of missing cells times pairs of models that are tried by Borda."""


class MissingScores(Result, kind="missing"):
    """Who is the Condorcet winner, or first by the mean or by Borda, for some and for all values of the missing scores.

    Attributes
    ----------
    rule : LinearRule
        The majority, the mean or Borda.
    table : Leaderboard
        The table with its gaps.
    ranges : mapping of (lowest, highest) by cell
        The values that each missing score, a ``(model, task)``, can have; None where there is no limit.
    weights : Series of Fraction by task
        Today's weights as shares; with a space they play no part.
    space : WeightSpace or None
        The weights that were allowed; None means today's.
    possible : tuple of str
        Models that win for some values; with a space, under some of its weights.
    necessary : tuple of str
        Models that win for all values; with a space, under all of its weights.
    whatever_values : tuple of str
        Models that win for all values, under the same weights; without a space the same as ``necessary``.
    whatever_weights : tuple of str
        Models that win under all weights, for the same values; without a space the same as ``possible``.
    undecided : tuple of str
        By Borda, models of which neither is shown: values for which they win, or a rival that is never behind them.
    shown : mapping from model to tuple of Fraction
        By Borda, values for which each possible winner is first, in the order of ``ranges``; empty by other rules.
    cells : tuple of DecidingCell or None
        The missing scores that decide something alone; None where they were not looked for: with a space, and by Borda
        on large tables.
    answers : mapping from model to (Answer, Answer)
        With a space, the proofs: about the completion that serves the model best, and worst. Empty without one.
    """

    rule: LinearRule = LinearRule(name=MAJORITY)
    table: Leaderboard
    ranges: Seen[Mapping[Cell, Range]] = Seen(
        tuple[Limit, ...],
        limits_of,
        lambda record, held: ranges_of(record.table, {(model, task): ends for model, task, *ends in held}),
    )
    weights: Seen[pd.Series] = ByName("table.tasks")
    space: WeightSpace | None
    possible: tuple[str, ...]
    necessary: tuple[str, ...]
    whatever_values: tuple[str, ...]
    whatever_weights: tuple[str, ...]
    undecided: tuple[str, ...]
    shown: Mapping[str, tuple[Fraction, ...]]
    cells: tuple[DecidingCell, ...] | None
    answers: Mapping[str, tuple[Answer, Answer]]

    @property
    def completions(self) -> Completions:
        """The table with the ranges of its missing scores."""
        return Completions(rule=self.rule, board=self.table, ranges=self.ranges)

    def completed(self, model: str, *, best: bool = True) -> Leaderboard:
        """Return the table with its missing scores filled in as well, or as badly, for a model as they can be.

        A model can win by the rule exactly when it wins this table, and wins for certain exactly when it wins the bad
        one. A score without a limit gets one beyond all others. By Borda no values serve a model best against all
        rivals at once: the good table is the one in which a possible winner is shown to win.

        Raises
        ------
        UnknownNameError
            If there is no such model.
        InputError
            By Borda, for the bad table, and for a model that is not shown to win.
        """
        self.table.signs().position(model)
        if self.rule.name == BORDA:
            if not best or model not in self.shown:
                raise InputError(f"by borda, only possible winners have a table, in which they win; got {model!r}")
            return self._completed(str(model))
        return with_scores(self.table, self.completions.scores(str(model), best=best))

    def _completed(self, model: str) -> Leaderboard:
        return with_scores(self.table, dict(zip(self.ranges, self.shown[model], strict=True)))

    @property
    def deciding(self) -> pd.DataFrame:
        """The cells that decide something alone: model, task, rules_out, settles (tuples of models).

        Raises
        ------
        InputError
            With a space, where they were not looked for.
        """
        if self.cells is None:
            large = "by borda this table is too large for them"
            raise InputError(
                f"deciding cells were not looked for: {large}"
                if self.space is None
                else "deciding cells are found at today's weights only: ask without space="
            )
        rows = [(one.model, one.task, one.rules_out, one.settles) for one in self.cells]
        return pd.DataFrame(rows, columns=["model", "task", "rules_out", "settles"], dtype=object)

    def __str__(self) -> str:
        """Say who wins by the rule for certain, who can win, which scores decide; then the bounds and conditions."""
        words = bounds_text(self.ranges)
        if self.space is not None:
            gaps = counted(len(self.ranges), "missing score")
            return f"With {gaps} unknown, {self._under_weights()}.{words}{self.space.conditions_sentence}"
        return self._today() + words

    def _today(self) -> str:
        where = f"{self.rule.by} {weights_words(self.table)}"
        if not self.ranges:
            return f"No score is missing: {in_words(self.necessary) or 'no model'} wins {where}."
        gaps = counted(len(self.ranges), "missing score")
        all_gaps = gaps if len(self.ranges) > 1 else "missing score"
        if self.necessary:
            return f"{self.necessary[0]} wins {where}, whatever the {all_gaps} would be."
        if not self.possible and not self.undecided:
            return f"No model can win {where}, whatever the {all_gaps} would be."
        doubt = f"; undecided: {in_words(self.undecided)}" if self.undecided else ""
        sure = "" if not self.possible else ", none for certain" if len(self.possible) > 1 else ", but not for certain"
        who = f"{in_words(self.possible) or 'no model is shown that'} can win {where}{sure}{doubt}"
        if self.cells is None:
            return f"With {gaps} unknown, {who}."
        alone = [f"{one.model} on {one.task}" for one in self.cells or ()]
        decide = f"known alone, {'these decide' if len(alone) > 1 else 'this one decides'} something: {in_words(alone)}"
        return f"With {gaps} unknown, {who}; {decide if alone else 'no single one of them decides anything'}."

    def _under_weights(self) -> str:
        sure = (
            f"{in_words(self.necessary)} wins {self.rule.by} under all weights"
            if self.necessary
            else f"no model wins {self.rule.by} under all weights"
        )
        robust = in_words(self.whatever_values) or "no model"
        return (
            f"{sure}; {robust} can win whatever the values, and {in_words(self.possible) or 'no model'} for some values"
        )

    def to_frame(self) -> pd.DataFrame:
        """Return for each model what it can do; at today's weights also its least leads in both completions."""
        models = list(self.table.models)
        names = ["possible", "necessary"] + (["whatever_values", "whatever_weights"] if self.space is not None else [])
        frame = pd.DataFrame({name: [one in getattr(self, name) for one in models] for name in names}, index=models)
        if self.space is None:
            leads = self._leads()
            for name, best in (("best", True), ("worst", False)):
                frame[f"least lead at {name}"] = pd.Series(leads.least(best=best), index=models, dtype=object)
        return frame

    def _leads(self) -> ExtremeLeads:
        return ExtremeLeads(completions=self.completions, weights=self.weights.tolist())

    def verify(self, source: Leaderboard | None = None) -> bool:
        """Re-check everything in exact arithmetic, without a solver.

        At today's weights all leads are computed anew in the two completions of each model, and all deciding cells
        too. With a space, weights and blockers are checked against the signs of those completions.

        Raises
        ------
        ProofError
            Naming what fails first.
        """
        if source is not None:
            self.table.ensure_same(source, weights="shares" if self.space is None else None, groups=False)
        ensure(tuple(self.ranges) == self.table.missing_cells, "the ranges are not those of the missing scores")
        for cell, (low, high) in self.ranges.items():
            fits = all(one is None or isinstance(one, Fraction) for one in (low, high))
            ensure(fits and (low is None or high is None or low <= high), f"the range of {cell} is none")
        _check_asked(self.rule, self.table, self.ranges, self.space)
        today = shares_of(self.table.weights, self.table.tasks)
        ensure(series_dict(self.weights) == today, "the weights are not today's")
        if self.space is None:
            self._verify_today()
        else:
            self._verify_space(self.space)
        return True

    def _verify_today(self) -> None:
        ensure(not self.answers, "answers about weights belong to a space")
        leads = self._leads()
        if self.rule.name == BORDA:
            self._verify_shown()
        else:
            ensure(not self.shown, "by this rule possible winners follow from their leads")
        self._verify_names(_at_weights(leads, self.shown))
        cells = deciding_cells(leads, self.possible, self.necessary)
        ensure(self.cells == cells, "the deciding cells are others")

    def _verify_shown(self) -> None:
        weights, models = self.weights.tolist(), self.table.models
        for model, values in self.shown.items():
            ensure(model in models and len(values) == len(self.ranges), f"the values for {model!r} are others")
            for (cell, (low, high)), value in zip(self.ranges.items(), values, strict=True):
                fits = (low is None or low <= value) and (high is None or value <= high)
                ensure(fits, f"the score of {cell[0]!r} on {cell[1]!r} for which {model!r} wins is out of its bounds")
            points = self._completed(model).points(BORDA)
            least = min(leads(points.matrix(model), weights))
            ensure(least > 0, f"{model!r} is not first for the values shown: its least lead is {least}")

    def _verify_space(self, space: WeightSpace) -> None:
        ensure(self.cells is None and not self.shown, "deciding cells and values belong to fixed weights")
        ensure(space.tasks == self.table.tasks, "the space is not about the tasks of the table, in order")
        ensure(tuple(self.answers) == self.table.models, "the answers are not about the models, in order")
        for place, (model, both) in enumerate(self.answers.items()):
            rivals = [one for one in self.table.models if one != model]
            for best, answer in zip((True, False), both, strict=True):
                answer.check(self.completions.signs(place, best=best), rivals, space)
        self._verify_names(_at_answers(self.answers))

    def _verify_names(self, found: Mapping[str, tuple[str, ...]]) -> None:
        for what in ("possible", "necessary", "whatever_values", "whatever_weights", "undecided"):
            own, names = getattr(self, what), found.get(what, ())
            ensure(own == names, f"{what}: {in_words(names) or 'none'}, not {in_words(own) or 'none'}")


def _at_weights(leads: ExtremeLeads, shown: Mapping[str, object]) -> dict[str, tuple[str, ...]]:
    """Return who can win, and who wins for certain; by Borda those can win that are shown to, others may."""
    models = leads.completions.board.models
    able, sure = (
        tuple(model for model, own in zip(models, leads.least(best=best), strict=True) if own > 0)
        for best in (True, False)
    )
    possible = tuple(model for model in models if model in shown) if leads.completions.rule.name == BORDA else able
    undecided = tuple(model for model in able if model not in possible)
    return {
        "possible": possible,
        "necessary": sure,
        "undecided": undecided,
        "whatever_values": sure,
        "whatever_weights": possible,
    }


def _shown(leads: ExtremeLeads) -> dict[str, tuple[Fraction, ...]]:
    """Return by Borda for each model values for which it is found to be first, in the order of the missing cells."""
    completions, found = leads.completions, {}
    if completions.rule.name != BORDA:
        return {}
    places, models = 2 * completions.ends.places, completions.board.models
    for row, own in enumerate(leads.least(best=True)):
        if own > 0 and (completed := completion_for(row, places, leads.numerators)) is not None:
            scores = completions.scores_at(completed)
            found[models[row]] = tuple(scores[cell] for cell in completions.ranges)
    return found


def _at_answers(found: Mapping[str, tuple[Answer, Answer]]) -> dict[str, tuple[str, ...]]:
    return {
        "possible": tuple(model for model, (best, _) in found.items() if best.some),
        "necessary": tuple(model for model, (_, worst) in found.items() if worst.every),
        "whatever_values": tuple(model for model, (_, worst) in found.items() if worst.some),
        "whatever_weights": tuple(model for model, (best, _) in found.items() if best.every),
    }


def missing(
    board: LeaderboardLike,
    *,
    rule: RuleLike | None = None,
    space: WeightSpace | None = None,
    bounds: Bounds | None = None,
    time_limit: float | None = None,
) -> MissingScores:
    """Find who wins head-to-head, by the mean or by Borda whatever the missing scores are, and who for some values.

    Parameters
    ----------
    board : Leaderboard
        The table. Here a missing score is an unknown number, not a tie.
    rule : str, optional
        ``"majority"``; ``"mean"``: then every missing score needs bounds on both sides, and tolerances play no part; or
        ``"borda"``, on tables without tolerances and at today's weights. Default: the table's own, ``board.rule``.
    space : WeightSpace, optional
        Allowed weights; None means today's, ``board.weights``.
    bounds : (lowest, highest), or mapping of such pairs, optional
        What missing scores can be: one pair for all, or pairs by task and by (model, task), of which a cell's own goes
        before its task's. None for a side means no limit. Of tasks that are not named those hold that the table
        declares, ``board.bounds``.
    time_limit : float, optional
        Seconds for all linear programs; they take part with a space only.

    Returns
    -------
    MissingScores

    Raises
    ------
    InputError
        If bounds are wrong or lacking, a task with missing scores has a relative tolerance above 1, or the rule is
        another one; by Borda, with a space or with tolerances.
    EmptySpaceError
        If no weights satisfy the conditions of the space.
    UnprovedError, TimeLimitError
        If no exact proof was found; ``known["answers"]`` has what is known of the first models, under some and under
        all values.

    Notes
    -----
    For one model, the best values of its own missing scores and the worst of its rivals' serve it best in every duel,
    and by the mean over every rival, at once, so it can win by the rule exactly when it wins that one completion;
    likewise for all values and the worst
    one. At fixed weights this takes O(models x (models x tasks + missing cells)) and no solver; with a space, linear
    programs as in `prospect`.

    By Borda a third model's score matters to a pair, too. Each pair has a least and a greatest lead over all values, in
    O(models^2 x tasks) for all of them: who has only least leads above 0 wins by Borda for certain, exactly, and who
    has a greatest lead of 0 or less never does. Of the others those may be first for which a search finds such values
    (`shown`); whether the rest can is ``undecided``.

    A cell *decides* when some value of it, while the others stay unknown, rules out a model that could win, or makes
    one win for certain that did not. Knowing one cell can do no more than that: it never adds a possible winner.
    Its worst and its best value are tried on all models at once, which takes O(missing cells x models). By Borda all
    values are tried that differ for some pair, on tables where they are few enough, and "rules out" means that a pair
    then shows it.

    References
    ----------
    Konczak and Lang, Voting procedures with incomplete preferences, 2005 (possible and necessary winners).

    Examples
    --------
    >>> import weightlab as wl
    >>> board = wl.Leaderboard({"x": {"a": 3, "b": 2}, "y": {"a": None, "b": 1}, "z": {"a": 4, "b": 5}})
    >>> found = wl.lp.missing(board, rule="majority")
    >>> found.possible, found.necessary
    (('a', 'b'), ())
    >>> found.deciding
      model task rules_out settles
    0     a    y    (a, b)  (a, b)
    >>> print(wl.lp.missing(board, rule="majority", bounds={"y": (2, 10)}))
    a wins head-to-head at equal weights, whatever the missing score would be. Bounds: 2 to 10 for every missing score.
    """
    table = board_with_scores(board)
    asked, ranges = LinearRule.or_own(rule, table), ranges_of(table, bounds)
    _check_asked(asked, table, ranges, space)
    allowed = None if space is None else space_for(table.signs(), space)
    completions = Completions(rule=asked, board=table, ranges=ranges)
    weights = list(shares_of(table.weights, table.tasks).values())
    proofs: dict[str, tuple[Answer, Answer]] = {}
    cells, shown = None, {}
    with within(time_limit, answers=proofs):
        if allowed is None:
            leads = ExtremeLeads(completions=completions, weights=weights)
            shown = _shown(leads)
            found = _at_weights(leads, shown)
            cells = deciding_cells(leads, found["possible"], found["necessary"])
        else:
            proofs.update(_proofs(completions, allowed))  # one by one: what is known when time is up stays
            found = {**_at_answers(proofs), "undecided": ()}
    return MissingScores(
        rule=asked,
        table=table,
        ranges=completions.ranges,
        weights=exact_series(weights, table.tasks, "weight"),
        space=allowed,
        **found,
        shown=shown,
        cells=cells,
        answers=proofs,
    ).verified()


def _check_asked(
    rule: LinearRule, table: Leaderboard, ranges: Mapping[Cell, Range], space: WeightSpace | None = None
) -> None:
    """Raise InputError where a rule cannot be asked about unknown scores, or needs bounds that are not given."""
    if rule.is_majority:
        refuse_wide_tolerances([one for one in score_columns(table) if None in one.gains], "an unknown score")
        return
    if str(rule) == BORDA:
        tied = [task for task in table.tasks if table.tolerance.get(task) or table.relative_tolerance.get(task)]
        if tied:
            told = f"by borda, scores that tie within a tolerance have no places; see task {tied[0]!r}"
            raise InputError(Fault(told, Cure("rule", MAJORITY)))
        if space is not None:
            told = "by borda, unknown scores are asked about at the current weights, without conditions on them"
            raise InputError(Fault(told, Cure("rule", MAJORITY)))
        return
    if rule.name != MEAN:
        raise InputError(f"unknown scores are not asked about by {rule}: ask by 'majority', 'mean' or 'borda'")
    free = [f"{model!r} on {task!r}" for (model, task), ends in ranges.items() if None in ends]
    if free:
        told = f"by mean a missing score needs a lowest and a highest value; without: {first_few(free)}"
        raise InputError(Fault(told, *usual_bounds(table), Cure("rule", MAJORITY)))


def usual_bounds(table: Leaderboard) -> Iterator[Cure]:
    """Yield the bounds of shares, or of percentages, where all scores of a table are some."""
    scores = table.cells.floats[~table.cells.missing]
    top = next((one for one in (SMALL, LARGE) if np.abs(scores).max() <= one), None)
    if top is not None:
        yield Cure("bounds", f"{0 if scores.min() >= 0 else -top}:{top}")


def _proofs(completions: Completions, space: WeightSpace) -> Iterator[tuple[str, tuple[Answer, Answer]]]:
    models = completions.board.models
    for place, model in enumerate(models):
        rivals = [one for one in models if one != model]
        best, worst = (answer_for(completions.signs(place, best=one), rivals, space) for one in (True, False))
        yield model, (best, worst)


# Whether a model wins under some or under all weights of a space, each answer with what proves it.


class LeadBound(Record):
    """A mixture of rivals with a vector a condition of the space, and the bound of the lead over it that they prove."""

    # The rivals with a share alone: there may be as many of these as rivals.
    bound: Fraction
    blockers: Mapping[str, Fraction]
    vectors: Vectors

    @classmethod
    def of(cls, proof: MarginProof) -> LeadBound:
        """Return what a proof of a widest margin says about its upper bound."""
        return cls(
            bound=proof.upper,
            blockers=nonzero(proof.blockers, proof.rivals),
            vectors=proof.vectors,
        )

    def check(self, signs: SignArray, rivals: Sequence[str], space: WeightSpace) -> None:
        """Ensure that the mixture is of these rivals and proves the bound."""
        check_bound(signs, rivals, self.blockers, self.vectors, space, bound=self.bound)


class Answer(Record):
    """Whether a model beats every rival under some weights of a space, and whether under all.

    Attributes
    ----------
    some, every : bool
        The answers.
    wins : mapping from task to Fraction, or None
        Weights under which it does, for "some".
    fails : mapping from task to Fraction, or None
        Weights under which it does not, for "not all".
    bounds : tuple of LeadBound
        For "none": blockers with a bound of at most 0. For "all": one a rival, of the negated signs.
    """

    some: bool
    every: bool
    wins: Mapping[str, Fraction] | None
    fails: Mapping[str, Fraction] | None
    bounds: tuple[LeadBound, ...]

    def check(self, signs: SignArray, rivals: Sequence[str], space: WeightSpace) -> None:
        """Ensure that weights and bounds prove the answers about these signs."""
        ensure(self.some or not self.every, "what wins under all weights wins under some")
        ensure((self.wins is not None) == self.some, "weights that win belong to a model that can")
        ensure((self.fails is not None) == (not self.every), "weights that fail belong to a model that can fail")
        for weights, win in ((self.wins, True), (self.fails, False)):
            if weights is not None:
                check_weighting(weights, space)
                least = min(leads(signs, [*weights.values()]))
                ensure((least > 0) == win, f"the least lead under the weights is {least}")
        if not self.some:
            ensure(len(self.bounds) == 1 and self.bounds[0].bound <= 0, "no blockers show that no weights win")
            self.bounds[0].check(signs, rivals, space)
        if self.every:
            ensure(len(self.bounds) == len(rivals), "not every rival is shown to be beaten under all weights")
            for row, bound in enumerate(self.bounds):
                ensure(bound.blockers == {rivals[row]: 1}, "a bound is about another rival")
                ensure(bound.bound < 0, f"the lead over {rivals[row]!r} is only shown to be at least {-bound.bound}")
                bound.check(-signs, rivals, space)


def answer_for(signs: SignArray, rivals: Sequence[str], space: WeightSpace) -> Answer:
    """Return under which weights of a space a model with these signs beats every rival.

    One linear program decides whether some do; then one a rival whether all do, until one does not.
    """
    widest = widest_margin(signs, rivals, space)
    weights = dict(zip(space.tasks, widest.weights, strict=True))
    if widest.upper <= 0:
        return Answer(some=False, every=False, wins=None, fails=weights, bounds=(LeadBound.of(widest),))
    bounds: dict[int, LeadBound] = {}
    # Rivals that are led on few tasks first: if some weights fail, they are met soon.
    for row in np.argsort(signs.sum(axis=1), kind="stable").tolist():
        # The rival's greatest lead over the model, as the widest margin of the turned signs: below 0, the model is
        # ahead under all weights.
        least = widest_margin(-signs[[row]], [rivals[row]], space)
        if least.upper >= 0:
            fails = dict(zip(space.tasks, least.weights, strict=True))
            return Answer(some=True, every=False, wins=weights, fails=fails, bounds=())
        bounds[row] = LeadBound.of(least)
    ordered = tuple(bounds[row] for row in range(len(rivals)))
    return Answer(some=True, every=True, wins=weights, fails=None, bounds=ordered)


# Deciding cells: missing scores that change who can win, or who wins for certain, when they alone become known.


class DecidingCell(Record, eq=True):
    """A missing score that decides something alone.

    Attributes
    ----------
    model, task : str
        The cell.
    rules_out : tuple of str
        Models that by the rule can win so far and cannot any more after some value of this cell.
    settles : tuple of str
        Models that do not win for certain so far and do after some value of this cell.
    """

    model: str
    task: str
    rules_out: tuple[str, ...]
    settles: tuple[str, ...]


class ExtremeLeads(Frozen):
    """The leads of every model at fixed weights, in the completions that serve it best and worst.

    Attributes
    ----------
    completions : Completions
        The table with its ranges.
    weights : sequence of Fraction
        One a task; they sum to 1.
    """

    completions: Completions
    weights: Sequence[Fraction]

    @cached_property
    def unit(self) -> int:
        """The common denominator of the weights and of gains: leads are multiples of its inverse."""
        return self._of_weights * self.completions.unit

    @cached_property
    def numerators(self) -> list[int]:
        """The weights times their common denominator."""
        return common_denominator(self.weights)[0]

    @cached_property
    def _of_weights(self) -> int:
        return common_denominator(self.weights)[1]

    @cached_property
    def _most(self) -> int:
        """More than any lead, in units."""
        ends = self.completions.ends
        widest = 1 if isinstance(ends, Ends) else 2 * max(1, largest_entry(ends.places))
        widest = 2 * len(self.completions.board.models) if self.completions.rule.name == BORDA else widest
        return self._of_weights * widest + 1

    @cached_property
    def leads(self) -> tuple[AnyArray, AnyArray]:
        """Leads in units (models x rivals) in the worst and the best completions; above all others over oneself."""
        ends, numerators, both = self.completions.ends, self.numerators, []
        if self.completions.rule.name == BORDA:
            least = least_borda_leads(ends.places, numerators)
            return self._borda(least)
        for end in range(2):
            found = np.array([exact_products(ends.signs(own, 1 - end), numerators) for own in ends.places[end]])
            found = found.astype(np.int64 if self._most < FITS else object)
            np.fill_diagonal(found, self._most)
            both.append(found)
        return both[0], both[1]

    def _borda(self, least: AnyArray) -> tuple[AnyArray, AnyArray]:
        """Return least and greatest leads; the greatest of x over y is the least of y over x, turned round."""
        greatest = -least.T.copy()
        for own in (least, greatest):
            np.fill_diagonal(own, self._most)
        return least, greatest

    def least(self, *, best: bool) -> list[Fraction]:
        """Return the least lead of each model."""
        return [Fraction(int(one), self.unit) for one in self.leads[best].min(axis=1)]

    def after(self, owner: int, task: int, own: int, others: int, *, best: bool) -> AnyArray:
        """Return each model's least lead, in units, in one of the completions but with a missing cell at an end.

        Its owner has the worst (0) or best gain (1) ``own``, the other models meet it with the end ``others``.
        """
        leads, ends, weight = self.leads[best], self.completions.ends, int(self.weights[task] * self._of_weights)
        # Another model's lead changes over the owner alone, and its least over all others is known.
        before = ends.signs(ends.places[int(best), :, task], int(not best), owner, task)
        now = ends.signs(ends.places[int(best), :, task], others, owner, task)
        least = np.minimum(
            self._least_but(owner, best=best), leads[:, owner] + weight * (now - before).astype(leads.dtype)
        )
        before, now = (ends.signs(ends.places[end, owner, task], int(not best), task=task) for end in (int(best), own))
        changed = leads[owner] + weight * (now - before).astype(leads.dtype)
        least[owner] = np.delete(changed, owner).min()
        return np.asarray(least)

    def borda_cells(self, possible: Collection[str], necessary: Collection[str]) -> tuple[DecidingCell, ...] | None:
        """Return by Borda the cells that decide something alone; None where there is too much to try.

        A value that lies between two neighbours stands for all of them.
        """
        board, places = self.completions.board, 2 * self.completions.ends.places
        names, (least, _) = np.array(board.models), self.leads
        can, sure = (np.isin(names, tuple(some)) for some in (possible, necessary))
        free = [(row, task) for row, task in np.argwhere(places[0] < places[1]).tolist() if self.numerators[task]]
        values = [range(int(places[0, row, task]), int(places[1, row, task]) + 1) for row, task in free]
        if sum(map(len, values)) * len(names) ** 2 > _MOST_TRIED:
            return None
        decide = []
        for (row, task), tried in zip(free, values, strict=True):
            weight, (low, high) = self.numerators[task], places[:, :, task].copy()
            without = least - weight * least_signs(low, high)
            rules_out, settles = np.zeros((2, len(names)), dtype=np.bool_)
            for value in tried:
                low[row] = high[row] = value
                worst, best = self._borda(without + weight * least_signs(low, high))
                rules_out |= can & (best.min(axis=1) <= 0)
                settles |= ~sure & (worst.min(axis=1) > 0)
            if rules_out.any() or settles.any():
                who = [tuple(names[one].tolist()) for one in (rules_out, settles)]
                cell = DecidingCell(model=board.models[row], task=board.tasks[task], rules_out=who[0], settles=who[1])
                decide.append(cell)
        return tuple(decide)

    def _least_but(self, rival: int, *, best: bool) -> AnyArray:
        """Return each model's least lead over all rivals but one."""
        first, least, second = self._two_least[best]
        return np.asarray(np.where(first == rival, second, least))

    @cached_property
    def _two_least(self) -> list[tuple[IntArray, AnyArray, AnyArray]]:
        """The rival over whom each model leads least, that lead, and the least over the other rivals; by completion."""
        found = []
        for own in self.leads:
            rows, first = np.arange(len(own)), own.argmin(axis=1)
            others = own.copy()
            others[rows, first] = self._most
            found.append((first, own[rows, first], others.min(axis=1)))
        return found


def deciding_cells(
    found: ExtremeLeads, possible: Collection[str], necessary: Collection[str]
) -> tuple[DecidingCell, ...] | None:
    """Return the cells that decide something alone, given who by the rule can win and who wins for certain.

    A model is ruled out at the value of the cell that is worst for it if at any, and settled at the best.
    """
    if found.completions.rule.name == BORDA:
        return found.borda_cells(possible, necessary)
    board, places = found.completions.board, found.completions.ends.places
    can, sure = (np.array([model in names for model in board.models]) for names in (possible, necessary))
    decide = []
    for owner, task in np.argwhere(board.cells.missing).tolist():
        # A score that can take one value only, or that has no weight, changes no lead.
        if places[0, owner, task] == places[1, owner, task] or not found.weights[task]:
            continue
        rules_out = can & (found.after(owner, task, own=0, others=1, best=True) <= 0)
        settles = ~sure & (found.after(owner, task, own=1, others=0, best=False) > 0)
        if rules_out.any() or settles.any():
            ruled_out, settled = (tuple(np.array(board.models)[one].tolist()) for one in (rules_out, settles))
            cell = DecidingCell(model=board.models[owner], task=board.tasks[task], rules_out=ruled_out, settles=settled)
            decide.append(cell)
    return tuple(decide)
