"""``weightlab win``: who can win, with proofs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import partial
from typing import Annotated, Literal, TypeAlias

import typer

from weightlab._exact import fraction
from weightlab._result import Result
from weightlab.cli.inputs.tables import Source, read_table, space_from
from weightlab.cli.options import shared as completion
from weightlab.cli.options.plot import ensure_plot, plot_win
from weightlab.cli.options.shared import (
    AsJson,
    Complete,
    Config,
    File,
    Fixed,
    Jobs,
    Least,
    Missing,
    Most,
    NoLess,
    Output,
    Plot,
    PlotTheme,
    Quiet,
    ScoredOnly,
    Ties,
    TimeLimit,
)
from weightlab.cli.terminal.documents import print_document, save_document
from weightlab.cli.terminal.show import headed, note, say, shown
from weightlab.cli.win.by_rule import DUELLING, ask_rule, print_by_rule
from weightlab.cli.win.region import ask_map, ask_regions, ask_unknown, print_map, print_regions, print_unknown
from weightlab.cli.win.scenario import SCENARIOS, objectives_from, print_scenario
from weightlab.cli.win.table import DETAILED, print_all, prove_all
from weightlab.data import Leaderboard
from weightlab.exceptions import InputError, UnknownNameError, UnprovedError
from weightlab.lp import Prospect, Prospects, Scenario, Verdict, WeightSpace, WinningShares, prospect, winning_shares
from weightlab.lp import scenario as scenario_of
from weightlab.report import Document
from weightlab.report.text.prospect import Asked, Story, proof_line, story
from weightlab.report.text.unproved import Late

__all__ = ["Improve", "Question", "win"]

# What ``weightlab win`` was asked, checked and answered: results for a document, and how they are told.

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


SAMPLES = 10_000
"""So many weightings are drawn for shares."""
EXAMPLES = """\b
Examples:
  weightlab win
  weightlab win superglue.csv
  weightlab win superglue.csv --model T5 --complete
  weightlab win superglue.csv --model T5 --scenario fewest-tasks --scenario closest
  weightlab win superglue.csv --complete --rule borda
  weightlab win --map @accuracy --map @robustness --map @speed
  weightlab win superglue.csv --max BoolQ=0.3 --min RTE=0.1 --json > proof.json
  weightlab win - < superglue.csv
"""


def win(
    file: File = None,
    model: Annotated[
        list[str] | None,
        typer.Option("--model", "-m", metavar="NAME", help="Tell this model's whole story; repeatable."),
    ] = None,
    scenario: Annotated[
        list[str] | None,
        typer.Option(
            "--scenario",
            metavar="NAME",
            help=f"With --model: the winning weights that serve this best ({', '.join(SCENARIOS)}); repeated, in turn.",
            autocompletion=completion.words(*(name.removesuffix("TASK") for name in SCENARIOS)),
        ),
    ] = None,
    margin: Annotated[
        str | None, typer.Option("--margin", metavar="SHARE", help="With --scenario: a win by at least this lead.")
    ] = None,
    rule: Annotated[
        str | None,
        typer.Option(
            "--rule",
            "-r",
            metavar="RULE",
            help="First by this rule instead: mean, borda, dowdall, plurality, veto, points such as 3,2,1, copeland "
            "or minimax; and between which ranks.",
            autocompletion=completion.words(*completion.LINEAR, "copeland", "minimax"),
        ),
    ] = None,
    ties: Ties = None,
    missing: Missing = None,
    details: Annotated[
        bool | None,
        typer.Option(
            "--details/--no-details",
            help=f"Distance and largest weight in the table; by default up to {DETAILED} models.",
        ),
    ] = None,
    share: Annotated[
        bool | None,
        typer.Option(
            "--share/--no-share", help="Share of weightings under which each model wins; by default as --details."
        ),
    ] = None,
    samples: Annotated[
        int, typer.Option("--samples", metavar="N", min=1, help="So many weightings are drawn for shares.")
    ] = SAMPLES,
    seed: Annotated[int, typer.Option("--seed", metavar="N", min=0, help="Seed of the draws.")] = 0,
    upset: Annotated[
        Improve, typer.Option("--upset", help="With --model: improve scores by least, or change fewest results.")
    ] = Improve.SCORE,
    region: Annotated[
        bool, typer.Option("--region", help="With --model: the exact region of its winning weights and its share.")
    ] = False,
    unknown: Annotated[
        bool,
        typer.Option("--unknown", help="Missing scores are unknown, not ties: who wins whatever they are."),
    ] = False,
    between: Annotated[
        str | None, typer.Option("--between", metavar="LOW:HIGH", help="With --unknown: what such scores can be.")
    ] = None,
    map_of: Annotated[
        list[str] | None,
        typer.Option("--map", metavar="TASK", help="Three times: who wins where in the triangle of their weights."),
    ] = None,
    fewest: Annotated[
        bool, typer.Option("--fewest", help="With --model: find the fewest rivals that block it.")
    ] = False,
    complete: Complete = False,
    scored_only: ScoredOnly = False,
    most: Most = None,
    least: Least = None,
    fixed: Fixed = None,
    no_less: NoLess = None,
    config: Config = None,
    as_json: AsJson = False,
    output: Output = None,
    plot: Plot = None,
    theme: PlotTheme = None,
    jobs: Jobs = 1,
    time_limit: TimeLimit = None,
    quiet: Quiet = False,
) -> None:
    """Prove who can win: for which task weights a model beats every rival, or which rivals block it."""
    question = Question(
        models=tuple(dict.fromkeys(model or [])),
        scenario=tuple(scenario or []),
        margin=margin,
        rule=rule,
        ties=ties,
        missing=missing,
        details=details,
        share=True if share is None and plot is not None else share,
        samples=samples,
        seed=seed,
        upset=upset,
        region=region,
        unknown=unknown,
        between=between,
        map_of=tuple(map_of or []),
        fewest=fewest,
        jobs=jobs,
        time_limit=time_limit,
        notes=not quiet,
        bar=not (quiet or as_json),
    )
    question.check(plotted=plot is not None)
    ensure_plot(plot, {"--output": output}, file, config, theme=theme)
    source = Source(file=file, config=config, complete=complete)
    board = read_table(source, quiet=quiet, gaps_are_ties=question.gaps_are_ties)
    space = space_from(board, scored_only=scored_only, most=most, least=least, fixed=fixed, no_less=no_less)
    late = Late()
    results, tell = question.answer(board, space, late)
    document = Document(results=tuple(results), options=source.options(), command="win")
    if output is not None and results:
        save_document(document, output, file)
    if not as_json:
        tell()
    elif results:
        print_document(document)
    plot_win(results, board, plot, late, theme=theme)
    late.raise_if_any()
