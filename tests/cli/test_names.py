"""Whatever a model, a task, a dataset or a group is called: no command obeys it, in no output."""

from __future__ import annotations

import csv
import html
import io
import json
import re
import tomllib
import unicodedata
from html.parser import HTMLParser
from xml.etree import ElementTree as ET

import networkx as nx
import numpy as np
import pytest

from tests.report.output.test_markdown import BLOCKS, INLINE, LINKS, kinds_and_texts
from weightlab._text import HIDDEN, shown
from weightlab.cli.app import COMMANDS
from weightlab.graph import majority_graph
from weightlab.io import read_leaderboard, read_margins, read_profile

MODELS = (
    "e\x1b[31mred", "o\x1b]8;;http://evil.example\x07l", "p\x1b]52;c;aGk=\x07", "b\u202eidi\u2066", "n\n# heading",
    "t```x", "``", "a|b", "<script>alert(1)</script>", "@team/x", "www.x.y", "]]>", "d\"q'", "k=v,w", "-lead",
    "{{ 7*7 }}", "$(touch owned)", "![i](http://x.y/z)", "mail@x.org", "`s` \\| \\`", "</title><b>",
    "=cmd|' /C calc'!A0", "$x^2$ \\alpha_1 50% & #~{}", "a&amp;b", '"; } digraph x { "', "\\N\\G\\", "<![CDATA[x",
    "{0} %s", "# ALTERNATIVE NAME 1: z",
)  # fmt: skip
TASKS = ("latency \x1b[31m", "u```\n# two", "@three", "lag|ms", "http://x.y/z")
GROUPS = [
    "--group",
    "g\x1b[7m<i>=latency \x1b[31m,lag|ms",
    "--group",
    "``=@three,http://x.y/z",
    "--weight",
    "u```\n# two=0",
]
COMMANDS_ON_NAMES = {
    "win": ["win", "t.csv", "--all", "--details", "--samples", "50"],
    "win -m": ["win", "t.csv", "--quick", *(word for model in MODELS for word in [f"--model={model}"])],
    "win -m whole": ["win", "t.csv", "--model=``", "--samples", "50"],
    "win --rule": ["win", "t.csv", "--rule", "mean"],
    "win --rule copeland": ["win", "t.csv", "--models", "www.x.y", "--models", "``", "--rule", "copeland"],
    "win --level": ["win", "errors.csv", "--level", "0.9", "--over", "standard_errors"],
    "nearest": ["nearest", "t.csv", "-m", "``", "--max", "http://x.y/z=0.3"],
    "region": ["region", "t.csv", "-m", "``"],
    "improve": ["improve", "t.csv", "-m", "``", "-m", "e\x1b[31mred"],
    "map": ["map", "t.csv", "--axis", "lag|ms", "--axis", "latency \x1b[31m", "--axis", "u```\n# two"],
    "missing": ["missing", "gaps.csv"],
    "settle": ["settle", "gaps.csv", "--rule", "mean", "--between=-1000:1000", "--idle"],
    "rank": ["rank", "t.csv", "--rule", "instant_runoff"],
    "rank --groups": ["rank", "t.csv", "--rule", "borda", "--two-step", *GROUPS],
    "compare": ["compare", "t.csv", "--all"],
    "graph": ["graph", "t.csv"],
    "graph --dot": ["graph", "t.csv", "-o", "g.dot"],
    "graph --graphml": ["graph", "t.csv", "-o", "g.graphml"],
    "stability": ["stability", "t.csv", "--rule", "borda", "--all"],
    "robustness": ["robustness", "t.csv", "--rule", "borda", "-m", "t```x"],
    "robustness --leave-out": ["robustness", "t.csv", "--rule", "borda", "--leave-out", "tasks"],
    "ask": ["ask", "t.csv"],
    "shortlist": ["shortlist", "t.csv", "--size", "2"],
    "smallest": ["smallest", "t.csv", "--rule", "borda"],
    "duels": ["duels", "t.csv", "--all"],
    "duels --want": ["duels", "t.csv", "--want", "www.x.y>``"],
    "audit": ["audit", "s.csv", "--all"],
    "audit of a table": ["audit", "t.csv", "--all"],
    "sweep": ["sweep", "s.csv"],
    "sweep --csv": ["sweep", "s.csv", "-o", "cells.csv"],
    "paired": ["paired", "t.csv", "-m", "``", "-m", "t```x"],
    "disagreement": ["disagreement", "t.csv", "-r", "mean", "-r", "borda"],
    "changes": ["changes", "t.csv", "-r", "mean", "-r", "borda"],
    "study": ["study", "irrelevant-models", "t.csv", "--repeats", "2"],
    "study flips": ["study", "flips", "s.csv", "--option", "by=@three"],
    "study --csv": ["study", "rank-sets", "t.csv", "--repeats", "100", "-o", "ranks.csv"],
    "report": ["report", "t.csv", "--as", "md", "-o", "report.md", "--model=``", "--model=t```x"],
    "page": ["page", "-o", "page.html"],
    "check": ["check", "t.csv", "--against", "old.csv", "--policy", "policy.toml", "--summary", "summary.md"],
    "convert": ["convert", "t.csv", "t.json"],
    "read": ["read", "t.csv", "--totals"],
    "verify": ["verify", "claim.json", "t.csv"],
    "an unknown model": ["win", "t.csv", "-m", "\x1b[31m\u202e"],
    "an unknown option": ["win", "--\x1b[31m"],
    "an unknown command": ["\x1b[31m"],
    "an unknown file": ["win", "\x1b[31m.csv"],
    "duplicated names": ["win", "twice.csv"],
    "no number": ["win", "words.csv"],
}  # fmt: skip
WITHOUT_PICTURE = {
    "page",
    "report",
    "convert",
    "verify",
    "check",
    "read",
    "ask",
    "region",
    "improve",
    "missing",
    "smallest",
}
WITHOUT_PICTURE |= {"duels", "robustness", "paired", "changes", "study"}
"""Commands whose answers have no picture."""
CODES = {"check": 1, "an unknown model": 2, "an unknown option": 2, "an unknown command": 2, "an unknown file": 2}
CODES |= {"duplicated names": 2, "no number": 2}


def table(models=MODELS, tasks=TASKS, *, seed=1, gaps=()):
    """Return a score table as CSV."""
    draw, text = np.random.default_rng(seed).integers, io.StringIO()
    rows = csv.writer(text)
    rows.writerow(["model", *tasks])
    for place, model in enumerate(models):
        rows.writerow([model, *("" if (place, task) in gaps else draw(1, 10) for task in range(len(tasks)))])
    return text.getvalue()


def with_errors():
    """Return a score table with a column of standard errors beside each task."""
    header, *rows = csv.reader(io.StringIO(table()))
    text = io.StringIO()
    wide = [[header[0], *(one for task in header[1:] for one in (task, f"{task}_stderr"))]]
    wide += [[model, *(one for score in scores for one in (score, 2))] for model, *scores in rows]
    csv.writer(text).writerows(wide)
    return text.getvalue()


def suite(datasets=("q\x1b[31ma|", "</script>\n# s"), metrics=TASKS[:3], models=MODELS[:5]):
    """Return a suite as CSV."""
    draw, text = np.random.default_rng(2).integers, io.StringIO()
    rows = csv.writer(text)
    rows.writerow(["dataset", "metric", "model", "score"])
    rows.writerows(
        [dataset, metric, model, draw(1, 10)] for dataset in datasets for metric in metrics for model in models
    )
    return text.getvalue()


@pytest.fixture
def folder(weightlab, tmp_path):
    """A folder with tables of such names, a policy they break and a claim about them."""
    texts = {"t.csv": table(), "old.csv": table(MODELS[2:], seed=3), "gaps.csv": table(gaps={(1, 0), (2, 3)})}
    texts |= {
        "s.csv": suite(),
        "twice.csv": table((*MODELS, *MODELS)),
        "errors.csv": with_errors(),
        "words.csv": table().replace(",5", ",a\x1b[31m"),
    }
    texts["policy.toml"] = (
        'winner_stable_by = "90%"\nnever_above_place = 21\nmissing = 0\nsaturated = 1\ndirections_declared = true\n'
        'unmoved_by_newcomers = "borda"\nrank_level = "95%"\nscore_range = [2, 8]\nacyclic_top = true\n'
    )
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8", newline="")
    assert weightlab("win", "t.csv", "--quick", "-q", "-o", "claim.json").code == 0
    return tmp_path


def read_leaderboard_of(folder):
    """Return the table of a folder."""
    return read_leaderboard(folder / "t.csv", accept_reading=True)


def read_any(file):
    """Return what a file holds, by its ending."""
    readers = {".md": read_leaderboard, ".parquet": read_leaderboard, ".wmd": read_margins}
    return readers.get(file.suffix, read_profile)(file)


def edges_of(board):
    """Return who beats whom, as names are shown."""
    return {(shown(winner), shown(loser)) for winner, loser in majority_graph(board).edges}


def obeyed(text, kept="\n"):
    """Return the characters of a text that a terminal or a browser would obey or hide."""
    return {letter for letter in text if unicodedata.category(letter) in HIDDEN and letter not in kept}


def test_every_command_is_asked_about_such_names():
    assert {words[0] for words in COMMANDS_ON_NAMES.values()} >= set(COMMANDS)


@pytest.mark.parametrize("words", COMMANDS_ON_NAMES.values(), ids=COMMANDS_ON_NAMES)
def test_no_stream_carries_a_character_that_a_terminal_obeys(weightlab, folder, words):
    found = weightlab(*words)
    asked = next(name for name, one in COMMANDS_ON_NAMES.items() if one is words)
    assert found.code == CODES.get(asked, 0), found.err
    assert not obeyed(found.out), found.out
    assert not obeyed(found.err), found.err
    assert found.out + found.err or "convert" in words
    assert not (folder / "owned").exists()


MARKDOWN = {
    "report.md": ["report", "t.csv", "--as", "md", "-o", "report.md", "--model=``", "--model=t```x"],
    "audit.md": ["report", "s.csv", "--as", "md", "-o", "audit.md"],
    "summary.md": ["check", "t.csv", "--against", "old.csv", "--policy", "policy.toml", "--summary", "summary.md"],
}


@pytest.mark.parametrize("file", MARKDOWN)
def test_markdown_shows_names_as_text_and_nothing_in_them_becomes_a_part_of_it(weightlab, folder, file):
    assert weightlab(*MARKDOWN[file]).code in {0, 1}
    text = (folder / file).read_text(encoding="utf-8")
    blocks, parts, outside, every = kinds_and_texts(text)
    assert not obeyed(text)
    assert blocks <= {*BLOCKS, "heading"}
    assert parts <= {*INLINE, "strong_open", "strong_close"}
    assert not LINKS.search(outside)
    assert all(shown(model) in every for model in (MODELS[:5] if file == "audit.md" else MODELS[:2]))


class Tags(HTMLParser):
    """The tags of a page with the attributes that run or load something."""

    def __init__(self, page):
        super().__init__()
        self.found = []
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        runs = {name: value for name, value in attributes if name.startswith("on") or name in {"src", "href"}}
        self.found.append((tag, {name: (value or "").partition(":")[0] for name, value in runs.items()}))


def plain(prefix, names):
    """Return a harmless name for each of some names."""
    return [f"{prefix}{place}" for place in range(len(names))]


PLAIN = {
    "t.csv": lambda: table(plain("m", MODELS), plain("t", TASKS)),
    "s.csv": lambda: suite(plain("d", "qs"), plain("t", TASKS[:3]), plain("m", MODELS[:5])),
}


@pytest.mark.parametrize("file", PLAIN)
def test_a_page_has_no_tag_that_a_page_of_plain_names_has_not(weightlab, folder, file):
    (folder / "plain.csv").write_text(PLAIN[file](), encoding="utf-8", newline="")
    found = []
    for one in ("plain.csv", file):
        assert weightlab("report", one, "-o", "report.html").code == 0
        page = (folder / "report.html").read_text(encoding="utf-8")
        assert not obeyed(page)
        found.append({tag for tag, _ in Tags(page).found} | {tuple(more.items()) for _, more in Tags(page).found})
    assert found[1] <= found[0], found[1] - found[0]


DRAWN = {
    name: words
    for name, words in COMMANDS_ON_NAMES.items()
    if name not in CODES and words[0] not in WITHOUT_PICTURE and "-o" not in words
}
UNDRAWN = {"win -m", "win --rule", "win --rule copeland", "win --level", "study", "study flips"}
"""Answers that have no picture."""
LINK = "{http://www.w3.org/1999/xlink}href"


def test_every_command_that_draws_is_asked_for_a_picture():
    drawn = {words[0] for name, words in DRAWN.items() if name not in UNDRAWN}
    assert drawn == {*COMMANDS} - WITHOUT_PICTURE


@pytest.mark.parametrize("name", [name for name in DRAWN if name not in UNDRAWN])
def test_a_picture_shows_names_as_text(weightlab, folder, name):
    pytest.importorskip("matplotlib")
    assert weightlab(*DRAWN[name], "--plot", "drawn.svg").code == 0
    text = (folder / "drawn.svg").read_text(encoding="utf-8")
    tags = {one.tag.rpartition("}")[2]: one for one in ET.fromstring(text).iter()}  # noqa: S314 - ours
    assert not tags.keys() & {"script", "a", "foreignObject"}
    assert "image" not in tags or tags["image"].get(LINK, "").startswith("data:image/png;base64,")
    assert not obeyed(text)
    assert ">alert(1)<" not in text


def drawn_by_graphviz(quoted):
    """Return the text that Graphviz draws for a quoted word: backslashes first, then entities."""
    return html.unescape(re.sub(r"\\(.)", r"\1", quoted))


def test_a_graph_has_a_node_for_each_name_in_the_language_of_graphviz(written, folder):
    lines = written("graph", "t.csv", ending=".dot").splitlines()
    quoted = re.compile(r'"((?:[^"\\]|\\.)*)"')
    assert (lines[0], lines[-1]) == ("digraph majorities {", "}")
    assert all(re.fullmatch(r"[ ;>\[\]=-]*(?:label)?[ ;>\[\]=-]*", quoted.sub("", line)) for line in lines[1:-1])
    named = [drawn_by_graphviz(quoted.findall(line)[0]) for line in lines[1 : len(MODELS) + 1]]
    assert named == [shown(model) for model in MODELS]
    edges = {tuple(map(drawn_by_graphviz, quoted.findall(line)[:2])) for line in lines[len(MODELS) + 1 : -1]}
    assert edges == edges_of(read_leaderboard_of(folder))


def test_a_graph_has_a_node_for_each_name_in_graphml(written, folder):
    found = nx.parse_graphml(written("graph", "t.csv", ending=".graphml"))
    assert list(found.nodes) == [shown(model) for model in MODELS]
    assert set(found.edges) == edges_of(read_leaderboard_of(folder))


def test_names_that_look_alike_once_escaped_stay_two_nodes(written, folder):
    (folder / "alike.csv").write_text("model,x,y\na\x07,1,2\na\\x07,2,3\n", encoding="utf-8")
    assert len(nx.parse_graphml(written("graph", "alike.csv", ending=".graphml"))) == 2


def test_a_csv_of_answers_gives_the_names_back_as_they_are(weightlab, folder):
    assert weightlab(*COMMANDS_ON_NAMES["study --csv"]).code == 0
    with (folder / "ranks.csv").open(encoding="utf-8", newline="") as file:
        assert {row[0] for row in csv.reader(file)} - {""} == set(MODELS)
    assert weightlab(*COMMANDS_ON_NAMES["sweep --csv"]).code == 0
    with (folder / "cells.csv").open(encoding="utf-8", newline="") as file:
        cells = list(csv.DictReader(file))
    assert {row["condorcet_winner"] for row in cells} - {""} <= set(MODELS)
    assert {row["dataset"] for row in cells} == {"q\x1b[31ma|", "</script>\n# s"}


@pytest.mark.parametrize("file", ["again.csv", "again.tsv", "again.json"])
def test_a_table_in_another_form_gives_the_names_back_as_they_are(weightlab, folder, file):
    assert weightlab("convert", "t.csv", file).code == 0
    board = read_leaderboard(folder / file, accept_reading=True)
    assert (tuple(board.models), tuple(board.tasks)) == (MODELS, TASKS)


ONE_LINE = tuple(model for model in MODELS if "\n" not in model)
"""Names that fit into formats of lines."""


@pytest.mark.parametrize("ending", ["md", "parquet", "soc", "soi", "toc", "toi", "wmd"])
def test_a_format_that_cannot_hold_a_name_says_so_and_gives_all_others_back(weightlab, folder, ending):
    if ending == "parquet":
        pytest.importorskip("pyarrow")
    found = weightlab("convert", "t.csv", f"again.{ending}", "--break-ties", "alphabetical")
    assert (found.code, (folder / f"again.{ending}").exists()) in {(2, False), (0, True)}
    assert (found.code == 0) == (ending == "parquet")
    (folder / "lines.csv").write_text(table(ONE_LINE, ("x", "y", "z")), encoding="utf-8", newline="")
    assert weightlab("convert", "lines.csv", f"lines.{ending}", "--break-ties", "alphabetical").code == 0
    assert set(read_any(folder / f"lines.{ending}").models) == set(ONE_LINE)


def test_a_file_of_options_gives_the_names_back_as_they_are(weightlab, folder):
    hostile = "l\x1b[31m\n]='\"\\ # x"
    (folder / "odd.csv").write_text(table(tasks=(hostile, *TASKS)), encoding="utf-8", newline="")
    asked = ["rank", "odd.csv", "--rule", "borda", "--lower", hostile, "--higher", TASKS[0], "-q"]
    told = weightlab(*asked, "--write-config", "odd.toml")
    read = tomllib.loads((folder / "odd.toml").read_text(encoding="utf-8"))
    assert (read["lower_is_better"], read["higher_is_better"]) == ([hostile], [TASKS[0]])
    assert weightlab("rank", "odd.csv", "--rule", "borda", "-q").out == told.out != ""


def test_json_and_data_give_the_names_back_as_they_are(weightlab, folder):
    found = weightlab("win", "t.csv", "--quick", "--json")
    assert not {letter for letter in found.out if unicodedata.category(letter) == "Cc"} - {"\n"}
    held = [one["signs"] for one in json.loads(found.out)["results"] if one.get("signs")]
    assert [one["models"] for one in held] == [list(MODELS)]
    assert weightlab("convert", "t.csv", "t.json").code == 0
    assert list(json.loads((folder / "t.json").read_text(encoding="utf-8"))["lag|ms"]) == list(MODELS)
