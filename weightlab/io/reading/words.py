"""Words in the headers of tables, and what they say of a column; they stand in ``words.csv`` with a header of each."""

from __future__ import annotations

import csv
import re
from functools import cache
from pathlib import Path

from weightlab._result import Frozen
from weightlab.io.tables.columns import cleaned

SIGNS = {"#", "$", "±"}
"""What counts as a word though it holds no letter."""
ALL = "all"
"""A total only as a whole header."""
WEAK_TOTALS = frozenset({"score", "index", "sum", "median", "macro", "micro"})
"""Words for a total only of columns near the mean of the others, where one column alone holds them."""
INSTANCES = frozenset({"case", "example", "instance", "item", "problem", "prompt", "query", "question", "sample"})
FEWEST_INSTANCES = 5
"""Last words of headers of instances of a data set, before any ``id``, and how many it has on average, at least."""
NAMING = frozenset({"alias", "display", "label", "name", "title"})
"""Words behind what is named."""
NEVER_AFTER_A_BLANK = {"n", "h", "map"}
"""Words that end a name only after ``_`` or a point: ``CB n`` is not a count."""
_INSIDE = re.compile(r"[\[(][^\[\]()]*+[\])]")
_MATHEMATICS = re.compile(r"\$[^$]*\$")
_PIECE = re.compile(r"[^\W_]+")
_CODE = re.compile(r"\d++[A-Z][A-Z\d]*+")
"""Signs such as 2KWH, in which no word stands."""
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\d_A-Za-z]+")


class Lexicon(Frozen):
    """The words by what they say, longest first, those that only count at the end, and all of them."""

    roles: dict[str, tuple[str, ...]]
    ends: frozenset[str]
    every: frozenset[str]


class Hit(Frozen, eq=True):
    """A word in a name.

    Attributes
    ----------
    word : str
        As the list has it.
    at : {"whole", "first", "last", ""}
        Where it stands, brackets apart.
    """

    word: str
    at: str


@cache
def lexicon() -> Lexicon:
    """Return the words of the list."""
    roles: dict[str, set[str]] = {}
    ends: set[str] = set()
    with Path(__file__).with_name("words.csv").open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            for role in (row["role"], *(["veto"] if row["veto"] else [])):
                roles.setdefault(role, set()).add(row["word"])
            if row["ends_only"]:
                ends.add(row["word"])
    longest = {
        role: tuple(sorted(words, key=lambda one: (one in WEAK_TOTALS, -len(one), one)))
        for role, words in roles.items()
    }
    single = frozenset(word for words in roles.values() for word in words)
    return Lexicon(roles=longest, ends=frozenset(ends), every=single)


@cache
def words_of(name: str) -> tuple[str, ...]:
    """Return the words of a header in small letters: those of the list whole, others parted at changes of case."""
    known, parts = lexicon().every, []
    for piece in _PIECE.findall(cleaned(name)):
        small = piece.casefold()
        parts += (
            [small]
            if _known(small, known) or _CODE.fullmatch(piece)
            else [one.casefold() for one in _PART.findall(piece)]
        )
    return tuple(_known(part, known) or part for part in parts)


def _known(word: str, known: frozenset[str]) -> str:
    """Return the word of the list, also for its plural; an empty text if there is none."""
    if word in known:
        return word
    return word[:-1] if len(word) > 4 and word.endswith("s") and word[:-1] in known else ""


def without_mathematics(name: str) -> str:
    """Return a header without its parts between dollar signs, which are LaTeX symbols, not prices."""
    return _MATHEMATICS.sub("", name)


def bare(name: str) -> str:
    """Return a header without its parts in brackets."""
    return _INSIDE.sub(" ", cleaned(name))


@cache
def hit(name: str, role: str) -> Hit | None:
    """Return the word in a header that says it has a role, and where it stands; None where none does."""
    small, parts, core = cleaned(name).casefold(), words_of(name), words_of(bare(name))
    small = without_mathematics(small)
    if role == "count" and small.startswith("n_"):
        measured = any((its := hit(name, one)) and its.at == "last" for one in ("lower", "higher", "success"))
        return None if measured else Hit(word="n_", at="whole")
    for sign in SIGNS.intersection(lexicon().roles.get(role, ())):
        if sign in small and (sign != "#" or small == "#"):
            return Hit(word=sign, at="whole" if sign == small else "last")
        if sign == "#" and small.startswith("#") and small[1:].strip().isalpha():
            return Hit(word=sign, at="first")
    begun = _begun(role)
    for _, word, want in sorted(one for part in {*parts} for one in begun.get(part, ())):
        size = len(want)
        if not any(parts[at : at + size] == want for at in range(len(parts) - size + 1)):
            continue
        if word in lexicon().ends and not (_ends(small, bare(name).casefold().rstrip(), word) or _caps(name, word)):
            continue
        first, last = _first_or_last(core, want, role)
        if role == "aggregate" and not (first or last):
            continue  # inside a name or in brackets it is part of a metric, as in NRMSE[mean]
        whole = first and len(core) == size
        if word == ALL and not whole:
            continue  # FaceAll is a data set
        return Hit(word=word, at="whole" if whole else "first" if first else "last" if last else "")
    return None


def _first_or_last(core: tuple[str, ...], want: tuple[str, ...], role: str) -> tuple[bool, bool]:
    """Return whether a word stands first and last in a header; of a direction, what is behind may be a statistic."""
    first, last = core[: len(want)] == want, core[-len(want) :] == want
    if role in {"lower", "higher"} and not last and _without_statistic(core)[-len(want) :] == want:
        return False, True  # loss_mean is a loss
    return first, last


def _without_statistic(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return the words of a header without those behind them that say what was made of several values."""
    known, most = lexicon().roles["statistic"], len(words)
    while most > 1 and words[most - 1] in known:
        most -= 1
    return words[:most]


@cache
def _begun(role: str) -> dict[str, list[tuple[int, str, tuple[str, ...]]]]:
    """Return the words that say so by their first part, with their places in the list."""
    found: dict[str, list[tuple[int, str, tuple[str, ...]]]] = {}
    for at, word in enumerate(lexicon().roles.get(role, ())):
        if want := words_of(word):
            found.setdefault(want[0], []).append((at, word, want))
    return found


def _ends(small: str, core: str, word: str) -> bool:
    """Return whether a short word is the whole header, its last part, or in brackets."""
    before = r"(^|[_.])" if word in NEVER_AFTER_A_BLANK else r"(^|[_./\s])"
    last = re.search(before + re.escape(word) + r"\s*$", core)
    return bool(small == word or last or re.search(r"[(\[]" + re.escape(word) + r"[)\]]", small))


def _caps(name: str, word: str) -> bool:
    """Return whether a short word with a capital of its own ends a header, as in TeamId."""
    core = bare(name).rstrip()
    return len(word) > 1 and core.endswith((word.capitalize(), word.upper())) and core[: -len(word)][-1:].islower()


def names_instances(name: str) -> bool:
    """Return whether a header is that of instances, such as questions, and not the number of a data set."""
    words = words_of(name)
    what = words[-2:-1] if words[-1:] == ("id",) else words[-1:]
    return bool(INSTANCES & {*what}) or (words[-1:] == ("id",) and not is_called(name, "data set column"))


def is_called(name: str, role: str) -> bool:
    """Return whether a header is a word of the list and nothing else, apart from its spelling."""
    known, words = lexicon().roles.get(role, ()), words_of(name)
    if role == "key" and len(words) > 1 and words[-1] in NAMING:
        words = words[:-1]  # the display of a model, the label of a method
    return " ".join(words) in known or cleaned(name).casefold().replace("_", " ") in known
