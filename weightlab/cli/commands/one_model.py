"""``weightlab nearest``, ``region``, ``improve`` and ``map``: where a model wins, and what it must improve."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, cast

from weightlab.cli import lazy
from weightlab.cli.options.shared import BY_MAJORITY, HERE, ByRule, Ends, Many, Views, completing, opt
from weightlab.cli.options.table import Source, model_option, tasks
from weightlab.cli.options.weights import ANY_WEIGHTS, Conditions
from weightlab.cli.terminal.show import NOTES, note
from weightlab.exceptions import ImpossibleError, InputError

if TYPE_CHECKING:
    from weightlab.data import Leaderboard
    from weightlab.lp import Objective, WeightSpace
    from weightlab.views.view import View

PLAIN: dict[str, tuple[str, dict[str, Any]]] = {
    "closest": ("closest_to", {}),
    "closest-linf": ("closest_to", {"norm": "linf"}),
    "fewest-tasks": ("fewest_tasks", {}),
    "fewest-tasks-strict": ("fewest_tasks", {"strict": True}),
    "most-balanced": ("most_balanced", {}),
    "widest-margin": ("widest_margin", {}),
}
OF_A_TASK = {"least-weight": "least_weight", "most-weight": "most_weight"}
OBJECTIVES = (*PLAIN, *(f"{name}=TASK" for name in OF_A_TASK))
"""What weights may serve best, and the functions that say so."""
Ask = Callable[..., "Iterable[View]"]


def ask_each(
    source: Source, names: list[str], conditions: Conditions, ends: Ends, ruled: Mapping[str, Any], ask: Ask
) -> Iterator[View]:
    """Yield the answer about each model that is named, one if it is drawn; unproved parts come last."""
    if ends.plot is not None and len(names) > 1:
        raise InputError("--plot draws the answer about one model: name one with --model")
    board = lazy.read_for(source, ruled)
    space = conditions.space(board, ruled)
    for model in lazy.meant_models(names, board):
        yield from NOTES.unproved.ask(model, partial(ask, board, model, space)) or ()
    yield from resting(board, ruled)


def resting(board: Leaderboard, ruled: Mapping[str, Any]) -> Iterator[View]:
    """Yield the head-to-heads that missing scores decide, where a question is about them, for the document."""
    if board.missing_cells and not ruled:
        yield lazy.View(results=lazy.pairs_of_gaps(board))


def nearest(
    source: Source,
    model: Annotated[list[str], model_option("The model. Repeatable.")],
    objective: Annotated[
        Many,
        opt(
            *("--objective NAME", f"What weights serve best: {', '.join(OBJECTIVES)}; closest by default. Repeatable."),
            autocompletion=completing(*(name.removesuffix("TASK") for name in OBJECTIVES)),
        ),
    ] = None,
    margin: Annotated[str, opt("--margin SHARE", "Required lead over every rival.")] = "0",
    by: ByRule = BY_MAJORITY,
    conditions: Conditions = ANY_WEIGHTS,
    ends: Ends = HERE,
) -> Views:
    """Find the nearest weights with which a model wins head-to-head, or by --rule, or those that serve another aim.

    Examples
    --------
    weightlab nearest -m QDA
    weightlab nearest superglue.csv --model T5 --objective fewest-tasks --objective closest
    weightlab nearest superglue.csv --model T5 --objective least-weight=BoolQ --max RTE=0.3
    weightlab nearest superglue.csv --model T5 --complete --rule mean --plot nearest.svg
    """
    ruled = by.options

    def ask(board: Leaderboard, name: str, space: WeightSpace | None) -> list[View]:
        goals = [_objective(text, board) for text in objective or ["closest"]]
        with lazy.told_of(f"--margin {margin!r}", InputError):
            least = lazy.fraction(margin)
        found = lazy.lp.scenario(board, name, goals, space=space, margin=least, time_limit=ends.time_limit, **ruled)
        return [lazy.weights.scenario_view(found, board.weights)]

    return ask_each(source, model, conditions, ends, ruled, ask)


def _objective(text: str, board: Leaderboard) -> Objective:
    name, separator, task = text.partition("=")
    if not separator and name in PLAIN:
        function, told = PLAIN[name]
        return cast("Objective", getattr(lazy.lp, function)(**told))
    if name in OF_A_TASK and task:
        with lazy.told_of(f"--objective {text!r}", InputError):
            return cast("Objective", getattr(lazy.lp, OF_A_TASK[name])(lazy.named(task, board)))
    raise InputError(f"--objective {text!r}: there are {', '.join(OBJECTIVES)} (a TASK may be @GROUP)")


def region(
    source: Source,
    model: Annotated[list[str], model_option("The model. Repeatable.")],
    by: ByRule = BY_MAJORITY,
    conditions: Conditions = ANY_WEIGHTS,
    ends: Ends = HERE,
) -> Views:
    """Find the exact region of weights with which a model wins head-to-head, or by --rule: share, centre, vertices.

    Examples
    --------
    weightlab region -m SVC --tasks accuracy/iris,accuracy/wine,accuracy/digits
    weightlab region superglue.csv --model T5 --complete
    """
    ruled = by.options

    def ask(board: Leaderboard, name: str, space: WeightSpace | None) -> list[View]:
        options = {**ruled, "space": space, "time_limit": ends.time_limit}
        found = lazy.lp.winning_region(board, name, **options)
        sampled = None if found.share is not None else lazy.lp.winning_shares(board, rng=0, **options)
        return [lazy.weights.region_view(found, sampled)]

    return ask_each(source, model, conditions, ends, ruled, ask)


def improve(
    source: Source,
    model: Annotated[list[str], model_option("The model. Repeatable.")],
    fewest: Annotated[bool, opt("--fewest", "Minimise the number of changed results, not the score changes.")] = False,
    rule: Annotated[
        str | None,
        opt(
            *("--rule -r RULE", "mean: first by average score [default: head-to-head]."),
            autocompletion=completing("majority", "mean"),
        ),
    ] = None,
    between: Annotated[
        Many,
        opt("--between [TASK=]LOW:HIGH", "No score beyond these, such as 0:100. Repeatable.", autocompletion=tasks),
    ] = None,
    conditions: Conditions = ANY_WEIGHTS,
    ends: Ends = HERE,
) -> Views:
    """Find the least that a model must improve to win: under today's weights, and under some allowed ones.

    Examples
    --------
    weightlab improve -m Bagging --tasks @speed
    weightlab improve superglue.csv --model T5 --complete
    weightlab improve superglue.csv --model T5 --complete --fewest --max BoolQ=0.3
    weightlab improve superglue.csv --model T5 --complete --rule mean
    weightlab improve superglue.csv --model T5 --complete --between 0:100
    """
    options: dict[str, Any] = {"kind": "result" if fewest else "score", "rule": rule or "majority"}

    def ask(board: Leaderboard, name: str, space: WeightSpace | None) -> Iterator[View]:
        questions: list[Any] = [None, "any"] if space is None else [space]
        ends_of, lower = lazy.bounds_of(between, board) or {}, board.lower_is_better
        best = {task: end for task, pair in ends_of.items() if (end := pair[task not in lower]) is not None}
        for among in questions:
            question = partial(
                lazy.lp.upset, board, name, space=among, best=best, time_limit=ends.time_limit, **options
            )
            try:
                one = NOTES.unproved.ask(f"{name}, {'today' if among is None else 'some weights'}", question)
            except ImpossibleError as error:
                if among is questions[-1]:
                    raise
                note(f"{error}.")
                continue
            yield from [] if one is None else [lazy.view_of(one)]
            if one is not None and not one.cost:
                return

    ruled = {} if rule in (None, "majority", "condorcet") else {"rule": rule}
    return ask_each(source, model, conditions, ends, ruled, ask)


def map(  # noqa: A001 - the command's name
    source: Source,
    axis: Annotated[
        list[str], opt("--axis TASK", "Corner of the map: a task or @GROUP. Pass three.", autocompletion=tasks)
    ],
    by: ByRule = BY_MAJORITY,
    conditions: Conditions = ANY_WEIGHTS,
    ends: Ends = HERE,
) -> Views:
    """Map who wins head-to-head, or by --rule, where in the triangle of three weights, as exact areas.

    Examples
    --------
    weightlab map --axis @accuracy --axis @robustness --axis @speed
    weightlab map superglue.csv --axis BoolQ --axis COPA --axis RTE --complete
    """
    ruled = by.options
    board = lazy.read_for(source, ruled)
    space = conditions.space(board, ruled)
    with lazy.told_of("--axis", InputError):
        found = lazy.lp.map_of_winners(board, [lazy.named(text, board) for text in axis], space=space, **ruled)
    yield lazy.weights.map_view(found, None if ends.plot is None else board.weights)
    yield from resting(board, ruled)
