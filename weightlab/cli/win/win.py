"""``weightlab win``: who can win, with proofs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from functools import partial
from typing import Annotated, Any, Literal, TypeAlias

import typer

from weightlab._exact import fraction
from weightlab._result import Result, told_of
from weightlab._text import rounded, shown
from weightlab.cli.inputs.names import meant, named
from weightlab.cli.inputs.tables import read_table
from weightlab.cli.options import shared
from weightlab.cli.options.plot import ensure_plot, plot_win
from weightlab.cli.options.rules import pairs_of_gaps
from weightlab.cli.options.table import Source, models, tasks
from weightlab.cli.options.weights import ANY_WEIGHTS, Conditions
from weightlab.cli.terminal.documents import put_document
from weightlab.cli.terminal.show import Bar, headed, note, say, table
from weightlab.cli.win.by_rule import DUELLING, ask_rule, print_by_rule
from weightlab.cli.win.region import ask_map, ask_regions, ask_unknown, print_map, print_regions, print_unknown
from weightlab.data import Leaderboard
from weightlab.exceptions import InputError, UnprovedError
from weightlab.lp import (
    Objective,
    Prospect,
    Prospects,
    Scenario,
    Verdict,
    WeightSpace,
    WinningShares,
    closest_to,
    fewest_tasks,
    least_weight,
    most_balanced,
    most_weight,
    prospect,
    prospects,
    widest_margin,
    winning_shares,
)
from weightlab.lp import scenario as scenario_of
from weightlab.report import Document
from weightlab.report.context import Unproved
from weightlab.report.text.prospect import ModelSummary, SummaryOptions, model_summary, proof_line
from weightlab.report.text.tables import distances, verdict_tables

# The question, checked and answered: results for a document, and how they are told.

DETAILED = 60
"""Up to so many models that can win, the table says how far their weights are without being asked."""
LONG = 300
"""Tables with more models show a progress bar."""
PLAIN: dict[str, Callable[[], Objective]] = {
    "closest": closest_to,
    "closest-linf": lambda: closest_to(norm="linf"),
    "fewest-tasks": fewest_tasks,
    "fewest-tasks-strict": lambda: fewest_tasks(strict=True),
    "most-balanced": most_balanced,
    "widest-margin": widest_margin,
}
OF_A_TASK = {"least-weight": least_weight, "most-weight": most_weight}
SCENARIOS = (*PLAIN, *(f"{name}=TASK" for name in OF_A_TASK))
"""What may be asked for."""
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
class WinOptions:
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
        chosen = [option for option, one in several.items() if one]
        if len(chosen) > 1:
            raise InputError(f"{' and '.join(chosen)} are different questions: ask one at a time")
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

    def answer(self, board: Leaderboard, space: WeightSpace | None, unproved: Unproved) -> Answer:
        """Return the results and what prints them; what is not proved, or not in time, is added to ``unproved``.

        Raises
        ------
        InputError
            If the question cannot be asked of the table.
        """
        if self.rule is not None:
            ways = {"ties": self.ties, "missing": self.missing}
            ranked = ask_rule(
                board, self.rule, self.models, unproved, ways=ways, space=space, time_limit=self.time_limit
            )
            return ranked, partial(print_by_rule, ranked)
        if self.region:
            regions = ask_regions(board, self.models, unproved, space=space, time_limit=self.time_limit)
            return regions, partial(print_regions, regions)
        if self.unknown:
            found = ask_unknown(board, self.between, space=space, time_limit=self.time_limit)
            return [found], partial(print_unknown, found)
        if self.map_of:
            mapped = ask_map(board, self.map_of, space=space, quiet=not self.notes)
            return [mapped], partial(print_map, mapped)
        if self.scenario:
            scenarios = self._scenarios(board, space, unproved)
            return scenarios, partial(_print_scenarios, scenarios)
        return self._summaries(board, space, unproved) if self.models else self._table(board, space, unproved)

    def _table(self, board: Leaderboard, space: WeightSpace | None, unproved: Unproved) -> Answer:
        found = _prove_all(board, space, jobs=self.jobs, time_limit=self.time_limit, quiet=not self.bar)
        able = len(found.with_verdict(Verdict.STRICT, Verdict.WEAK))
        detailed = able <= DETAILED if self.details is None else self.details
        shared = detailed if self.share is None else self.share
        shares = self._shares(board, space, unproved, found) if shared else None
        if not detailed and able and self.notes:
            note("Distances were left out; --details computes them.")
        tell = partial(_print_all, board, found, shares, unproved, detailed=detailed, time_limit=self.time_limit)
        return [found, *([] if shares is None else [shares])], tell

    def _summaries(self, board: Leaderboard, space: WeightSpace | None, unproved: Unproved) -> Answer:
        shares = None if self.share is False else self._shares(board, space, unproved)
        options = SummaryOptions(shares=shares, improve=self.upset.kind, time_limit=self.time_limit)
        prove = partial(self._prospect, board, space, unproved)
        found = [unproved.ask(shown(model), partial(prove, model)) for model in self.models]
        summaries = [model_summary(board, one, unproved, options) for one in found if one is not None]
        results: list[Result] = [part for one in summaries for part in one.results()]
        return [*results, *([shares] if shares is not None and summaries else [])], partial(
            _print_summaries, board, summaries
        )

    def _prospect(self, board: Leaderboard, space: WeightSpace | None, unproved: Unproved, model: str) -> Prospect:
        """Return a model's prospect, without the fewest blockers where only they are not found in time."""
        try:
            return prospect(board, model, space=space, fewest_blockers=self.fewest, time_limit=self.time_limit)
        except UnprovedError as error:
            rest = error.known.get("prospect")
            if not isinstance(rest, Prospect):
                raise
            unproved.add(f"{shown(model)}, fewest blockers", error)
            return rest

    def _shares(
        self, board: Leaderboard, space: WeightSpace | None, unproved: Unproved, found: Prospects | None = None
    ) -> WinningShares | None:
        ask = partial(winning_shares, board, samples=self.samples, rng=self.seed, space=space, known=found)
        return unproved.ask("shares of weightings", partial(ask, time_limit=self.time_limit))

    def _scenarios(self, board: Leaderboard, space: WeightSpace | None, unproved: Unproved) -> list[Scenario]:
        objectives, least = (
            [_objective(text, board, quiet=not self.notes) for text in self.scenario],
            _margin(self.margin),
        )
        ask = partial(scenario_of, objective=objectives, space=space, margin=least, time_limit=self.time_limit)
        found = [unproved.ask(shown(model), partial(ask, board, model)) for model in self.models]
        return [one for one in found if one is not None]


def _ensure_with(option: str, given: object, other: str, present: object) -> None:
    if given is not None and not present:
        raise InputError(f"{option} goes with {other}")


def _meant(models: Sequence[str], board: Leaderboard, *, quiet: bool) -> tuple[str, ...]:
    """Return the models that are meant, or raise InputError that names every one which the table does not have."""
    found, faults = [], []
    for one in models:
        try:
            found.append(meant(one, board.models, "model", quiet=quiet))
        except InputError as error:
            faults.append(error)
    if len(faults) == 1:
        raise faults[0]
    if faults:
        raise InputError([str(one) for one in faults])
    return tuple(dict.fromkeys(found))


def _margin(text: str | None) -> Fraction:
    if text is None:
        return Fraction(0)
    with told_of(f"--margin {text!r}", InputError):
        return fraction(text)


def _print_scenarios(found: Sequence[Scenario]) -> None:
    for position, one in enumerate(found):
        if position:
            say("")
        _print_scenario(one)


def _print_summaries(board: Leaderboard, summaries: Sequence[ModelSummary]) -> None:
    for position, one in enumerate(summaries):
        if position:
            say("")
        say(shown(one.prospect), "", headed(one.lines(board)))
        say(proof_line(len(one.prospect.rivals), len(one.prospect.tasks), one.prospect.space))


# All models: a table of verdicts, how near a win is, and which share of weightings makes it.


def _prove_all(
    board: Leaderboard, space: WeightSpace | None, *, jobs: int, time_limit: float | None, quiet: bool
) -> Prospects:
    """Return every model's verdict, with a progress bar for long tables."""
    prove = partial(prospects, board, space=space, n_jobs=jobs, time_limit=time_limit)
    try:
        if quiet or len(board.models) < LONG:
            return prove(exact=len(board.models) < LONG)
        with Bar("Proving", len(board.models), silent=quiet) as bar:
            return prove(progress=bar.advance)
    except UnprovedError as error:
        raise _with_verdicts(error, len(board.models)) from error


def _with_verdicts(error: UnprovedError, count: int) -> UnprovedError:
    """Return an error of `prospects` with the verdicts that it knows in words, counted and by name."""
    verdicts: Mapping[str, Verdict] = error.known.get("verdicts", {})
    known: dict[str, Any] = {name: value for name, value in error.known.items() if name != "verdicts"}
    known["settled"] = f"{len(verdicts)} of {count} models"
    for verdict in Verdict:
        names = [shown(model) for model, found in verdicts.items() if found is verdict]
        known[f"{verdict.words} ({len(names)})"] = ", ".join(names) or None
    return type(error)(str(error), known=known)


def _print_all(
    board: Leaderboard,
    found: Prospects,
    shares: WinningShares | None,
    unproved: Unproved,
    *,
    detailed: bool,
    time_limit: float | None,
) -> None:
    """Print a row a model: those that can win or tie first, the nearest to today's weights on top."""
    far = distances(board, found, unproved, time_limit) if detailed else {}
    say(shown(found), "")
    for headings, rows, right in verdict_tables(board, found, shares, far):
        say(table(headings, rows, right=right), "")
    if shares is not None:
        say(shown(shares))
    say(proof_line(len(board.models) * (len(board.models) - 1), len(board.tasks), found.space))


# Scenarios by name: what ``--scenario`` asks to make small or large.


def _objective(text: str, board: Leaderboard, *, quiet: bool) -> Objective:
    name, separator, task = text.partition("=")
    if not separator and name in PLAIN:
        return PLAIN[name]()
    if name in OF_A_TASK and task:
        with told_of(f"--scenario {text!r}", InputError):
            return OF_A_TASK[name](named(task, board, quiet=quiet))
    raise InputError(f"--scenario {text!r}: there are {', '.join(SCENARIOS)} (a TASK may be @GROUP)")


def _print_scenario(found: Scenario) -> None:
    """Print the optimum in words, the weights, and the rivals that are nearest to a tie."""
    say(shown(found), "")
    strict = found.strict_weights if found.slack else None
    other = [Fraction(0)] * len(found.tasks) if strict is None else strict.tolist()
    headings = ["task", "weight", *(["weight that wins"] if strict is not None else [])]
    rows = [
        (shown(task), rounded(weight, 4), *([rounded(second, 4)] if strict is not None else []))
        for task, weight, second in zip(found.tasks, found.weights.tolist(), other, strict=True)
        if weight or second
    ]
    say(table(headings, rows, right=(1, 2)), "")
    tied = [shown(rival) for rival, lead in found.duels.items() if lead == found.margin]
    leads = "Ties" if not found.margin else "Leads by no more than was asked"
    say(headed([(leads, [", ".join(tied) or "none"]), ("Proof", [_scenario_proof(found)])]))


def _scenario_proof(found: Scenario) -> str:
    if str(found.proof) == "exact":
        return "checked in exact arithmetic"
    return "weights checked in exact arithmetic; the number of tasks is the solver's bound, not re-proved here"


# The command.


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
    source: Source,
    model: Annotated[
        list[str] | None,
        typer.Option("--model", "-m", metavar="NAME", help="All about this model; repeatable.", autocompletion=models),
    ] = None,
    scenario: Annotated[
        list[str] | None,
        typer.Option(
            "--scenario",
            metavar="NAME",
            help=f"With --model: the winning weights that serve this best ({', '.join(SCENARIOS)}); repeated, in turn.",
            autocompletion=shared.words(*(name.removesuffix("TASK") for name in SCENARIOS)),
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
            autocompletion=shared.words(*shared.LINEAR, "copeland", "minimax"),
        ),
    ] = None,
    ties: shared.Ties = None,
    missing: shared.Missing = None,
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
        int, typer.Option("--samples", metavar="N", min=1, help="How many weightings to draw for shares.")
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
        typer.Option(
            "--map",
            metavar="TASK",
            help="Three times: who wins where in the triangle of their weights.",
            autocompletion=tasks,
        ),
    ] = None,
    fewest: Annotated[
        bool, typer.Option("--fewest", help="With --model: find the fewest rivals that block it.")
    ] = False,
    conditions: Conditions = ANY_WEIGHTS,
    as_json: shared.AsJson = False,
    output: shared.Output = None,
    plot: shared.Plot = None,
    theme: shared.PlotTheme = None,
    jobs: shared.Jobs = 1,
    time_limit: shared.TimeLimit = None,
    quiet: shared.Quiet = False,
) -> None:
    """Prove who can win: for which task weights a model beats every rival, or which rivals block it."""
    question = WinOptions(
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
    ensure_plot(plot, {"--output": output}, source.file, source.config, theme=theme)
    board = read_table(source, quiet=quiet, gaps_are_ties=question.gaps_are_ties)
    space = conditions.space(board, quiet=quiet)
    unproved = Unproved()
    asked = replace(question, models=_meant(question.models, board, quiet=quiet))
    results, tell = asked.answer(board, space, unproved)
    resting = pairs_of_gaps(board, quiet=quiet) if question.gaps_are_ties else ()
    document = Document(results=(*results, *resting), options=source.options(), command="win")
    if results:
        put_document(document, output, source.file, as_json=as_json)
    if not as_json:
        tell()
    plot_win(results, board, plot, unproved, theme=theme)
    unproved.raise_if_any()
