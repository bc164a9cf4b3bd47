"""The majority graph as a file: for Graphviz, and as GraphML."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import networkx as nx

from weightlab._text import number, shown
from weightlab.data import Margins
from weightlab.exceptions import InputError
from weightlab.graph import majority_graph
from weightlab.views.majority import size_text


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
    return "\n".join(["<?xml version='1.0' encoding='utf-8'?>", *nx.generate_graphml(plain_graph(margins)), ""])


def plain_graph(margins: Margins) -> nx.DiGraph[str]:
    """Return the graph with values that GraphML knows: floats, and the exact fractions as text.

    Raises
    ------
    InputError
        If a number is beyond every float.
    """
    drawn, names = majority_graph(margins), _distinct(margins.models)
    plain: nx.DiGraph[str] = nx.DiGraph()
    plain.add_nodes_from(names[model] for model in drawn.nodes)
    for winner, loser, attributes in drawn.edges(data=True):
        exact: dict[str, Any] = {f"exact_{name}": str(value) for name, value in attributes.items()}
        try:
            floats = {name: float(Fraction(value)) for name, value in attributes.items()}
        except OverflowError:
            raise InputError(
                f"the head-to-head of {winner!r} and {loser!r} counts {size_text(max(attributes.values()))}, more than "
                "GraphML's floats hold; .dot and .json have no such limit"
            ) from None
        plain.add_edge(names[winner], names[loser], **floats, **exact)
    return plain
