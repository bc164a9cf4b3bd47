"""Text as Markdown shows it: names in code, where nothing is a link, a mention or markup; everything else escaped."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from weightlab._result import Frozen
from weightlab._text import shown

SPECIAL = re.compile(
    r"[\\`*_\[\]<>#!|~$&{}]|^[-+=](?=\s|=|-|$)|" + "|".join(rf"(?<=^\d{{{digits}}})[.)]" for digits in range(1, 10))
)
"""What could be markup: a backslash before any of these makes it text. The later ones begin lists and rules."""
LINKED = re.compile(
    r"@|www\.|://|mailto:|xmpp:|#\d|\bgh-\d|:[\w+-]+:|\b(?=\w*\d)(?=\w*[a-f])[\da-f]{7,40}\b", re.IGNORECASE
)
"""Text that GitHub turns into an address, a mention, an issue, a commit or a picture: only code prevents that."""
COMMON = re.compile(r"[a-z]+|[\d.,%]+")
"""Names that may as well be a word or a number of a sentence: they stand in code only where they stand alone."""
NAMES = 2000
"""Of more names those in sentences are not looked for."""


class Names(Frozen):
    """Names, for telling them from the words around them.

    Attributes
    ----------
    alone : frozenset of str
        All of them, as they are shown.
    inside : Pattern or None
        Finds them in sentences; None of very many.
    """

    alone: frozenset[str] = frozenset()
    inside: re.Pattern[str] | None = None

    @classmethod
    def of(cls, names: Iterable[str]) -> Names:
        """Return the pattern that finds names."""
        alone = frozenset(shown(name).strip() for name in names)
        apart = sorted((one for one in alone if not COMMON.fullmatch(one)), key=len, reverse=True)
        if not 0 < len(apart) <= NAMES:
            return cls(alone=alone)
        return cls(alone=alone, inside=re.compile(rf"(?<!\w)({'|'.join(map(re.escape, apart))})(?!\w)"))


NO_NAMES = Names()


def marked(text: object, names: Names = NO_NAMES) -> str:
    """Return a text of one line that Markdown shows as it is, names in code."""
    line = shown(text).strip()
    if line in names.alone:
        return code(line)
    spans: list[tuple[bool, str]] = []
    for is_code, part in _parts(line, names):
        if spans and spans[-1][0] == is_code:  # the fences of two spans side by side would be read as one
            spans[-1] = (is_code, spans[-1][1] + part)
        else:
            spans.append((is_code, part))
    return "".join(code(part) if is_code else SPECIAL.sub(r"\\\g<0>", part) for is_code, part in spans)


def _parts(line: str, names: Names) -> Iterator[tuple[bool, str]]:
    """Yield the parts of a line, and whether each is code: a name, or a word that would be a link."""
    for place, part in enumerate([line] if names.inside is None else names.inside.split(line)):
        if place % 2:
            yield True, part
        else:
            yield from ((LINKED.search(word) is not None, word) for word in re.split(r"( +)", part) if word)


def code(text: str) -> str:
    """Return text as code; its bars, which would end the cell of a table, are put between spans."""
    return r"\|".join(map(_span, text.split("|")))


def fenced(text: str, language: str = "console") -> str:
    """Return text as a block of code, within a fence that is longer than any in it."""
    fence = "`" * max(3, _longest(text) + 1)
    return f"{fence}{language}\n{text}\n{fence}"


def _span(text: str) -> str:
    if not text.strip():
        return text
    fence = "`" * (_longest(text) + 1)
    # Readers strip a blank at both ends, so one is added where it matters.
    room = " " if "`" in {text[0], text[-1]} or (text[0] == text[-1] == " ") else ""
    return f"{fence}{room}{text}{room}{fence}"


def _longest(text: str) -> int:
    """Return the longest run of backticks."""
    return max((len(run) for run in re.findall(r"`+", text)), default=0)
