"""``weightlab win``: who can win, with proofs; with ``--rule`` who can be first by another rule, at what ranks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from typing import Annotated, Any, cast

import numpy as np
import pandas as pd
import typer
from rich.console import RenderableType

from weightlab import lp
from weightlab._result import Frozen, Proof, Result
from weightlab._text import listed, shown, shown_lines
from weightlab.cli.inputs.gaps import read_for
from weightlab.cli.options import shared
from weightlab.cli.options.plot import NO_PICTURE, Picture
from weightlab.cli.options.table import Source, model_option
from weightlab.cli.options.weights import ANY_WEIGHTS, Conditions
from weightlab.cli.terminal.show import Bar, headed, say, table
from weightlab.cli.win.each_model import meant_models, put_answer
from weightlab.cli.win.noise import NO_NOISE, Noise, tell_noisy
from weightlab.data.linear_rule import CONDORCET, MAJORITY, MEAN, LinearRule, RuleLike, rule_words
from weightlab.exceptions import InputError, NoWinnerError, UnprovedError
from weightlab.lp.ranks.rank_range import UNSETTLED
from weightlab.report.context import UNFIRM, Unproved
from weightlab.report.text.prospect import Line, Story, StoryOptions
from weightlab.report.text.result_tables import between_rows
from weightlab.report.text.tables import (
    SAMPLES,
    Verdicts,
    able_rows,
    contrast_lines,
    contrast_words,
    foot_line,
    left_out_lines,
    legend_lines,
    nearest_weights,
    never_rows,
)
from weightlab.report.text.today import now_words
from weightlab.report.text.ways import Way, own_ways
from weightlab.report.text.words import named_shares, weights_line

ROWS = 20
"""Rows shown unless --all is given."""
LINE_HEADINGS = 23
"""So wide are the headings of a story, which comes line by line."""
MANY = 2_000
"""With more tasks on which duels go differently the nearest weights, a program of that size each, take minutes."""
LONG = 300
"""Tables with more models show a progress bar."""
SINGLY = ("copeland", "minimax", "geometric_mean")
"""Rules that take one model at a time and give verdicts alone."""
MAJORITIES = (MAJORITY, CONDORCET)
"""Names of head-to-head."""
SECONDS = 10.0
"""Default time limit for one model by such a rule, in seconds."""


class Depth(Frozen, eq=True):
    """How far an answer goes; each field is an option."""

    every: Annotated[
        bool,
        typer.Option("--all", help=f"Show all rows, not only {ROWS}, and the models that can never win by the rules."),
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
    samples: Annotated[int, shared.expert("--samples", metavar="N", min=1, help="Number of weightings to sample.")] = (
        SAMPLES
    )
    seed: Annotated[int, shared.expert("--seed", metavar="N", min=0, help="Seed of the draws.")] = 0


class Question(Frozen, eq=True):
    """The question, the table, and the extent of the answer."""

    ways: tuple[Way, ...]
    """Rules by which models win, and whom they rank."""
    space: lp.WeightSpace | None
    models: tuple[str, ...]
    depth: Depth
    ends: shared.Ends
    jobs: int
    unproved: Unproved
    ruled: Mapping[str, Any]
    """The named rule, with its options, if any."""

    def one_by_one(self) -> list[Result]:
        """Print the winning weights by a rule that takes one model at a time."""
        limit = SECONDS if self.ends.time_limit is None else self.ends.time_limit
        found: list[lp.MajorityProspect | lp.GeometricProspect] = []
        board = self.ways[0].board
        for model in self.models or board.models:
            ask = partial(lp.prospect, board, model, **self.ruled, space=self.space, time_limit=limit)
            answer: Any = self.unproved.ask(shown(model), ask)
            found += [] if answer is None else [answer]
        for place, one in enumerate(found) if self.models else ():
            what = "Best weights found" if len(one.weights) else "Blockers"
            lines = [(what, [_weights(one.shares)]), ("Proof", [_grounds(one)])]
            self._say(*([""] if place else []), shown(one), "", headed(lines), "")
        if found and not (self.models or self.ends.as_json):
            _print_singly(found)
        return [*found]

    def table(self) -> list[Result]:
        """Print who can win by each rule, then how often and how close to the current weights."""
        for way in self.ways:
            self._say(*([way.told] if way.told else []))
        asked: list[Verdicts] = []
        for way in self.ways:
            asked.append(Verdicts(found=self._proved(way, exact=self.ends.as_json)))
            self._say(shown(asked[-1].found))
        if len(asked) > 1:
            self._say(*map(shown_lines, contrast_lines(*asked)))
        firm = self._now(asked)
        if not self.ends.as_json:  # margins of short tables are exact; what is said first needs only their signs
            asked = [self._with_margins(*one) for one in zip(self.ways, asked, strict=True)]
        far = not self.depth.details and any(map(_many_tasks, asked))
        if not self.depth.quick:
            asked = [self._measured(way, one, far=far) for way, one in zip(self.ways, asked, strict=True)]
        self._rows(asked)
        if far and not self.depth.quick:
            self._say(
                f"Weight shifts are not looked for with more than {MANY:,} different tasks: --details computes them."
            )
        results: list[Result] = []
        for one in asked:
            kept = [near for near in one.nearest.values() if near is not None]
            results += [one.found, *kept, *([] if one.shares is None else [one.shares])]
        ranks = [] if not self.ruled or self.depth.quick else self._ranks()
        return [*results, *firm, *ranks]

    def _now(self, asked: Sequence[Verdicts]) -> list[Result]:
        """Print who is first now by each rule, and how stable that is by the first one."""
        firm: list[Result] = []
        told = [now_words(way.board, one.found) for way, one in zip(self.ways, asked, strict=True)]
        if not (self.depth.quick or self.ruled):
            from weightlab.studies import card  # noqa: PLC0415 - loads all rules, when verdicts are told

            try:
                firm = [card(self.ways[-1].board, self.ways[0].rule.name)]  # the last way ranks all models
            except (InputError, NoWinnerError):
                firm = []
            except UnprovedError as error:
                self.unproved.add(UNFIRM, error)
            told[:1] = [shown(one) for one in firm] or told[:1]
        self._say("", *told, "")
        return firm

    def _measured(self, way: Way, one: Verdicts, *, far: bool) -> Verdicts:
        """Return each model's share of weightings, and the distance of its winning weights."""
        silent = self.ends.as_json
        with Bar("Sampling weightings (--quick skips them)", None, silent=silent):
            shares = self._shares(way, one.found)
        if far:
            return Verdicts(found=one.found, shares=shares)
        with Bar("Searching nearest weights (--quick skips them)", len(one.able), silent=silent) as bar:
            limit = self.ends.time_limit
            near = nearest_weights(way.board, one.found, self.unproved, limit, progress=bar.advance)
        return Verdicts(found=one.found, shares=shares, nearest=near)

    def _rows(self, asked: Sequence[Verdicts]) -> None:
        """Show a row for each model that can win by some of the rules, and why others never can by any."""
        every, details = self.depth.every, self.depth.details
        headings, rows, right = able_rows(asked, details=details)
        if rows:
            self._say(table(headings, rows if every else rows[:ROWS], right=right), "")
        for one in asked if every else ():
            if one.found.with_verdict(lp.Verdict.NEVER):
                self._say(table(*never_rows(one.found)[:2]), "")
        self._say(*left_out_lines(asked, len(rows) if every else ROWS, every=every))
        self._say(*legend_lines(asked), foot_line(asked, details=details))

    def _ranks(self) -> list[Result]:
        """Print each model's best and worst rank by the named rule."""
        way = self.ways[0]
        ask = partial(
            lp.rank_ranges, way.board, **self.ruled, space=self.space, time_limit=self.ends.time_limit, n_jobs=self.jobs
        )
        found = None if way.rule.is_majority else self.unproved.ask("ranks of all", ask)
        if found is None:
            return []
        if not np.all(found.settled):
            self.unproved.messages.append(UNSETTLED)
        can = [("Can rank first, alone or tied", [listed(found.possible_winners, 10)])]
        self._say("", shown(found), "", table(*between_rows(found)), "", headed(can))
        return [found]

    def _say(self, *parts: RenderableType) -> None:
        if not self.ends.as_json and parts:
            say(*parts)

    def stories(self) -> list[Result]:
        """Print each model in detail by each rule: the verdicts at once, and each line when it is found."""
        drawn = [cache(partial(self._shares, way)) for way in self.ways]
        results: list[Result] = []
        for model in self.models:
            found = [(way, shares, self._prospect(way, model)) for way, shares in zip(self.ways, drawn, strict=True)]
            known = [(one.rule, one.verdict) for _, _, one in found if one is not None]
            if not known:
                continue
            self._say(*([""] if results else []))
            if len(known) > 1:
                self._say(contrast_words([model], *known), "")
            for at, (way, shares, one) in enumerate(found):
                if one is None:
                    self._say(*([f"{shown(model)} is not ranked {way.rule.by}: it lacks scores.", ""]))
                else:
                    results += self._story(way, one, shares, last=at + 1 == len(found))
        shares_of = [shares() for shares in drawn if shares.cache_info().currsize]
        return [*results, *(one for one in shares_of if one is not None)]

    def _prospect(self, way: Way, model: str) -> lp.Prospect | None:
        """Return the verdict on a model by a rule; None where it does not rank it, or in want of a proof."""
        if model not in way.board.models:
            return None
        ask = partial(lp.prospect, way.board, model, rule=way.rule, space=self.space)
        what = f"{shown(model)} {way.rule.by}"
        return cast("lp.Prospect | None", self.unproved.ask(what, partial(ask, time_limit=self.ends.time_limit)))

    def _story(
        self, way: Way, found: lp.Prospect, shares: Callable[[], lp.WinningShares | None], *, last: bool
    ) -> list[Result]:
        """Print one model in detail by one rule."""
        options = StoryOptions(shares=shares, quick=self.depth.quick, time_limit=self.ends.time_limit)
        story = Story(way.board, found, self.unproved, options)
        self._say(story.verdict, "")
        self._tell(story.lines())
        self._tell(story.details() if self.depth.details else iter(()))
        if self.ruled and not way.rule.is_majority and not self.depth.quick:
            self._tell(self._rank_line(found, story))
        more = "" if self.depth.details else " More with --details; picture with --plot FILE.svg."
        self._say(story.last_line() + more * last, *([] if last else [""]))
        return story.results

    def _rank_line(self, found: lp.Prospect, story: Story) -> Iterator[Line]:
        """Yield between which ranks a model is by the rule that is named."""
        model, limit = found.model, self.ends.time_limit
        ask = partial(lp.rank_range, self.ways[0].board, model, **self.ruled, space=self.space, time_limit=limit)
        ranks = self.unproved.ask(f"{shown(model)}, ranks", ask)
        if ranks is not None:
            story.results.append(ranks)
            if not np.all(ranks.settled):
                self.unproved.messages.append(UNSETTLED)
            yield "Ranks", [shown(ranks), f"rank {ranks.best} with {_weights(ranks.best_weights)}"]

    def _tell(self, lines: Iterator[Line]) -> None:
        """Print lines as they are found, with a progress bar during a search."""
        while True:
            with Bar("Searching further (--quick skips this)", None, silent=self.ends.as_json):
                line = next(lines, None)
            if line is None:
                return
            self._say(headed([line], wide=LINE_HEADINGS))

    def _shares(self, way: Way, found: lp.Prospects | None = None) -> lp.WinningShares | None:
        ask = partial(
            lp.winning_shares,
            way.board,
            rule=way.rule,
            samples=self.depth.samples,
            rng=self.depth.seed,
            space=self.space,
            known=found,
        )
        return self.unproved.ask(f"shares of weightings {way.rule.by}", partial(ask, time_limit=self.ends.time_limit))

    def _with_margins(self, way: Way, one: Verdicts) -> Verdicts:
        """Return verdicts with exact margins, of short tables and where there is time for them."""
        try:
            return Verdicts(found=self._proved(way, exact=True)) if len(way.board.models) < LONG else one
        except UnprovedError:
            return one

    def _proved(self, way: Way, *, exact: bool) -> lp.Prospects:
        """Return every model's verdict, with a progress bar for long tables; margins of short ones exact if asked."""
        count = len(way.board.models)
        options: dict[str, Any] = {"rule": way.rule, "space": self.space, "time_limit": self.ends.time_limit}
        prove = partial(lp.prospects, way.board, n_jobs=self.jobs, **options)
        try:
            with Bar("Proving", count, silent=self.ends.as_json or count < LONG) as bar:
                return prove(exact=exact and count < LONG, progress=bar.advance)
        except UnprovedError as error:
            raise _with_verdicts(error, count) from error


def _many_tasks(one: Verdicts) -> bool:
    """Return whether rows of a model differ on too many tasks to look for nearest weights unasked."""
    leads = one.found.leads
    return bool(one.able) and len(leads.tasks) > MANY and len(np.unique(leads.matrix(one.able[0]).T, axis=0)) > MANY


def _with_verdicts(error: UnprovedError, count: int) -> UnprovedError:
    """Return an error of `prospects` with the verdicts that it knows in words, counted and by name."""
    verdicts: Mapping[str, lp.Verdict] = error.known.get("verdicts", {})
    known: dict[str, Any] = {name: value for name, value in error.known.items() if name != "verdicts"}
    known["settled"] = f"{len(verdicts)} of {count} models"
    for verdict in lp.Verdict:
        names = [shown(model) for model, found in verdicts.items() if found is verdict]
        known[f"{verdict.words} ({len(names)})"] = ", ".join(names) or None
    return type(error)(error.message, known=known)


def _print_singly(found: Sequence[lp.MajorityProspect | lp.GeometricProspect]) -> None:
    order, by_margins = list(lp.Verdict), isinstance(found[0], lp.MajorityProspect)
    rows = [
        (shown(one.model), one.verdict.words, _grounds(one), _weights(one.shares))
        for one in sorted(found, key=lambda one: order.index(one.verdict))
    ]
    alone, tied, never = (sum(one.verdict is verdict for one in found) for verdict in lp.Verdict)
    tie = f"{tied} can share the first place at best, " if by_margins else ""
    words = rule_words(found[0].rule.replace("_", " ")).capitalize()
    say(f"{words}, of {len(found)} models {alone} can be the only winner, {tie}{never} can never win.", "")
    say(table(["model", "verdict", "proof", "weights" if by_margins else "weights or blockers"], rows))


def _grounds(one: lp.MajorityProspect | lp.GeometricProspect) -> str:
    return "exact" if one.proof is Proof.EXACT else f"by the bound of {one.solver}"


def _weights(weights: pd.Series) -> str:
    return weights_line(named_shares(weights))


SHORT = Depth()
"""Sections shown by default."""


def win(
    source: Source,
    model: Annotated[list[str] | None, model_option(help="All about this model; repeatable.")] = None,
    rule: Annotated[
        str | None,
        shared.rule_option(
            help="By this rule alone: majority (head-to-head), mean, borda, dowdall, plurality, veto, points such as "
            "3,2,1, with best and worst ranks; copeland, minimax or geometric_mean, verdicts alone.",
            autocompletion=shared.words(MAJORITY, *shared.LINEAR, *SINGLY),
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
    """Prove who can win by the table's own rule and head-to-head: for which task weights, or which rivals block it.

    Examples
    --------
    weightlab win
    weightlab win superglue.csv
    weightlab win superglue.csv --model T5 --complete
    weightlab win superglue.csv --complete --rule majority
    weightlab win superglue.csv --max BoolQ=0.3 --min RTE=0.1 --json > proof.json
    weightlab win - < superglue.csv
    """
    if picture.plot is not None and (rule in SINGLY or len(model or []) > 1):
        raise InputError("--plot draws the shares of all models, or one model's weights")
    picture.ensure(source, {"--output": ends.output})
    if noise.asked:
        if rule is not None or model or picture.plot is not None:
            raise InputError("--level tells of all models by head-to-heads; leave out --rule, --model and --plot")
        tell_noisy(source, noise, conditions, ends)
        return
    ruled = {} if rule in MAJORITIES else shared.ruled(rule, ties, missing, also=SINGLY)
    named = {"geometric_mean": MEAN}.get(str(rule), MAJORITY if rule in (*SINGLY, *MAJORITIES) else ruled.get("rule"))
    board, source = read_for(source, {**ruled, "rule": named} if named not in (None, MAJORITY) else {})
    if rule is None:
        ways = own_ways(board)
    else:
        taken: dict[str, Any] = {name: way for name, way in ruled.items() if name != "rule"}
        ways = (Way(rule=LinearRule.or_own(cast("RuleLike", named), **taken), board=board),)
    prefers = {"rule": ways[0].rule}
    question = Question(
        ways=ways,
        space=conditions.space(board, prefers),
        models=meant_models(model or [], board),
        depth=depth,
        ends=ends,
        jobs=jobs,
        unproved=Unproved(),
        ruled=ruled,
    )
    tell = question.one_by_one if rule in SINGLY else question.stories if question.models else question.table
    results = tell()
    put_answer("win", results, board, source, question.ends, gaps_are_ties=any(way.rule.is_majority for way in ways))
    picture.save_win(results, question.unproved)
    question.unproved.raise_if_any()
