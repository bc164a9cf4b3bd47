"""``weightlab graph``: what the majorities say together, and the graph itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any

import networkx as nx
import typer

from weightlab.cli.show import headed, listed, number, say, shown
from weightlab.cli.tables import Source, read_table
from weightlab.data import Margins
from weightlab.graph import majority_graph
from weightlab.report import Document, write_document
from weightlab.rules import MajorityOverview, majority_overview

__all__ = ["EXAMPLES", "dot_text", "graph", "plain_graph"]

EXAMPLES = """\b
Examples:
  weightlab graph
  weightlab graph superglue.csv --complete
  weightlab graph superglue.csv --dot superglue.dot --graphml superglue.graphml
"""

SHOWN = 8
"""So many models of a set are named."""


def graph(
    file: Annotated[
        str | None,
        typer.Argument(metavar="FILE", help="Score table, '-' for standard input; by default the one that ships."),
    ] = None,
    dot: Annotated[str | None, typer.Option("--dot", metavar="FILE", help="Write the graph for Graphviz.")] = None,
    graphml: Annotated[
        str | None, typer.Option("--graphml", metavar="FILE", help="Write the graph as GraphML.")
    ] = None,
    complete: Annotated[bool, typer.Option("--complete", help="Keep only the models with every score.")] = False,
    config: Annotated[
        str | None,
        typer.Option(
            "--config", metavar="TOML", help="TOML file with directions, weights, groups; by default beside the table."
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document with the proof.")] = False,
    output: Annotated[
        str | None, typer.Option("--output", "-o", metavar="FILE", help="Write that document to a file.")
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No notes.")] = False,
) -> None:
    """Show the majorities: who wins, which sets of models cannot be told apart, and the cycles."""
    source = Source(file=file, config=config, complete=complete)
    found = majority_overview(read_table(source, quiet=quiet))
    document = Document(results=(found,), options=source.options(), command="graph")
    if output is not None:
        write_document(document, output)
    if dot is not None:
        Path(dot).write_text(dot_text(found.margins), encoding="utf-8")
    if graphml is not None:
        nx.write_graphml(plain_graph(found.margins), graphml)
    if as_json:
        print(document.to_json())
    else:
        say(shown(found), "", headed(_lines(found)))


def _lines(found: MajorityOverview) -> Iterator[tuple[str, list[str]]]:
    models = len(found.margins.models)
    yield "Condorcet winner", [_one(found.condorcet_winner)]
    yield "Condorcet loser", [_one(found.condorcet_loser)]
    names = {
        "weak_condorcet_winners": "Beaten by nobody",
        "smith": "Smith set",
        "schwartz": "Schwartz set",
        "uncovered": "Uncovered set",
        "essential": "Essential set",
    }
    for name, heading in names.items():
        members = found.sets[name]
        yield heading, [f"{len(members)} of {models}: {listed(members, SHOWN)}" if members else "none"]
    duels = models * (models - 1) // 2
    tied = duels - int((found.margins.wins > found.margins.wins.T).sum())
    yield "Tied duels", [f"{tied} of {duels}"]
    yield "Transitive", [_transitive(found)]
    yield "Cycles of three models", [str(found.three_cycles)]
    yield "Strongest cycle", _cycle(found)


def _one(name: str | None) -> str:
    return "none" if name is None else shown(name)


def _transitive(found: MajorityOverview) -> str:
    if found.triple is None:
        return "yes"
    above, middle, below = map(shown, found.triple)
    return f"no: {above} beats {middle}, which beats {below}, which {above} does not beat"


def _cycle(found: MajorityOverview) -> list[str]:
    if found.cycle is None:
        return ["none: the majorities run in no circle"]
    duels = zip(found.cycle.models, [*found.cycle.models[1:], found.cycle.models[0]], strict=True)
    return [f"{shown(a)} beats {shown(b)} by {number(found.margins.margin(a, b))}" for a, b in duels]


def dot_text(margins: Margins) -> str:
    """Return the majority graph in the language of Graphviz: an edge from winner to loser, labelled by its margin."""
    drawn, names = majority_graph(margins), _distinct(margins.models)
    lines = [f"  {_quoted(names[model])};" for model in drawn.nodes]
    for winner, loser in drawn.edges:
        margin = number(margins.margin(winner, loser))
        lines.append(f"  {_quoted(names[winner])} -> {_quoted(names[loser])} [label={_quoted(margin)}];")
    return "\n".join(["digraph majorities {", *lines, "}", ""])


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _distinct(models: Sequence[str]) -> dict[str, str]:
    """Return the names as they may be shown, numbered if escaping made two of them the same."""
    names = {model: shown(model) for model in models}
    if len(set(names.values())) < len(names):
        return {model: f"{place} {name}" for place, (model, name) in enumerate(names.items(), start=1)}
    return names


def plain_graph(margins: Margins) -> nx.DiGraph[str]:
    """Return the graph with values that GraphML knows: floats, and the exact fractions as text."""
    drawn, names = majority_graph(margins), _distinct(margins.models)
    plain: nx.DiGraph[str] = nx.DiGraph()
    plain.add_nodes_from(names[model] for model in drawn.nodes)
    for winner, loser, attributes in drawn.edges(data=True):
        exact: dict[str, Any] = {f"exact_{name}": str(value) for name, value in attributes.items()}
        floats = {name: float(Fraction(value)) for name, value in attributes.items()}
        plain.add_edge(names[winner], names[loser], **floats, **exact)
    return plain
