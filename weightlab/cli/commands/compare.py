"""``weightlab compare``: rules side by side."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

import typer

from weightlab._text import shown
from weightlab.cli.inputs.gaps import only_whole
from weightlab.cli.inputs.rank_sets import POINT, RankSetOptions, set_cells
from weightlab.cli.inputs.why import average_rows, counted_averages, table_of, tell_differences, why_they_differ
from weightlab.cli.options import shared
from weightlab.cli.options.plot import NO_PICTURE, Picture
from weightlab.cli.options.rules import note_left_out, options_from, rule_from, values_from
from weightlab.cli.options.table import Source
from weightlab.cli.terminal.documents import put_document
from weightlab.cli.terminal.show import note, say, table
from weightlab.data import Instances, Leaderboard, Margins, Profile
from weightlab.data.linear_rule import rule_words
from weightlab.exceptions import InputError
from weightlab.report.text.tables import rank_rows, rule_rows
from weightlab.rules import Comparison, Needs, Rule
from weightlab.rules import compare as compared
from weightlab.rules.comparison import compared_rules
from weightlab.rules.inputs import is_score
from weightlab.rules.registry import COMPARED
from weightlab.studies import RankSets
from weightlab.studies.confidence.joint_differences import has_rank_sets

SECONDS = 10.0
"""Default time limit of each rule's search, in seconds."""


def compare(
    source: Source,
    rules: Annotated[
        list[str] | None,
        typer.Option(
            "--rule",
            "--rules",
            "-r",
            metavar="RULE",
            help="A rule, as in borda or borda:ties=max, or all; repeatable [default: the table's own, and seven].",
            autocompletion=shared.rules,
        ),
    ] = None,
    top: Annotated[
        int, typer.Option("--top", metavar="K", help="Compare the first K models with the first rule's.")
    ] = 5,
    ties: shared.Ties = None,
    missing: shared.MissingOrScore = None,
    options: Annotated[
        list[str] | None,
        typer.Option("--option", metavar="NAME=VALUE", help="An option of all rules that have it; repeatable."),
    ] = None,
    why: Annotated[
        bool, typer.Option("--why", help="Name the fewest tasks that make rules differ on the winner, with proof.")
    ] = False,
    counts: Annotated[
        str | None,
        typer.Option(
            "--counts",
            metavar="FILE",
            help="Instances per task (lines TASK,COUNT; or a column of a long FILE): micro and macro average.",
        ),
    ] = None,
    ranks: Annotated[bool, typer.Option("--ranks", help="Show the rank of every model by every rule, too.")] = False,
    noise: RankSetOptions = POINT,
    picture: Picture = NO_PICTURE,
    ends: shared.Ends = shared.HERE,
) -> None:
    """Rank the models by many rules, and say how far they agree.

    Examples
    --------
    weightlab compare
    weightlab compare superglue.csv --complete --top 7
    weightlab compare superglue.csv --complete --rule mean --rule borda --level 0.95
    weightlab compare superglue.csv --complete --rule mean --rule borda:ties=max --rule copeland --ranks
    weightlab compare superglue.csv --rules all --missing median --option gamma=95
    weightlab compare superglue.csv --complete --why
    """
    if top < 1:
        raise InputError(f"--top must be at least 1; got {top}")
    picture.ensure(source, {"--output": ends.output})
    data = noise.read(source)
    board = data.means() if isinstance(data, Instances) else data
    filled = is_score(missing or "error")
    given = {"ties": ties, "missing": None if filled else missing}
    values = {name: text for name, text in given.items() if text is not None}
    every = "all" in map(str.casefold, rules or ())
    asked = [*compared_rules(board, None if every else COMPARED)] if every or not rules else rules
    chosen = _chosen(asked, {**values, **values_from(options or [])})
    by_scores = [one for one in chosen if one.needs is not Needs.MARGINS]
    if missing is None and any(one.options.get("missing", "error") == "error" for one in by_scores):
        whole, source = only_whole(board, source)
        data = data if whole is board else data.select(models=whole.models)
        board = whole
    found = compared(
        board,
        chosen,
        time_limit=SECONDS if ends.time_limit is None else ends.time_limit,
        **({} if missing is None else {"missing": missing}),
    )
    known = _sets(found, data, noise)
    reasons = list(why_they_differ(found, table_of(board, "--why"))) if why else []
    averages = None if counts is None else counted_averages(table_of(board, "--counts"), counts, source)
    counted = [] if averages is None else [averages]
    own = [] if isinstance(data, Instances) else [found, *counted]
    results = (*own, *known.values(), *(one for _, one in reasons))
    if not put_document("compare", results, source, ends, origin=noise.origin(source, data)):
        _print(found, known, top=min(top, len(board.models)), ranks=ranks)
        tell_differences(reasons, asked=why)
        if averages is not None:
            say("", shown(averages), "", average_rows(averages))
    elif averages is not None:
        note(str(averages))
    picture.save(found)
    note_left_out(found.left_out, board)


def _sets(
    found: Comparison, data: Leaderboard | Profile | Margins | Instances, noise: RankSetOptions
) -> dict[str, RankSets]:
    """Return the rank sets by each rule that has some, noting why others have none; where none has, the first why."""
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
        note(f"No rank sets {rule_words(name)}: {why}")
    return known


def _chosen(names: list[str], values: dict[str, str]) -> list[Rule]:
    """Return the rules, each with those of the options that it has; an option that none of them has is an error."""
    chosen = [rule_from(name, {}) for name in names]
    for option in values:
        if not any(option in one.parameters for one in chosen):
            raise InputError(f"none of these rules has an option {option!r}; all there are: --rules all")
    return [
        one.using(**{name: value for name, value in options_from(one, values).items() if name not in one.options})
        for one in chosen
    ]


def _print(found: Comparison, sets: Mapping[str, RankSets], *, top: int, ranks: bool) -> None:
    say(shown(found), "")
    say(table(*rule_rows(found, top)))
    if ranks:
        say("", table(*rank_rows(found)))
    if sets:
        say("", *map(shown, sets.values()), "")
        rows = [(shown(model), *(set_cells(one, model)[0] for one in sets.values())) for model in found.ranks.index]
        say(table(["model", *map(shown, sets)], rows, right=tuple(range(1, len(sets) + 1))))
