"""``weightlab graph``: what the majorities say together, and the graph itself."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any

import typer

from weightlab._files import write_whole
from weightlab._text import number, shown
from weightlab.cli.inputs.tables import read_ranked
from weightlab.cli.options.plot import NO_PICTURE, Picture
from weightlab.cli.options.shared import AT_ONCE, Written
from weightlab.cli.options.table import Source
from weightlab.cli.terminal.documents import ensure_apart, put_document
from weightlab.cli.terminal.show import NOTES, headed, say
from weightlab.data import Leaderboard, Margins, Profile
from weightlab.exceptions import InputError, UnprovedError
from weightlab.graph import (
    CondorcetWinningSet,
    MajorityLike,
    ParetoFront,
    condorcet_winning_set,
    majority_graph,
    pareto_front,
)
from weightlab.report.text.majority import overview_lines, robustness, size_text
from weightlab.rules import majority_overview

if TYPE_CHECKING:
    import networkx as nx

GRAPH_UP_TO = 16
"""Largest number of models drawn as a graph by default."""

SECONDS = 5.0
"""Time limit for a smallest winning set of more than two models, in seconds."""


class Kind(StrEnum):
    """Pictures of majorities."""

    GRAPH = "graph"
    MARGINS = "margins"


def graph(
    source: Source,
    dot: Annotated[
        str | None,
        typer.Option("--dot", metavar="FILE", help="Write the graph for Graphviz; '-' prints it and nothing else."),
    ] = None,
    graphml: Annotated[
        str | None,
        typer.Option("--graphml", metavar="FILE", help="Write the graph as GraphML; '-' prints it and nothing else."),
    ] = None,
    picture: Picture = NO_PICTURE,
    plot_kind: Annotated[
        Kind | None,
        typer.Option(
            "--plot-kind",
            metavar="KIND",
            help=f"With --plot: the graph (up to {GRAPH_UP_TO} models by default) or all margins.",
        ),
    ] = None,
    ends: Written = AT_ONCE,
) -> None:
    """Show the majorities: who wins, which sets of models lead, and the cycles.

    Examples
    --------
    weightlab graph
    weightlab graph superglue.csv --complete
    weightlab graph votes.soc
    weightlab graph superglue.csv --dot superglue.dot --graphml superglue.graphml
    weightlab graph superglue.csv --dot - | dot -Tsvg > superglue.svg
    """
    printed = [
        name
        for name, given in (("--json", ends.as_json), ("--dot", dot == "-"), ("--graphml", graphml == "-"))
        if given
    ]
    if len(printed) > 1:
        raise InputError(f"{' and '.join(printed)} cannot both be printed; write one of them to a file")
    written = {"--output": ends.output, "--dot": dot, "--graphml": graphml}
    ensure_apart(written, source.file, source.config)
    picture.ensure(source, written)
    board = read_ranked(source, gaps_are_ties=True)
    found = majority_overview(board)
    robust = robustness(board, found) if isinstance(board, Leaderboard) else None
    front, few = _front_and_few(board)
    put_document("graph", (one for one in (found, robust, front, few) if one is not None), source, ends)
    if dot is not None:
        _put(dot_text(found.margins), dot)
    if graphml is not None:
        _put(graphml_text(found.margins), graphml)
    if not printed:
        say(shown(found), "", headed(overview_lines(found, robust, front=front, few=few)))
    picture.save(found.margins, kind=_kind(plot_kind, len(found.margins.models)))


def _front_and_few(board: MajorityLike) -> tuple[ParetoFront | None, CondorcetWinningSet | None]:
    """Return the Pareto front and the smallest winning set; None of margins, which know no tasks, or out of time."""
    if not isinstance(board, Leaderboard | Profile):
        return None, None
    try:
        return pareto_front(board), condorcet_winning_set(board, time_limit=SECONDS)
    except UnprovedError:
        return pareto_front(board), None


def _kind(named: Kind | None, models: int) -> str:
    """Return the requested picture."""
    chosen = named or (Kind.GRAPH if models <= GRAPH_UP_TO else Kind.MARGINS)
    return {Kind.GRAPH: "majority_graph", Kind.MARGINS: "margins"}[chosen]


def _put(text: str, file: str) -> None:
    if file == "-":
        NOTES.aside()
        print(text, end="")
    else:
        write_whole((file, text))


def dot_text(margins: Margins) -> str:
    """Return the majority graph in the language of Graphviz: an edge from winner to loser, labelled by its margin."""
    drawn, names = majority_graph(margins), _distinct(margins.models)
    lines = [f"  {_quoted(names[model])};" for model in drawn.nodes]
    for winner, loser in drawn.edges:
        margin = number(margins.margin(winner, loser))
        lines.append(f"  {_quoted(names[winner])} -> {_quoted(names[loser])} [label={_quoted(margin)}];")
    return "\n".join(["digraph majorities {", *lines, "}", ""])


ENTITY = re.compile(r"&(?=#?\w+;)")
"""What Graphviz would show as another sign, as it does ``&lt;``."""


def _quoted(text: str) -> str:
    escaped = ENTITY.sub("&amp;", text).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


NOT_IN_XML = {code: f"\\u{code:04x}" for code in (0xFFFE, 0xFFFF)}
"""Of what ``shown`` leaves as it is, XML allows all but these."""


def _distinct(models: Sequence[str]) -> dict[str, str]:
    """Return the names as they may be shown, numbered if escaping made two of them the same."""
    names = {model: shown(model).translate(NOT_IN_XML) for model in models}
    if len(set(names.values())) < len(names):
        return {model: f"{place} {name}" for place, (model, name) in enumerate(names.items(), start=1)}
    return names


def graphml_text(margins: Margins) -> str:
    """Return the majority graph as GraphML."""
    import networkx as nx  # noqa: PLC0415 - takes as long to load as all of weightlab

    return "\n".join(["<?xml version='1.0' encoding='utf-8'?>", *nx.generate_graphml(plain_graph(margins)), ""])


def plain_graph(margins: Margins) -> nx.DiGraph[str]:
    """Return the graph with values that GraphML knows: floats, and the exact fractions as text.

    Raises
    ------
    InputError
        If a number is beyond every float.
    """
    drawn, names = majority_graph(margins), _distinct(margins.models)
    import networkx as nx  # noqa: PLC0415

    plain: nx.DiGraph[str] = nx.DiGraph()
    plain.add_nodes_from(names[model] for model in drawn.nodes)
    for winner, loser, attributes in drawn.edges(data=True):
        exact: dict[str, Any] = {f"exact_{name}": str(value) for name, value in attributes.items()}
        try:
            floats = {name: float(Fraction(value)) for name, value in attributes.items()}
        except OverflowError:
            raise InputError(
                f"the head-to-head of {winner!r} and {loser!r} counts {size_text(max(attributes.values()))}, more than "
                "GraphML's floats hold; --dot and --json have no such limit"
            ) from None
        plain.add_edge(names[winner], names[loser], **floats, **exact)
    return plain
