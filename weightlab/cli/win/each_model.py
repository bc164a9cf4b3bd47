"""Questions asked of each model: its nearest winning weights, their region, what it must improve; read, told, written.

A table is read, each model is asked about and told of at once, and a document is written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Annotated, Any, Literal, TypeAlias, TypeVar

import typer

from weightlab import lp
from weightlab._exact import WeightsLike, fraction
from weightlab._result import Result, told_of
from weightlab._text import counted, listed, percent, shown
from weightlab.cli.inputs.bounds import bounds_of
from weightlab.cli.inputs.gaps import read_for
from weightlab.cli.inputs.names import meant, named
from weightlab.cli.options import shared
from weightlab.cli.options.plot import NO_PICTURE, Picture
from weightlab.cli.options.shared import HERE, Ends
from weightlab.cli.options.table import Source, model_option, tasks
from weightlab.cli.options.weights import ANY_WEIGHTS, Conditions
from weightlab.cli.terminal.documents import put_document
from weightlab.cli.terminal.show import headed, note, say, table
from weightlab.data import Leaderboard
from weightlab.exceptions import ImpossibleError, InputError
from weightlab.lp import (
    MeanUpset,
    Upset,
    WeightSpace,
    WinningRegion,
    WinningShares,
    upset,
    winning_region,
    winning_shares,
)
from weightlab.lp.improvement.upsets import where_it_wins
from weightlab.report.context import Unproved
from weightlab.report.text.improvement import beyond_words, improvement_rows, short_score
from weightlab.report.text.prospect import interval_words, move_words, share_cell
from weightlab.report.text.result_tables import vertex_rows, weight_rows
from weightlab.report.text.words import named_shares, names_in_words, weights_line

R = TypeVar("R", bound=Result)
Models: TypeAlias = Annotated[list[str], model_option(help="The model; repeatable.")]


def ask_each(
    command: str,
    source: Source,
    names: Sequence[str],
    conditions: Conditions,
    ends: shared.Ends,
    *,
    ask: Callable[[Leaderboard, str, WeightSpace | None, Unproved], Iterable[R]],
    tell: Callable[[R], None],
    ruled: Mapping[str, Any] = MappingProxyType({}),
    picture: Picture = NO_PICTURE,
) -> None:
    """Answer a question about each model that is named, one if it is drawn; what is not proved is told last."""
    if picture.plot is not None and len(names) > 1:
        raise InputError("--plot draws the answer about one model: name one with --model")
    picture.ensure(source, {"--output": ends.output})
    board, source = read_for(source, ruled)
    space, unproved = conditions.space(board, ruled), Unproved()
    found: list[R] = []
    for model in meant_models(names, board):
        for one in unproved.ask(shown(model), partial(ask, board, model, space, unproved)) or ():
            if not ends.as_json:
                say(*([""] if found else []))
                tell(one)
            found.append(one)
    put_answer(command, found, board, source, ends, gaps_are_ties=not ruled)
    if found:
        picture.save(found[0])
    unproved.raise_if_any()


def put_answer(
    command: str,
    results: Sequence[Result],
    board: Leaderboard,
    source: Source,
    ends: shared.Written | shared.Ends,
    *,
    gaps_are_ties: bool = True,
) -> None:
    """Write the document of an answer, if there is one, with the head-to-heads that missing scores decide."""
    resting: tuple[Result, ...] = ()
    if gaps_are_ties and board.missing_cells:
        from weightlab.cli.options.rules import pairs_of_gaps  # noqa: PLC0415 - loads all rules

        resting = pairs_of_gaps(board)
    if results:
        put_document(command, (*results, *resting), source, ends)


def meant_models(names: Sequence[str], board: Leaderboard) -> tuple[str, ...]:
    """Return the models that are meant, or raise InputError that names every one which the table does not have."""
    found, faults = [], []
    for one in names:
        try:
            found.append(meant(one, board.models, "model"))
        except InputError as error:
            faults.append(error)
    if len(faults) == 1:
        raise faults[0]
    if faults:
        raise InputError([str(one) for one in faults])
    return tuple(dict.fromkeys(found))


# ``weightlab nearest``: of all weights under which a model wins, those that serve an objective best.


PLAIN: dict[str, Callable[[], lp.Objective]] = {
    "closest": lp.closest_to,
    "closest-linf": lambda: lp.closest_to(norm="linf"),
    "fewest-tasks": lp.fewest_tasks,
    "fewest-tasks-strict": lambda: lp.fewest_tasks(strict=True),
    "most-balanced": lp.most_balanced,
    "widest-margin": lp.widest_margin,
}
OF_A_TASK = {"least-weight": lp.least_weight, "most-weight": lp.most_weight}
OBJECTIVES = (*PLAIN, *(f"{name}=TASK" for name in OF_A_TASK))
"""What may be asked for."""


def nearest(
    source: Source,
    model: Models,
    objective: Annotated[
        list[str] | None,
        typer.Option(
            "--objective",
            metavar="NAME",
            help=f"What the weights serve best: {', '.join(OBJECTIVES)}; closest by default; repeated, in turn.",
            autocompletion=shared.words(*(name.removesuffix("TASK") for name in OBJECTIVES)),
        ),
    ] = None,
    margin: Annotated[str, typer.Option("--margin", metavar="SHARE", help="A win by at least this lead.")] = "0",
    by: shared.ByRule = shared.BY_MAJORITY,
    conditions: Conditions = ANY_WEIGHTS,
    picture: Picture = NO_PICTURE,
    ends: Ends = HERE,
) -> None:
    """Find the nearest weights with which a model wins head-to-head, or by --rule, or those that serve another aim.

    Examples
    --------
    weightlab nearest -m QDA
    weightlab nearest superglue.csv --model T5 --objective fewest-tasks --objective closest
    weightlab nearest superglue.csv --model T5 --objective least-weight=BoolQ --max RTE=0.3
    weightlab nearest superglue.csv --model T5 --complete --rule mean --plot nearest.svg
    """
    ruled = by.options
    current: dict[str, Any] = {}

    def ask(board: Leaderboard, name: str, space: lp.WeightSpace | None, _: Unproved) -> Iterable[lp.Scenario]:
        current[name] = board.weights
        goals = [_objective(text, board) for text in objective or ["closest"]]
        with told_of(f"--margin {margin!r}", InputError):
            least = fraction(margin)
        return [lp.scenario(board, name, goals, space=space, margin=least, time_limit=ends.time_limit, **ruled)]

    def tell(found: lp.Scenario) -> None:
        _tell_nearest(found, current[found.model])

    ask_each("nearest", source, model, conditions, ends, ask=ask, tell=tell, ruled=ruled, picture=picture)


def _objective(text: str, board: Leaderboard) -> lp.Objective:
    name, separator, task = text.partition("=")
    if not separator and name in PLAIN:
        return PLAIN[name]()
    if name in OF_A_TASK and task:
        with told_of(f"--objective {text!r}", InputError):
            return OF_A_TASK[name](named(task, board))
    raise InputError(f"--objective {text!r}: there are {', '.join(OBJECTIVES)} (a TASK may be @GROUP)")


def _tell_nearest(found: lp.Scenario, weights: WeightsLike) -> None:
    """Print the optimum in words, the weights, and the rivals that are nearest to a tie."""
    tied = names_in_words([str(rival) for rival, lead in found.leads.items() if lead == found.margin], 5)
    headings, rows, right = weight_rows(found, weights)
    say(
        shown(found),
        "",
        table(headings, rows, right=right) if rows else "No weight has to change from the current ones.",
    )
    if getattr(getattr(found.stages[0], "objective", None), "norm", None) == "l1" and found.value:
        say("", f"{move_words(found).capitalize()}.")
    if tied and found.strict_weights is not None and found.slack and not found.margin:
        say("", f"At exactly the optimum it ties {tied}; the weights shown win.")
    elif tied:
        say("", f"{'Leads by exactly the required margin over' if found.margin else 'Still tied with'} {tied}.")


# ``weightlab region``: the exact region of the weights under which a model wins.


CORNERS = 20
"""Corners shown."""


def region(
    source: Source,
    model: Models,
    by: shared.ByRule = shared.BY_MAJORITY,
    conditions: Conditions = ANY_WEIGHTS,
    ends: Ends = HERE,
) -> None:
    """Find the exact region of weights with which a model wins head-to-head, or by --rule: share, centre, vertices.

    Examples
    --------
    weightlab region -m SVC --tasks accuracy/iris,accuracy/wine,accuracy/digits
    weightlab region superglue.csv --model T5 --complete
    """
    ruled = by.options
    sampled: dict[str, WinningShares] = {}

    def ask(board: Leaderboard, name: str, space: WeightSpace | None, _: Unproved) -> Iterable[WinningRegion]:
        options = {**ruled, "space": space, "time_limit": ends.time_limit}
        found = winning_region(board, name, **options)
        if found.share is None:
            sampled[found.model] = winning_shares(board, rng=0, **options)
        return [found]

    def tell(found: WinningRegion) -> None:
        _tell_region(found, sampled.get(found.model))

    ask_each("region", source, model, conditions, ends, ask=ask, tell=tell, ruled=ruled)


def _tell_region(found: WinningRegion, sampled: WinningShares | None) -> None:
    say(shown(found), "", headed(_lines(found, sampled)))
    headings, rows, right = vertex_rows(found)
    say("", table(headings, rows[:CORNERS], right=right))
    if len(found.corners) > CORNERS:
        say(f"{len(found.corners) - CORNERS} more vertices (all of them with --json)")


def _lines(found: WinningRegion, sampled: WinningShares | None) -> list[tuple[str, list[str]]]:
    duels = [str(name) for kind, name in found.facets.itertuples(index=False) if kind == "duel"]
    radius = f"{percent(found.radius)} of the weight may move in any way from there"
    lines = [("Centre", [weights_line(named_shares(found.centre)), radius])]
    lines += [("Rivals that bound it", [listed(duels)])] if duels else []
    if sampled is not None:
        share, interval = (words(sampled, found.model) for words in (share_cell, interval_words))
        lines.append(("Share", [f"{share} of {sampled.draws.samples:,} weightings (95% interval {interval})"]))
    return lines


# ``weightlab improve``: the smallest improvement that makes a model win, task by task.

_BY_MEAN = shared.words("majority", "mean")


def improve(
    source: Source,
    model: Models,
    fewest: Annotated[
        bool, typer.Option("--fewest", help="Change the fewest results, whatever the scores; else scores by least.")
    ] = False,
    rule: Annotated[
        str | None,
        shared.rule_option(help="mean: first by average score [default: head-to-head].", autocompletion=_BY_MEAN),
    ] = None,
    between: Annotated[
        list[str] | None,
        typer.Option(
            "--between",
            metavar="[TASK=]LOW:HIGH",
            help="No score beyond these, such as 0:100, or of a task. Repeatable.",
            autocompletion=tasks,
        ),
    ] = None,
    conditions: Conditions = ANY_WEIGHTS,
    ends: Ends = HERE,
) -> None:
    """Find the least that a model must improve to win: under today's weights, and under some allowed ones.

    Examples
    --------
    weightlab improve -m Bagging --tasks @speed
    weightlab improve superglue.csv --model T5 --complete
    weightlab improve superglue.csv --model T5 --complete --fewest --max BoolQ=0.3
    weightlab improve superglue.csv --model T5 --complete --rule mean
    weightlab improve superglue.csv --model T5 --complete --between 0:100
    """
    unit: Literal["score", "result"] = "result" if fewest else "score"

    def ask(
        board: Leaderboard, name: str, space: WeightSpace | None, unproved: Unproved
    ) -> Iterator[Upset | MeanUpset]:
        questions: list[WeightSpace | Literal["any"] | None] = [None, "any"] if space is None else [space]
        ends_of = bounds_of(between, board) or {}
        best = {
            task: end for task, pair in ends_of.items() if (end := pair[task not in board.lower_is_better]) is not None
        }
        for among in questions:
            question = partial(
                upset,
                board,
                name,
                space=among,
                kind=unit,
                best=best,
                rule=rule or "majority",
                time_limit=ends.time_limit,
            )
            try:
                one = unproved.ask(f"{shown(name)}, {'today' if among is None else 'some weights'}", question)
            except ImpossibleError as error:
                if among is questions[-1]:
                    raise
                note(f"{shown(error)}.")
                continue
            yield from [] if one is None else [one]
            if one is not None and not one.cost:
                return

    ruled = {} if rule in (None, "majority", "condorcet") else {"rule": rule}
    ask_each("improve", source, model, conditions, ends, ask=ask, tell=_tell_improve, ruled=ruled)


def _tell_improve(found: Upset | MeanUpset) -> None:
    if not found.cost or isinstance(found, MeanUpset):
        say(shown(found))
        return
    if found.cost_unit == "score":
        how, less = f"improving its scores by {short_score(found.cost)} in all", "no smaller sum is enough"
    else:
        how, less = f"changing {counted(int(found.cost), 'result')} against rivals", "no fewer are enough"
    rests = f"that {less} relies on the bound of {found.solver}" if found.solver else less
    many = counted(len(found.improvements), "task")
    conditions = found.space.conditions_sentence if found.space is not None else ""
    where = where_it_wins(found.table, found.space)
    say(shown(f"{found.model} wins {where} by {how}, on {many}; {rests}.{conditions}"))
    say("", table(*improvement_rows(found)))
    say(*beyond_words(found))
