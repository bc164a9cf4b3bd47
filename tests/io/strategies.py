"""Hypothesis strategies: tables that a file must carry without a change."""

from __future__ import annotations

from functools import cache

import pandas as pd
from hypothesis import strategies as st

import weightlab as wl
from tests.strategies import ANY_NAME, decimals, declarations, frames, names

NAMES_OF_FILES = [
    "NA",
    "N/A",
    "nan",
    "-",
    "model",
    "model_",
    "instance",
    "metric",
    "score",
    "#",
    "\ufeffmark",
    "carriage\rreturn",
    "windows\r\nline",
    '"',
    '""',
    "'",
    ",",
    ";",
    "\\",
    "\\n",
    "93.9%",
    "12",
    "1e5",
    "true",
    "null",
    "line\u2028separator",
    "next\x85line",
    "delete\x7f",
    " ,",
]
FORMATS = ["csv", "tsv", "json", "parquet"]

FILE_NAME = st.one_of(ANY_NAME, st.sampled_from(NAMES_OF_FILES)).filter(lambda name: "\0" not in name)


@cache
def file_names(least, most):
    """Return lists of distinct names, many of which a careless writer would garble."""
    return st.lists(FILE_NAME, min_size=least, max_size=most, unique=True)


@st.composite
def renamed(draw, frame):
    """Return a frame with names that a careless writer would garble."""
    rows = draw(file_names(len(frame.index), len(frame.index)))
    columns = draw(file_names(len(frame.columns), len(frame.columns)))
    return frame.set_axis(rows, axis=0).set_axis(columns, axis=1)


@st.composite
def file_boards(draw, *, cells=None, models=(2, 5), tasks=(1, 4)):
    """Return leaderboards with awkward names, scores of many digits, gaps and declarations of all kinds."""
    cells = decimals() if cells is None else cells
    frame = draw(frames(models=models, tasks=tasks, cells=cells, plain=True))
    frame = draw(renamed(frame))
    return wl.Leaderboard(frame, **draw(declarations(list(frame.columns), tolerant=True)))


@st.composite
def file_suites(draw):
    """Return suites with awkward names, scores of many digits, gaps and declarations of all kinds."""
    rows, columns = draw(file_names(2, 4)), draw(file_names(1, 3))
    tables = {}
    for dataset in draw(file_names(1, 3)):
        models = draw(st.permutations(rows))[: draw(st.integers(2, len(rows)))]
        metrics = draw(st.permutations(columns))[: draw(st.integers(1, len(columns)))]
        shape = {"models": (len(models),) * 2, "tasks": (len(metrics),) * 2}
        frame = draw(frames(**shape, cells=decimals(), plain=True))
        tables[dataset] = frame.set_axis(models, axis=0).set_axis(metrics, axis=1)
    there = list(dict.fromkeys(metric for table in tables.values() for metric in table.columns))
    options = draw(declarations(there, tolerant=True))
    del options["groups"]
    return wl.Suite(tables, **options)


@st.composite
def file_instances(draw, *, contradicting=False):
    """Return instances with awkward names; unless told otherwise, the tasks' orders do not contradict each other."""
    rows, columns = draw(file_names(1, 4)), draw(file_names(1, 5))
    tables = {}
    for task in draw(file_names(1, 3)):
        models = draw(_some_of(rows, shuffled=contradicting))
        instances = draw(_some_of(columns, shuffled=contradicting))
        shape = {"models": (len(models),) * 2, "tasks": (len(instances),) * 2}
        frame = draw(frames(**shape, cells=decimals(), plain=True))
        tables[task] = pd.DataFrame(frame.to_numpy(), index=models, columns=instances, dtype=object)
    options = draw(declarations(list(tables)))
    del options["groups"]
    return wl.Instances(tables, **options)


@st.composite
def _some_of(draw, listed, *, shuffled):
    kept = [one for one in listed if draw(st.booleans())] or listed[:1]
    return draw(st.permutations(kept)) if shuffled else kept


def same_scores(one, other):
    """Tell whether two sets of instances hold the same exact scores, in whatever order."""
    return one.tasks == other.tasks and all(_by_name(one, task) == _by_name(other, task) for task in one.tasks)


def _by_name(instances, task):
    table = instances.table(task)
    return {
        (model, instance): score
        for column, instance in enumerate(table.columns)
        for model, score in zip(table.models, table.cells.column(column), strict=True)
        if score is not None
    }


__all__ = [
    "FILE_NAME",
    "FORMATS",
    "file_boards",
    "file_instances",
    "file_names",
    "file_suites",
    "names",
    "same_scores",
]


def line_names(least, most):
    """Names that a format with a line a name can hold."""
    letters = st.text(min_size=1, max_size=6).map(lambda text: " ".join(text.split())).filter(str.strip)
    plain = st.sampled_from(["a,b", "1", "# x", "a: b", "{c}", "模型", "e\u0301"])
    return st.lists(
        letters.filter(lambda name: len(name.splitlines()) == 1 and not {"\0", "\ufeff"} & set(name)) | plain,
        min_size=least,
        max_size=most,
        unique=True,
    )


COUNTS = st.integers(1, 9)


@st.composite
def voted_profiles(draw, *, models=(1, 5), weights=COUNTS):
    """Profiles as PrefLib holds them: any orders, ties and gaps, equal ones too, of whole voters."""
    listed = draw(line_names(*models))
    orders = draw(st.lists(_weak_orders(listed), min_size=1, max_size=5))
    counts = draw(st.lists(weights, min_size=len(orders), max_size=len(orders)))
    return wl.Profile.from_orders(orders, models=listed, weights=counts)


@st.composite
def _weak_orders(draw, listed):
    places = [draw(st.integers(0, len(listed))) for _ in listed]
    return [
        tuple(name for name, place in zip(listed, places, strict=True) if place == level)
        for level in sorted(set(places) - {0})
    ]
