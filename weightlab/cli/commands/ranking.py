"""``weightlab rank``: what one rule says."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import partial
from inspect import Parameter
from typing import TYPE_CHECKING, Annotated, Any

from weightlab.cli import lazy
from weightlab.cli.options.joint import BARE, Paper
from weightlab.cli.options.shared import (
    EXPERT,
    HERE,
    LINEAR,
    Ends,
    Many,
    MissingOrScore,
    RuleOptions,
    Ties,
    Views,
    opt,
    rules,
)
from weightlab.cli.options.table import Source
from weightlab.cli.options.weights import ANY_WEIGHTS, Conditions
from weightlab.cli.terminal.answered import put_text
from weightlab.cli.terminal.show import NOTES, Bar, note
from weightlab.exceptions import InputError, NoWinnerError, UnprovedError

if TYPE_CHECKING:
    from weightlab.data import Leaderboard, Margins, Profile
    from weightlab.lp import RankRanges, WeightSpace
    from weightlab.rules import Ranking, Rule, TwoStepRanking
    from weightlab.views.view import View

FIRM = 1_000
"""Largest number of models for which the stability of first place is computed."""


@dataclass(frozen=True, kw_only=True)
class Steps:
    """How groups of tasks are used; each field is an option."""

    groups: Annotated[bool, opt("--groups", "Weight all groups equally.", EXPERT)] = False
    in_two_steps: Annotated[bool, opt("--two-step", "Rank within groups, then combine the rankings.", EXPERT)] = False
    then: Annotated[
        str | None, opt("--then RULE", "Rule for combining; by default the first one.", EXPERT, autocompletion=rules)
    ] = None
    group_weight: Annotated[
        Many, opt("--group-weight GROUP=WEIGHT", "Weight of a group, 1 by default. Repeatable.", EXPERT)
    ] = None


AT_ONCE = Steps()
"""All tasks in one step."""


def rank(
    source: Source,
    rule: Annotated[
        str | None,
        opt("--rule -r RULE", "Voting rule, such as borda:ties=max [default: the table's own].", autocompletion=rules),
    ] = None,
    ties: Ties = None,
    missing: MissingOrScore = None,
    options: RuleOptions = None,
    steps: Steps = AT_ONCE,
    listing: Annotated[bool, opt("--list", "List the rules and their options.")] = False,
    conditions: Conditions = ANY_WEIGHTS,
    noise: Paper = BARE,
    ends: Ends = HERE,
) -> Views:
    """Rank the models by a rule, with ties, in exact arithmetic.

    Examples
    --------
    weightlab rank superglue.csv --complete --rule borda --ties max
    weightlab rank superglue.csv --complete --rule mean --level 0.95
    weightlab rank
    weightlab rank --list
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
        yield from _listed(as_json=ends.as_json)
        return
    from weightlab.cli.options.rules import note_gaps, values_from
    from weightlab.rules.ranking import own_rule_name

    noise.ensure(ends.plot)
    data: Any = noise.read(source)
    board = data.means() if isinstance(data, lazy.data.Instances) else data
    given = {name: text for name, text in (("ties", ties), ("missing", missing)) if text is not None}
    values = {**given, **values_from(options or [])}
    if rule is None and isinstance(board, lazy.data.Margins):
        note("Ranked by Copeland, the default for votes; --rule minimax, schulze or bradley-terry is another way.")
    named = rule or ("borda" if noise.method else own_rule_name(board))
    try:
        ask = partial(_ranked, name=named, values=values, steps=steps)
        found, whole = (ask(board), board) if values.get("missing") == "error" else lazy.of_whole(ask, board)
    except UnprovedError as error:
        yield from _best_known(error)
        raise
    if whole is not board:
        data = data.select(models=whole.models)
    if isinstance(whole, lazy.data.Leaderboard):
        first: Any = next(iter(getattr(found, "steps", {}).values()), found)
        note_gaps(whole, first.rule)
    if noise.level is not None and steps.in_two_steps:
        raise InputError("--level is about one step; leave out --two-step")
    yield from _views(found, whole, data, steps, conditions, noise, ends)


def _views(
    found: Any, board: Any, data: Any, steps: Steps, conditions: Conditions, noise: Paper, ends: Ends
) -> Iterator[View]:
    """Yield a ranking with the requested details of its ranks."""
    final: Ranking = getattr(found, "final", found)
    resting: Any = ()
    if isinstance(board, lazy.data.Leaderboard) and final is found and not steps.groups and not final.rule.fills:
        resting = lazy.pairs_of_gaps(board) if final.rule.needs is lazy.rules.Needs.MARGINS else ()
    space = _space(conditions, board, final if final is found else None)
    sets = noise.sets(noise.few(data, ends), final, space)
    sizes = noise.effects(data, sets, ends)
    ranges = None if space is None else _ranges(board, final.rule, space, ends.time_limit)
    firm = [] if sets else _firm(found, final)
    view = lazy.order.ranking_view(found, firm=firm, sets=sets, ranges=ranges, sizes=sizes)
    # A ranking of means says nothing that a check could find in the instances: the sets of ranks alone are written.
    own = view.results[1:] if isinstance(data, lazy.data.Instances) else view.results
    drawn = {"kind": noise.plot_kind} if noise.plot_kind else {}
    if noise.plot_kind == "firmness":
        with lazy.told_of("--plot-kind firmness", InputError):
            view = replace(view, picture=lazy.studies.card(board, str(final.rule)))
    files = {} if sizes is None else {".tex": sizes.to_latex}
    yield replace(view, results=[*own, *resting], drawn=drawn, files=files)
    if ranges is not None and not ranges.settled.all():
        from weightlab.lp.ranks.rank_range import UNSETTLED

        NOTES.unproved.messages.append(UNSETTLED)


def _ranges(board: Leaderboard, rule: Rule, space: WeightSpace, time_limit: float | None) -> RankRanges:
    """Return between which ranks each model is under the allowed weights."""
    asked: Any = {one: told for one, told in rule.options.items() if one in ("ties", "missing")}
    with Bar("Searching for ranges of ranks", len(board.models)) as bar:
        return lazy.lp.rank_ranges(board, rule.name, **asked, space=space, time_limit=time_limit, progress=bar.advance)


def _best_known(error: UnprovedError) -> Iterator[View]:
    """Yield the order that is known where none was proved to be of least cost; the error says how good it is."""
    known = error.known.pop("result", None)
    if known is not None:
        rows = [(str(rank), model) for rank, (model,) in enumerate(error.known.pop("order"), start=1)]
        table = lazy.Table(["rank", "model"], rows, (0,), "Best order known", None)
        yield lazy.View(headline=str(known), blocks=[table], results=[known])


def _ranked(
    board: Leaderboard | Profile | Margins, *, name: str, values: dict[str, str], steps: Steps
) -> Ranking | TwoStepRanking:
    from weightlab.cli.options.rules import ensure_reads_margins, group_weights_from, rule_from

    chosen = rule_from(name, values)
    if steps.groups and steps.in_two_steps:
        raise InputError("--groups and --two-step are two ways to use groups; give one")
    if steps.then is not None and not steps.in_two_steps:
        raise InputError("--then is the rule of the second step; pass --two-step too")
    if steps.group_weight and not steps.groups and not steps.in_two_steps:
        raise InputError("--group-weight requires --groups or --two-step")
    if steps.groups or steps.in_two_steps:
        table = _with_groups(board, "--groups" if steps.groups else "--two-step")
        shares = group_weights_from(steps.group_weight or [], tuple(table.groups))
        if steps.groups:
            return lazy.rules.grouped(table, chosen, group_weights=shares)
        second = None if steps.then is None else rule_from(steps.then, {}, option="--then")
        return lazy.rules.two_step(table, chosen, then=second, group_weights=shares)
    ensure_reads_margins(chosen, board)
    searches = "time_limit" in chosen.parameters
    with Bar(f"Searching for an order {lazy.rule_words(chosen.name)}") if searches else nullcontext():
        return lazy.rules.rank(board, chosen)


def _with_groups(board: Leaderboard | Profile | Margins, option: str) -> Leaderboard:
    """Return the board, or raise InputError if it has no groups."""
    if not isinstance(board, lazy.data.Leaderboard):
        raise InputError(f"{option}: only tables have groups; 'weightlab convert' makes one of orders")
    if not board.groups:
        raise InputError(f"{option}: the table has no groups; --group NAME=TASK,TASK makes one, or a TOML file")
    return board


def _space(conditions: Conditions, board: Any, found: Ranking | None) -> WeightSpace | None:
    """Return the allowed weights, None where there is no condition on them."""
    if conditions == ANY_WEIGHTS:
        return None
    plain = found is not None and found.preparation.how != "grouped" and found.rule.name in LINEAR
    if not isinstance(board, lazy.data.Leaderboard) or not plain:
        known = ", ".join(LINEAR)
        raise InputError(f"conditions on weights require a table of tasks and one of {known}, without groups")
    return conditions.space(board)


def _firm(found: Any, final: Ranking) -> list[str]:
    """Return why it is this rule, and how firm first place is, of a table ranked by its own rule."""
    from weightlab.views.unproved import UNFIRM

    board = found.source if final is found and found.preparation.how == "none" else None
    if not isinstance(board, lazy.data.Leaderboard) or str(final.rule) != board.rule or len(board.models) > FIRM:
        return []
    why = [f"{lazy.rule_words(board.rule, begins=True)}, the table's own rule: {board.rule_reason}."]
    try:
        return [*why, str(lazy.studies.card(board))]
    except (InputError, NoWinnerError):
        return why
    except UnprovedError as error:
        NOTES.unproved.add(UNFIRM, error)
        return why


# The list of rules, for readers who look for one.


def _listed(*, as_json: bool) -> Iterator[View]:
    """Yield every rule: what it reads, what its scores count, and its options with what they are by default."""
    known = lazy.rules.RULES
    if as_json:
        put_text(f"{json.dumps([_entry(name, one) for name, one in known.items()], ensure_ascii=False, indent=1)}\n")
        return
    rows = [(name, str(one.needs), one.counts, ", ".join(_options(one))) for name, one in known.items()]
    yield lazy.View(blocks=[lazy.Table(["rule", "reads", "counts", "options"], rows, (), "Rules", None)])


def _entry(name: str, one: Rule) -> dict[str, Any]:
    none = Parameter.empty
    return {
        "name": name,
        "reads": str(one.needs),
        "counts": one.counts,
        "options": {option: None if default is none else default for option, default in one.parameters.items()},
        "needed": [option for option, default in one.parameters.items() if default is none],
        "source": one.source,
    }


def _options(one: Rule) -> list[str]:
    said = {Parameter.empty: " (needed)", None: ""}
    return [f"{name}{said.get(default, f'={default}')}" for name, default in one.parameters.items()]
