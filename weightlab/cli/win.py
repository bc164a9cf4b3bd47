"""``weightlab win``: who can win, with proofs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from fractions import Fraction
from functools import partial
from typing import Annotated, Any, Literal

import typer

from weightlab._exact import fraction
from weightlab.cli.documents import print_document, save_document
from weightlab.cli.late import Late
from weightlab.cli.options import (
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
    Quiet,
    ScoredOnly,
    Ties,
    TimeLimit,
)
from weightlab.cli.show import headed, note, say, shown
from weightlab.cli.story import Asked, Story, proof_line, story
from weightlab.cli.tables import Source, read_table, space_from
from weightlab.cli.wanted import SCENARIOS, objectives_from, print_scenario
from weightlab.cli.win_all import DETAILED, print_all, prove_all
from weightlab.cli.win_by_rule import DUELLING, ask_rule, print_by_rule
from weightlab.cli.win_region import ask_regions, ask_unknown, print_regions, print_unknown
from weightlab.data import Leaderboard
from weightlab.exceptions import InputError, UnknownNameError, UnprovedError
from weightlab.lp import Prospect, Prospects, Scenario, Verdict, WeightSpace, WinningShares, prospect, winning_shares
from weightlab.lp import scenario as scenario_of
from weightlab.report import Document

__all__ = ["win"]

SAMPLES = 10_000
"""So many weightings are drawn for shares."""

EXAMPLES = """\b
Examples:
  weightlab win
  weightlab win superglue.csv
  weightlab win superglue.csv --model T5 --complete
  weightlab win superglue.csv --model T5 --scenario fewest-tasks --scenario closest
  weightlab win superglue.csv --rule borda
  weightlab win superglue.csv --max CoLA=0.3 --min @nli=0.2 --json > proof.json
  weightlab win - < superglue.csv
"""


class Improve(StrEnum):
    """What improving costs in ``--upset``."""

    SCORE = "score"
    RESULT = "result"
    NO = "no"

    @property
    def kind(self) -> Literal["score", "result"] | None:
        """The kind of `upset`, or None for no such question."""
        return None if self is Improve.NO else "score" if self is Improve.SCORE else "result"


def win(
    file: File = None,
    model: Annotated[
        list[str] | None,
        typer.Option("--model", "-m", metavar="NAME", help="Tell this model's whole story; repeatable."),
    ] = None,
    complete: Complete = False,
    scored_only: ScoredOnly = False,
    most: Most = None,
    least: Least = None,
    fixed: Fixed = None,
    no_less: NoLess = None,
    config: Config = None,
    scenario: Annotated[
        list[str] | None,
        typer.Option(
            "--scenario",
            metavar="NAME",
            help=f"With --model: the winning weights that serve this best ({', '.join(SCENARIOS)}); repeated, in turn.",
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
    fewest: Annotated[
        bool, typer.Option("--fewest", help="With --model: find the fewest rivals that block it.")
    ] = False,
    as_json: AsJson = False,
    output: Output = None,
    jobs: Jobs = 1,
    time_limit: TimeLimit = None,
    quiet: Quiet = False,
) -> None:
    """Prove who can win: for which task weights a model beats every rival, or which rivals block it."""
    told = {"--scenario": bool(scenario), "--rule": rule is not None, "--region": region, "--unknown": unknown}
    _ensure_one(told)
    about = {"--fewest": fewest, "--upset": upset is not Improve.SCORE, "--scenario": scenario, "--region": region}
    _ensure_model(model, about)
    _ensure_with("--margin", margin, "--scenario", scenario)
    _ensure_with("--between", between, "--unknown", unknown)
    _ensure_with("--ties or --missing", ties or missing, "--rule", rule)
    source = Source(file=file, config=config, complete=complete)
    board = read_table(source, quiet=quiet, gaps_are_ties=not unknown and rule in {None, *DUELLING})
    space = space_from(board, scored_only=scored_only, most=most, least=least, fixed=fixed, no_less=no_less)
    _ensure_known(model or [], board)
    late = Late()
    results: list[Any]
    tell: Callable[[], None]
    asked = Asked(improve=upset.kind, time_limit=time_limit)
    draws = partial(_shares, board, space, samples=samples, seed=seed, time_limit=time_limit, late=late)
    if rule is not None:
        results = ask_rule(
            board, rule, model or [], late, ties=ties, missing=missing, space=space, time_limit=time_limit
        )
        tell = partial(print_by_rule, results)
    elif region:
        results = ask_regions(board, model or [], late, space=space, time_limit=time_limit)
        tell = partial(print_regions, results)
    elif unknown:
        results = [answer := ask_unknown(board, between, space=space, time_limit=time_limit)]
        tell = partial(print_unknown, answer)
    elif scenario:
        results = _scenarios(board, model or [], scenario, margin, late, space=space, time_limit=time_limit)
        tell = partial(_print_scenarios, results)
    elif model:
        known = draws(None) if share is not False else None
        stories = _stories(board, model, space, late, replace(asked, shares=known), fewest=fewest)
        results = [*(one for each in stories for one in each.results()), *([known] if known and stories else [])]
        tell = partial(_print_stories, board, stories)
    else:
        found = prove_all(board, space, jobs=jobs, time_limit=time_limit, quiet=quiet or as_json)
        detailed = _is_detailed(found) if details is None else details
        known = draws(found) if (detailed if share is None else share) else None
        results = [found, *([known] if known else [])]
        tell = partial(print_all, board, found, known, late, detailed=detailed, time_limit=time_limit)
        if not detailed and not quiet:
            note("Distances were left out; --details computes them.")
    document = Document(results=tuple(results), options=source.options(), command="win")
    if output is not None and results:
        save_document(document, output, file)
    if as_json and results:
        print_document(document)
    elif not as_json:
        tell()
    late.raise_if_any()


def _ensure_model(model: list[str] | None, options: Mapping[str, object]) -> None:
    for option, given in options.items():
        if given and not model:
            raise InputError(f"{option} is about single models: name them with --model")


def _ensure_one(options: dict[str, bool]) -> None:
    given = [option for option, one in options.items() if one]
    if len(given) > 1:
        raise InputError(f"{' and '.join(given)} are different questions: ask one at a time")


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


def _is_detailed(found: Prospects) -> bool:
    return len(found.with_verdict(Verdict.STRICT, Verdict.WEAK)) <= DETAILED


def _shares(
    board: Leaderboard,
    space: WeightSpace | None,
    found: Prospects | None,
    *,
    samples: int,
    seed: int,
    time_limit: float | None,
    late: Late,
) -> WinningShares | None:
    ask = partial(winning_shares, board, samples=samples, rng=seed, space=space, known=found, time_limit=time_limit)
    return late.ask("shares of weightings", ask)


def _scenarios(
    board: Leaderboard,
    models: Sequence[str],
    texts: Sequence[str],
    margin: str | None,
    late: Late,
    *,
    space: WeightSpace | None,
    time_limit: float | None,
) -> list[Scenario]:
    least = _margin(margin)
    ask = partial(scenario_of, objective=objectives_from(texts, board), space=space, margin=least)
    found = [
        late.ask(shown(model), partial(ask, board, model, time_limit=time_limit)) for model in dict.fromkeys(models)
    ]
    return [one for one in found if one is not None]


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


def _stories(
    board: Leaderboard, models: Sequence[str], space: WeightSpace | None, late: Late, asked: Asked, *, fewest: bool
) -> list[Story]:
    prove = partial(_prospect, board, late=late, space=space, fewest=fewest, time_limit=asked.time_limit)
    found = [late.ask(shown(model), partial(prove, model)) for model in dict.fromkeys(models)]
    return [story(board, one, late, asked) for one in found if one is not None]


def _prospect(
    board: Leaderboard, model: str, *, late: Late, space: WeightSpace | None, fewest: bool, time_limit: float | None
) -> Prospect:
    """Return a model's prospect, without the fewest blockers where only they are not found in time."""
    try:
        return prospect(board, model, space=space, fewest_blockers=fewest, time_limit=time_limit)
    except UnprovedError as error:
        rest = error.known.get("prospect")
        if not isinstance(rest, Prospect):
            raise
        late.add(f"{shown(model)}, fewest blockers", error)
        return rest


def _print_stories(board: Leaderboard, stories: Sequence[Story]) -> None:
    for position, one in enumerate(stories):
        if position:
            say("")
        say(shown(one.prospect), "", headed(one.lines(board)))
        say(proof_line(len(one.prospect.rivals), len(one.prospect.tasks), one.prospect.space))
