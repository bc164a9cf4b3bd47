"""Phrases that weightlab does not use occur in no sentence of the package, in no page and in nothing that is printed.

Single words that are names in code or values in documents (`strict`, the role ``nobody`` of a mark) are literals of one
word, and exempt; so is the glossary, which says what they mean, and the changelog, which is history.
"""

from __future__ import annotations

import ast
import re
from functools import cache
from itertools import groupby
from pathlib import Path

import pytest

from tests.architecture import nodes_of
from weightlab.cli import run
from weightlab.cli.app import COMMANDS

ROOT = Path(__file__).parent.parent.parent
PACKAGE = ROOT / "weightlab"
PAGES = sorted({ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")})
EXEMPT = {ROOT / "docs" / "explanation" / "glossary.md"}
REFUSED = [
    r"runs? in (?:no|a) circle",
    r"\bduels? won\b(?! and| of)",
    r"\b(?:is|are|draws?|drawn|ranked|tasks?|models?) level (?:with|today|there)",
    r"\bdraws? level\b",
    r"\bnobody\b",
    r"\beverybody\b",
    r"\bsomebody\b",
    r"neighbouring (?:pairs?|models?)",
    r"(?:tasks|instances|scores) (?:are )?drawn anew",
    r"cannot be told from",
    r"can be told from",
    r"smallest lead(?: at best| is at best)",
    r"best possible smallest lead (?:is|in)\b(?! \{)",
    r"\bas (?:near|close|large|small|little|tightly|many)(?: to .{1,40})? as one likes",
    r"by as little as one likes",
    r"rests? on HiGHS",
    r"ends of ranges rest",
    r"least largest weight",
    r"largest weight least",
    r"no (?:winning|such) weighting keeps every task below",
    r"fewest tasks it takes",
    r"cell without its score",
    r"under what share of all weightings",
    r"that it is not is because",
    r"dominated by nobody",
    r"strict Condorcet winner",
    r"can (?:at best tie a rival|tie every rival but never)",
    r"how much each task must and may weigh",
    r"what of the papers",
    r"--json has them",
    r"weight(?:s|ings?)? that wins? outright",
    r"(?<=[0-9}]) %(?![ ]*[0-9(\[{]| [a-z]+[\])])",
]
PRINTED = [
    *REFUSED,
    r"(?<![\w.,/+-])[0-9]{5,}(?![\w.,/])",  # thousands without a comma
    r"(?<![\w.])[0-9]+/[0-9]{3,}(?![\w.])",  # fractions that no one reads
]
ASKED = [
    ["win", "--samples", "200"],
    ["win", "--all", "--details", "--samples", "200"],
    ["win", "-m", "AdaBoost"],
    ["win", "-m", "LDA", "--quick", "--details"],
    ["nearest", "-m", "SVC", "--objective", "most-balanced"],
    ["improve", "-m", "LDA", "--tasks", "@speed"],
    ["region", "-m", "SVC", "--tasks", "accuracy/iris,accuracy/wine,accuracy/digits"],
    ["map", "--axis", "@accuracy", "--axis", "@robustness", "--axis", "@speed"],
    ["rank", "--rule", "borda"],
    ["compare"],
    ["graph"],
    ["duels"],
    ["stability"],
    ["robustness", "--rule", "borda"],
    ["paired", "-m", "SVC", "-m", "MLP"],
    ["disagreement", "--rule", "mean", "--rule", "borda"],
    ["changes", "--rule", "borda"],
    ["study", "bootstrap", "--repeats", "50"],
    ["audit", "--models", "SVC,LDA,QDA,MLP", "--metrics", "accuracy,log_loss,fit_time"],
]


def breaches(text, refused=REFUSED):
    """Return what in a text is refused, wherever its lines are broken."""
    flat = re.sub(r"\s+", " ", text)
    folded = flat.lower()
    looked_for = [one for one in refused if needed(one) in folded]
    return [match[0] for one in looked_for for match in re.finditer(one, flat, re.IGNORECASE)]


@cache
def needed(pattern):
    """Return the longest stretch of letters that every match of a pattern has: text without it needs no search."""
    runs = groupby(re._parser.parse(pattern), key=lambda part: part[0] is re._constants.LITERAL)
    found = ["".join(chr(value) for _, value in run) for is_literal, run in runs if is_literal]
    return max(found, key=len, default="").lower()


def sentences(source):
    """Return all texts of a module that hold more than one word: literals, f-strings as a whole, public docstrings."""
    nodes = nodes_of(source)
    private, inside, found = set(), set(), []
    for node in nodes:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name.startswith("_") and node.name[:2] != "__":
            private |= {id(one) for one in ast.walk(node) if isinstance(one, ast.Expr)}
        if isinstance(node, ast.JoinedStr):
            inside |= {id(one) for one in ast.walk(node) if one is not node}
            found.append("".join(one.value if isinstance(one, ast.Constant) else "{}" for one in node.values))
    quiet = {id(node.value) for node in nodes if id(node) in private}
    literals = [node for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    found += [node.value for node in literals if id(node) not in inside | quiet]
    return [text for text in found if " " in text]


@pytest.mark.parametrize("path", sorted(PACKAGE.rglob("*.py")), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_no_sentence_of_the_package_uses_a_refused_phrase(path):
    texts = sentences(path.read_text(encoding="utf-8"))
    # A phrase of one text is one of all together: only where these have one is each looked at.
    if breaches("\0".join(texts)):
        assert {text: refused for text in texts if (refused := breaches(text))} == {}


@pytest.mark.parametrize(
    "path",
    sorted(one for kind in ("js", "html", "css") for one in PACKAGE.rglob(f"*.{kind}")),
    ids=lambda path: path.name,
)
def test_no_script_of_the_pages_uses_a_refused_phrase(path):
    assert breaches(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("path", [one for one in PAGES if one not in EXEMPT], ids=lambda path: path.name)
def test_no_page_uses_a_refused_phrase(path):
    assert breaches(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("arguments", ASKED, ids=" ".join)
def test_nothing_printed_about_the_shipped_table_uses_a_refused_phrase(arguments, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    assert run(arguments) == 0
    answer = capsys.readouterr()
    assert breaches(answer.out + answer.err, PRINTED) == []


def test_no_help_text_uses_a_refused_phrase(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    for path in [[], *([name] for name in COMMANDS)]:
        assert run([*path, "--help"]) == 0
        assert breaches(capsys.readouterr().out) == [], path


@pytest.mark.parametrize(
    "text",
    [
        "It loses to nobody.", "2 models cannot be told\nfrom SVC", "1 of 3 neighbouring pairs", "tasks are drawn anew",
        "as near to today's weights as one likes", "Least largest weight", "50.9 %.", "a and b draw level",
        "108 of 166 ends of ranges rest on HiGHS's bounds", "The majority runs in no circle",
    ],
)  # fmt: skip
def test_an_invented_breach_is_found(text):
    assert breaches(text)
    assert any(map(breaches, sentences(f"def told(x):\n    return f'{{x}} ' {text + '.'!r} f'{{x}}'\n")))
    assert any(map(breaches, sentences(f"def told():\n    {text + ' always'!r}\n")))


@pytest.mark.parametrize("text", ["17/1234 of it", "drawn 10000 times", "12345"])
def test_numbers_that_no_one_reads_are_found(text):
    assert breaches(text, PRINTED)


@pytest.mark.parametrize("text", ["50.9%", "1/72", "10,000", "numbers // 3 % 3", "is undefeated", "log_loss/hastie 1"])
def test_what_may_be_said_is_not_refused(text):
    assert breaches(text, PRINTED) == []


def test_names_in_code_and_docstrings_of_helpers_are_exempt():
    assert sentences("role = 'nobody'\n\ndef _own():\n    'Who loses to nobody.'\n") == []
