"""``weightlab report``: a page to be sent, which verifies."""

from __future__ import annotations

import json
import shlex
from importlib.util import find_spec

import pytest

from tests.report.reading import with_line
from weightlab.report.output.document import lines_in_page, read_document

LONG = """dataset,metric,model,score
qa,f1,ada,3
qa,f1,bo,1
qa,speed,ada,2
qa,speed,bo,3
"""


@pytest.fixture
def page(weightlab, scores):
    """A page about the table of scores, and where it is."""
    code = weightlab("report", scores, "-o", "report.html", "--only", "win", "--only", "behaved", "--samples", 100)
    assert code.code == 0
    return scores.parent / "report.html"


def test_a_page_is_written_and_verifies_against_its_table(weightlab, scores, page):
    checked = weightlab("verify", page, scores)
    assert checked.code == 0
    assert "Head-to-head, 3 of 4 models can win" in checked.out
    assert ", in exact arithmetic" in checked.out


def test_a_page_about_another_table_is_false(weightlab, scores, page):
    scores.write_text(scores.read_text(encoding="utf-8").replace("81.0", "70.0"), encoding="utf-8")
    assert weightlab("verify", page, scores).code == 1


def test_a_page_whose_proofs_were_changed_is_false(weightlab, page):
    text = page.read_text(encoding="utf-8")
    place = next(place for place, line in enumerate(lines_in_page(text)) if '"never"' in line)
    page.write_text(with_line(text, place, '"never"', '"strict"'), encoding="utf-8")
    assert weightlab("verify", page).code == 1


def test_nothing_says_where_the_files_of_the_sender_lay(weightlab, tmp_path, page, scores):
    far = tmp_path / "of the sender"
    far.mkdir()
    for name in ("mine.csv", "mine.toml"):
        (far / name).write_text("" if name.endswith("toml") else scores.read_text(encoding="utf-8"), encoding="utf-8")
    called = ("report", far / "mine.csv", "--config", far / "mine.toml", "--only", "today", "-q")
    for form in ("html", "md", "json"):
        assert weightlab(*called, "-o", f"told.{form}").code == 0
        text = (tmp_path / f"told.{form}").read_text(encoding="utf-8")
        told = "\n".join([text, *(lines_in_page(text) if form == "html" else [])])
        assert "of the sender" not in told
        assert str(tmp_path) not in told
        assert "mine" in told
    text = (tmp_path / "told.html").read_text(encoding="utf-8")
    assert "<title>mine: 4 models x 3 tasks</title>" in text
    assert "weightlab report mine.csv --config mine.toml --only=today" in text
    assert weightlab("verify", "told.html", far / "mine.csv").code == 0


def test_the_formats_say_the_same(weightlab, scores):
    asked = ("report", scores, "--only", "today")
    document = weightlab(*asked, "--as", "json")
    assert json.loads(document.out)["results"][0]["kind"] == "majority_overview"
    markdown = weightlab(*asked, "--as", "md").out
    assert markdown.startswith("# scores: 4 models x 3 tasks\n")
    assert "## Who wins today?" in markdown
    assert weightlab("verify", "-", stdin=document.out.encode()).code == 0


def test_the_commands_of_a_report_run_as_they_stand(weightlab, scores):
    told = weightlab(
        "report", scores, "--model", "bo", "--samples", 50, "--as", "md", "--only", "win", "--only", "models"
    )
    commands = [line for line in told.out.splitlines() if line.startswith("weightlab ")]
    drawing = [line for line in commands if "--plot" in line]
    assert (len(commands), len(drawing)) == (6, 4)
    for line in commands if find_spec("matplotlib") else set(commands) - set(drawing):
        assert weightlab(*shlex.split(line)[1:]).code == 0


def test_a_long_table_is_a_suite_and_verifies_as_one(weightlab, tmp_path):
    (tmp_path / "long.csv").write_text(LONG, encoding="utf-8")
    assert weightlab("report", "long.csv", "-o", "suite.json").code == 0
    assert weightlab("verify", "suite.json", "long.csv").code == 0
    told = weightlab("report", "long.csv", "--as", "md", "--only", "table").out
    assert "| `qa` | 2 | 2 | 0 | 2 |" in told


@pytest.mark.parametrize("beside", [True, False])
def test_a_table_may_have_a_configuration_that_no_suite_has(weightlab, scores, beside):
    config = scores.with_suffix(".toml") if beside else scores.parent / "other.toml"
    config.write_text('[groups]\nboth = ["{}", "{}"]\n'.format(*_tasks(scores)[:2]), encoding="utf-8")
    asked = ("report", scores, "--only", "table", "--as", "md", *([] if beside else ["--config", config]))
    assert "both" in weightlab(*asked).out
    config.write_text("[groups]\nboth = 1\n", encoding="utf-8")
    wrong = weightlab(*asked)
    assert (wrong.code, wrong.out) == (2, "")
    assert f"{config}: " in wrong.err


def _tasks(scores):
    return scores.read_text(encoding="utf-8").splitlines()[0].split(",")[1:]


def test_no_time_leaves_everything_out_and_says_so(weightlab, scores):
    told = weightlab("report", scores, "--time-limit", 0, "--as", "md", "--only", "win")
    assert told.code == 3
    assert "no time was left" in told.out
    assert "who can win head-to-head: no time was left" in told.err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("-o", "report.txt"), "unknown extension; use one of .html, .htm, .md, .markdown, .json, or pass --as"),
        (("--model", "eve", "--as", "md"), "no model named 'eve'"),
        (("--only", "best", "--as", "md"), "no part named 'best'"),
        (("--rule", "bordo", "--as", "md"), "no rule named 'bordo'"),
        (("-o", "scores.csv", "--as", "md"), "is a file that is read"),
    ],
)
def test_a_wrong_call_is_refused(weightlab, scores, options, message):
    told = weightlab("report", scores, *options)
    assert (told.code, told.out) == (2, "")
    assert message in told.err


@pytest.mark.parametrize("said", [(), ("--higher", "latency")])
def test_a_direction_that_a_name_leaves_in_doubt_is_a_line_of_the_table_and_the_page_verifies(
    weightlab, tmp_path, said
):
    (tmp_path / "t.csv").write_text("model,acc,latency_ms\na,1,2\nb,2,1\nc,3,3\n")
    (tmp_path / "long.csv").write_text("dataset,metric,model,score\nq,wer,a,1\nq,wer,b,2\n")
    told = weightlab("report", "t.csv", "--as", "md", "--only", "table", "--quiet", *said)
    assert ("- Higher is better, whatever the name suggests: `latency_ms`\n" in told.out) == bool(said)
    lower = weightlab("report", "t.csv", "--as", "md", "--only", "table", "--lower", "latency")
    assert "whatever the name suggests" not in lower.out
    assert "metric 'wer'" in weightlab("report", "long.csv", "--as", "md", "--only", "table").err
    page = weightlab("report", "t.csv", "-o", "r.html", "--only", "table", "--only", "today", *said)
    assert page.code == 0
    for words in ((), ("t.csv", *said)):
        verified = weightlab("verify", "r.html", *words)
        assert (verified.code, "The words of the page follow" in verified.out) == (0, True)


def test_the_format_of_a_report_is_not_that_of_its_table(weightlab, scores):
    told = weightlab("report", scores, "--format", "md")
    assert (told.code, told.err) == (2, "weightlab: --format is the format of FILE: pass --as md\n")


def test_commands_of_a_report_say_how_its_table_was_read(weightlab, scores):
    told = weightlab("report", scores, "--as", "md", "--only", "today", "--lower", "code", "--models", "ada,bo,cy")
    assert "--models=ada,bo,cy --lower=code" in told.out


def test_a_report_says_how_its_table_was_read_and_verify_compares_the_same_columns(weightlab, tmp_path):
    table, page = tmp_path / "t.csv", tmp_path / "r.html"
    table.write_text("model,math,wer,license\na,1.5,2,x\nb,3.5,1,y\nc,2.5,3,x\n", encoding="utf-8")
    assert weightlab("report", table, "-o", page, "--only", "win", "--samples", 100).code == 0
    told = {one["name"]: (one["role"], one["direction"]) for one in read_document(page).reading["columns"]}
    wanted = {"model": ("key", ""), "math": ("task", "higher"), "wer": ("task", "lower"), "license": ("text", "")}
    assert told == wanted
    assert weightlab("verify", page, table).code == 0
    table.write_text("model,math,wer,license\na,1.5,9,x\nb,3.5,1,y\nc,2.5,3,x\n", encoding="utf-8")
    assert weightlab("verify", page, table).code == 1
