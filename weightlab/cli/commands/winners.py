"""``weightlab win``: who can win, with proofs; with ``--rule`` who can be first by another rule, at what ranks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import TYPE_CHECKING, Annotated, Any

from weightlab.cli import lazy
from weightlab.cli.commands.one_model import resting
from weightlab.cli.options.shared import (
    EXPERT,
    HERE,
    LINEAR,
    Ends,
    InstanceColumn,
    Jobs,
    Many,
    Missing,
    ModelColumn,
    Ties,
    Views,
    completing,
    level,
    opt,
    ruled,
)
from weightlab.cli.options.table import Source, model_option
from weightlab.cli.options.weights import ANY_WEIGHTS, Conditions
from weightlab.cli.terminal.show import NOTES, Bar
from weightlab.exceptions import InputError, NoWinnerError, UnprovedError

if TYPE_CHECKING:
    from weightlab._result import Result
    from weightlab.data import Leaderboard
    from weightlab.lp import Prospect, Prospects, WeightSpace, WinningShares
    from weightlab.views.prospect import Line, Story
    from weightlab.views.verdicts import Verdicts
    from weightlab.views.view import View
    from weightlab.views.ways import Way

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
MAJORITIES = ("majority", "condorcet")
"""Names of head-to-head."""
SECONDS = 10.0
"""Default time limit for one model by such a rule, in seconds."""
SAMPLES = 10_000


@dataclass(frozen=True, kw_only=True)
class Depth:
    """How far an answer goes; each field is an option."""

    details: Annotated[
        bool, opt("--details", "Add 95% intervals; with --model also weight ranges, fewest blockers.")
    ] = False
    quick: Annotated[bool, opt("--quick", "Compute verdicts only: no shares, no nearest weights.")] = False
    samples: Annotated[int, opt("--samples N", "Number of weightings to sample.", EXPERT, min=1)] = SAMPLES
    seed: Annotated[int, opt("--seed N", "Random seed.", EXPERT, min=0)] = 0


@dataclass(frozen=True, kw_only=True)
class Noise:
    """Confidence of the verdicts, and what varies; each field is an option."""

    level: Annotated[
        float | None, opt("--level LEVEL", "Verdicts that hold whatever the noise, such as at 95%.", parser=level)
    ] = None
    over: Annotated[str | None, opt("--over WHAT", "What varies: instances or standard_errors.")] = None
    model_column: ModelColumn = None
    instance_column: InstanceColumn = None


SHORT, NO_NOISE = Depth(), Noise()
"""Default depth, for unchanged scores."""


def win(
    source: Source,
    model: Annotated[Many, model_option("Analyse this model in detail. Repeatable.")] = None,
    rule: Annotated[
        str | None,
        opt(
            *(
                "--rule -r RULE",
                f"By this rule alone: majority, {', '.join(LINEAR)}, points 3,2,1, or {', '.join(SINGLY)}.",
            ),
            autocompletion=completing("majority", *LINEAR, *SINGLY),
        ),
    ] = None,
    depth: Depth = SHORT,
    conditions: Conditions = ANY_WEIGHTS,
    noise: Noise = NO_NOISE,
    ties: Ties = None,
    missing: Missing = None,
    jobs: Jobs = 1,
    ends: Ends = HERE,
) -> Views:
    """Prove who can win by the table's own rule and head-to-head: for which task weights, or which rivals block it.

    Examples
    --------
    weightlab win
    weightlab win superglue.csv --model T5 --complete
    weightlab win superglue.csv
    weightlab win superglue.csv --complete --rule majority
    weightlab win superglue.csv --max BoolQ=0.3 --min RTE=0.1 --json > proof.json
    weightlab win - < superglue.csv
    """
    if ends.plot is not None and (rule in SINGLY or len(model or []) > 1):
        raise InputError("--plot draws the shares of all models, or one model's weights")
    if (noise.level is None) != (noise.over is None):
        raise InputError("--level and --over go together, as in --level 0.95 --over standard_errors")
    if noise.level is not None:
        if rule is not None or model or ends.plot is not None:
            raise InputError("--level tells of all models by head-to-heads; leave out --rule, --model and --plot")
        yield _noisy(source, noise, conditions, ends)
        return
    asked = {} if rule in MAJORITIES else ruled(rule, ties, missing, also=SINGLY)
    named = {"geometric_mean": "mean"}.get(
        str(rule), "majority" if rule in (*SINGLY, *MAJORITIES) else asked.get("rule")
    )
    board = lazy.read_for(source, {**asked, "rule": named} if named not in (None, "majority") else {})
    ways = _ways(board, rule, named, asked)
    space, models = conditions.space(board, {"rule": ways[0].rule}), lazy.meant_models(model, board)
    question = Question(ways=ways, space=space, models=models, depth=depth, ends=ends, jobs=jobs, ruled=asked)
    yield from (question.one_by_one if rule in SINGLY else question.stories if models else question.table)()
    yield from resting(board, {} if any(way.rule.is_majority for way in ways) else asked or {"rule": named})


def _ways(board: Leaderboard, rule: str | None, named: Any, asked: Mapping[str, Any]) -> tuple[Way, ...]:
    """Return the rules of verdicts, with whom they rank: the one that is named, or the table's own and head-to-head."""
    from weightlab.data.linear_rule import LinearRule
    from weightlab.views.ways import Way, own_ways

    if rule is None:
        return own_ways(board)
    taken: dict[str, Any] = {name: way for name, way in asked.items() if name != "rule"}
    return (Way(rule=LinearRule.or_own(named, **taken), board=board),)


def _noisy(source: Source, noise: Noise, conditions: Conditions, ends: Ends) -> View:
    """Return each model's verdict if every uncertain lead is lost, and if it is won."""
    over: Any = (noise.over or "").replace("-", "_")
    data: Any
    if over == "instances":
        data = lazy.read_on_instances(source, (noise.model_column, noise.instance_column))
    else:
        data = lazy.read_table(source, gaps_are_ties=False)
    board = data.means() if over == "instances" else data
    options: dict[str, Any] = {"space": conditions.space(board), "time_limit": ends.time_limit}
    return lazy.view_of(lazy.studies.noisy_verdicts(data, over=over, level=noise.level or 0, **options))


@dataclass(frozen=True, kw_only=True)
class Question:
    """The question, the table, and the extent of the answer."""

    ways: tuple[Way, ...]
    """Rules by which models win, and whom they rank."""
    space: WeightSpace | None
    models: tuple[str, ...]
    depth: Depth
    ends: Ends
    jobs: int
    ruled: Mapping[str, Any]
    """The named rule, with its options, if any."""

    def one_by_one(self) -> Iterator[View]:
        """Yield the winning weights by a rule that takes one model at a time."""
        limit = SECONDS if self.ends.time_limit is None else self.ends.time_limit
        found: list[Any] = []
        board = self.ways[0].board
        for model in self.models or board.models:
            ask: Any = partial(lazy.lp.prospect, board, model, **self.ruled, space=self.space, time_limit=limit)
            answer = NOTES.unproved.ask(model, ask)
            found += [] if answer is None else [answer]
            if answer is not None and self.models:
                yield lazy.verdicts.singly_view(answer)
        if found and not self.models:
            answered = {one.model for one in found}
            undecided = [model for model in board.models if model not in answered]
            yield lazy.verdicts.all_singly_view(found, undecided)

    def table(self) -> Iterator[View]:
        """Yield who can win by each rule, then how often and how close to the current weights."""
        from weightlab.views.verdicts import Verdicts, contrast_lines

        for way in self.ways:
            yield lazy.View(headline=way.told, close=True)
        asked: list[Verdicts] = []
        for way in self.ways:
            asked.append(Verdicts(found=self._proved(way, exact=self.ends.as_json)))
            yield lazy.View(headline=str(asked[-1].found), close=True)
        if len(asked) > 1:
            yield lazy.View(headline=tuple(contrast_lines(*asked)), close=True)
        told, firm = self._now(asked)
        yield lazy.View(headline=tuple(told))
        if not self.ends.as_json:  # margins of short tables are exact; the first lines need only their signs
            asked = [self._with_margins(*one) for one in zip(self.ways, asked, strict=True)]
        far = not self.depth.details and any(map(_many_tasks, asked))
        if not self.depth.quick:
            asked = [self._measured(way, one, far=far) for way, one in zip(self.ways, asked, strict=True)]
        every, details = self.ends.every, self.depth.details
        view: View = lazy.verdicts.verdicts_view(asked, firm, every=every, details=details, most=ROWS)
        yield view
        if far and not self.depth.quick:
            more = f"Weight shifts are not looked for with more than {MANY:,} different tasks: --details computes them."
            yield lazy.View(headline=more, close=True)
        if self.ruled and not self.depth.quick:
            yield from self._ranks()

    def _now(self, asked: Sequence[Verdicts]) -> tuple[list[str], list[Result]]:
        """Return who is first now by each rule, and how stable that is by the first one."""
        from weightlab.views.unproved import UNFIRM
        from weightlab.views.ways import now_words

        firm: list[Result] = []
        told = [now_words(way.board, one.found) for way, one in zip(self.ways, asked, strict=True)]
        if not (self.depth.quick or self.ruled):
            try:
                firm = [lazy.studies.card(self.ways[-1].board, self.ways[0].rule.name)]  # the last way ranks all models
            except (InputError, NoWinnerError):
                firm = []
            except UnprovedError as error:
                NOTES.unproved.add(UNFIRM, error)
            told[:1] = [str(one) for one in firm] or told[:1]
        return told, firm

    def _measured(self, way: Way, one: Verdicts, *, far: bool) -> Verdicts:
        """Return each model's share of weightings, and the distance of its winning weights."""
        with Bar("Sampling weightings (--quick skips them)"):
            shares = self._shares(way, one.found)
        if far:
            return replace(one, shares=shares)
        with Bar("Searching nearest weights (--quick skips them)", len(one.able)) as bar:
            limit = self.ends.time_limit
            near = lazy.verdicts.nearest_weights(way.board, one.found, NOTES.unproved, limit, progress=bar.advance)
        return replace(one, shares=shares, nearest=near)

    def _ranks(self) -> Iterator[View]:
        """Yield each model's best and worst rank by the named rule."""
        from weightlab.lp.ranks.rank_range import UNSETTLED

        way = self.ways[0]
        options: dict[str, Any] = {"space": self.space, "time_limit": self.ends.time_limit, "n_jobs": self.jobs}
        ask = partial(lazy.lp.rank_ranges, way.board, **self.ruled, **options)
        found = None if way.rule.is_majority else NOTES.unproved.ask("ranks of all", ask)
        if found is not None:
            NOTES.unproved.messages += [] if found.settled.all() else [UNSETTLED]
            yield lazy.view_of(found)

    def stories(self) -> Iterator[View]:
        """Yield each model in detail by each rule: the verdicts at once, and each line when it is found."""
        drawn = [cache(partial(self._shares, way)) for way in self.ways]
        for model in self.models:
            found = [(way, shares, self._prospect(way, model)) for way, shares in zip(self.ways, drawn, strict=True)]
            known = [(one.rule, one.verdict) for _, _, one in found if one is not None]
            if len(known) > 1:
                yield lazy.View(headline=lazy.verdicts.contrast_words([model], *known))
            for at, (way, shares, one) in enumerate(found if known else ()):
                if one is None:
                    yield lazy.View(headline=f"{model} is not ranked {way.rule.by}: it lacks scores.")
                else:
                    yield from self._story(way, one, shares, last=at + 1 == len(found))
        shares_of = [shares() for shares in drawn if shares.cache_info().currsize]
        yield lazy.View(results=[one for one in shares_of if one is not None])

    def _prospect(self, way: Way, model: str) -> Prospect | None:
        """Return the verdict on a model by a rule; None where it does not rank it, or in want of a proof."""
        if model not in way.board.models:
            return None
        ask: Any = partial(lazy.lp.prospect, way.board, model, rule=way.rule, space=self.space)
        found: Prospect | None = NOTES.unproved.ask(
            f"{model} {way.rule.by}", partial(ask, time_limit=self.ends.time_limit)
        )
        return found

    def _story(
        self, way: Way, found: Prospect, shares: Callable[[], WinningShares | None], *, last: bool
    ) -> Iterator[View]:
        """Yield one model in detail by one rule."""
        from weightlab.views.prospect import Story, StoryOptions

        options = StoryOptions(shares=shares, quick=self.depth.quick, time_limit=self.ends.time_limit)
        story = Story(way.board, found, NOTES.unproved, options)
        yield lazy.View(headline=story.verdict)
        yield from _told(story.lines(), first=True)
        yield from _told(story.details() if self.depth.details else iter(()))
        if self.ruled and not way.rule.is_majority and not self.depth.quick:
            yield from _told(self._rank_line(found, story))
        more = "" if self.depth.details else " More with --details; picture with --plot FILE.svg."
        drawn = next((one for one in story.results if isinstance(one, lazy.lp.Scenario)), found)
        yield lazy.View(headline=story.last_line() + more * last, close=True, results=story.results, picture=drawn)

    def _rank_line(self, found: Prospect, story: Story) -> Iterator[Line]:
        """Yield between which ranks a model is by the rule that is named."""
        from weightlab.lp.ranks.rank_range import UNSETTLED
        from weightlab.views.words import named_shares, weights_line

        model, limit = found.model, self.ends.time_limit
        ask = partial(lazy.lp.rank_range, self.ways[0].board, model, **self.ruled, space=self.space, time_limit=limit)
        ranks = NOTES.unproved.ask(f"{model}, ranks", ask)
        if ranks is not None:
            story.results.append(ranks)
            NOTES.unproved.messages += [] if ranks.settled else [UNSETTLED]
            yield "Ranks", [str(ranks), f"rank {ranks.best} with {weights_line(named_shares(ranks.best_weights))}"]

    def _shares(self, way: Way, found: Prospects | None = None) -> WinningShares | None:
        options: dict[str, Any] = {
            "samples": self.depth.samples,
            "rng": self.depth.seed,
            "space": self.space,
            "known": found,
        }
        ask = partial(lazy.lp.winning_shares, way.board, rule=way.rule, time_limit=self.ends.time_limit, **options)
        return NOTES.unproved.ask(f"shares of weightings {way.rule.by}", ask)

    def _with_margins(self, way: Way, one: Verdicts) -> Verdicts:
        """Return verdicts with exact margins, of short tables and where there is time for them."""
        try:
            return replace(one, found=self._proved(way, exact=True)) if len(way.board.models) < LONG else one
        except UnprovedError:
            return one

    def _proved(self, way: Way, *, exact: bool) -> Prospects:
        """Return every model's verdict, with a progress bar for long tables; margins of short ones exact if asked."""
        count = len(way.board.models)
        options: dict[str, Any] = {"rule": way.rule, "space": self.space, "time_limit": self.ends.time_limit}
        prove = partial(lazy.lp.prospects, way.board, n_jobs=self.jobs, **options)
        try:
            with Bar("Proving" if count >= LONG else "", count) as bar:
                return prove(exact=exact and count < LONG, progress=bar.advance)
        except UnprovedError as error:
            raise _with_verdicts(error, count) from error


def _told(lines: Iterator[Line], *, first: bool = False) -> Iterator[View]:
    """Yield lines as they are found, with a progress bar during a search."""
    while True:
        with Bar("Searching further (--quick skips this)"):
            line = next(lines, None)
        if line is None:
            return
        yield lazy.View(blocks=[lazy.Facts([line], wide=LINE_HEADINGS)], close=not first)
        first = False


def _many_tasks(one: Verdicts) -> bool:
    """Return whether rows of a model differ on too many tasks to look for nearest weights unasked."""
    import numpy as np

    leads = one.found.leads
    return bool(one.able) and len(leads.tasks) > MANY and len(np.unique(leads.matrix(one.able[0]).T, axis=0)) > MANY


def _with_verdicts(error: UnprovedError, count: int) -> UnprovedError:
    """Return an error of `prospects` with the verdicts that it knows in words, counted and by name."""
    verdicts: Mapping[str, Any] = error.known.get("verdicts", {})
    known: dict[str, Any] = {name: value for name, value in error.known.items() if name != "verdicts"}
    known["settled"] = f"{len(verdicts)} of {count} models"
    for verdict in lazy.lp.Verdict:
        names = [model for model, found in verdicts.items() if found is verdict]
        known[f"{verdict.words} ({len(names)})"] = ", ".join(names) or None
    return type(error)(error.message, known=known)
