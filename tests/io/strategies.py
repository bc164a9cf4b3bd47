"""Hypothesis strategies: tables that a file must carry without a change."""

from __future__ import annotations

from functools import cache

from hypothesis import strategies as st

import weightlab as wl
from tests.dice import DICE
from tests.strategies import ANY_NAME, AWKWARD_NAMES, decimal_of, declarations_of, filled_frame, names_of
from weightlab.io.tables.columns import plain_name

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


FILE_TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=2, max_size=48)


def file_names_of(dice, text, *numbers):
    """Return so many distinct names, many of which a careless writer would garble."""
    made = [plain_name(one) for one in names_of(dice, numbers, text, awkward=AWKWARD_NAMES + NAMES_OF_FILES)]
    return [one if one.strip() and one not in made[:at] else f"n{at}" for at, one in enumerate(made)]


@cache
def file_names(least, most):
    """Return lists of distinct names, many of which a careless writer would garble."""
    return st.builds(lambda dice, text: file_names_of(dice, text, least, most), DICE, FILE_TEXT)


def file_boards(*, cells=decimal_of, models=(2, 5), tasks=(1, 4)):
    """Return leaderboards with awkward names, scores of many digits, gaps and declarations of all kinds."""

    def board(dice, text):
        rows, columns = file_names_of(dice, text, *models), file_names_of(dice, text, *tasks)
        frame = filled_frame(dice, rows, columns, cells=cells)
        return wl.Leaderboard(frame, **declarations_of(dice, columns, tolerant=True))

    return st.builds(board, DICE, FILE_TEXT)


def file_suites():
    """Return suites with awkward names, scores of many digits, gaps and declarations of all kinds."""

    def suite(dice, text):
        rows, columns, tables = file_names_of(dice, text, 2, 4), file_names_of(dice, text, 1, 3), {}
        for dataset in file_names_of(dice, text, 1, 3):
            models = dice.shuffled(rows)[: dice.between(2, len(rows))]
            metrics = dice.shuffled(columns)[: dice.between(1, len(columns))]
            tables[dataset] = filled_frame(dice, models, metrics, cells=decimal_of)
        there = list(dict.fromkeys(metric for table in tables.values() for metric in table.columns))
        options = declarations_of(dice, there, tolerant=True)
        del options["groups"]
        return wl.Suite(tables, **options)

    return st.builds(suite, DICE, FILE_TEXT)


def file_instances(*, contradicting=False):
    """Return instances with awkward names; unless told otherwise, the tasks' orders do not contradict each other."""

    def some_of(dice, listed):
        kept = dice.some_of(listed) or listed[:1]
        return dice.shuffled(kept) if contradicting else kept

    def instances(dice, text):
        rows, columns = file_names_of(dice, text, 1, 4), file_names_of(dice, text, 1, 5)
        tables = {
            task: filled_frame(dice, some_of(dice, rows), some_of(dice, columns), cells=decimal_of)
            for task in file_names_of(dice, text, 1, 3)
        }
        options = declarations_of(dice, list(tables))
        del options["groups"]
        return wl.Instances(tables, **options)

    return st.builds(instances, DICE, FILE_TEXT)


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


def voted_profiles(*, models=(1, 5), weights=range(1, 10)):
    """Profiles as PrefLib holds them: any orders, ties and gaps, equal ones too, of whole voters."""

    def profile(dice, listed):
        orders = [_weak_order(dice, listed) for _ in range(dice.between(1, 5))]
        return wl.Profile.from_orders(orders, models=listed, weights=dice.many_of(weights, len(orders)))

    return st.builds(profile, DICE, line_names(*models))


def _weak_order(dice, listed):
    places = [dice.between(0, len(listed)) for _ in listed]
    return [
        tuple(name for name, place in zip(listed, places, strict=True) if place == level)
        for level in sorted(set(places) - {0})
    ]
