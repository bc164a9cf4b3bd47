"""The page's reading of columns against Python's: where the page answers without a question, Python reads the same and
asks nothing either; where something is asked, the command that the page shows says all of it."""

from __future__ import annotations

import io
import json
import warnings

import pytest

from tests.report.browser.columns import drawn_columns
from tests.report.chromium import browser, opener
from weightlab.checker import check
from weightlab.cli import run
from weightlab.exceptions import InputError
from weightlab.io.read.readings import propose_reading
from weightlab.report.browser import table_page

READ = """files => files.map(([name, text]) => {
  const own = window.weightlabPage;
  try {
    const sheet = own.sheetOf(text, name);
    const { columns, questions } = own.recognised(sheet, own.page.told.words);
    const payload = own.payloadOf(sheet, columns, { complete: false, offers: own.page.told.offers });
    const tasks = columns.filter((one) => one.role === "scores");
    const line = own.readingLine(name, payload.models.length, columns);
    const lower = tasks.filter((one) => one.lower).map((one) => one.name);
    return { tasks: tasks.map((one) => one.name), lower, questions, line, flags: own.flagsOf(sheet, columns) };
  } catch (fault) {
    return { fault: fault.message, kind: fault.constructor.name };
  }
})"""
WRITTEN = """([name, text]) => {
  const own = window.weightlabPage;
  const sheet = own.sheetOf(text, name);
  const { columns } = own.recognised(sheet, own.page.told.words);
  const payload = own.payloadOf(sheet, columns, { complete: false, offers: own.page.told.offers });
  for (const message of own.work(payload)) {
    if (message.kind === "verdict") payload.ways[message.at].prospects.push(message.prospect);
  }
  const flags = own.flagsOf(sheet, columns);
  return own.documentOf(payload, { version: own.page.told.version, file: name, complete: false, flags, columns });
}"""
KEYWORDS = {
    "--lower": "lower_is_better",
    "--higher": "higher_is_better",
    "--drop": "drop",
    "--percent": "percent",
    "--name-column": "name_column",
}
PLAIN = ("votenrank", "colombo", "leaderboards")
FOLDERS = (*PLAIN, "small", "small/reports", "real/tables", "real/tables2", "real/tables3")
BEHIND_A_QUESTION = {"user_efficiency.csv"}


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    html = table_page()
    with browser() as chromium, opener(chromium, tmp_path_factory.mktemp("pages"), lambda _: html) as open_page:
        yield open_page(None)


def read_by_python(text, name, flags=()):
    """Return the reading of a file, declared as flags say, or None where it is refused."""
    said = {}
    for flag in flags:
        keyword, _, value = flag.partition("=")
        if keyword in KEYWORDS:
            said.setdefault(KEYWORDS[keyword], []).append(value)
        elif keyword != "--separator" or value:
            said[keyword[2:]] = value
    form = name.rsplit(".", 1)[-1]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return propose_reading(io.StringIO(text), format=form, config={}, **said)
        except InputError:
            return None


def ensure_alike(page, files):
    """Ensure that what the page reads at once Python reads so, too; return how many those are of how many."""
    at_once = of_python = 0
    for (name, text), found in zip(files, page.evaluate(READ, files), strict=True):
        reading = read_by_python(text, name, [one for one in found.get("flags", ()) if one.startswith(("--s", "--d"))])
        of_python += reading is not None and not reading.is_doubtful
        if "fault" in found:
            assert found["kind"] == "Fault", (text, found)
            continue
        if any(one.startswith("a row is a single score") for one in found["questions"]):
            continue  # the page says that it is the command that reads such a table
        declared = read_by_python(text, name, found["flags"])
        assert declared is not None, (text, found)
        assert not declared.is_doubtful, (text, found, declared)
        assert [*declared.tasks] == found["tasks"], (text, found, declared)
        assert [*declared.lower] == found["lower"], (text, found, declared)
        if not found["questions"]:
            at_once += 1
            plain = read_by_python(text, name, [one for one in found["flags"] if one.startswith(("--sep", "--dec"))])
            assert plain is not None, (text, found)
            assert not plain.is_doubtful, (text, found, plain)
            assert ([*plain.tasks], [*plain.lower]) == (found["tasks"], found["lower"]), (text, found, plain)
            assert found["line"] == plain.line.replace("<stream>", name), (text, found, plain)
    return at_once, of_python


def test_what_the_page_answers_at_once_python_reads_so_without_a_question(page):
    at_once, of_python = ensure_alike(page, [("t.csv", drawn_columns(seed)) for seed in range(800)])
    assert at_once > 0.5 * of_python > 60


@pytest.mark.parametrize("folder", FOLDERS)
def test_so_it_is_with_tables_of_strangers(page, shared_data, folder):
    kinds = (".csv", ".tsv", ".jsonl")
    files = [(one.name, one.read_bytes()) for one in sorted((shared_data / folder).iterdir()) if one.suffix in kinds]
    files = [(name, data.decode("utf-8")) for name, data in files if len(data) < 2_000_000]
    ensure_alike(page, files)
    if folder in PLAIN:
        for (name, text), found in zip(files, page.evaluate(READ, files), strict=True):
            asked = [one for one in found["questions"] if not one.startswith("Scores are missing")]
            assert bool(asked) == (name in BEHIND_A_QUESTION), (name, asked, len(text))


ASKED = "model,net latency ratio,license,math,code,Overall\na,3,MIT,1.5,2,1.75\nb,2,GPL,3.5,1,2.25\nc,9,MIT,2.5,3,2.75"


def test_a_document_says_how_its_columns_were_read_and_verify_reads_them_so(page, tmp_path, capsys):
    table, proof = tmp_path / "t.csv", tmp_path / "proof.json"
    table.write_text(ASKED, encoding="utf-8")
    text = page.evaluate(WRITTEN, ["t.csv", ASKED])
    proof.write_text(text, encoding="utf-8")
    told = {one["name"]: (one["role"], one["direction"]) for one in json.loads(text)["reading"]["columns"]}
    assert told["net latency ratio"] == ("task", "lower")
    assert told["license"] == ("text", "")
    assert told["Overall"] == ("aggregate", "")
    assert check(text, ASKED).code == 0
    (found,) = page.evaluate(READ, [["t.csv", ASKED]])
    assert run(["verify", str(proof), str(table), *found["flags"]]) == 0
    capsys.readouterr()
    assert run(["win", str(table), *found["flags"], "--json"]) == 0
    read = json.loads(capsys.readouterr().out)["reading"]["columns"]
    assert [one["name"] for one in read if one["role"] == "task"] == found["tasks"]
    assert [one["name"] for one in read if one["direction"] == "lower"] == found["lower"] == ["net latency ratio"]
    turned = ASKED.replace("a,3,MIT", "a,9,MIT").replace("c,9,MIT", "c,3,MIT")
    table.write_text(turned, encoding="utf-8")
    assert run(["verify", str(proof), str(table), *found["flags"]]) == 1


def test_the_reading_stands_first_in_the_answer_and_each_column_says_why(page):
    text = "model,math,wer,license\na,1.5,2,x\nb,3.5,1,y\nc,2.5,3,x\n"
    page.locator("[data-part=file]").set_input_files(
        [{"name": "t.csv", "mimeType": "text/plain", "buffer": text.encode()}]
    )
    page.locator("[data-part=sentence]").filter(has_text="Of ").wait_for()
    line = page.locator("[data-part=line]").inner_text()
    assert line == read_by_python(text, "t.csv").line.replace("<stream>", "t.csv")
    assert "lower is better on wer" in line
    assert page.locator("[data-part=answer-section] p").first.inner_text() == line
    assert "text: text (certain)" in page.locator("[data-part=columns] tr", has_text="license").inner_text()
    said = "--lower=wer --drop=license --name-column=model '--keep=*'"
    for name in ("win", "ask", "shortlist"):
        assert page.locator(f"[data-part={name}-command]").inner_text() == f"weightlab {name} t.csv {said}"
    page.get_by_role("switch", name="Lower is better on wer").uncheck()
    page.locator("[data-part=line]").filter(has_text="higher is better on all").wait_for()
    page.locator("[data-part=win-command]").filter(has_text="--keep=").wait_for()  # behind the answer
