"""Which way a table stands: what names its rows, whether rows are tasks, whether it has a row per score."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from weightlab.io.reading.drafts import Draft
from weightlab.io.reading.words import hit, is_called, words_of
from weightlab.io.tables.columns import RUNS
from weightlab.io.tables.heads import KEYS

_NO_NAME = re.compile(r"[\d.]*\s*[kKMGTB]?|https?:.*", re.ASCII)
"""Sizes such as 28M, and links: these name nothing."""
_SIZE = re.compile(r"(?<![\w.])\d+(?:\.\d+)?[MBb](?![\w.])|\((?:single|ensemble|zero-?shot|few-?shot)\)")
"""Parts of names of models: their sizes, and how they were used."""
FILES = (
    *(".csv", ".json", ".cnf", ".wcnf", ".opb", ".qdimacs", ".aag", ".aig", ".blif", ".smt2", ".pddl", ".xml", ".txt"),
    *(".mps", ".lp", ".mtx", ".tsp", ".vrp", ".graph", ".gr", ".col", ".dat", ".png", ".jpg", ".wav", ".mp4", ".pdf"),
)
"""How names of files end that hold what is solved or looked at; those of weights, such as .pt and .gguf, are models."""
CALLED = 10
"""How columns that are called as names of models rank, after the best headers."""
LONGEST = 120
"""Characters of a name; a column of longer texts names nothing, unless it is called so."""
MOST_TRIED = 6
"""Columns of text that are tried to tell rows apart, in twos and threes."""


def pick_key(drafts: Sequence[Draft]) -> tuple[list[Draft], bool]:
    """Return the columns that name the rows, and whether they tell them apart.

    A column that tells rows apart by itself comes before one that does not, whatever it is called; otherwise the fewest
    columns of text that do are joined.
    """
    texts = [one for one in drafts if one.role == "text" and _names(one)]
    texts += [one for one in drafts if one.role != "text" and one.place == 0 and " ".join(words_of(one.name)) in KEYS]
    texts.sort(key=_rank)
    if not texts:
        return [], False
    alone = next((one for one in texts if _rank(one)[0] <= CALLED and is_unique([one])), None)
    if alone is not None:
        return [alone], True
    counts = [len({*one.cells}) for one in texts]
    settings = [one for one in drafts if _is_setting(one)] if 3 * counts[0] < 2 * len(texts[0].cells) else []
    for others in (texts[1:MOST_TRIED], [*texts[1:MOST_TRIED], *settings[:MOST_TRIED]]):
        for more in (
            [],
            *([one] for one in others),
            *([one, two] for at, one in enumerate(others) for two in others[at + 1 :]),
        ):
            if is_unique([texts[0], *more]):
                return sorted([texts[0], *more], key=lambda one: one.place), True
    known = [at for at, one in enumerate(texts) if _rank(one)[0] < CALLED] or [*range(len(texts))]
    most = max(known, key=lambda at: counts[at])
    return [texts[0] if 2 * counts[0] >= counts[most] else texts[most]], False


def _is_setting(draft: Draft) -> bool:
    """Return whether a column of numbers says how a model was run, as ``k`` or ``Run`` does."""
    named = draft.name.strip().casefold()
    said = hit(draft.name, "fact") or hit(draft.name, "count") or (len(named) == 1 and named not in {"x", "y", "z"})
    return bool(draft.role == "" and draft.numeric and draft.whole and said and named not in RUNS)


def _names(draft: Draft) -> bool:
    cells = {one for one in draft.cells if one}
    called = " ".join(words_of(draft.name)) in KEYS
    named = called or (len(cells) > 1 and not is_prose(draft))
    return bool(cells) and named and not all(map(_NO_NAME.fullmatch, cells))


def is_prose(draft: Draft) -> bool:
    """Return whether most cells are longer than names are: questions, answers, descriptions."""
    cells = {one for one in draft.cells if one}
    return sum(len(one) > LONGEST for one in cells) * 2 > len(cells)


def _rank(draft: Draft) -> tuple[int, int]:
    """Return how well a header names models."""
    joined = " ".join(words_of(draft.name))
    last = draft.name.rsplit(".", 1)[-1].casefold()
    if joined in KEYS or last in KEYS:
        return KEYS.index(joined if joined in KEYS else last), draft.place
    if is_called(draft.name, "key") or set(joined.split()) & set(KEYS):
        return CALLED, draft.place
    return (CALLED + 1 if not draft.name else CALLED + 2), draft.place


def is_unique(drafts: Sequence[Draft]) -> bool:
    """Return whether some columns tell all rows apart."""
    keys = np.zeros(len(drafts[0].codes), dtype=np.int64)
    for draft in drafts:
        cells = draft.cells
        known: dict[str, int] = {}
        keys = np.unique(
            keys * (len(cells) + 1) + [known.setdefault(one, len(known)) for one in cells], return_inverse=True
        )[1]
    return len(np.unique(keys)) == len(keys)


def why_turned(drafts: Sequence[Draft]) -> str:
    """Return why rows are likely tasks; nothing where they are not."""
    numeric = [one for one in drafts if one.numeric]
    texts = [one for one in drafts if not one.numeric]
    if not numeric or not texts:
        return ""
    first, heads = texts[0], [one.name for one in numeric]
    directed = sum(bool(hit(one, "lower") or hit(one, "higher")) for one in heads) >= len(heads) / 2
    keyed = any(is_called(one.name, "key") for one in texts)
    summed = any((its := hit(one, "aggregate")) and its.at for one in heads)  # of the columns next to it
    if first.place == 0 and is_called(first.name, "rows are tasks") and not directed and not keyed and not summed:
        return f"the first column is {first.name}"
    names = [one for one in first.cells if one]
    if names and np.mean([one.casefold().endswith(FILES) for one in names]) > 0.5:
        return "rows are files"
    known = sum(is_called(re.sub(r"[\W_]", "", one), "data set name") for one in names)
    if known > max(1, len(names) // 5) and not keyed:
        return "rows are named like data sets"
    algorithms = sum(hit(one, "algorithm") is not None or bool(_SIZE.search(one)) for one in heads)
    sets = names and np.mean([hit(one, "data set") is not None for one in names]) > 0.5
    if not directed and (algorithms >= max(2, 0.2 * len(heads)) or (algorithms and sets)):
        return "headers look like algorithms"
    return ""


def why_model_first(drafts: Sequence[Draft]) -> str:
    """Return why the names of objects are likely those of models and the names in them those of tasks; else nothing."""
    inside = [one for one in drafts[0].cells if one] if drafts else []
    outside = [one.name for one in drafts[1:]]
    if not inside or not outside:
        return ""
    likeness = [float(np.mean([is_of_a_task(name) for name in names])) for names in (inside, outside)]
    return "the names in the objects are of tasks" if likeness[0] > likeness[1] else ""


def is_of_a_task(name: str) -> bool:
    """Return whether a name is that of a metric, a data set, or a pair of languages."""
    parts = name.split("-")
    languages = len(parts) == 2 and all(len(one) in {2, 3} and one.isalpha() and one.islower() for one in parts)
    roles = ("lower", "higher", "data set name", "data set")
    return languages or any(hit(name, role) for role in roles) or is_called(name, "data set name")
