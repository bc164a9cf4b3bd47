"""The page that takes a table: in a real Chromium it says of many tables exactly what Python says."""

from __future__ import annotations

import io
import json
import shlex
import subprocess
import sys
from fractions import Fraction

import pytest

import weightlab as wl
from tests.report.browser.tables import File, drawn_file
from tests.report.chromium import browser, opener
from weightlab.checker import check
from weightlab.cli import run
from weightlab.report.browser import table_page
from weightlab.report.output.document import read_document
from weightlab.views.ways import own_ways

WORKED = """([text, lower, weights, complete, name]) => {
  const own = window.weightlabPage;
  const sheet = own.sheetOf(text, name);
  const { columns } = own.recognised(sheet, own.page.told.words);
  for (const one of columns) {
    const isTask = one.role === "out" && one.scores && !one.fault;
    if (isTask) Object.assign(one, { role: "scores", what: "task", certainty: "declared" });
    one.lower = lower.includes(one.name);
    one.weight = new Map(weights).get(one.name) || "1";
  }
  const payload = own.payloadOf(sheet, columns, { complete, offers: own.page.told.offers });
  const distances = payload.ways.map(() => ({}));
  for (const message of own.work(payload)) {
    if (message.kind === "verdict") payload.ways[message.at].prospects.push(message.prospect);
    if (message.kind === "distance") distances[message.at][message.model] = message.wins ? "wins" : message.near;
  }
  const about = { version: own.page.told.version, file: name, complete, flags: [], columns };
  return { payload, distances, document: own.documentOf(payload, about) };
}"""
PUBLIC = {
    "votenrank/glue.csv": {},
    "votenrank/superglue.csv": {"complete": True},
    "votenrank/value.csv": {},
    "votenrank/user_fairness.csv": {},
    "colombo/xtreme15.csv": {},
    "leaderboards/vtab.csv": {},
}


@pytest.fixture(scope="module")
def opened(tmp_path_factory):
    """Return how to open the page; at the end none has complained, and none asked the network."""
    html = table_page()
    with browser() as chromium, opener(chromium, tmp_path_factory.mktemp("pages"), lambda _: html) as open_page:
        yield lambda **options: open_page(None, **options)


@pytest.fixture(scope="module")
def page(opened):
    return opened()


def part(page, name):
    return page.locator(f'[data-part="{name}"]')


def worked(page, file, name="table.csv"):
    """Return what the page makes of a file, all at once."""
    return page.evaluate(WORKED, [file.text, list(file.lower), list(file.weights.items()), file.complete, name])


def ensure_same(page, file):
    """Ensure that verdicts, margins and distances are those of Python, and that what is written verifies."""
    board, found = file.board(), worked(page, file)
    assert found["payload"]["models"] == list(board.models)
    ways = own_ways(board)
    for way, told, distances in zip(ways, found["payload"]["ways"], found["distances"], strict=True):
        ensure_same_way(way, told["prospects"], distances, board.models)
        assert (told["rule"], told["by"]) == (way.rule.name, way.rule.by)
        assert [board.models[row] for row in told["models"]] == list(way.board.models)
    document = read_document(io.StringIO(found["document"]))
    assert document.verify(board)
    assert check(found["document"]).code == 0


def ensure_same_way(way, told, distances, models):
    """Ensure that verdicts, margins and distances by a rule are those of Python."""
    proved = wl.lp.prospects(way.board, rule=way.rule, exact=True)
    assert [one["verdict"] for one in told] == [str(one) for one in proved.verdicts]
    assert [Fraction(one["lower"]) for one in told] == proved.lower.tolist() == proved.upper.tolist()
    name = "condorcet" if way.rule.is_majority else way.rule.name
    for place, near in distances.items():
        model = models[int(place)]
        if near == "wins":
            assert wl.rules.rank(way.board, name).winners == (model,)
            continue
        assert near["proved"]
        value = wl.lp.scenario(way.board, model, wl.lp.closest_to(), rule=way.rule).value
        assert Fraction(near["distance"]) == value


@pytest.mark.parametrize("seed", range(20))
def test_the_page_answers_as_python_does(page, seed):
    ensure_same(page, drawn_file(seed))


@pytest.mark.parametrize("name", PUBLIC)
def test_the_page_answers_as_python_does_on_public_tables(page, shared_data, name):
    ensure_same(page, File((shared_data / name).read_text(encoding="utf-8"), **PUBLIC[name]))


# As a reader meets it.

SCORES = "model,reading,code,speed\nada,81,40,3\nbo,78,38,9\ncy,74,46,5\ndee,73,37,2\n"
SENTENCE = (
    "By Borda, 3 of 4 models can be the only winner, 0 tie at best, 1 can never win.\n"
    "Head-to-head, 3 of 4 models can win, 0 tie at best, 1 can never win."
)


def give(page, *files):
    """Choose files, each a name and its text or bytes."""
    held = [(name, one if isinstance(one, bytes) else one.encode()) for name, one in files]
    page.locator("[data-part=file]").set_input_files(
        [{"name": name, "mimeType": "text/plain", "buffer": data} for name, data in held]
    )


def sentence(page):
    """Return the answer, once there is one."""
    part(page, "sentence").filter(has_text="of ").wait_for()
    return part(page, "sentence").inner_text()


def test_a_table_is_answered_without_a_further_click(opened):
    page = opened()
    give(page, ("scores.csv", SCORES))
    assert sentence(page) == SENTENCE
    row = part(page, "verdicts").locator("tr.never")
    assert all(word in row.inner_text() for word in ("dee", "never", "by Borda: ", "head-to-head: ", "ada"))
    page.wait_for_function("() => !document.querySelector('[data-part=verdicts]').textContent.includes('…')")
    assert "10,000 weightings" in part(page, "shares").inner_text()
    row = part(page, "verdicts").locator("tr", has_text="cy").first
    near = wl.lp.scenario(File(SCORES).board(), "cy", wl.lp.closest_to()).value
    moved = row.locator("td").nth(4)
    assert "none: leads now" in moved.inner_text() or Fraction(moved.locator("data").get_attribute("value")) == near / 2
    part(page, "verdicts").get_by_role("button", name="cy").click()
    assert page.locator("#weightlab-explorer-choose-model").input_value() == "2"
    assert part(page, "map").locator("polygon.area").count() == 3


def test_a_dropped_file_and_a_pasted_table_are_answered_alike(opened):
    page = opened()
    page.evaluate(
        """text => {
            const dropped = new DataTransfer();
            dropped.items.add(new File([text], "scores.csv"));
            document.dispatchEvent(new DragEvent("drop", { dataTransfer: dropped, cancelable: true }));
        }""",
        SCORES,
    )
    assert sentence(page) == SENTENCE
    page.get_by_text("Paste a table").click()
    page.get_by_label("The table, with a header").fill(SCORES.replace(",", "\t"))
    page.get_by_role("button", name="Read what is pasted").click()
    part(page, "source").filter(has_text="pasted table").wait_for()
    assert sentence(page) == SENTENCE


def test_switching_a_direction_and_leaving_a_column_out_change_the_answer(opened):
    page = opened()
    give(page, ("scores.csv", SCORES))
    sentence(page)
    page.get_by_role("switch", name="Lower is better on speed").check()
    part(page, "names").filter(
        has_text="Ranked by Borda: lower is better on 1 task and higher on the others."
    ).wait_for()
    part(page, "sentence").filter(has_text="Head-to-head, 3 of 4 models can win, 0 tie at best, 1 can").wait_for()
    page.get_by_label("What the column speed holds").select_option("out")
    part(page, "sentence").filter(has_text="Head-to-head, 2 of 4 models can win").wait_for()


def test_what_is_in_doubt_is_asked_first(opened):
    page = opened()
    give(page, ("scores.csv", "model,acc,net latency ratio,org\na,1,3,x\nb,2,,y\n"))
    part(page, "questions").filter(has_text="latency").wait_for()
    asked = part(page, "questions").inner_text()
    assert all(word in asked for word in ("latency", "likely lower is better", "missing"))
    assert part(page, "answer-section").is_hidden()
    part(page, "answer").click()
    assert "Missing scores count as ties head-to-head." in sentence(page)
    page.get_by_label("leave out models that lack a score").check()
    part(page, "fault").filter(has_text="a table needs two or more").wait_for()


def saved(page, name, folder):
    """Press a button that saves a file, and return where it is then."""
    with page.expect_download() as made:
        part(page, name).click()
    made.value.save_as(folder / made.value.suggested_filename)
    return made.value.suggested_filename


def shown_commands(page):
    return [part(page, f"{name}-command").inner_text() for name in ("checker", "verify")]


def ensure_checked(page, folder):
    """Run what the page shows in a folder with what it saves: checker.py on Python alone, and weightlab."""
    saved(page, "save-checker", folder)
    proof = saved(page, "save", folder)
    by_checker, by_weightlab = map(shlex.split, shown_commands(page))
    alone = subprocess.run([sys.executable, "-I", "-S", *by_checker[1:]], cwd=folder, capture_output=True, check=False)
    assert (alone.returncode, alone.stderr) == (0, b""), by_checker
    assert b"prospects: " in alone.stdout
    assert (b"Compared with the table" in alone.stdout) == (len(by_checker) > 3)
    at = {word: str(folder / word) for word in by_weightlab if (folder / word).is_file()}
    assert by_weightlab[0] == "weightlab"
    assert run([at.get(word, word) for word in by_weightlab[1:]]) == 0, by_weightlab
    document = json.loads((folder / proof).read_text(encoding="utf-8"))
    first = document["results"][0]["prospects"][0]
    first["lower"] = first["upper"] = "7/1"
    (folder / proof).write_text(json.dumps(document), encoding="utf-8")
    forged = subprocess.run([sys.executable, "-I", "-S", *by_checker[1:]], cwd=folder, capture_output=True, check=False)
    assert forged.returncode == 1
    assert run([at.get(word, word) for word in by_weightlab[1:]]) == 1


@pytest.mark.parametrize("given", ["sample", "pasted"])
def test_all_that_checks_a_proof_can_be_saved_and_the_commands_that_are_shown_check_it(opened, tmp_path, given):
    page = opened()
    generic = "python checker.py proof.json table.csv", "weightlab verify proof.json table.csv"
    assert tuple(shown_commands(page)) == generic
    if given == "sample":
        page.get_by_role("button", name="Try a sample").click()
    else:
        page.get_by_text("Paste a table").click()
        page.get_by_label("The table, with a header").fill(SCORES)
        page.get_by_role("button", name="Read what is pasted").click()
    sentence(page)
    saved(page, "save-table", tmp_path)
    ensure_checked(page, tmp_path)


TABLES = {
    "declared": 'model,acc,latency,org,"a, b\'s",loss\na,1,3,x,2,1\nb,2,,y,1,3\nc,0,4,z,2,2\n',
    "semicolons": "model;a;b;c\nx;1,5;2,25;7\ny;0,75;3,5;8\nz;0,5;1,0;9\n",
    "percent": "model,a,b\nx,10%,2\ny,30%,1\n",
    "numbered": ",model,a,b\n0,x,10,2\n1,y,30,1\n",
}


@pytest.mark.parametrize("name", TABLES)
def test_commands_say_what_was_declared_and_leave_out_a_table_that_checker_py_cannot_read(opened, tmp_path, name):
    page = opened()
    give(page, (f"{name}.csv", TABLES[name]))
    page.locator("[data-part=answer]:visible, [data-part=sentence]:visible").first.wait_for()
    if part(page, "answer").is_visible():
        part(page, "answer").click()
    sentence(page)
    if name == "declared":
        page.get_by_role("switch", name="Lower is better on loss").check()
        page.get_by_label("leave out models that lack a score").check()
        part(page, "sentence").filter(has_text="left out").wait_for()
    (tmp_path / f"{name}.csv").write_text(TABLES[name], encoding="utf-8")
    assert part(page, "save-table").is_hidden()
    assert part(page, "alone").is_visible() == (name != "declared")
    ensure_checked(page, tmp_path)


def test_a_document_is_no_table_and_the_page_says_what_checks_it(opened):
    page = opened()
    give(page, ("proof.json", worked(page, File(SCORES))["document"]))
    part(page, "fault").filter(has_text="is checked by python checker.py proof.json table.csv, or by").wait_for()
    give(page, ("scores.json", '{"results": {"x": 1, "y": 2}, "kind": {"x": 2, "y": 1}}'))
    assert sentence(page).split("\n")[1].startswith("Head-to-head, 2 of 2 models can win")


def test_a_command_holds_no_letter_that_a_terminal_would_obey(opened):
    page = opened()
    give(page, ("t.csv", 'model,a,"b\x1b]0;c\'d",loss\nx,1,2,1\ny,2,1,1\n'))
    sentence(page)
    page.get_by_role("switch", name="Lower is better on b").check()
    part(page, "verify-command").filter(has_text="c'\\''d").wait_for()
    assert not any("\x1b" in command for command in shown_commands(page))


WRONG = {
    "empty": (b"", "empty"),
    "blank": (b" \n\n", "empty"),
    "binary": (b"PK\x03\x04abc", "Excel workbook"),
    "parquet": (b"PAR1....", "Parquet"),
    "nul": (b"a\0b", "NUL"),
    "latin": (b"model,a\n\xff\xe8,1\n", "not UTF-8"),
    "one row": (b"model,a\nx,1\n", "needs two or more"),
    "no rows": (b"model,a\n", "no row below"),
    "no numbers": (b"model,a\nx,p\ny,q\n", "No column of numbers"),
    "twice": (b"model,a\nx,1\nx,2\n", "already in line 2"),
    "columns twice": (b"model,a,a\nx,1,2\ny,2,1\n", "Two columns are called"),
    "ragged": (b"model,a\nx,1,2\ny,2\n", "Line 2 has 3 fields where the header has 2"),
    "quote": (b'model,a\n"x,1\ny,2\n', "a quote opens here"),
    "page": (b"<!doctype html><p>", "HTML is not read"),
    "json": (b'{"a": [1, 2', "not JSON"),
    "json of another form": (b"[1, 2]", "This JSON is no table"),
}


def test_a_wrong_file_gets_a_sentence(opened):
    page = opened()
    for name, (data, fault) in WRONG.items():
        give(page, (f"{name}.csv", data))
        page.locator("[data-part=answer]:visible, [data-part=fault]:visible").first.wait_for()
        if part(page, "answer").is_visible():
            part(page, "answer").click()
        part(page, "fault").filter(has_text=fault).wait_for(timeout=5_000)
        give(page, ("scores.csv", SCORES))
        part(page, "fault").wait_for(state="hidden")
        assert sentence(page) == SENTENCE


DROPPED = """([name, size]) => {
    const dropped = new DataTransfer();
    dropped.items.add(new File([new Uint8Array(size).fill(120)], name));
    document.dispatchEvent(new DragEvent("drop", { dataTransfer: dropped, cancelable: true }));
}"""


@pytest.mark.parametrize("name", ["large.csv", "large.json"])
def test_a_file_of_50_megabytes_gets_a_sentence(opened, name):
    page = opened()
    page.evaluate(DROPPED, [name, 50_000_000])
    part(page, "fault").filter(
        has_text="has 50 MB, and this page reads up to 20: weightlab win FILE reads it."
    ).wait_for()


def test_decimal_commas_are_read_as_python_reads_them(opened):
    page = opened()
    give(page, ("comma.csv", TABLES["semicolons"]))
    assert sentence(page).split("\n")[1].startswith("Head-to-head, 3 of 3 models can win")
    assert "with decimal commas" in part(page, "source").inner_text()
    assert shown_commands(page)[1] == "weightlab verify comma-proof.json comma.csv '--separator=;' --decimal=,"


def test_commas_that_may_be_either_are_named_with_the_option_that_says_so(opened):
    page = opened()
    for cells, option in ((("1,5", "2.5"), "--decimal=,"), (("1,500", "2,000"), "--thousands=,")):
        give(page, ("t.csv", "model;a;b\n" + "".join(f"m{at};{cell};1\n" for at, cell in enumerate(cells))))
        part(page, "questions").filter(has_text=option).wait_for()


def test_a_map_has_corners_of_several_tasks_with_names(opened):
    rows = ["model,reading,code,speed,depth", "ada,81,40,3,2", "bo,78,38,9,1", "cy,74,46,5,7", "dee,73,37,2,9"]
    text = "\n".join(rows)
    page = opened()
    give(page, ("scores.csv", text))
    sentence(page)
    corners = part(page, "map-section").get_by_label("corner")
    corners.nth(0).select_option(["0", "1"])
    corners.nth(1).select_option(["2"])
    corners.nth(2).select_option(["3"])
    part(page, "map-section").get_by_label("Its name").nth(0).fill("<b>Language</b>")
    part(page, "map-section").get_by_label("Its name").nth(0).press("Tab")
    page.get_by_role(
        "img", name="Who wins head-to-head, and where, between <b>Language</b>, speed and depth"
    ).wait_for()
    board = File(text).board()
    groups = {"language": ["reading", "code"], "speed": ["speed"], "depth": ["depth"]}
    shares = dict.fromkeys(board.models, Fraction(0))
    for area in wl.lp.map_of_winners(board, groups=groups).areas:
        if area.kind == "winner":
            shares[area.models[0]] += area.share
    shown = part(page, "map").locator("tbody data").all()
    assert sorted(Fraction(one.get_attribute("value")) for one in shown) == sorted(filter(None, shares.values()))


WITHOUT = {
    "workers": "() => { delete window.Worker; }",
    "workers that start": "() => { window.Worker = class { constructor() { throw new Error('not here'); } }; }",
    "WebAssembly": "() => { delete window.WebAssembly; }",
}


@pytest.mark.parametrize("lost", WITHOUT)
def test_a_browser_that_lacks_something_answers_as_well(opened, lost):
    page = opened()
    page.evaluate(WITHOUT[lost])
    give(page, ("scores.csv", SCORES))
    assert sentence(page) == SENTENCE


def test_names_that_look_like_markup_stay_text(opened):
    names = ["<script>alert(1)</script>", "<img src=x onerror=alert(2)>", "</template><b>", "__proto__"]
    quoted = ['"' + name + '"' for name in names]
    rows = [
        f"{name},{','.join(str((row * (column + 2)) % 5) for column in range(4))}" for row, name in enumerate(quoted)
    ]
    page = opened()
    give(page, ("<b>.csv", "\n".join([",".join(["model", *quoted]), *rows]) + "\n"))
    sentence(page)
    assert all(name in part(page, "verdicts").inner_text() for name in names)
    assert page.locator("main b, main img, main script").count() == 0


def test_every_control_has_a_name_and_a_narrow_page_does_not_scroll_sideways(opened):
    page = opened(viewport={"width": 390, "height": 844})
    page.get_by_role("button", name="Try a sample").click()
    if part(page, "answer").is_visible():
        part(page, "answer").click()
    sentence(page)
    nameless = page.evaluate(
        """() => [...document.querySelectorAll("input, select, textarea, button")].filter((one) =>
            !one.hidden && !one.labels?.length && !one.getAttribute("aria-label") && !one.textContent.trim()
        ).map((one) => one.outerHTML)"""
    )
    assert nameless == []
    assert page.evaluate("() => document.documentElement.scrollWidth <= window.innerWidth")
