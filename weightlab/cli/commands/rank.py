"""``weightlab rank``: what one rule says."""

from __future__ import annotations

import json
from contextlib import nullcontext
from functools import partial
from inspect import Parameter
from typing import Annotated, Any

import typer

from weightlab._result import Result, told_of
from weightlab._text import listed, shown
from weightlab.cli.inputs.gaps import of_whole
from weightlab.cli.inputs.rank_sets import BARE, PaperOptions, set_cells, set_headings, set_lines
from weightlab.cli.options import rules, shared
from weightlab.cli.options.plot import NO_PICTURE, Picture
from weightlab.cli.options.table import Source
from weightlab.cli.options.weights import ANY_WEIGHTS, Conditions
from weightlab.cli.terminal.documents import put_document
from weightlab.cli.terminal.show import Bar, note, say, table
from weightlab.data import Instances, Leaderboard, Margins, Profile
from weightlab.data.linear_rule import rule_words
from weightlab.exceptions import InputError, NoWinnerError, UnprovedError
from weightlab.graph import MissingScorePairs
from weightlab.lp import RankRanges, WeightSpace, rank_ranges
from weightlab.lp.ranks.rank_range import UNSETTLED
from weightlab.report.context import UNFIRM, Unproved
from weightlab.report.text.result_tables import ranking_rows
from weightlab.rules import RULES, Needs, Ranking, Round, Rule, TwoStepRanking, grouped, two_step
from weightlab.rules import rank as rank_by
from weightlab.rules.ranking import own_rule_name, score_texts
from weightlab.studies import Effects, RankSets, card


def rank(
    source: Source,
    rule: Annotated[
        str | None,
        shared.rule_option(
            help="A rule, as in borda or borda:ties=max; --list names them [default: the table's own].",
            autocompletion=shared.rules,
        ),
    ] = None,
    ties: shared.Ties = None,
    missing: shared.MissingOrScore = None,
    options: Annotated[
        list[str] | None,
        typer.Option(
            "--option", metavar="NAME=VALUE", help="Another option of the rule, such as gamma=95; repeatable."
        ),
    ] = None,
    groups: Annotated[bool, typer.Option("--groups", help="Give each group of tasks one weight.")] = False,
    in_two_steps: Annotated[
        bool, typer.Option("--two-step", help="Rank in each group, then rank the rankings.")
    ] = False,
    then: Annotated[
        str | None,
        typer.Option(
            "--then",
            metavar="RULE",
            help="Rule of the second step; by default the first one.",
            autocompletion=shared.rules,
        ),
    ] = None,
    group_weight: Annotated[
        list[str] | None,
        typer.Option("--group-weight", metavar="GROUP=WEIGHT", help="Weight of a group; 1 by default; repeatable."),
    ] = None,
    listing: Annotated[bool, typer.Option("--list", help="List the rules and their options.")] = False,
    rounds: Annotated[bool, typer.Option("--rounds", help="Show the rounds of a rule that eliminates.")] = False,
    conditions: Conditions = ANY_WEIGHTS,
    noise: PaperOptions = BARE,
    picture: Picture = NO_PICTURE,
    ends: shared.Ends = shared.HERE,
) -> None:
    """Rank the models by a rule, with ties, in exact arithmetic.

    Examples
    --------
    weightlab rank
    weightlab rank --list
    weightlab rank superglue.csv --complete --rule borda --ties max
    weightlab rank superglue.csv --complete --rule mean --level 0.95
    weightlab rank superglue.csv --complete --level 0.95 --method nemenyi --plot cd.svg --plot-kind cd
    weightlab rank superglue.csv --complete --rule mean --level 0.95 --equivalent 0.5 --output ranks.tex
    weightlab rank superglue.csv --complete --rule mean --within 50%
    weightlab rank superglue.csv --complete --rule optimality-gap --option gamma=95
    weightlab rank --two-step --group-weight speed=2
    weightlab rank superglue.csv --rule kemeny --json > proof.json
    weightlab rank votes.soc --rule schulze
    weightlab rank battles.csv --rule bradley-terry
    """
    if listing:
        _print_rules(as_json=ends.as_json)
        return
    picture.ensure(source, {"--output": ends.output})
    noise.ensure(picture.plot)
    data = noise.read(source)
    board = data.means() if isinstance(data, Instances) else data
    given = {name: text for name, text in (("ties", ties), ("missing", missing)) if text is not None}
    values = {**given, **rules.values_from(options or [])}
    if rule is None and isinstance(board, Margins):
        note("Ranked by Copeland, the default for votes; --rule minimax, schulze or bradley-terry is another way.")
    named = rule or ("borda" if noise.method else own_rule_name(board))
    steps: Any = {"groups": groups, "in_two_steps": in_two_steps, "then": then, "weights": group_weight}
    ask = partial(_ranked, name=named, values=values, ends=ends, **steps)
    found, board, source, data = _of_whole(ask, board, source, data)
    if rounds and not _last(found).rounds:
        raise InputError(f"--rounds requires a rule that eliminates, such as baldwin; {_last(found).rule} does not")
    if isinstance(board, Leaderboard):
        read_first = next(iter(found.steps.values())) if isinstance(found, TwoStepRanking) else found
        rules.note_gaps(board, read_first.rule)
    resting: tuple[MissingScorePairs, ...] = ()
    if isinstance(board, Leaderboard) and isinstance(found, Ranking) and not groups:
        resting = rules.pairs_of_gaps(board) if found.rule.needs is Needs.MARGINS and not found.rule.fills else ()
    if noise.level is not None and isinstance(found, TwoStepRanking):
        raise InputError("--level is about one step; leave out --two-step")
    space = _space(conditions, board, found)
    sets = noise.sets(noise.few(data, ends), _last(found), space)
    sizes, ends = noise.effects(data, sets, source, ends)
    ranges = None
    if space is not None and isinstance(board, Leaderboard):
        ranges = _ranges(board, _last(found).rule, space, ends.time_limit)
    # A ranking of means says nothing that a check could find in the instances: the sets of ranks alone are written.
    own = () if isinstance(data, Instances) else (found, ranges)
    results = [one for one in (*own, sets if sizes is None else sizes, *resting) if one is not None]
    unproved = Unproved()
    if not put_document("rank", results, source, ends, origin=noise.origin(source, data)):
        _print(found, sets, ranges, unproved, rounds=rounds, sizes=sizes)
    picture.save(_drawn(board, found, sets, noise.plot_kind), kind=noise.plot_kind)
    unproved.messages += [] if ranges is None or ranges.settled.all() else [UNSETTLED]
    unproved.raise_if_any()


def _of_whole(
    ask: partial[Ranking | TwoStepRanking], board: Leaderboard | Profile | Margins, source: Source, data: Any
) -> tuple[Ranking | TwoStepRanking, Leaderboard | Profile | Margins, Source, Any]:
    """Rank a table, or where the rule needs every score its models that have all; the data keep the same models."""
    own = partial(ask, source=source)
    if ask.keywords["values"].get("missing") == "error":
        return own(board), board, source, data
    found, whole, source = of_whole(own, board, source)
    return found, whole, source, data if whole is board else data.select(models=whole.models)


def _ranges(board: Leaderboard, rule: Rule, space: WeightSpace, time_limit: float | None) -> RankRanges:
    """Return between which ranks each model is under the allowed weights."""
    asked: Any = {one: told for one, told in rule.options.items() if one in ("ties", "missing")}
    with Bar("Searching for ranges of ranks", len(board.models)) as bar:
        return rank_ranges(board, rule.name, **asked, space=space, time_limit=time_limit, progress=bar.advance)


def _put_unproved(error: UnprovedError, source: Source, ends: shared.Destination) -> None:
    """Show the order that is known where none was proved to be of least cost; the error says how good it is."""
    known = error.known.pop("result", None)
    if known is None:
        return
    order = error.known.pop("order")
    if not put_document("rank", [known], source, ends):
        rows = [(str(rank), shown(model)) for rank, (model,) in enumerate(order, start=1)]
        say(shown(known), "", table(["rank", "model"], rows, right=(0,)))


def _ranked(
    board: Leaderboard | Profile | Margins,
    *,
    name: str,
    values: dict[str, str],
    source: Source,
    ends: shared.Destination,
    groups: bool,
    in_two_steps: bool,
    then: str | None,
    weights: list[str] | None,
) -> Ranking | TwoStepRanking:
    chosen = rules.rule_from(name, values)
    if groups and in_two_steps:
        raise InputError("--groups and --two-step are two ways to use groups; give one")
    if then is not None and not in_two_steps:
        raise InputError("--then is the rule of the second step; pass --two-step too")
    if weights and not groups and not in_two_steps:
        raise InputError("--group-weight requires --groups or --two-step")
    if groups or in_two_steps:
        table = _with_groups(board, "--groups" if groups else "--two-step")
        shares = rules.group_weights_from(weights or [], tuple(table.groups))
        if groups:
            return grouped(table, chosen, group_weights=shares)
        second = None if then is None else rules.rule_from(then, {}, option="--then")
        return two_step(table, chosen, then=second, group_weights=shares)
    rules.ensure_reads_margins(chosen, board)
    searches = "time_limit" in chosen.parameters
    try:
        with Bar(f"Searching for an order {rule_words(chosen.name)}", None) if searches else nullcontext():
            return rank_by(board, chosen)
    except UnprovedError as error:
        _put_unproved(error, source, ends)
        raise


def _with_groups(board: Leaderboard | Profile | Margins, option: str) -> Leaderboard:
    """Return the board, or raise InputError if it has no groups."""
    if not isinstance(board, Leaderboard):
        raise InputError(f"{option}: only tables have groups; 'weightlab convert' makes one of orders")
    if not board.groups:
        raise InputError(f"{option}: the table has no groups; --group NAME=TASK,TASK makes one, or a TOML file")
    return board


def _last(found: Ranking | TwoStepRanking) -> Ranking:
    return found.final if isinstance(found, TwoStepRanking) else found


def _space(
    conditions: Conditions, board: Leaderboard | Profile | Margins, found: Ranking | TwoStepRanking
) -> WeightSpace | None:
    """Return the allowed weights, None where there is no condition on them."""
    if conditions == ANY_WEIGHTS:
        return None
    plain = isinstance(found, Ranking) and found.preparation.how != "grouped"
    if not isinstance(board, Leaderboard) or not plain or _last(found).rule.name not in shared.LINEAR:
        known = ", ".join(shared.LINEAR)
        raise InputError(f"conditions on weights require a table of tasks and one of {known}, without groups")
    return conditions.space(board)


def _print(
    found: Ranking | TwoStepRanking,
    sets: RankSets | None,
    ranges: RankRanges | None,
    unproved: Unproved,
    *,
    rounds: bool,
    sizes: Effects | None,
) -> None:
    firm = [] if sets else _firm(found, unproved)
    say(shown(found), *firm, *set_lines(sets), *(shown(one) for one in (ranges, sizes) if one is not None), "")
    final = _last(found)
    under = {} if ranges is None else _under_weights(ranges)
    names, cells, _ = ranking_rows(found)
    rows = [
        (*row[:3], *set_cells(sets, model), *([under[model]] if under else []), *row[3:])
        for model, row in zip(final.scores.index, cells, strict=True)
    ]
    headings = [*names[:3], *set_headings(sets), *(["under all weights"] if under else []), *names[3:]]
    say(table(headings, rows, right=(0, 2, *(range(3, len(headings)) if sets is None else (3,)))))
    if rounds:
        say(
            "",
            table(
                ["round", "least", "most", "leave"],
                [_round(number, one) for number, one in enumerate(final.rounds, start=1)],
                right=(0, 1, 2),
            ),
        )


def _firm(found: Ranking | TwoStepRanking, unproved: Unproved) -> list[str]:
    """Return why it is this rule, and how firm first place is, of a table ranked by its own rule."""
    board = found.source if isinstance(found, Ranking) and found.preparation.how == "none" else None
    if not isinstance(board, Leaderboard) or str(_last(found).rule) != board.rule or len(board.models) > FIRM:
        return []
    why = [f"{rule_words(board.rule, begins=True)}, the table's own rule: {shown(board.rule_reason)}."]
    try:
        return [*why, shown(card(board))]
    except (InputError, NoWinnerError):
        return why
    except UnprovedError as error:
        unproved.add(UNFIRM, error)
        return why


def _drawn(board: Any, found: Ranking | TwoStepRanking, sets: RankSets | None, kind: str | None) -> Result:
    """Return the object to plot: the ranking, rank sets, or the stability of first place."""
    if kind != "firmness":
        return found if sets is None else sets
    with told_of("--plot-kind firmness", InputError):
        return card(board, str(_last(found).rule))


FIRM = 1_000
"""Largest number of models for which the stability of first place is computed."""


def _under_weights(found: RankRanges) -> dict[str, str]:
    """Return by model between which ranks it stays under the allowed weights."""
    told = {model: " to ".join(map(str, dict.fromkeys((found[model].best, found[model].worst)))) for model in found}
    return {model: text if found.settled[model] else f"{text} or more" for model, text in told.items()}


def _round(number: int, one: Round) -> tuple[str, ...]:
    scores = one.scores
    left = listed(one.left) if one.left else "none: all that are left tie"
    return (str(number), *score_texts([scores.iloc[-1], scores.iloc[0]]), left)


# The list of rules, for readers who look for one.


def _print_rules(*, as_json: bool) -> None:
    """Print every rule: what it reads, what its scores count, and its options with what they are by default."""
    if as_json:
        print(json.dumps([_entry(name, one) for name, one in RULES.items()], ensure_ascii=False, indent=1))
        return
    rows = [(name, str(one.needs), one.counts, ", ".join(_options(one))) for name, one in RULES.items()]
    say(table(["rule", "reads", "counts", "options"], rows))


def _entry(name: str, one: Rule) -> dict[str, Any]:
    return {
        "name": name,
        "reads": str(one.needs),
        "counts": one.counts,
        "options": {
            option: None if default is Parameter.empty else default for option, default in one.parameters.items()
        },
        "needed": [option for option, default in one.parameters.items() if default is Parameter.empty],
        "source": one.source,
    }


def _options(one: Rule) -> list[str]:
    said = {Parameter.empty: " (needed)", None: ""}
    return [f"{name}{said.get(default, f'={default}')}" for name, default in one.parameters.items()]
