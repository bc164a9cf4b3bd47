"""What ``weightlab win`` was asked, checked and answered: results for a document, and how they are told."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import partial
from typing import Literal, TypeAlias

from weightlab._exact import fraction
from weightlab._result import Result
from weightlab.cli.show import headed, note, say, shown
from weightlab.cli.wanted import objectives_from, print_scenario
from weightlab.cli.win_all import DETAILED, print_all, prove_all
from weightlab.cli.win_by_rule import DUELLING, ask_rule, print_by_rule
from weightlab.cli.win_map import ask_map, print_map
from weightlab.cli.win_region import ask_regions, ask_unknown, print_regions, print_unknown
from weightlab.data import Leaderboard
from weightlab.exceptions import InputError, UnknownNameError, UnprovedError
from weightlab.lp import Prospect, Prospects, Scenario, Verdict, WeightSpace, WinningShares, prospect, winning_shares
from weightlab.lp import scenario as scenario_of
from weightlab.report.text.prospect import Asked, Story, proof_line, story
from weightlab.report.text.unproved import Late

__all__ = ["Improve", "Question"]

Answer: TypeAlias = tuple[Sequence[Result], Callable[[], None]]
"""Results, and what prints them."""


class Improve(StrEnum):
    """What improving costs in ``--upset``."""

    SCORE = "score"
    RESULT = "result"
    NO = "no"

    @property
    def kind(self) -> Literal["score", "result"] | None:
        """The kind of `upset`, or None for no such question."""
        return None if self is Improve.NO else "score" if self is Improve.SCORE else "result"


@dataclass(frozen=True, kw_only=True)
class Question:
    """The options of ``weightlab win`` that say what is asked, as they were given."""

    models: tuple[str, ...]
    scenario: tuple[str, ...]
    margin: str | None
    rule: str | None
    ties: str | None
    missing: str | None
    details: bool | None
    share: bool | None
    samples: int
    seed: int
    upset: Improve
    region: bool
    unknown: bool
    between: str | None
    map_of: tuple[str, ...]
    fewest: bool
    jobs: int
    time_limit: float | None
    notes: bool
    bar: bool

    @property
    def gaps_are_ties(self) -> bool:
        """Whether missing scores count as ties."""
        return not self.unknown and self.rule in {None, *DUELLING}

    def check(self, *, plotted: bool = False) -> None:
        """Raise InputError for options that do not go together, or have no picture where one is asked for."""
        several = {
            "--scenario": bool(self.scenario),
            "--rule": self.rule is not None,
            "--region": self.region,
            "--unknown": self.unknown,
            "--map": bool(self.map_of),
        }
        given = [option for option, one in several.items() if one]
        if len(given) > 1:
            raise InputError(f"{' and '.join(given)} are different questions: ask one at a time")
        single = {
            "--fewest": self.fewest,
            "--upset": self.upset is not Improve.SCORE,
            "--scenario": bool(self.scenario),
            "--region": self.region,
        }
        for option, one in single.items():
            if one and not self.models:
                raise InputError(f"{option} is about single models: name them with --model")
        _ensure_with("--margin", self.margin, "--scenario", self.scenario)
        _ensure_with("--between", self.between, "--unknown", self.unknown)
        _ensure_with("--ties or --missing", self.ties or self.missing, "--rule", self.rule)
        if plotted:
            self._check_plot()

    def _check_plot(self) -> None:
        """Raise InputError if no picture goes with what is asked."""
        without = {
            "--rule": self.rule is not None,
            "--scenario": bool(self.scenario),
            "--region": self.region,
            "--unknown": self.unknown,
        }
        for option, given in without.items():
            if given:
                raise InputError(f"--plot does not go with {option}: there is no picture of that answer")
        if len(self.models) > 1:
            raise InputError("--plot draws the weights of one model: name one with --model")
        if self.share is False and not self.models and not self.map_of:
            raise InputError("--plot draws the shares of weightings: leave --no-share out")

    def answer(self, board: Leaderboard, space: WeightSpace | None, late: Late) -> Answer:
        """Return the results and what prints them; what is not proved, or not in time, is added to ``late``.

        Raises
        ------
        UnknownNameError, InputError
            If the table lacks a model, or several.
        """
        _ensure_known(self.models, board)
        if self.rule is not None:
            options = {"ties": self.ties, "missing": self.missing}
            ranked = ask_rule(
                board, self.rule, self.models, late, options=options, space=space, time_limit=self.time_limit
            )
            return ranked, partial(print_by_rule, ranked)
        if self.region:
            regions = ask_regions(board, self.models, late, space=space, time_limit=self.time_limit)
            return regions, partial(print_regions, regions)
        if self.unknown:
            found = ask_unknown(board, self.between, space=space, time_limit=self.time_limit)
            return [found], partial(print_unknown, found)
        if self.map_of:
            mapped = ask_map(board, self.map_of, space=space)
            return [mapped], partial(print_map, mapped)
        if self.scenario:
            scenarios = self._scenarios(board, space, late)
            return scenarios, partial(_print_scenarios, scenarios)
        return self._stories(board, space, late) if self.models else self._table(board, space, late)

    def _table(self, board: Leaderboard, space: WeightSpace | None, late: Late) -> Answer:
        found = prove_all(board, space, jobs=self.jobs, time_limit=self.time_limit, quiet=not self.bar)
        able = len(found.with_verdict(Verdict.STRICT, Verdict.WEAK))
        detailed = able <= DETAILED if self.details is None else self.details
        shares = self._shares(board, space, late, found) if (detailed if self.share is None else self.share) else None
        if not detailed and able and self.notes:
            note("Distances were left out; --details computes them.")
        tell = partial(print_all, board, found, shares, late, detailed=detailed, time_limit=self.time_limit)
        return [found, *([] if shares is None else [shares])], tell

    def _stories(self, board: Leaderboard, space: WeightSpace | None, late: Late) -> Answer:
        shares = None if self.share is False else self._shares(board, space, late)
        asked = Asked(shares=shares, improve=self.upset.kind, time_limit=self.time_limit)
        prove = partial(self._prospect, board, space, late)
        found = [late.ask(shown(model), partial(prove, model)) for model in self.models]
        stories = [story(board, one, late, asked) for one in found if one is not None]
        results: list[Result] = [part for one in stories for part in one.results()]
        return [*results, *([shares] if shares is not None and stories else [])], partial(
            _print_stories, board, stories
        )

    def _prospect(self, board: Leaderboard, space: WeightSpace | None, late: Late, model: str) -> Prospect:
        """Return a model's prospect, without the fewest blockers where only they are not found in time."""
        try:
            return prospect(board, model, space=space, fewest_blockers=self.fewest, time_limit=self.time_limit)
        except UnprovedError as error:
            rest = error.known.get("prospect")
            if not isinstance(rest, Prospect):
                raise
            late.add(f"{shown(model)}, fewest blockers", error)
            return rest

    def _shares(
        self, board: Leaderboard, space: WeightSpace | None, late: Late, found: Prospects | None = None
    ) -> WinningShares | None:
        ask = partial(winning_shares, board, samples=self.samples, rng=self.seed, space=space, known=found)
        return late.ask("shares of weightings", partial(ask, time_limit=self.time_limit))

    def _scenarios(self, board: Leaderboard, space: WeightSpace | None, late: Late) -> list[Scenario]:
        objectives, least = objectives_from(self.scenario, board), _margin(self.margin)
        ask = partial(scenario_of, objective=objectives, space=space, margin=least, time_limit=self.time_limit)
        found = [late.ask(shown(model), partial(ask, board, model)) for model in self.models]
        return [one for one in found if one is not None]


def _ensure_with(option: str, given: object, other: str, present: object) -> None:
    if given is not None and not present:
        raise InputError(f"{option} goes with {other}")


def _ensure_known(models: Sequence[str], board: Leaderboard) -> None:
    """Raise InputError that names every model which the table does not have."""
    unknown = [UnknownNameError("model", one, board.models) for one in models if one not in board.models]
    if len(unknown) == 1:
        raise unknown[0]
    if unknown:
        raise InputError([str(one) for one in unknown])


def _margin(text: str | None) -> Fraction:
    if text is None:
        return Fraction(0)
    try:
        return fraction(text)
    except InputError as error:
        raise InputError(f"--margin {text!r}: {error}") from None


def _print_scenarios(found: Sequence[Scenario]) -> None:
    for position, one in enumerate(found):
        if position:
            say("")
        print_scenario(one)


def _print_stories(board: Leaderboard, stories: Sequence[Story]) -> None:
    for position, one in enumerate(stories):
        if position:
            say("")
        say(shown(one.prospect), "", headed(one.lines(board)))
        say(proof_line(len(one.prospect.rivals), len(one.prospect.tasks), one.prospect.space))
