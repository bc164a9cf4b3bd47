r"""Tables in LaTeX: rows of cells between ``&`` and ``\\``, as published tables are; no macro is run."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from weightlab._result import Frozen
from weightlab.exceptions import FileFormatError
from weightlab.io.tables.pages import MOST_CELLS, Cell, Found, table_of

DEEPEST = 100
"""Braces and environments inside others that are read."""
ENVIRONMENTS = {"tabular": 1, "tabular*": 2, "tabularx": 2, "tabulary": 2, "longtable": 1, "tblr": 1, "longtblr": 1}
"""Environments that are tables, and the arguments of each."""
_BEGIN = re.compile(r"\\begin\s*+\{(" + "|".join(map(re.escape, ENVIRONMENTS)) + r")\}")
_COMMENT = re.compile(r"(?<!\\)((?:\\\\)*+)%[^\n]*+")
_TOKEN = re.compile(r"\\([a-zA-Z]++)\*?\s*+|\\(.)|([{}$~&^_])|[^\\{}$~&^_]++", re.DOTALL)
_RULES = re.compile(
    r"\\(?:hline|hhline|toprule|midrule|bottomrule|cmidrule|cline|addlinespace|specialrule|rowcolor|arrayrulecolor|"
    r"noalign|morecmidrules|endfirsthead|endhead|endfoot|endlastfoot|pagebreak|nopagebreak|cdashline|hdashline)"
    r"(?![a-zA-Z])\s*+(?:\([^()]*+\)|\[[^\[\]]*+\]|\{[^{}]*+\})*+"
)
"""Separators between rows."""
_PADDING = re.compile(r"[b-df-hj-np-tv-z]{1,3}")
"""Names of papers' own commands for the width of a digit, which appear next to numbers: ``\\pz``."""
_HEAD_ENDS = re.compile(r"\\(?:toprule|midrule|hline|endfirsthead|endhead)(?![a-zA-Z])")


def _words(text: str) -> dict[str, str]:
    """Return words with the text after each equals sign."""
    return {word: value for word, _, value in (one.partition("=") for one in text.split())}


DROPPED = _words(
    "cite citep citet citealp citeauthor footnote footnotemark label ref cref cellcolor color vspace hspace phantom "
    "hphantom vphantom hspace* tnote rule thanks caption fontsize setlength includegraphics begin end columncolor "
    "arrayrulewidth"
)
"""Commands removed together with all their arguments."""
LAST = dict.fromkeys(_words("textcolor colorbox rotatebox href parbox scalebox raisebox adjustbox"), 2)
LAST |= {"rowcolor": 1, **dict.fromkeys(_words("multicolumn multirow fcolorbox resizebox resizebox*"), 3)}
"""Commands of whose arguments the last is the text."""
SIGNS = _words(
    "uparrow=\u2191 textuparrow=\u2191 Uparrow=\u2191 downarrow=\u2193 textdownarrow=\u2193 Downarrow=\u2193 "
    "rightarrow=\u2192 times=\u00d7 checkmark=\u2713 dagger=\u2020 ddagger=\u2021 infty=\u221e ldots=... dots=... "
    "cdot=\u00b7 textbackslash=\\ textasciitilde=~ ss=\u00df star=* ast=* percent=% textendash=- o=\u00f8 O=\u00d8 "
    "aa=\u00e5 ae=\u00e6 l=\u0142 sim=~ approx=\u2248 simeq=\u2248"
)
SIGNS |= dict.fromkeys(("pm", "textpm"), " \u00b1 ")
GREEK = "alpha beta gamma delta epsilon zeta eta theta kappa lambda mu nu xi pi rho sigma tau phi chi psi omega"
SIGNS |= {word: unicodedata.lookup(f"GREEK SMALL LETTER {word.replace('lambda', 'lamda')}") for word in GREEK.split()}
SWITCHES = _words(
    "bf it em tt sc rm sf small tiny scriptsize footnotesize normalsize bfseries itshape ttfamily scshape centering "
    "raggedright raggedleft large arraybackslash boldmath displaystyle textstyle quad qquad hfill par newline "
    "linebreak left right protect relax space enspace thinspace strut smaller noindent"
)
"""Commands without a text."""
ACCENTS = _words(
    "'=\u0301 `=\u0300 \"=\u0308 ^=\u0302 ~=\u0303 .=\u0307 c=\u0327 v=\u030c u=\u0306 H=\u030b k=\u0328 r=\u030a"
)
ACCENTS["="] = "\u0304"


class Line(Frozen):
    """A row of a table: where it begins, its cells as written, and the text before it."""

    line: int
    cells: list[str]
    before: str


def latex_tables(text: str, name: str) -> list[Found]:
    r"""Return the tables of a LaTeX file, each called by its caption.

    Header rows are those above the first rule below a row, or the first row; those that span columns are joined with
    the cells below. Marks, colours, citations and mathematics are removed, so that ``\textbf{93.1}$_{\pm 0.2}$`` is
    ``93.1 ± 0.2``. A cell that spans rows appears in all of them.

    Raises
    ------
    FileFormatError
        If braces or tables are too deep, or a table does not end.
    """
    plain = _COMMENT.sub(r"\1", text)
    _check_depth(plain, name)
    made: list[Found] = []
    end = 0
    for found in _BEGIN.finditer(plain):
        if found.start() < end:
            continue  # inside another
        line = plain.count("\n", 0, found.start()) + 1
        begin = _arguments(plain, found.end(), ENVIRONMENTS[found[1]])[1]
        end = _end(plain, begin, found[1])
        if end < 0:
            raise FileFormatError(name, f"line {line}: \\begin{{{found[1]}}} is not ended")
        rows = _without_repeats([*_rows(plain[begin:end], plain.count("\n", 0, begin) + 1)])
        cells = _cells(rows, name)
        if table := table_of(line, _caption(plain, found.start(), end), cells):
            made.append(table)
    if not end and "&" in plain and r"\\" in plain:  # rows that another file puts between \begin and \end
        made = [one for one in [table_of(1, "", _cells(_without_repeats([*_rows(plain, 1)]), name))] if one]
    return made


def _check_depth(text: str, name: str) -> None:
    depth = 0
    for one in re.finditer(r"\\.|[{}]", text, re.DOTALL):
        depth += (one[0] == "{") - (one[0] == "}")
        if depth > DEEPEST:
            line = text.count("\n", 0, one.start()) + 1
            raise FileFormatError(name, f"line {line}: more than {DEEPEST} braces inside others")


def _end(text: str, begin: int, kind: str) -> int:
    """Return where an environment ends; -1 where it does not."""
    depth = 1
    for one in re.compile(r"\\(begin|end)\s*+\{" + re.escape(kind) + r"\}").finditer(text, begin):
        depth += 1 if one[1] == "begin" else -1
        if depth == 0:
            return one.start()
    return -1


def _caption(text: str, begin: int, end: int) -> str:
    """Return the caption of the float around a table; empty if absent."""
    above = max(text.rfind(r"\begin{table", 0, begin), text.rfind(r"\end{table", 0, begin), 0)
    below = text.find(r"\end{table", end)
    float_ = text[above : below if below >= 0 else end]
    found = re.search(r"\\caption\*?\s*+(?:\[[^\]]*+\]\s*+)?(?=\{)", float_)
    return "" if found is None else _plain(_argument(float_, found.end())[0])


def _rows(body: str, line: int) -> Iterator[Line]:
    """Yield the rows of a table, each with the rules before it."""
    start, depth, inside, begun = 0, 0, 0, 0
    cells: list[str] = []
    for token in _TOKEN.finditer(body):
        word, sign, mark = token[1], token[2], token[3]
        depth += (mark == "{") - (mark == "}")
        inside += (word == "begin") - (word == "end")
        if depth == 0 and inside == 0 and mark == "&":
            cells.append(body[start : token.start()])
            start = token.end()
        elif (depth == 0 and inside == 0 and sign == "\\") or word == "tabularnewline":
            cells.append(body[start : token.start()])
            first = _NEXT.match(body, begun)
            here = begun if first is None else first.end()
            line += body.count("\n", begun, here)
            yield _row(cells, line)
            cells, start = [], _SKIPPED.match(body, token.end()).end()  # type: ignore[union-attr]
            line += body.count("\n", here, start)
            begun = start
    rest = [*cells, body[start:]]
    if any(_RULES.sub("", one).strip() for one in rest) or rest[0].strip():
        yield _row(rest, line)


_NEXT = re.compile(r"\s*+")
_SKIPPED = re.compile(r"(?:\s*+\*)?(?:\s*+\[[^\]]*+\])?")
"""What a row may end with: a star, and the space below it."""


def _row(cells: list[str], line: int) -> Line:
    before = "".join(one[0] for one in _RULES.finditer(cells[0]))
    return Line(line=line, cells=[_RULES.sub("", one).strip() for one in cells], before=before)


def _without_repeats(rows: list[Line]) -> list[Line]:
    r"""Return rows without those that a long table shows on each page: heads and feet after the first head."""
    names = ("endfirsthead", "endhead", "endfoot", "endlastfoot")
    marks = {mark: at for mark in names for at, row in enumerate(rows) if f"\\{mark}" in row.before}
    if not marks:
        return rows
    head = marks.get("endfirsthead", marks.get("endhead", 0))
    return [*rows[:head], *rows[max(marks.values()) :]]


def _cells(rows: list[Line], name: str) -> dict[int, list[Cell]]:
    """Return the cells of rows by line; those that span rows stand in all of them."""
    filled = [row for row in rows if any(map(_plain, row.cells))]
    while len(filled) > 1 and len(filled[0].cells) == 1 < len(filled[-1].cells):
        filled.pop(0)  # a title above the header
    first_rule = next((at for at, row in enumerate(filled) if at and _HEAD_ENDS.search(row.before)), 1)
    made: dict[int, list[Cell]] = {}
    below: dict[int, tuple[int, str]] = {}
    count = 0
    for at, row in enumerate(filled):
        cells: list[Cell] = []
        place = 0
        for written in row.cells:
            across, down, text = _span(written)
            count += across
            if count > MOST_CELLS:
                raise FileFormatError(name, f"the cells of a table span more than {MOST_CELLS:,} places")
            more, above = below.pop(place, (0, ""))
            if not text and more:
                text, down = above, more
            if down > 1 and text:
                below[place] = (down - 1, text)
            cells.append(Cell(text=text, across=across, down=1, heads=at < first_rule))
            place += across
        line = row.line
        while line in made:
            line += 1
        made[line] = cells
    return made


def _span(written: str) -> tuple[int, int, str]:
    """Return how many columns and rows a cell spans, and its text."""
    across = down = 1
    if found := re.search(r"\\multicolumn\s*+\{\s*+(\d{1,3})\s*+\}", written):
        across = max(1, int(found[1]))
    if found := re.search(r"\\multirow\s*+(?:\[[^\]]*+\]\s*+)?\{\s*+(-?\d{1,3})\s*+\}", written):
        down = max(1, int(found[1]))
    return across, down, _plain(written)


def _argument(text: str, at: int) -> tuple[str, int]:
    """Return an argument in braces, or the character or command there, and where it ends."""
    while at < len(text) and text[at].isspace():
        at += 1
    if at >= len(text) or text[at] != "{":
        found = _TOKEN.match(text, at)
        size = 1 if found is None or found[0][0] != "\\" else len(found[0])
        return text[at : at + size], min(at + size, len(text))
    depth = 0
    for one in re.compile(r"\\.|[{}]", re.DOTALL).finditer(text, at):
        depth += (one[0] == "{") - (one[0] == "}")
        if depth == 0:
            return text[at + 1 : one.start()], one.end()
    return text[at + 1 :], len(text)


def _arguments(text: str, at: int, most: int) -> tuple[list[str], int]:
    """Return at most ``most`` arguments in braces, and where they end; skip those in brackets."""
    found: list[str] = []
    while True:
        rest = re.compile(r"\s*+(?:(\[)|(\{))").match(text, at)
        if rest is None or (rest[2] and len(found) == most):
            return found, at
        if rest[1]:
            end = text.find("]", rest.end())
            if end < 0:
                return found, at
            at = end + 1
            continue
        argument, at = _argument(text, at)
        found.append(argument)


def _plain(text: str) -> str:
    """Return the text of a cell, without commands, marks and mathematics."""
    made: list[str] = []
    at = 0
    while at < len(text):
        token = _TOKEN.match(text, at)
        if token is None:
            break
        at = token.end()
        word, sign, mark = token[1], token[2], token[3]
        if word is not None:
            told, at = _command(word, text, at)
            beside = "".join(made)[-1:].isdigit() or text[at : at + 1].isdigit()
            made.append("" if told == word and beside and _PADDING.fullmatch(word) else told)
        elif sign is not None:
            if sign in ACCENTS and text[at : at + 1].strip():
                letter, at = _argument(text, at)
                made.append(unicodedata.normalize("NFC", _plain(letter)[:1] + ACCENTS[sign] + _plain(letter)[1:]))
            else:
                made.append(" " if sign in {"\\", ",", ";", ":", " ", "\n", "/"} else "" if sign in "!-()[]" else sign)
        elif mark in {"^", "_"}:
            inner, at = _argument(text, at)
            made.append(_raised(mark, _plain(inner)))
        elif mark == "{":
            inner, at = _argument(text, token.start())
            made.append(_plain(inner))
        elif mark is None:
            made.append(token[0])
        else:
            made.append(" " if mark in "~&" else "")
    joined = " ".join("".join(made).split())
    return re.sub(r"^-{2,3}$", "-", joined)


def _raised(mark: str, text: str) -> str:
    """Return a superscript or subscript: a spread after the score, symbols and letters unchanged."""
    return f" {text}" if text.startswith("±") else text if mark == "^" or not text[:1].isalnum() else f"_{text}"


def _command(word: str, text: str, at: int) -> tuple[str, int]:
    """Return the visible text of a command, and where its arguments end."""
    if word in SIGNS:
        return SIGNS[word], at
    if word in SWITCHES:
        return " ", at
    if word in ACCENTS and text[at : at + 1] in {"{", *"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"}:
        letter, at = _argument(text, at)
        return unicodedata.normalize("NFC", letter[:1] + ACCENTS[word] + letter[1:]), at
    given, at = _arguments(text, at, 9 if word in DROPPED else LAST.get(word, 1))
    if word in DROPPED:
        return "", at
    return (_plain(given[-1]) if any(given) else word), at
