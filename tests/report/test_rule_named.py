"""Who wins depends on the rule: no sentence says who can win, ties at best or can never win without one.

A sentence names its rule itself; a line of a table or beside a heading may leave that to the head of the table or to
the first line of the screen.
"""

from __future__ import annotations

import ast
import re
from html import unescape
from pathlib import Path

import pytest

import weightlab as wl
from tests.architecture import nodes_of
from tests.foundation.test_language import ASKED
from tests.gallery import AHEAD, BOARD, CYCLIC, EXAMPLES, GAPPED
from weightlab.cli import run
from weightlab.cli.app import COMMANDS
from weightlab.lp import Verdict

ROOT = Path(__file__).parent.parent.parent
PACKAGE = ROOT / "weightlab"
VERDICT = re.compile(
    r"\bcan (?:never |not |only |at best )?(?:be the only winner|win|tie)\b|\bcannot win\b|\bties? at best\b"
    r"|\bnever wins?\b"
)
WINNING = re.compile(rf"{VERDICT.pattern}|\bwins?\b(?! rates?\b)|\bundefeated\b|\bunbeaten\b|\bwinner\b")
RULE = re.compile(
    r"head-to-head|majorit|condorcet|by (?:average|mean|geometric mean|borda|copeland|minimax|dowdall"
    r"|plurality|veto|the weighted geometric|\{)"
    r"|\brules?\b"
    r"|by scoring|schulze|ranked pairs|river|split cycle|kemeny|bradley-terry|mean and borda",
    re.IGNORECASE,
)
FRAGMENTS = {verdict.words for verdict in Verdict} | {
    "Who can win, under which weights, and what blocks the rest.",
    "can tie at best", "tie at best", "never wins", "who can win", "models that can win",
    "models that cannot win",
    "can tie for first", "{} can win", "{} of {} models can win, {} {} at best", "{} of {} can win, {} {} at best",
    "{}: no model can win {}.", "can never win {}", "{}, {} can never win: {}.",
    "{}, {} can never win, among them {}: {}{}.", "{}, though under some {} can win {}.",
    "{} of {} models can be the only winner",

    "{} can win: it is undefeated on {}, whose share takes too much to compute exactly.",
    "{}, {} of {} models can be the only winner, {}{} can never win{}.",
    "{}: it answers who can be the only winner, as prospect and prospects ask, and no more",
    "every model {} can win or tie at best {}", "{} that can never win {} stand{} {}: ",
    "{} can win {}{}{}", "{} can win {}, {} for certain", "No model can win {}, whatever the {} would be.",
    "{}; {} can win whatever the values, and {} for some values",
    "{} can at best tie for first, ",
    "{} of {} models can be the only winner, {} can at best tie for first",
    "{}, {}, {} {} at best, {} can never win.", "who can win {}", "Models that can win or tie {}",
    "Of {} models that can never win {}, blockers are shown for {}.", "Models that can never win {}",
    "Weight shifts are computed for up to {} models that can win or tie {}; here are {}.",
    "{} can be the only winner {}.", "{} can never win {}.",
    "{}, {} of {} models can be the only winner, {}{} can never win",
    "{} can never win {}: {}.", "{} can be the only winner {}: {}.", "{} can win or tie {}{}.",
    "{} no weights make {} the only winner; it ties at best", "{} can never win {}, among them {}: {}{}.",
    "can only tie for first", "can only tie",
    "can tie", '"can tie"', "{}, {} can win for some values of {} missing scores, {} for all",
    "Who can win", "Who can win?", "Who can win {}, and across what share of {}", "{}, {} of {} can never win.",
    "{}, {} can win or tie at best.", "Can my model ever win?",
    "{} needs relative tolerances of at most 1, since above it a better score can tie again; larger ones: {}",
    "a rival can tie, but no weights at which it does are given", "a model that cannot win has won",
    '${count("strict")} of ${way.models.length} models ${able}', '${count("weak")} tie at best',
    '${count("never")} can never win', "can be the only winner",
    ("${by}, ${name} can win: with its best weights it is ahead of every rival by at least "
    "${leadWords(way, prospect.lower)}."),
    "${by}, ${name} can at best tie for first: no weights put it ahead of every rival.",
    "${by}, ${name} ties at best: some weights leave it undefeated, but none make it beat every rival.",
    "${by}, ${name} can never win: under every weighting some rival is ahead of it by at least ${lead}.",
}  # fmt: skip
"""Parts of sentences and tables whose rule stands in another part, and the question that such a sentence answers."""


def unruled(text, said=VERDICT):
    """Return the sentences of a text that say who wins and by no rule."""
    sentences = re.split(r"(?<=[.!?])\s+", re.sub(r"\s+", " ", text))
    return [one for one in sentences if said.search(one) and not RULE.search(one)]


def unruled_lines(screen):
    """Return what a screen says of winning by no rule: its sentences, and lines of tables whose heads name none."""
    lines = screen.splitlines()
    heads, block, found = lines[:1], "", []
    for line in lines:
        block = "" if not line.strip() else block or line
        if "  " in line.strip():
            said = WINNING.search(line) and not any(RULE.search(one) for one in (line, block, *heads))
            found += [line] if said else []
        else:
            found += unruled(line, WINNING if not RULE.search(" ".join(heads)) else VERDICT)
    return found


@pytest.mark.parametrize("kind", EXAMPLES)
def test_every_sentence_of_a_result_names_the_rule(kind):
    assert unruled(str(EXAMPLES[kind]()), WINNING) == []


@pytest.mark.parametrize("board", [BOARD, AHEAD, CYCLIC, GAPPED], ids=["board", "ahead", "cyclic", "gapped"])
def test_every_verdict_names_the_rule(board):
    found = [
        wl.lp.prospects(board),
        *map(wl.lp.prospects(board).__getitem__, board.models),
        wl.lp.missing(board, rule="majority"),
    ]
    found += [wl.lp.map_of_winners(board, list(board.tasks)[:3])] if len(board.tasks) > 2 else []
    assert [unruled(str(one), WINNING) for one in found] == [[] for _ in found]


@pytest.mark.parametrize("kind", EXAMPLES)
def test_every_picture_names_the_rule_in_its_title_or_notes(kind):
    found = EXAMPLES[kind]()
    try:
        marks = wl.plots.marks(found)
    except wl.exceptions.InputError:
        return
    said = " ".join(marks.loc[marks["mark"].isin(["title", "note", "axis"]), "label"].astype(str))
    assert not WINNING.search(said) or RULE.search(said), said


@pytest.mark.parametrize("kind", EXAMPLES)
def test_every_notebook_names_the_rule(kind):
    page = unescape(re.sub(r"<[^>]*>", ". ", EXAMPLES[kind]()._repr_html_()))
    assert not [one for one in unruled(page) if one.rstrip(".") not in FRAGMENTS]


@pytest.mark.parametrize("arguments", ASKED, ids=" ".join)
def test_every_screen_names_the_rule(arguments, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    assert run(arguments) == 0
    answer = capsys.readouterr()
    assert unruled_lines(answer.out) == []
    assert unruled_lines(answer.err) == []


def literals(path):
    """Return the texts of a module that are not docstrings, with {} for what is filled in."""
    nodes = nodes_of(path.read_text(encoding="utf-8"))
    inside = {id(part) for one in nodes if isinstance(one, ast.JoinedStr) for part in ast.walk(one) if part is not one}
    inside |= {id(one.value) for one in nodes if isinstance(one, ast.Expr)}
    whole = [one for one in nodes if isinstance(one, ast.JoinedStr) and id(one) not in inside]
    texts = ["".join(part.value if isinstance(part, ast.Constant) else "{}" for part in one.values) for one in whole]
    constants = [one.value for one in nodes if isinstance(one, ast.Constant) and id(one) not in inside]
    return texts + [one for one in constants if isinstance(one, str)]


def pages_of_help(capsys):
    """Return what ``--help-all`` says of each command."""
    return {name: (run([name, "--help-all"]), capsys.readouterr().out)[1] for name in COMMANDS}


def test_what_every_command_is_about_names_the_rule_or_comes_with_one_to_choose(capsys):
    pages = pages_of_help(capsys)
    about = {name: re.split("Arguments:|Options:", text)[0].split("\n\n", 1)[1] for name, text in pages.items()}
    chosen = {name for name, text in pages.items() if re.search(r"--rules? RULE", text)}
    assert [name for name, text in about.items() if unruled(text, WINNING) and name not in chosen] == []
    assert [one for name, one in COMMANDS.items() if unruled(one, WINNING) and name not in chosen] == []


@pytest.mark.parametrize("path", sorted(PACKAGE.rglob("*.py")), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_no_text_of_the_package_says_a_verdict_without_its_rule(path):
    assert [text for text in literals(path) if text not in FRAGMENTS and unruled(text)] == []


@pytest.mark.parametrize("path", sorted((PACKAGE / "report").rglob("*.js")), ids=lambda path: path.name)
def test_no_text_of_the_pages_says_a_verdict_without_its_rule(path):
    texts = re.findall(r"`[^`]*`|\"[^\"\n]*\"", re.sub(r"^\s*(?:/?\*|//).*$", "", path.read_text(), flags=re.MULTILINE))
    assert [one for one in texts if one.strip('"`') not in FRAGMENTS and unruled(one)] == []


CODE = re.compile(r"^```.*?^```$|^ *>>>.*?(?:\n\s*\n|\Z)|<!--.*?-->", re.MULTILINE | re.DOTALL)
"""What a text shows of code and of what it prints, which the screens and results above are."""
PARAGRAPH = re.compile(r"\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) |#|\|)")
LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")


def prose(text):
    """Return the paragraphs of a page, without code, headings and tables."""
    found = PARAGRAPH.split(LINK.sub(r"\1", CODE.sub("\n\n", text)))
    return [one for one in found if not one.lstrip().startswith(("#", "|"))]


PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]


@pytest.mark.skipif(not PAGES[0].is_file(), reason="the documents are not beside these tests")
@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_sentence_of_the_documents_says_a_verdict_without_its_rule(path):
    assert [one for part in prose(path.read_text(encoding="utf-8")) for one in unruled(part)] == []


@pytest.mark.parametrize("path", sorted(PACKAGE.rglob("*.py")), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_no_docstring_says_a_verdict_without_its_rule(path):
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef)
    told = [
        ast.get_docstring(one) or ""
        for one in nodes_of(path.read_text(encoding="utf-8"))
        if isinstance(one, documented)
    ]
    assert [one for text in told for part in prose(text) for one in unruled(part)] == []


def test_help_says_no_verdict_without_its_rule(capsys):
    pages = pages_of_help(capsys)
    assert [one for page in pages.values() for part in re.split(r"\n\s*\n", page) for one in unruled(part)] == []


def test_prose_is_what_stands_between_code_and_tables():
    page = "# Can win\n\nA [model](x.md) wins.\n```sh\nT5 can win\n```\n| T5 can win |\n\n>>> 1\n'T5 can'\n\n- T5 can."
    assert [one.strip() for one in prose(page) if one.strip()] == ["A model wins.", "- T5 can."]


@pytest.mark.parametrize("text", ["T5 can win.", "2 tie at best, by mean 3 do. T5 can never win.", "T5 ties at best"])
def test_a_verdict_without_its_rule_is_found(text):
    assert unruled(text)
    assert unruled_lines(f"A table of scores\n\n{text}\n")


def test_the_head_of_a_table_names_the_rule_for_its_lines():
    assert unruled_lines("By mean:\n\nmodel  can win\nT5     can win") == []
    assert unruled_lines("Two\n\nmodel  head-to-head\nT5     can win") == []
    assert unruled_lines("Two\n\nmodel  verdict\nT5     can win") == ["T5     can win"]


def test_a_model_that_can_only_tie_is_not_said_to_be_able_to_do_less():
    from weightlab.data.linear_rule import LinearRule
    from weightlab.views.verdicts import contrast_words

    mean, majority = LinearRule(name="mean"), LinearRule(name="majority")
    told = [contrast_words(["a"], (mean, one), (majority, Verdict.WEAK)) for one in (Verdict.NEVER, Verdict.STRICT)]
    assert told[0] == "a can never come first by average, but can tie head-to-head."
    assert told[1] == "a can come first by average, but can only tie head-to-head."
