"""Every public question takes a plain frame as the table that its class makes of it, with the same warnings."""

from __future__ import annotations

import importlib
import inspect
import warnings
from fractions import Fraction
from pathlib import Path

import networkx as nx
import pandas as pd
import pytest

import weightlab as wl
from weightlab._result import Result
from weightlab.exceptions import DirectionWarning, WeightlabError

PARTS = ("weightlab", *(f"weightlab.{name}" for name in wl.__all__ if (Path(wl.__file__).parent / name).is_dir()))
OF_TABLES = ("LeaderboardLike", "SignsLike", "MarginsLike", "MajorityLike", "ProfileLike", "Source")
OF_SUITES = ("SuiteLike", "RelationsLike")
NO_TABLES = {"weightlab.plots.stability_marks"}
"""Functions whose Source is another: the result that is drawn."""

OF_ANOTHER = {"weightlab.studies.two_step_average", "weightlab.studies.flips", "weightlab.studies.changes"}
"""Questions whose result is about another table than the one asked about, or whose frame is not told to be a suite."""

FRAME = pd.DataFrame(
    {
        ("u", "quality"): {"a": 3, "b": 2, "c": 1, "d": 0},
        ("u", "recall"): {"a": 1, "b": 3, "c": 2, "d": 0},
        ("v", "latency"): {"a": 2, "b": 1, "c": 3, "d": 0},
    }
)
"""A cycle, with groups in its columns, to lose which would change answers, and a task of doubtful direction."""

SUITE = pd.concat({name: FRAME.droplevel(0, axis=1) for name in ("one", "two")}, axis=1)

REQUIRED = {
    "by": "quality",
    "count": 1,
    "counts": {"quality": 1, "recall": 2, "latency": 3},
    "domain": "single_peaked",
    "duels": [("a", "b")],
    "model": "a",
    "new": wl.Leaderboard({"quality": {"a": 2, "b": 3}}),
    "objective": wl.lp.closest_to(),
    "order": ["a", "b", "c", "d"],
    "pairs": [("a", "b"), ("c", "d")],
    "over": "standard_errors",
    "rival": "b",
    "rule_a": "borda",
    "rule_b": "plurality",
    "size": 2,
}
"""What parameters without a default are given, by their names: a new question of such parameters is tested unasked."""

OPTIONS = {
    "weightlab.domains.necessarily": {"domain": "single_crossing"},
    "weightlab.lp.duel_shares": {"samples": 100, "rng": 1},
    "weightlab.lp.pair_shares": {"samples": 100, "rng": 1},
    "weightlab.lp.rank_shares": {"samples": 100, "rng": 1},
    "weightlab.lp.winning_shares": {"samples": 100, "rng": 1},
    "weightlab.studies.bootstrap": {"repeats": 20, "rng": 1},
    "weightlab.studies.dispersion": {"repeats": 2, "rng": 1},
    "weightlab.studies.irrelevant_models": {"repeats": 2, "rng": 1},
    "weightlab.studies.rank_sets": {"repeats": 100},
    "weightlab.studies.missing_scores": {"repeats": 2, "rng": 1},
    "weightlab.studies.random_model_sets": {"rng": 1},
    "weightlab.studies.sweep": {"model_sets": [("a", "b", "c")], "metric_sets": [("quality", "recall")]},
    "weightlab.studies.task_addition": {"repeats": 2, "rng": 1},
    "weightlab.studies.task_removal": {"repeats": 2, "rng": 1},
    "weightlab.report.report": {"only": ["table"]},
}
"""What keeps a question short, or its random draws the same."""


def public_functions():
    """Return every public function once, by its name."""
    found = {}
    for part in PARTS:
        module = importlib.import_module(part)
        for name in module.__all__:
            value = getattr(module, name)
            if inspect.isfunction(value) and value not in found:
                found[value] = f"{part}.{name}"
    return {name: function for function, name in found.items()}


def questions():
    """Return the functions whose first parameter takes a table, by name, with the frame and the class it is of."""
    found = []
    for name, function in sorted(public_functions().items()):
        first = next(iter(inspect.signature(function).parameters.values()), None)
        said = "" if first is None else str(first.annotation)
        words = {word.strip() for word in said.split("|")}
        if name in NO_TABLES:
            continue
        if words & {*OF_TABLES}:
            found.append(pytest.param(name, function, wl.Leaderboard, id=name))
        elif words & {*OF_SUITES}:
            found.append(pytest.param(name, function, wl.Suite, id=name))
    return found


def asked(name, function, source):
    """Return what a question says, or how it is refused, and the warnings about directions."""
    parameters = list(inspect.signature(function).parameters.values())[1:]
    needed = [one for one in parameters if one.default is one.empty and one.kind is not one.VAR_KEYWORD]
    options = {one.name: REQUIRED[one.name] for one in needed} | OPTIONS.get(name, {})
    before = [options.pop(one.name) for one in needed if one.kind is one.POSITIONAL_ONLY]
    return outcome(function, source, *before, **options)


def outcome(function, *given, **options):
    """Return what a function returns, or the error that it raises, and the warnings about directions."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        try:
            found = function(*given, **options)
        except WeightlabError as error:
            found = (type(error).__name__, str(error))
    return found, [str(one.message) for one in told if one.category is DirectionWarning]


def comparable(found):
    """Return an answer as what has an equality of its own."""
    if isinstance(found, pd.Series | pd.DataFrame):
        return repr(found.to_dict())  # NaN is no NaN's equal, but is written alike
    if isinstance(found, wl.Margins):
        return found.models, found.wins.tolist()
    if isinstance(found, nx.DiGraph):
        return sorted(found.nodes), sorted(found.edges(data="margin"))
    if isinstance(found, Result | wl.Leaderboard):
        return found.to_dict()
    return found if isinstance(found, tuple | frozenset | bool | str | Fraction | int | None) else str(found)


def table_of(kind, frame):
    """Return the table that a class makes of a plain frame."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return kind(frame)


@pytest.mark.parametrize(("name", "function", "kind"), questions())
def test_a_plain_frame_is_asked_about_as_the_table_it_makes(name, function, kind):
    frame = FRAME if kind is wl.Leaderboard else SUITE
    answer, told = asked(name, function, frame)
    expected, silent = asked(name, function, table_of(kind, frame))
    assert comparable(answer) == comparable(expected)
    assert len(told) == 1
    assert "latency" in told[0]
    assert silent == []
    if isinstance(answer, Result):
        for source in (frame, -frame):
            checked, _ = outcome(answer.verify, source)
            if name not in OF_ANOTHER:
                assert checked == outcome(answer.verify, table_of(kind, source))[0]
                assert source is not frame or checked is True


@pytest.mark.parametrize(("name", "function", "kind"), questions())
@pytest.mark.parametrize("path", ["scores.csv", Path("scores.csv")])
def test_a_path_is_read_first(name, function, kind, path):
    answer, _ = asked(name, function, path)
    assert answer == ("InputError", "a table is needed, not a path: wl.read_leaderboard('scores.csv') reads one")


def test_every_question_about_a_table_takes_a_frame():
    """Only what writes tables takes one by its class alone; all other first parameters say one of the names above."""
    classes = {"Leaderboard", "Suite", "Profile", "Margins", "Signs"}
    alone = set()
    for name, function in public_functions().items():
        first = next(iter(inspect.signature(function).parameters.values()), None)
        said = {word.strip() for word in str(first.annotation if first else "").split("|")}
        if said & classes and not said & {*OF_TABLES, *OF_SUITES}:
            alone.add(name)
    assert alone == {
        "weightlab.write_leaderboard",
        "weightlab.write_suite",
        "weightlab.io.write_margins",
        "weightlab.io.write_profile",
    }


@pytest.mark.parametrize("ask", [wl.lp.prospects, wl.rules.rank, wl.graph.majority_graph, wl.Leaderboard])
def test_a_doubtful_direction_is_asked_about_at_the_line_that_gave_the_frame(ask):
    with pytest.warns(DirectionWarning, match="latency") as warned:
        ask(FRAME)
    assert {one.filename for one in warned} == {__file__}
