"""Missing scores as unknown numbers: who wins by a rule whatever they are, who for some values, and which decide."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from weightlab._cures import Cure, Fault
from weightlab._exact import SignArray
from weightlab._result import ByName, Record, Result, Seen, ensure, exact_series
from weightlab._solver import within
from weightlab._text import counted, in_words
from weightlab.data import Leaderboard, LeaderboardLike
from weightlab.data.frame.declarations import Range
from weightlab.data.linear_rule import MAJORITY, LinearRule, RuleLike
from weightlab.exceptions import InputError
from weightlab.lp.certificate import check_bound, check_weighting, leads, nonzero, series_dict
from weightlab.lp.certificates.max_margin import MarginProof, widest_margin
from weightlab.lp.improvement.score_column import board_with_scores, with_scores
from weightlab.lp.improvement.upsets import weights_words
from weightlab.lp.space.space import Vectors, WeightSpace, shares_of, space_for
from weightlab.lp.unknown_scores.borda_leads import completion_for
from weightlab.lp.unknown_scores.bounds import (
    BORDA,
    Bounds,
    Cell,
    Limit,
    bounds_text,
    ensure_askable,
    limits_of,
    ranges_of,
    rule_asked,
)
from weightlab.lp.unknown_scores.deciding_cells import DecidingCell, ExtremeLeads, deciding_cells
from weightlab.lp.unknown_scores.spans import Spans, spans_of


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
        By Borda, models for which neither is shown: values for which they win, or a rival that is never behind them.
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
        lambda record, held: _ranges_held(record.table, held),
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

    @cached_property
    def spans(self) -> Spans:
        """The table as whole numbers, with the ranges of its missing scores."""
        return spans_of(self.table, self.rule.name, limits_of(self.ranges)).reduced()

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
        row = self.table.signs().position(model)
        if self.rule.name == BORDA:
            if not best or model not in self.shown:
                raise InputError(f"by Borda, only possible winners have a table, in which they win; got {model!r}")
            return self._completed(str(model))
        ends = (self.spans.low, self.spans.high)
        gains = ends[not best].copy()
        gains[row] = ends[best][row]
        return with_scores(self.table, self.spans.scores_of(self.table, gains))

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
            large = "by Borda this table is too large for them"
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
            leads = ExtremeLeads(spans=self.spans)
            for name, best in (("best", True), ("worst", False)):
                frame[f"least lead at {name}"] = pd.Series(leads.least(best=best), index=models, dtype=object)
        return frame

    def verify(self, source: Leaderboard | None = None) -> bool:
        """Re-check everything in exact arithmetic, without a solver.

        At today's weights all leads are recomputed in the two completions of each model, and all deciding cells
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
            ensure(fits and (low is None or high is None or low <= high), f"the range of {cell} is empty or not exact")
        _check_asked(self.rule, self.table, self.space)
        today = shares_of(self.table.weights, self.table.tasks)
        ensure(series_dict(self.weights) == today, "the weights are not today's")
        if self.space is None:
            self._verify_today()
        else:
            self._verify_space(self.space)
        return True

    def _verify_today(self) -> None:
        ensure(not self.answers, "answers about weights belong to a space")
        leads = ExtremeLeads(spans=self.spans)
        if self.rule.name == BORDA:
            self._verify_shown()
        else:
            ensure(not self.shown, "by this rule possible winners follow from their leads")
        models, tasks = self.table.models, self.table.tasks
        self._verify_names(_at_weights(leads, models, self.shown))
        cells = deciding_cells(leads, models, tasks, self.possible, self.necessary)
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
                answer.check(self.spans.rows(place, best=best), rivals, space)
        self._verify_names(_at_answers(self.answers))

    def _verify_names(self, found: Mapping[str, tuple[str, ...]]) -> None:
        for what in ("possible", "necessary", "whatever_values", "whatever_weights", "undecided"):
            own, names = getattr(self, what), found.get(what, ())
            ensure(own == names, f"{what}: {in_words(names) or 'none'}, not {in_words(own) or 'none'}")


def _ranges_held(table: Leaderboard, held: Sequence[Limit]) -> dict[Cell, Range]:
    """Return the ranges of missing scores as a document holds them."""
    read: dict[Any, Any] = {(model, task): ends for model, task, *ends in held}
    ensure(read.keys() <= {*table.missing_cells}, "a range is not that of a missing score")
    return ranges_of(table, read)


def _at_weights(leads: ExtremeLeads, models: Sequence[str], shown: Mapping[str, object]) -> dict[str, tuple[str, ...]]:
    """Return who can win, and who wins for certain; by Borda those can win that are shown to, others may."""
    able, sure = (
        tuple(model for model, own in zip(models, leads.least(best=best), strict=True) if own > 0)
        for best in (True, False)
    )
    possible = tuple(model for model in models if model in shown) if leads.spans.rule == BORDA else able
    undecided = tuple(model for model in able if model not in possible)
    return {
        "possible": possible,
        "necessary": sure,
        "undecided": undecided,
        "whatever_values": sure,
        "whatever_weights": possible,
    }


def _shown(leads: ExtremeLeads, table: Leaderboard) -> dict[str, tuple[Fraction, ...]]:
    """Return by Borda for each model values for which it is found to be first, in the order of the missing cells."""
    spans, found = leads.spans, {}
    for row, own in enumerate(leads.least(best=True) if spans.rule == BORDA else ()):
        if own > 0 and (completed := completion_for(row, 2 * spans.places, spans.weights)) is not None:
            found[table.models[row]] = tuple(spans.scores_of(table, spans.at(completed)).values())
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
        What missing scores can be: one pair for all, or pairs by task and by (model, task); a cell's own takes
        precedence over its task's. None for a side means no limit. Of tasks that are not named those hold that the
        table declares, ``board.bounds``. A cell that has a score is known; bounds of its own must hold it.
    time_limit : float, optional
        Seconds for all linear programs; they take part with a space only.

    Returns
    -------
    MissingScores

    Raises
    ------
    InputError
        If bounds are wrong or lacking, a task with missing scores has a relative tolerance above 1, or the rule is
        not one of these; by Borda, with a space or with tolerances.
    EmptySpaceError
        If no weights satisfy the conditions of the space.
    UnprovedError, TimeLimitError
        If no exact proof was found; ``known["answers"]`` has what is known of the first models, under some and under
        all values.

    Notes
    -----
    For one model, the best values of its own missing scores and the worst of its rivals' serve it best head-to-head,
    and by the mean over every rival, at once, so it can win by the rule exactly when it wins that one completion;
    and similarly for all values and the worst
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
    asked, ranges = rule_asked(rule, table), ranges_of(table, bounds)
    _check_asked(asked, table, space)
    allowed = None if space is None else space_for(table.signs(), space)
    spans = spans_of(table, asked.name, limits_of(ranges)).reduced()
    proofs: dict[str, tuple[Answer, Answer]] = {}
    cells, shown = None, {}
    with within(time_limit, answers=proofs):
        if allowed is None:
            leads = ExtremeLeads(spans=spans)
            shown = _shown(leads, table)
            found = _at_weights(leads, table.models, shown)
            cells = deciding_cells(leads, table.models, table.tasks, found["possible"], found["necessary"])
        else:
            proofs.update(_proofs(spans, table.models, allowed))  # one by one: what is known when time is up stays
            found = {**_at_answers(proofs), "undecided": ()}
    return MissingScores(
        rule=asked,
        table=table,
        ranges=ranges,
        weights=exact_series(list(shares_of(table.weights, table.tasks).values()), table.tasks, "weight"),
        space=allowed,
        **found,
        shown=shown,
        cells=cells,
        answers=proofs,
    ).verified()


def _check_asked(rule: LinearRule, table: Leaderboard, space: WeightSpace | None) -> None:
    """Raise InputError where a rule cannot be asked about unknown scores, or under free weights."""
    ensure_askable(rule, table, [table.tasks[task] for task in np.flatnonzero(table.cells.missing.any(axis=0))])
    if rule.name == BORDA and space is not None:
        told = "by Borda, unknown scores are analysed at the current weights, without conditions on them"
        raise InputError(Fault(told, Cure("rule", MAJORITY)))


def _proofs(spans: Spans, models: Sequence[str], space: WeightSpace) -> Iterator[tuple[str, tuple[Answer, Answer]]]:
    for place, model in enumerate(models):
        rivals = [one for one in models if one != model]
        best, worst = (answer_for(spans.rows(place, best=one), rivals, space) for one in (True, False))
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
        """Return the upper bound in a proof of a widest margin."""
        return cls(
            bound=proof.upper,
            blockers=nonzero(proof.blockers, proof.rivals),
            vectors=proof.vectors,
        )

    def check(self, signs: SignArray, rivals: Sequence[str], space: WeightSpace) -> None:
        """Ensure that the mixture names only these rivals and proves the bound."""
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
        For "none": blockers with a bound of at most 0. For "all": one per rival, of the negated signs.
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

    One linear program decides whether some do; then one per rival whether all do, until one does not.
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
