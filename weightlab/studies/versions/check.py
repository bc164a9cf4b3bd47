"""Does a new version of a table keep its policy? A sentence per rule, with the command that shows it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from fractions import Fraction
from functools import cached_property
from math import floor
from statistics import NormalDist

import pandas as pd

from weightlab import graph
from weightlab._result import Frozen, Proof, Record, Result, ensure
from weightlab._text import among, counted, first_few, level_text, percent, shell_word
from weightlab.data import Instances, Leaderboard, LeaderboardLike
from weightlab.data.frame.cells import exact_text
from weightlab.data.linear_rule import MAJORITY, POINT_RULES, LinearRule, rule_words
from weightlab.exceptions import InputError, NoWinnerError
from weightlab.io.reading.reading import Reading
from weightlab.lp import Prospect, Stability, prospect, stability
from weightlab.rules import Ranking, rank
from weightlab.rules.ranking import levels_in
from weightlab.studies.confidence.rank_sets import RankSets, rank_sets
from weightlab.studies.independence.order_changes import pair_changes, part_of
from weightlab.studies.versions.changes import Changes, Means, changes, own_rule, version_of
from weightlab.studies.versions.policy import Policy, PolicyLike, policy_of

LEVEL = Fraction(95, 100)
"""Default level at which models are distinguished."""


class Finding(Record, eq=True):
    """What one rule of a policy says of a version.

    Attributes
    ----------
    rule : str
        Which one.
    holds : bool or None
        None where it could not be asked.
    sentence : str
        What was found; why it was not asked.
    command : str
        What shows it at a prompt; ``NEW`` stands for the file.
    """

    rule: str
    holds: bool | None
    sentence: str
    command: str

    def __str__(self) -> str:
        """Say it in one line."""
        return f"{self.rule}: {self.sentence}."


Told = tuple[bool | None, str, str]
"""Whether a rule holds, the sentence, and the command without its first word."""


def _stayers(board: Leaderboard, since: Changes | None) -> Leaderboard:
    """Return the table without the models that are new in it."""
    kept = board.models if since is None else since.models
    return part_of(board, [board.models.index(model) for model in kept])


class Check(Result, kind="check"):
    """Whether a version of a table keeps a policy, rule by rule.

    Attributes
    ----------
    table : Leaderboard
        The version.
    policy : Policy
        Its requirements.
    undeclared : tuple of str
        The tasks without a declared direction.
    changes : Changes or None
        What changed since an older version, where one was given.
    stability : Stability or None
        How far weights may move before the winner changes, if the policy requires it and a model wins.
    prospects : dict from str to Prospect
        Of the models that the policy lets stand so high only if they can win or tie head-to-head.
    own : dict from str to Prospect
        Of these models by the table's own rule, where it ranks them.
    sets : RankSets or None
        The models that may be first, if the policy requires it and every score has its standard error.
    whole, alone : Ranking or None
        By the rule that newcomers are not to move: of all models, and of those that were there before.
    totals : dict from str to tuple of str, or None
        Of each column of the file that is a total of others, the rows in which it does not match its parts, with
        both values; None where no file is checked. They are no scores of the table, and ``verify`` takes them as said.
    """

    derived = ("findings",)

    table: Leaderboard
    policy: Policy
    undeclared: tuple[str, ...]
    changes: Changes | None
    stability: Stability | None
    prospects: Mapping[str, Prospect] = field(default_factory=dict)
    own: Mapping[str, Prospect] = field(default_factory=dict)
    sets: RankSets | None
    whole: Ranking | None
    alone: Ranking | None
    totals: Mapping[str, tuple[str, ...]] | None = None

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """What each rule says that asks something."""
        told = [(rule, *getattr(self, f"_{rule}")()) for rule in self.policy.asked]
        return tuple(
            Finding(rule=rule, holds=holds, sentence=sentence, command=f"weightlab {command}")
            for rule, holds, sentence, command in told
        )

    @property
    def broken(self) -> tuple[Finding, ...]:
        """The rules that do not hold."""
        return tuple(one for one in self.findings if one.holds is False)

    @property
    def proofs(self) -> Mapping[str, Proof]:
        """What is claimed, and how much of each claim ``verify`` re-checks."""
        parts = {"stability": self.stability, "ranks": self.sets, "order": self.whole, "order before": self.alone}
        return {"findings": Proof.EXACT} | {name: one.proof for name, one in parts.items() if one is not None}

    def __str__(self) -> str:
        """Say how many rules hold, and each that is broken."""
        kept = sum(one.holds is True for one in self.findings)
        head = (
            f"{kept} of {counted(len(self.findings), 'rule')} of the policy hold"
            if self.findings
            else "The policy has no rule"
        )
        return " ".join([f"{head}.", *map(str, self.broken)])

    def to_frame(self) -> pd.DataFrame:
        """Return one row per rule: whether it holds, the sentence and the command."""
        rows = {one.rule: [one.holds, one.sentence, one.command] for one in self.findings}
        return pd.DataFrame.from_dict(rows, orient="index", columns=["holds", "sentence", "command"])

    def verify(self, source: Leaderboard | Instances | None = None) -> bool:
        """Re-check every finding from the scores carried and from the proofs of its parts.

        Parameters
        ----------
        source : Leaderboard or Instances, optional
            The version that was checked.

        Raises
        ------
        ProofError
            Naming the first thing that does not hold.
        """
        if source is not None:
            source = version_of(source)
            self.table.ensure_same(source, in_order=True)
            ensure(self.undeclared == undeclared(source), "directions are declared of other tasks of the source")
        lower = self.table.lower_is_better
        named = tuple(task for task in self.table.tasks if task in self.undeclared and task not in lower)
        ensure(named == self.undeclared, "an undeclared task is unknown, or has lower scores as better")
        again = policy_of({name: getattr(self.policy, name) for name in self.policy.asked}, self.table.tasks)
        ensure(again == self.policy, "the policy asks what no policy asks")
        asked = _parts_asked(self.table, self.policy, self.changes)
        if asked.moved and self.whole is None:
            refused = isinstance(_orders(self.table, self.changes, self.policy.unmoved_by_newcomers or ""), str)
            asked = replace(asked, moved=not refused)
        given = _Asked(
            stability=self.stability is not None,
            prospects=tuple(self.prospects),
            own=tuple(self.own),
            sets=self.sets is not None,
            moved=self.whole is not None,
        )
        whole = given == asked and (self.whole is None) == (self.alone is None)
        ensure(whole, "parts are missing that the policy asks for, or there are more")
        ensure(self.totals is None or self.policy.totals_add_up, "there are totals that the policy does not require")
        if self.changes is not None:
            self.changes.verify(self.table)
        if self.stability is not None:
            self.stability.verify(self.table)
            free = self.stability.norms == ("l1",) and not self.stability.space.conditions
            ensure(self.stability.rule.name == stability_rule(self.table), "the winner is by another rule")
            ensure(free, "other changes are measured, or weights are under conditions")
        for model, one in self.prospects.items():
            ensure(one.model == model and not one.space.conditions, f"{model!r} has the prospect of another")
            ensure(one.rule.is_majority, f"the prospect of {model!r} is not head-to-head")
            one.verify(self.table)
        for model, one in self.own.items():
            ensure(one.model == model and not one.space.conditions, f"{model!r} has the prospect of another")
            ensure(one.rule == LinearRule.of(own_rule(self.table)), f"the prospect of {model!r} is by another rule")
            one.verify(ranked_by_own(self.table))
        return self._check_orders()

    def _check_orders(self) -> bool:
        if self.sets is not None:
            asked = (float(self.policy.rank_level or LEVEL), "standard_errors", "mean", None)
            found = (self.sets.level, self.sets.over, self.sets.question.name, self.sets.space)
            ensure(found == asked, "ranks are by another rule or at another level")
            self.sets.verify(self.table)
        for one in (self.whole, self.alone):
            ensure(one is None or str(one.rule) == self.policy.unmoved_by_newcomers, "a ranking is by another rule")
            ensure(one is None or one.verify(), "a ranking does not hold")
        return True

    # One rule after the other -------------------------------------------------------------------------------------

    def _winner_stable_by(self) -> Told:
        wanted, found = self.policy.winner_stable_by or Fraction(0), self.stability
        asked = f"{percent(wanted)} of the weight is required"
        command = f"stability NEW --rule {stability_rule(self.table)} --norm l1"
        if found is None:
            return False, f"no model beats all others under today's weights; {asked}", command
        radius, by = found.radius(), found.rule.name
        first = (
            f"{found.model} beats all others" if found.points is None else f"{found.model} ranks first {rule_words(by)}"
        )
        if radius is None:
            return True, f"{first} under every weighting", command
        until = f"{first} until {percent(radius / 2, floor)} of the weight shifts"
        return radius / 2 >= wanted, f"{until}; {asked}", command

    def _never_above_place(self) -> Told:
        by = own_rule(self.table)
        wanted, places = self.policy.never_above_place or 1, Means(board=self.table, rule=by).places
        found = {rule_words(by): self.own, rule_words(MAJORITY): self.prospects}
        never = {words: [name for name, one in of.items() if one.verdict == "never"] for words, of in found.items()}
        above = f"above place {wanted} {rule_words(by)}"
        if not self.prospects:
            return True, f"no model stands {above}", "win NEW"
        if not any(never.values()):
            rules = " and ".join(words for words, of in found.items() if of)
            return True, f"every model {above} can win or tie at best {rules}", "win NEW"
        told = [
            f"{counted(len(names), 'model')} that can never win {words} stand{'s' * (len(names) == 1)} {above}: "
            + first_few(f"{model} (place {places[model]})" for model in names)
            for words, names in never.items()
            if names
        ]
        first = next(filter(None, never.values()))[0]
        return False, "; ".join(told), f"win NEW --model={shell_word(first)}"

    def _acyclic_top(self) -> Told:
        margins = graph.margins_of(self.table)
        top = graph.smith_set(margins)
        cycle = graph.shortest_cycle(margins.select(top)) if len(top) > 1 else None
        if cycle is None:
            return True, f"the Smith set ({first_few(top)}) holds no majority cycle", "graph NEW"
        steps = " beats ".join([*cycle, cycle[0]])
        return False, f"the Smith set of {counted(len(top), 'model')} holds a majority cycle: {steps}", "graph NEW"

    def _directions_declared(self) -> Told:
        command = "rank NEW"
        if not self.undeclared:
            return True, "every task has a declared direction", command
        command += f" --higher={shell_word(self.undeclared[0])} --write-config NEW.toml"
        told = f"of {counted(len(self.undeclared), 'task')} no direction is declared"
        return False, f"{told}: {first_few(self.undeclared)}", command

    def _missing(self) -> Told:
        gaps, wanted = self.table.missing_cells, self.policy.missing or 0
        named = first_few(f"{model} on {task}" for model, task in gaps)
        told = f"{counted(len(gaps), 'missing score')}, of at most {wanted:,}{named and f': {named}'}"
        return len(gaps) <= wanted, told, "missing NEW"

    def _score_range(self) -> Told:
        values, command = Means(board=self.table).values, "convert NEW -"
        out = [
            f"{model} on {task} ({exact_text(value)}, not {exact_text(low)} to {exact_text(high)})"
            for task, (low, high) in self.policy.score_range.items()
            for model, value in values[task].items()
            if value is not None and not low <= value <= high
        ]
        if not out:
            return True, f"the scores on {counted(len(self.policy.score_range), 'task')} are in range", command
        return False, f"{counted(len(out), 'score')} out of range: {first_few(out)}", command

    def _saturated(self) -> Told:
        wanted, level = self.policy.saturated or 1, self.policy.rank_level or LEVEL
        shown = level_text(float(level))
        if fault := errors_fault(self.table):
            return None, fault, _ranks_command(shown)
        counts = level_with_best(self.table, level)
        over = [task for task, count in counts.items() if count > wanted]
        if not over:
            most = counted(max(counts.values()), "model")
            told = f"on no task more than {most}, the best included, can be the best at {shown}"
            return True, told, _ranks_command(shown)
        told = f"statistically indistinguishable from the best at {shown}, the best included"
        named = first_few(f"{task} ({counts[task]})" for task in over)
        return False, f"more models than {wanted} are {told}, on {named}", _ranks_command(shown, over[0])

    def _rank_level(self) -> Told:
        level = level_text(float(self.policy.rank_level or LEVEL))
        command = _ranks_command(level)
        if self.sets is None:
            return None, errors_fault(self.table), command
        first = self.sets.contenders
        if len(first) == 1:
            return True, f"at {level} only {first[0]} may be first by average", command
        return False, f"at {level} {counted(len(first), 'model')} may be first by average: {first_few(first)}", command

    def _unmoved_by_newcomers(self) -> Told:
        rule = self.policy.unmoved_by_newcomers or ""
        command = f"rank NEW --rule {rule}"
        if self.changes is None:
            return None, "asked only against an older version (--against OLD)", command
        new, stay = self.changes.newcomers, self.changes.models
        if not new:
            return True, "there is no new model", command
        if self.whole is None or self.alone is None:
            refused = _orders(self.table, self.changes, rule)
            return None, f"{rule_words(rule)} the models cannot be ranked: {refused}", command
        before, after = (levels_in(one.places, stay) for one in (self.alone, self.whole))
        pairs = pair_changes(before, after)
        if not len(pairs):
            return True, f"{rule_words(rule)} the order of the others is the same without {first_few(new)}", command
        first, second = (stay[place] for place in pairs[0][:2])
        was = f"{first} is ahead of {second}" if pairs[0][2] else f"{first} ties with {second}"
        told = f"the order of {counted(len(pairs), 'pair')} of the others is another without {first_few(new)}"
        told = f"{rule_words(rule)} {told}"
        return False, f"{told}: then {was}", command

    def _totals_add_up(self) -> Told:
        command = "read NEW --totals"
        if self.totals is None:
            return None, "asked only of a file: totals are no scores of a table", command
        if not self.totals:
            return None, "no column of the file is a total of others", command
        wrong = [f"{total} of {row}" for total, rows in self.totals.items() for row in rows]
        if not wrong:
            return True, f"{first_few(self.totals)} add{'s' * (len(self.totals) == 1)} up in every row", command
        are = "is not what its" if len(wrong) == 1 else "are not what their"
        told = f"{counted(len(wrong), 'total')} {are} parts make"
        return False, f"{told}: {first_few(wrong)}", command


def _ranks_command(level: str, task: str = "") -> str:
    """Return the command that tells models apart, on one task or by mean over all."""
    alone = f"--tasks={shell_word(task)} " * bool(task)
    return f"rank NEW {alone}--rule mean --level {level} --over standard_errors"


def stability_rule(board: Leaderboard) -> str:
    """Return the rule whose winner is to be stable: the table's own, or the majority where that needs more scores."""
    return board.rule if board.rule in POINT_RULES and not board.missing_cells else MAJORITY


def has_stability(board: Leaderboard) -> bool:
    """Return whether there is a winner whose weights may move."""
    return stability_rule(board) != MAJORITY or graph.condorcet_winner(board) is not None


def ranked_by_own(board: Leaderboard) -> Leaderboard | None:
    """Return the models for which the table's own rule has verdicts; None where fewer than two have every score."""
    try:
        ranked = board.complete() if board.missing_cells else board
        LinearRule.of(own_rule(board)).points(ranked)
    except InputError:
        return None
    return ranked


def undeclared(board: Leaderboard) -> tuple[str, ...]:
    """Return the tasks without a declaration whether higher or lower scores are better."""
    declared = board.declarations
    return tuple(task for task in board.tasks if task not in declared.lower_is_better | declared.higher_is_better)


def errors_fault(board: Leaderboard) -> str:
    """Return why models cannot be distinguished by standard errors; empty where they can."""
    if board.error_cells is None:
        return "it needs standard errors of the scores, and the table has none"
    lacking = int((board.error_cells.missing & ~board.cells.missing).sum())
    return f"it needs standard errors of all scores; {counted(lacking, 'score')} without" if lacking else ""


def level_with_best(board: Leaderboard, level: Fraction) -> dict[str, int]:
    """Return how many models are statistically indistinguishable from the best on each task, the best among them.

    One-sided normal tests of independent errors, with Bonferroni's correction for the models on the task.
    """
    found = {}
    for place, task in enumerate(board.tasks):
        sign = -1 if task in board.lower_is_better else 1
        errors = () if board.error_cells is None else board.error_cells.column(place)
        # Exact, since floats would merge some long scores; the quantile alone is a float.
        pairs = zip(board.cells.column(place), errors, strict=True)
        known: list[tuple[Fraction, Fraction]] = [
            (sign * one, error**2) for one, error in pairs if one is not None and error is not None
        ]
        best, spread = max(known)
        reach = Fraction(NormalDist().inv_cdf(1 - (1 - float(level)) / max(len(known) - 1, 1)))
        found[task] = sum((best - one) ** 2 <= max(reach, Fraction(0)) ** 2 * (error + spread) for one, error in known)
    return found


def _totals(reading: Reading) -> dict[str, tuple[str, ...]]:
    totals = {one.name: one.total for one in reading.columns if one.total is not None}
    return {
        name: tuple(f"{row} ({there:.10g}, not {due:.10g})" for row, there, due in one.wrong)
        for name, one in totals.items()
    }


class _Asked(Frozen, eq=True):
    """Which parts a check must carry: proofs of what its findings say."""

    stability: bool
    prospects: tuple[str, ...]
    own: tuple[str, ...]
    sets: bool
    moved: bool


def _parts_asked(board: Leaderboard, policy: Policy, since: Changes | None) -> _Asked:
    above = policy.never_above_place or 1
    high = [model for model, place in Means(board=board, rule=own_rule(board)).places.items() if place < above]
    return _Asked(
        stability=policy.winner_stable_by is not None and has_stability(board),
        prospects=tuple(among(board.models, high)),
        own=tuple(among(ranked.models, high)) if high and (ranked := ranked_by_own(board)) is not None else (),
        sets=policy.rank_level is not None and not errors_fault(board),
        moved=policy.unmoved_by_newcomers is not None and since is not None and bool(since.newcomers),
    )


def _orders(board: Leaderboard, since: Changes | None, rule: str) -> tuple[Ranking, Ranking] | str:
    """Return the rankings of all models and of those that were there before, or why the rule does not rank them."""
    try:
        return rank(board, rule), rank(_stayers(board, since), rule)
    except (InputError, NoWinnerError) as error:
        return error.message


def check(
    board: LeaderboardLike | Instances,
    policy: PolicyLike | None = None,
    *,
    against: LeaderboardLike | Instances | None = None,
    reading: Reading | None = None,
) -> Check:
    """Check whether a version of a table keeps a policy, and say what changed since an older one.

    Parameters
    ----------
    board : Leaderboard or Instances
        The new version; of scores on single instances the means, with their standard errors.
    policy : Policy, mapping or path, optional
        The rules by name, such as ``{"missing": 0, "winner_stable_by": "5%"}``, or a TOML file; see `Policy`.
    against : Leaderboard or Instances, optional
        The old version.
    reading : Reading, optional
        How the file is read without any column dropped (`propose_reading`): it says which totals add up.

    Returns
    -------
    Check
        ``.findings`` ``.broken`` ``.changes`` ``.verify()``.

    Raises
    ------
    InputError
        If the policy names a rule, task or voting rule that is not known, or the versions cannot be compared.

    Notes
    -----
    Places are by the table's own rule, and so is the winner whose weights may move where every score is there (else it
    is the Condorcet winner); verdicts are by the own rule and head-to-head. Rules that need standard errors, all
    scores or the old version are skipped without them.
    At most a linear program a model above ``never_above_place``; 100 models on 50 tasks take a second or two.

    Examples
    --------
    >>> import weightlab as wl
    >>> board = wl.Leaderboard({"x": {"a": 9, "b": 7}, "y": {"a": 6, "b": 8}, "z": {"a": 5, "b": 4}})
    >>> found = check(board, {"winner_stable_by": "8%", "missing": 0})
    >>> found.broken
    ()
    """
    version = version_of(board)
    asks = policy_of(policy, version.tasks)
    since = None if against is None else changes(against, version)
    parts = _parts_asked(version, asks, since)
    orders = _orders(version, since, asks.unmoved_by_newcomers or "") if parts.moved else ""
    whole, alone = (None, None) if isinstance(orders, str) else orders
    by, ranked = LinearRule.of(own_rule(version)), ranked_by_own(version) or version
    return Check(
        table=version,
        policy=asks,
        undeclared=undeclared(version),
        changes=since,
        stability=stability(version, norm="l1", rule=stability_rule(version)) if parts.stability else None,
        prospects={model: prospect(version, model) for model in parts.prospects},
        own={model: prospect(ranked, model, rule=by) for model in parts.own},
        sets=rank_sets(version, "mean", over="standard_errors", level=float(asks.rank_level or LEVEL))
        if parts.sets
        else None,
        whole=whole,
        alone=alone,
        totals=_totals(reading) if asks.totals_add_up and reading is not None else None,
    ).verified()
