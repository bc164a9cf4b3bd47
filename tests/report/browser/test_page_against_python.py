"""The page against Python where files are odd and weights are mapped: what one refuses, so does
the other, and what both read is the same."""

from __future__ import annotations

import io
import random
import warnings
from fractions import Fraction

import pytest

import weightlab as wl
from tests.report.browser.odd import odd_file
from tests.report.chromium import browser, opener
from weightlab.exceptions import InputError
from weightlab.report.browser import table_page

READ = """texts => texts.map((text) => {
  const own = window.weightlabPage;
  try {
    const sheet = own.sheetOf(text, "t.csv");
    const { columns } = own.recognised(sheet, own.page.told.words);
    const { models, tasks } = own.payloadOf(sheet, columns, { complete: false, offers: own.page.told.offers });
    const flags = own.flagsOf(sheet, columns);
    const said = (flag) => flags.filter((one) => one.startsWith(flag)).map((one) => one.slice(flag.length));
    const [drop, name_column] = [said("--drop="), said("--name-column=")];
    const percent = columns.filter((one) => one.role === "scores" && one.percent).map((one) => one.name);
    const decimal = sheet.comma ? "," : "";
    return { models, tasks: tasks.map((one) => [one.name, one.scores]), drop, percent, decimal, name_column };
  } catch (fault) {
    return { fault: fault.message, kind: fault.constructor.name };
  }
})"""
MAPPED = """([table, corners]) => {
  const own = window.weightlabPage;
  const sheet = own.sheetOf(table, "t.csv");
  const { columns } = own.recognised(sheet, own.page.told.words);
  const payload = own.payloadOf(sheet, columns, { complete: false, offers: own.page.told.offers });
  const areas = own.areasOf(own.readTable(payload), corners).filter((one) => one.wins);
  return areas.map((one) => [payload.models[one.models[0]], own.exactText(one.share)]);
}"""
STRICTER = ("Two columns are called", "No column of numbers is chosen")
"""What the page refuses and Python reads: a task that is called like the column of names; rows without a score, too."""
LAXER = ("negative standard error", "the first column, which has no name")
"""What Python refuses of columns that the page leaves unread."""


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    html = table_page()
    with browser() as chromium, opener(chromium, tmp_path_factory.mktemp("pages"), lambda _: html) as open_page:
        yield open_page(None)


def as_python_reads(text, separator, found):
    """Return the board that Python reads with what the page would say at the prompt, or why there is none."""
    said = {name: found[name] for name in ("drop", "percent", "decimal", "name_column") if found.get(name)}
    said |= {} if separator == "," else {"separator": separator}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return wl.read_leaderboard(io.StringIO(text), format="csv", config={}, keep="*", **said), ""
        except InputError as error:
            return None, str(error)


def test_odd_files_are_read_as_python_reads_them_or_refused(page):
    rng = random.Random(1)  # noqa: S311 - tables, not secrets
    files = [odd_file(rng) for _ in range(600)]
    alike = 0
    for (text, separator), found in zip(files, page.evaluate(READ, [text for text, _ in files]), strict=True):
        header = next((line for line in text.splitlines() if separator in line and not line.startswith("sep=")), "")
        if "model" in [one.strip('" ').casefold() for one in header.split(separator)[1:]]:
            continue  # of a column of numbers that is called so, Python makes the names or not by its cells
        board, reason = as_python_reads(text, separator, found)
        if "fault" in found:
            assert found["kind"] == "Fault", (text, found)
            stricter = found["fault"].startswith(STRICTER) or "has no score: take" in found["fault"]
            assert board is None or stricter, (text, found)
        elif board is None:
            assert any(known in reason for known in LAXER), (text, found, reason)
        else:
            alike += 1
            assert found["models"] == list(board.models), text
            columns = [[None if one is None else Fraction(one) for one in scores] for _, scores in found["tasks"]]
            assert [name for name, _ in found["tasks"]] == list(board.tasks), text
            own = [
                [None if one is None else Fraction(one) for one in board.cells.column(k)] for k in range(len(columns))
            ]
            assert columns == own, text
    assert alike > 100


def drawn_table(rng):
    """Return the text of a small table with ties and gaps, no model and no task without a score."""
    tasks = rng.randint(3, 5)
    rows = [[str(rng.choice(["", 0, 1, 2, 3])) for _ in range(tasks)] for _ in range(rng.randint(3, 6))]
    for place, row in enumerate(rows):
        row[place % tasks] = "2"
    rows[0] = ["1"] * tasks
    lines = [",".join(["model", *(f"t{place}" for place in range(tasks))])]
    return "\n".join([*lines, *(f"m{place}," + ",".join(row) for place, row in enumerate(rows))])


@pytest.mark.parametrize("seed", range(8))
def test_the_map_has_the_areas_of_python(page, seed):
    rng = random.Random(seed + 100)  # noqa: S311 - tables, not secrets
    table = drawn_table(rng)
    board = wl.read_leaderboard(io.StringIO(table), format="csv", config={})
    groups = {"one": [0], "two": [1, 0], "three": [2]} if seed % 2 else {"one": [0], "two": [1], "three": [2]}
    named = {name: [board.tasks[task] for task in own] for name, own in groups.items()}
    found: dict[str, Fraction] = {}
    for area in wl.lp.map_of_winners(board, groups=named).areas:
        if area.kind == "winner" and area.share:
            found[area.models[0]] = found.get(area.models[0], Fraction(0)) + area.share
    assert {name: Fraction(share) for name, share in page.evaluate(MAPPED, [table, list(groups.values())])} == found


OF_OTHER_FORMS = {
    "| model | a |\n|---|---:|\n| x | 1 |\n": "Markdown",
    "# FILE NAME: 1.soc\n# ALTERNATIVE NAME 1: x\n1: 1\n": "PrefLib",
    "dataset,metric,model,score\nd,m,x,1\n": "A long table",
    "model_a,model_b,winner\nx,y,model_a\n": "votes",
    "<table><tr><td>": "HTML",
    "\\begin{tabular}": "LaTeX",
}


def test_what_only_weightlab_reads_is_named_with_its_command(page):
    for found, (text, form) in zip(page.evaluate(READ, list(OF_OTHER_FORMS)), OF_OTHER_FORMS.items(), strict=True):
        assert found["kind"] == "Fault", text
        assert form in found["fault"]
        assert "weightlab" in found["fault"] or "as CSV" in found["fault"]


def test_the_next_change_cancels_what_is_under_way(page):
    rng = random.Random(3)  # noqa: S311 - tables, not secrets
    large = ",".join(["model", *(f"t{k}" for k in range(30))])
    large += "".join(f"\nm{place}," + ",".join(str(rng.randint(0, 99)) for _ in range(30)) for place in range(300))
    counts = {large: 300, "model,a,b\nx,1,2\ny,2,1\nz,0,0\n": 3}
    for text, count in counts.items():
        data = {"name": "t.csv", "mimeType": "text/plain", "buffer": text.encode()}
        page.locator("[data-part=file]").set_input_files([data])
        page.wait_for_function("count => window.weightlabPage.page.payload?.models.length === count", arg=count)
    page.locator("[data-part=sentence]").filter(has_text="of 3 models").wait_for()
    page.wait_for_function("() => document.querySelector('[data-part=shares]').textContent.includes('10,000')")
    sentences = page.locator("[data-part=sentence]").inner_text().split("\n")
    assert sentences[1].startswith("Head-to-head, 2 of 3 models can win")
