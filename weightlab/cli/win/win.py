"""``weightlab win``: who can win, with proofs; with ``--rule`` who can be first by another rule, at what ranks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from typing import Annotated, Any

import numpy as np
import pandas as pd
import typer
from rich.console import RenderableType

from weightlab import lp
from weightlab._result import Frozen, Proof, Result
from weightlab._text import listed, shown
from weightlab.cli.inputs.gaps import read_for
from weightlab.cli.options import shared
from weightlab.cli.options.plot import NO_PICTURE, Picture
from weightlab.cli.options.table import Source, model_option
from weightlab.cli.options.weights import ANY_WEIGHTS, Conditions
from weightlab.cli.terminal.show import Bar, headed, say, table
from weightlab.cli.win.each_model import meant_models, put_answer
from weightlab.cli.win.noise import NO_NOISE, Noise, tell_noisy
from weightlab.data import Leaderboard
from weightlab.exceptions import ImpossibleError, InputError, UnprovedError
from weightlab.lp.ranks.rank_range import UNSETTLED
from weightlab.report.context import Unproved
from weightlab.report.text.prospect import Line, Story, StoryOptions, move_words, winning_weights
from weightlab.report.text.result_tables import between_rows
from weightlab.report.text.tables import SAMPLES, able_rows, foot_line, left_out_lines, nearest_weights, never_rows
from weightlab.report.text.today import WINS, rule_words, today_words, winner_by
from weightlab.report.text.words import mixture, named_shares, weights_line

ROWS = 20
"""So many rows of a table are shown unless all are asked for."""
LINE_HEADINGS = 23
"""So wide are the headings of a story, which comes line by line."""
MANY = 2_000
"""With more tasks on which duels go differently the nearest weights, a program of that size each, take minutes."""
LONG = 300
"""Tables with more models show a progress bar."""
DUELLING = ("copeland", "minimax")
"""Rules by margins: an integer program for each model, and no ranges of ranks."""
SECONDS = 10.0
"""So long is looked for an answer about one model by such a rule, where no time limit is given."""


class Depth(Frozen, eq=True):
    """How far an answer goes; each field is an option."""

    every: Annotated[
        bool,
        typer.Option(
            "--all", help=f"Every row of the table, not only {ROWS}, and the models that can never win head-to-head."
        ),
    ] = False
    details: Annotated[
        bool,
        typer.Option(
            "--details",
            help="95% intervals; with --model also the widest lead, the flattest weights, the fewest tasks, what each "
            "task can weigh, the fewest blockers.",
        ),
    ] = False
    quick: Annotated[
        bool, typer.Option("--quick", help="Only the verdicts: no shares, no nearest weights, nothing to improve.")
    ] = False
    samples: Annotated[
        int, shared.expert("--samples", metavar="N", min=1, help="So many weightings are drawn for shares.")
    ] = SAMPLES
    seed: Annotated[int, shared.expert("--seed", metavar="N", min=0, help="Seed of the draws.")] = 0


class Question(Frozen, eq=True):
    """What is asked, of which table, and how far the answer goes."""

    board: Leaderboard
    space: lp.WeightSpace | None
    models: tuple[str, ...]
    depth: Depth
    ends: shared.Ends
    jobs: int
    unproved: Unproved
    ruled: Mapping[str, Any]
    """The rule by which models win, with its options; by majority none."""

    def by_rule(self) -> list[Result]:
        """Tell what weights can do by another rule, and between which ranks: for each named model, or for all."""
        rule = self.ruled["rule"]
        duelling = rule in DUELLING
        limit = SECONDS if self.ends.time_limit is None and duelling else self.ends.time_limit
        options: dict[str, Any] = {**self.ruled, "space": self.space, "time_limit": limit}
        if not (duelling or self.models):
            told = self.table()
            self._say("")
            ranks = partial(lp.rank_ranges, self.board, **options, n_jobs=self.jobs)
            return [*told, *([] if self.depth.quick else self._found(("ranks of all", ranks)))]
        found: list[Result] = []
        for model in dict.fromkeys(self.models or self.board.models):
            asked: list[tuple[str, Callable[..., Result]]] = [
                (shown(model), partial(lp.prospect, self.board, model, **options))
            ]
            if not duelling:
                nearest = partial(lp.scenario, self.board, model, lp.closest_to(), **options)
                asked += [] if self.depth.quick else [(f"{shown(model)}, nearest weights", nearest)]
                asked += [(f"{shown(model)}, ranks", partial(lp.rank_range, self.board, model, **options))]
            found += self._found(*asked, silent=duelling and not self.models)
        if duelling and not self.models and not self.ends.as_json:
            _print_duelling([one for one in found if isinstance(one, lp.MajorityProspect)])
        return found

    def _found(self, *asked: tuple[str, Callable[..., Result]], silent: bool = False) -> list[Result]:
        """Return what is found of some questions about one model, or all, and tell it; some are about winners only."""
        found: list[Result] = []
        for name, ask in asked:
            try:
                one = self.unproved.ask(name, ask)
            except ImpossibleError:
                continue
            found += [] if one is None else [one]
        if any(not np.all(one.settled) for one in found if isinstance(one, lp.RankRange | lp.RankRanges)):
            self.unproved.messages.append(UNSETTLED)
        if not (self.ends.as_json or silent):
            _print_by_rule(found)
        return found

    def table(self) -> list[Result]:
        """Tell who can win by the rule at once, and then how often and how near to today's weights."""
        found = self._proved()
        means = rule_words(self.board, found) if self.ruled else f"{WINS} {today_words(self.board)}"
        self._say(means, shown(found), "")
        shares, near = None, dict[str, lp.Scenario | None]()
        able = found.with_verdict(lp.Verdict.STRICT, lp.Verdict.WEAK)
        far = len(self.board.tasks) > MANY and not self.depth.details and _different_tasks(found, able) > MANY
        if not self.depth.quick:
            with Bar("Drawing weightings (--quick skips them)", None, silent=self.ends.as_json):
                shares = self._shares(found)
        if not (self.depth.quick or far):
            with Bar(
                "Looking for the nearest weights (--quick skips them)", len(able), silent=self.ends.as_json
            ) as bar:
                near = nearest_weights(self.board, found, self.unproved, self.ends.time_limit, progress=bar.advance)
        winner = winner_by(self.board, found)
        headings, rows, right = able_rows(found, shares, near, winner=winner, details=self.depth.details)
        if rows:
            self._say(table(headings, rows if self.depth.every else rows[:ROWS], right=right), "")
        if self.depth.every and found.with_verdict(lp.Verdict.NEVER):
            self._say(table(*never_rows(found)[:2]), "")
        self._say(*left_out_lines(found, len(rows) if self.depth.every else ROWS, every=self.depth.every))
        self._say(foot_line(found, shares, details=self.depth.details))
        if far and not self.depth.quick:
            self._say(
                f"How much weight would move is not looked for with more than {MANY:,} different tasks: --details does."
            )
        kept = [one for one in near.values() if one is not None]
        return [found, *kept, *([] if shares is None else [shares])]

    def _say(self, *parts: RenderableType) -> None:
        if not self.ends.as_json:
            say(*parts)

    def stories(self) -> list[Result]:
        """Tell each model's story: the verdict at once, and each line when it is found."""
        shares = cache(self._shares)
        options = StoryOptions(shares=shares, quick=self.depth.quick, time_limit=self.ends.time_limit)
        results: list[Result] = []
        for model in self.models:
            ask = partial(lp.prospect, self.board, model, space=self.space, time_limit=self.ends.time_limit)
            found = self.unproved.ask(shown(model), ask)
            if found is None:
                continue
            story = Story(self.board, found, self.unproved, options)
            self._say(*([""] if results else []), story.verdict, "")
            self._tell(story.lines())
            self._tell(story.details() if self.depth.details else iter(()))
            self._say(
                story.last_line()
                + ("" if self.depth.details else " More with --details; picture with --plot FILE.svg.")
            )
            results += story.results
        drawn = shares() if shares.cache_info().currsize else None
        return [*results, *([] if drawn is None else [drawn])]

    def _tell(self, lines: Iterator[Line]) -> None:
        """Say lines as they are found, with a bar while one is looked for."""
        while True:
            with Bar("Looking further (--quick skips this)", None, silent=self.ends.as_json):
                line = next(lines, None)
            if line is None:
                return
            self._say(headed([line], wide=LINE_HEADINGS))

    def _shares(self, found: lp.Prospects | None = None) -> lp.WinningShares | None:
        ask = partial(
            lp.winning_shares,
            self.board,
            samples=self.depth.samples,
            rng=self.depth.seed,
            space=self.space,
            known=found,
            **self.ruled,
        )
        return self.unproved.ask("shares of weightings", partial(ask, time_limit=self.ends.time_limit))

    def _proved(self) -> lp.Prospects:
        """Return every model's verdict, with a progress bar for long tables; margins of short ones are exact."""
        count = len(self.board.models)
        options: dict[str, Any] = {**self.ruled, "space": self.space, "time_limit": self.ends.time_limit}
        prove = partial(lp.prospects, self.board, n_jobs=self.jobs, **options)
        try:
            with Bar("Proving", count, silent=self.ends.as_json or count < LONG) as bar:
                return prove(exact=count < LONG, progress=bar.advance)
        except UnprovedError as error:
            raise _with_verdicts(error, count) from error


def _different_tasks(found: lp.Prospects, able: Sequence[str]) -> int:
    """Return on how many tasks the duels of a model go differently, the first that can win head-to-head for all."""
    return len(np.unique(found.leads.matrix(able[0]).T, axis=0)) if able else 0


def _with_verdicts(error: UnprovedError, count: int) -> UnprovedError:
    """Return an error of `prospects` with the verdicts that it knows in words, counted and by name."""
    verdicts: Mapping[str, lp.Verdict] = error.known.get("verdicts", {})
    known: dict[str, Any] = {name: value for name, value in error.known.items() if name != "verdicts"}
    known["settled"] = f"{len(verdicts)} of {count} models"
    for verdict in lp.Verdict:
        names = [shown(model) for model, found in verdicts.items() if found is verdict]
        known[f"{verdict.words} ({len(names)})"] = ", ".join(names) or None
    return type(error)(error.message, known=known)


def _print_by_rule(found: Sequence[Result]) -> None:
    """Print a table where all models were asked about, else one model's sentences and weights."""
    for position, one in enumerate(found):
        if isinstance(one, lp.RankRanges):
            _print_ranges(one)
            continue
        if position and not isinstance(one, lp.RankRange):
            say("")
        say(shown(one), "", headed(_lines(one)), "")


def _lines(one: Result) -> list[Line]:
    if isinstance(one, lp.RankRange):
        ends = ((f"Rank {one.best} under", one.best_weights), (f"Rank {one.worst} under", one.worst_weights))
        return [(heading, [_weights(weights)]) for heading, weights in ends]
    if isinstance(one, lp.Prospect):
        lines = [("Best weights", [_weights(one.weights)])]
        if one.verdict is not lp.Verdict.STRICT:
            lines.append(("Why it cannot be first alone", [mixture(named_shares(one.blockers))]))
        return lines
    if isinstance(one, lp.Scenario):
        far = [move_words(one)] if one.value else []
        return [("Nearest winning weights", [_weights(winning_weights(one)), *far])]
    if isinstance(one, lp.MajorityProspect):
        return [("Best weights found", [_weights(one.weights)]), ("Proof", [_grounds(one)])]
    return []


def _print_ranges(found: lp.RankRanges) -> None:
    say(shown(found), "")
    say(table(*between_rows(found)), "")
    say(headed([("Can be first, alone or tied", [listed(found.possible_winners, 10)])]))


def _print_duelling(found: Sequence[lp.MajorityProspect]) -> None:
    order = list(lp.Verdict)
    rows = [
        (shown(one.model), one.verdict.words, _grounds(one), _weights(one.weights))
        for one in sorted(found, key=lambda one: order.index(one.verdict))
    ]
    alone, tied, never = (sum(one.verdict is verdict for one in found) for verdict in lp.Verdict)
    able = f"of {len(found)} models {alone} can be the only winner, {tied} can share the first place at best"
    say(f"By {found[0].rule}, {able}, {never} can never win.", "")
    say(table(["model", "verdict", "proof", "weights"], rows))


def _grounds(one: lp.MajorityProspect) -> str:
    return "exact" if one.proof is Proof.EXACT else f"by the bound of {one.solver}"


def _weights(weights: pd.Series) -> str:
    return weights_line(named_shares(weights))


SHORT = Depth()
"""What is told unless more, or less, is asked for."""


def win(
    source: Source,
    model: Annotated[list[str] | None, model_option(help="All about this model; repeatable.")] = None,
    rule: Annotated[
        str | None,
        shared.rule_option(
            help="First by this rule instead: mean, borda, dowdall, plurality, veto, points such as 3,2,1, copeland "
            "or minimax; and between which ranks.",
            autocompletion=shared.words(*shared.LINEAR, "copeland", "minimax"),
        ),
    ] = None,
    depth: Depth = SHORT,
    conditions: Conditions = ANY_WEIGHTS,
    noise: Noise = NO_NOISE,
    ties: shared.Ties = None,
    missing: shared.Missing = None,
    picture: Picture = NO_PICTURE,
    jobs: shared.Jobs = 1,
    ends: shared.Ends = shared.HERE,
) -> None:
    """Prove who can win head-to-head: for which task weights a model beats every rival, or which rivals block it.

    Examples
    --------
    weightlab win
    weightlab win superglue.csv
    weightlab win superglue.csv --model T5 --complete
    weightlab win superglue.csv --complete --rule borda
    weightlab win superglue.csv --max BoolQ=0.3 --min RTE=0.1 --json > proof.json
    weightlab win - < superglue.csv
    """
    if picture.plot is not None and (rule in DUELLING or len(model or []) > 1):
        raise InputError("--plot draws the shares of all models, or one model's weights")
    picture.ensure(source, {"--output": ends.output})
    if noise.asked:
        if rule is not None or model or picture.plot is not None:
            raise InputError("--level tells of all models by head-to-heads; leave out --rule, --model and --plot")
        tell_noisy(source, noise, conditions, ends)
        return
    gaps_are_ties = rule is None or rule in DUELLING
    ruled = shared.ruled(rule, ties, missing, also=DUELLING)
    board, source = read_for(source, {} if rule in DUELLING else ruled)
    question = Question(
        board=board,
        space=conditions.space(board, {} if rule in DUELLING else ruled),
        models=meant_models(model or [], board),
        depth=depth,
        ends=ends,
        jobs=jobs,
        unproved=Unproved(),
        ruled=ruled,
    )
    tell = question.by_rule if rule is not None else question.stories if question.models else question.table
    results = tell()
    put_answer("win", results, board, source, question.ends, gaps_are_ties=gaps_are_ties)
    picture.save_win(results, question.unproved)
    question.unproved.raise_if_any()
