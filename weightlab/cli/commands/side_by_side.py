"""``weightlab compare`` and ``weightlab graph``: rules side by side, and the majorities that many of them read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

from weightlab.cli import lazy
from weightlab.cli.options.joint import POINT, Joint
from weightlab.cli.options.shared import EXPERT, HERE, Ends, Many, MissingOrScore, RuleOptions, Ties, Views, opt, rules
from weightlab.cli.options.table import Source
from weightlab.cli.terminal.show import note
from weightlab.exceptions import ImpossibleError, InputError, UnprovedError

if TYPE_CHECKING:
    from weightlab.data import Leaderboard
    from weightlab.graph import CondorcetWinningSet, ParetoFront
    from weightlab.lp import FewestDrops
    from weightlab.rules import Comparison, MicroMacro, Ranking, Rule
    from weightlab.studies import RankSets

SECONDS, SETS = 10.0, 5.0
"""Default time limits of each rule's search, and for a smallest winning set of more than two models, in seconds."""
GRAPH_UP_TO = 16
"""Largest number of models drawn as a graph by default."""


def compare(
    source: Source,
    rules: Annotated[
        Many,
        opt("--rule --rules -r RULE", "A rule such as borda:ties=max, or all. Repeatable.", autocompletion=rules),
    ] = None,
    top: Annotated[int, opt("--top K", "Compare each rule's top K with the first rule's top K.")] = 5,
    ties: Ties = None,
    missing: MissingOrScore = None,
    options: RuleOptions = None,
    why: Annotated[
        bool, opt("--why", "Name the fewest tasks that make rules differ on the winner, with proof.")
    ] = False,
    counts: Annotated[
        str | None,
        opt("--counts FILE", "Instances per task (lines TASK,COUNT; or a column of FILE): micro and macro average."),
    ] = None,
    noise: Joint = POINT,
    ends: Ends = HERE,
) -> Views:
    """Rank the models by many rules, and say how far they agree; with --all also each model's rank by every rule.

    Examples
    --------
    weightlab compare superglue.csv --complete --top 7
    weightlab compare superglue.csv --complete --why
    weightlab compare
    weightlab compare superglue.csv --complete --rule mean --rule borda --level 0.95
    weightlab compare superglue.csv --complete --rule mean --rule borda:ties=max --rule copeland --all
    weightlab compare superglue.csv --rules all --missing median --option gamma=95
    """
    if top < 1:
        raise InputError(f"--top must be at least 1; got {top}")
    from weightlab.cli.options.rules import note_left_out

    data: Any = noise.read(source)
    board: Any = data.means() if isinstance(data, lazy.data.Instances) else data
    chosen = _chosen(board, rules, {"ties": ties, "missing": missing}, options or [])
    by_scores = [one for one in chosen if one.needs is not lazy.rules.Needs.MARGINS]
    if missing is None and any(one.options.get("missing", "error") == "error" for one in by_scores):
        whole = lazy.only_whole(board)
        data, board = data if whole is board else data.select(models=whole.models), whole
    limit = SECONDS if ends.time_limit is None else ends.time_limit
    found = lazy.rules.compare(board, chosen, time_limit=limit, **({} if missing is None else {"missing": missing}))
    sets = _sets(found, data, noise)
    reasons = list(why_they_differ(found, _table(board, "--why"))) if why else []
    averages = None if counts is None else _averages(board, counts, source)
    view = lazy.order.comparison_view(found, top=top, ranks=ends.every, sets=sets)
    yield replace(view, results=view.results[isinstance(data, lazy.data.Instances) :])
    if why:
        yield lazy.order.differences_view(reasons)
    if averages is not None:
        yield lazy.order.averages_view(averages)
        if ends.as_json:
            note(str(averages))
    note_left_out(found.left_out, board)


def _chosen(board: Any, named: Many, ways: dict[str, str | None], options: list[str]) -> list[Rule]:
    """Return the rules, each with those of the options that it has; an option that none of them has is an error."""
    from weightlab.cli.options.rules import options_from, rule_from, values_from
    from weightlab.rules.comparison import compared_rules
    from weightlab.rules.inputs import is_score
    from weightlab.rules.registry import COMPARED

    every = "all" in map(str.casefold, named or ())
    asked = [*compared_rules(board, None if every else COMPARED)] if every or not named else named
    chosen = [rule_from(name, {}) for name in asked]
    filled = is_score(ways["missing"] or "error")  # scores replace missing ones before any rule runs
    values = {name: text for name, text in ways.items() if text is not None and not (filled and name == "missing")}
    values |= values_from(options)
    for option in values:
        if not any(option in one.parameters for one in chosen):
            raise InputError(f"none of these rules has an option {option!r}; all there are: --rules all")
    return [
        one.using(**{name: value for name, value in options_from(one, values).items() if name not in one.options})
        for one in chosen
    ]


def _averages(board: object, counts: str, source: Source) -> MicroMacro:
    """Return the averages over tasks and over instances; InputError if a task has no count, or an invalid one."""
    from weightlab.cli.inputs.counts import counts_of

    own = _table(board, "--counts")
    return lazy.rules.micro_and_macro(own, counts_of(own, counts, source))


def _table(board: object, option: str) -> Leaderboard:
    """Return a score table, or raise InputError: votes and orders have no tasks to name or count."""
    if not isinstance(board, lazy.data.Leaderboard):
        raise InputError(f"{option} needs scores on tasks; this file holds votes or orders")
    return board


def _sets(found: Comparison, data: Any, noise: Joint) -> dict[str, RankSets]:
    """Return the rank sets by each rule that has some, noting why others have none; where none has, the first why."""
    if noise.level is None:
        return {}
    from weightlab.studies.confidence.joint_differences import has_rank_sets

    known: dict[str, RankSets] = {}
    refused: dict[str, InputError] = {}
    for name, one in found.rankings.items():
        try:
            sets = noise.sets(data, one) if has_rank_sets(one.rule) else None
        except InputError as error:
            refused[name] = error
        else:
            known.update({} if sets is None else {name: sets})
    if refused and not known:
        raise next(iter(refused.values()))
    for name, why in refused.items():
        note(f"No rank sets {lazy.rule_words(name)}: {why}")
    return known


def why_they_differ(found: Comparison, board: Leaderboard) -> Iterator[tuple[str, FewestDrops]]:
    """Yield for each rule with another winner the fewest tasks without which the two rules agree on the two winners.

    Yielded are the rule that rests on the tasks, and the result that proves their number minimal. A rule that reads
    majorities is compared head-to-head; rules that `lp.fewest_drops` does not know are passed over.
    """
    (first, leading), *others = found.rankings.items()
    asked: set[tuple[str, str, str]] = set()
    for name, one in others:
        winner, other = leading.winners[0], one.winners[0]
        if winner in one.winners or other in leading.winners:
            continue
        for label, ranking, pair in ((first, leading, (winner, other)), (name, one, (other, winner))):
            rule = _droppable(ranking, board, pair)
            if rule is None or (rule, *pair) in asked:
                continue
            asked.add((rule, *pair))
            try:
                yield label, lazy.lp.fewest_drops(board, rule, drop="tasks", pair=pair)
            except ImpossibleError as error:
                yield label, error.proof
            except InputError:
                continue  # by this rule the two are tied today


def _droppable(ranking: Ranking, board: Leaderboard, pair: tuple[str, str]) -> str | None:
    """Return the rule by which to drop tasks, if it puts the first of a pair ahead."""
    from weightlab.lp.improvement.lift_rules import LIFT_RULES

    if ranking.rule.needs is lazy.rules.Needs.MARGINS:
        return "majority" if lazy.graph.margins_of(board).margin(*pair) > 0 else None
    own = ranking.rule.name
    return own if own in LIFT_RULES and ranking.rule.options.get("missing", "error") == "error" else None


class Kind(StrEnum):
    """Pictures of majorities."""

    GRAPH = "graph"
    MARGINS = "margins"


def graph(
    source: Source,
    plot_kind: Annotated[
        Kind | None,
        opt("--plot-kind KIND", f"With --plot: graph (up to {GRAPH_UP_TO} models by default) or margins.", EXPERT),
    ] = None,
    ends: Ends = HERE,
) -> Views:
    """Show the majorities: who wins, which sets of models lead, the cycles; --output FILE.dot or .graphml has them.

    Examples
    --------
    weightlab graph superglue.csv --complete
    weightlab graph superglue.csv --output superglue.dot
    weightlab graph
    weightlab graph votes.soc
    weightlab graph superglue.csv --output superglue.graphml
    """
    from weightlab.cli.inputs.graph_files import dot_text, graphml_text
    from weightlab.views.majority import robustness

    del ends
    board = lazy.read_ranked(source, gaps_are_ties=True)
    found = lazy.rules.majority_overview(board)
    robust = robustness(board, found) if isinstance(board, lazy.data.Leaderboard) else None
    drawn = plot_kind or (Kind.GRAPH if len(found.margins.models) <= GRAPH_UP_TO else Kind.MARGINS)
    yield replace(
        lazy.order.overview_view(found, robust, *_front_and_few(board)),
        drawn={"kind": {Kind.GRAPH: "majority_graph", Kind.MARGINS: "margins"}[drawn]},
        files={".dot": lambda: dot_text(found.margins), ".graphml": lambda: graphml_text(found.margins)},
    )


def _front_and_few(board: Any) -> tuple[ParetoFront | None, CondorcetWinningSet | None]:
    """Return the Pareto front and the smallest winning set; None of margins, which know no tasks, or out of time."""
    if not isinstance(board, lazy.data.Leaderboard | lazy.data.Profile):
        return None, None
    front = lazy.graph.pareto_front(board)
    try:
        return front, lazy.graph.condorcet_winning_set(board, time_limit=SETS)
    except UnprovedError:
        return front, None
