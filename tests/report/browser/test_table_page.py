"""The page that takes a table: in a real Chromium it says of many tables exactly what Python says."""

from __future__ import annotations

import io
import json
from fractions import Fraction

import pytest

import weightlab as wl
from tests.report.browser.tables import File, drawn_file
from tests.report.chromium import browser, opener
from weightlab.checker import check
from weightlab.cli import run
from weightlab.exceptions import InputError, ProofError
from weightlab.report.browser import table_page
from weightlab.report.output.document import Document, read_document

WORKED = """([text, lower, weights, complete, name]) => {
  const own = window.weightlabPage;
  const sheet = own.sheetOf(text, name);
  const { columns } = own.recognised(sheet);
  for (const one of columns) {
    one.lower = lower.includes(one.name);
    one.weight = new Map(weights).get(one.name) || "1";
  }
  const payload = own.payloadOf(sheet, columns, { complete, offers: own.page.told.offers });
  const distances = {};
  for (const message of own.work(payload)) {
    if (message.kind === "verdict") payload.prospects.push(message.prospect);
    if (message.kind === "distance") distances[message.model] = message.wins ? "wins" : message.near;
  }
  const about = { version: own.page.told.version, file: name, complete, flags: [] };
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
    proved = wl.lp.prospects(board, exact=True)
    told = found["payload"]["prospects"]
    assert found["payload"]["models"] == list(board.models)
    assert [one["verdict"] for one in told] == [str(one) for one in proved.verdicts]
    assert [Fraction(one["lower"]) for one in told] == proved.lower.tolist() == proved.upper.tolist()
    today = wl.graph.condorcet_winner(board)
    for place, near in found["distances"].items():
        model = board.models[int(place)]
        if near == "wins":
            assert today == model
            continue
        assert near["proved"]
        assert Fraction(near["distance"]) == wl.lp.scenario(board, model, wl.lp.closest_to()).value
    document = read_document(io.StringIO(found["document"]))
    assert document.verify(board)
    assert check(found["document"]).code == 0


@pytest.mark.parametrize("seed", range(20))
def test_the_page_answers_as_python_does(page, seed):
    ensure_same(page, drawn_file(seed))


@pytest.mark.parametrize("name", PUBLIC)
def test_the_page_answers_as_python_does_on_public_tables(page, shared_data, name):
    ensure_same(page, File((shared_data / name).read_text(encoding="utf-8"), **PUBLIC[name]))


# As a reader meets it.

SCORES = "model,reading,code,speed\nada,81,40,3\nbo,78,38,9\ncy,74,46,5\ndee,73,37,2\n"
SENTENCE = "Of 4 models 3 can win under some weights, 0 can at best tie, 1 can never win."


def give(page, *files):
    """Choose files, each a name and its text or bytes."""
    held = [(name, one if isinstance(one, bytes) else one.encode()) for name, one in files]
    page.locator("[data-part=file]").set_input_files(
        [{"name": name, "mimeType": "text/plain", "buffer": data} for name, data in held]
    )


def sentence(page):
    """Return the answer, once there is one."""
    part(page, "sentence").filter(has_text="Of ").wait_for()
    return part(page, "sentence").inner_text()


def test_a_table_is_answered_without_a_further_click(opened):
    page = opened()
    give(page, ("scores.csv", SCORES))
    assert sentence(page) == SENTENCE
    assert "Can never win: dee." in part(page, "names").inner_text()
    row = part(page, "verdicts").locator("tr.never")
    assert all(word in row.inner_text() for word in ("dee", "can never win", "ada"))
    page.wait_for_function("() => !document.querySelector('[data-part=verdicts]').textContent.includes('…')")
    assert "10,000 weightings" in part(page, "shares").inner_text()
    row = part(page, "verdicts").locator("tr", has_text="cy").first
    near = wl.lp.scenario(File(SCORES).board(), "cy", wl.lp.closest_to()).value
    moved = row.locator("td").nth(3)
    assert "wins today" in moved.inner_text() or Fraction(moved.locator("data").get_attribute("value")) == near / 2
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
    part(page, "names").filter(has_text="Can win: ada, cy and dee.").wait_for()
    page.get_by_label("What the column speed holds").select_option("out")
    part(page, "names").filter(has_text="Can win: ada and cy.").wait_for()


def test_what_is_in_doubt_is_asked_first(opened):
    page = opened()
    give(page, ("scores.csv", "model,acc,latency,org\na,1,3,x\nb,2,,y\n"))
    part(page, "questions").filter(has_text="latency").wait_for()
    asked = part(page, "questions").inner_text()
    assert all(word in asked for word in ("latency", "lower better", "org", "missing"))
    assert part(page, "answer-section").is_hidden()
    part(page, "answer").click()
    assert "Missing scores count as ties." in sentence(page)
    page.get_by_label("leave out models that lack a score").check()
    part(page, "fault").filter(has_text="a table needs two or more").wait_for()


def test_what_is_saved_verifies_and_is_checked_beside_its_table(opened, tmp_path):
    page = opened()
    page.get_by_role("button", name="Try a sample").click()
    sentence(page)
    with page.expect_download() as saved:
        part(page, "save").click()
    saved.value.save_as(tmp_path / "proof.json")
    sample = wl.datasets.load_leaderboard("classifiers").select(
        tasks=[f"accuracy/{one}" for one in wl.datasets.load("classifiers").datasets]
    )
    wl.write_leaderboard(sample, tmp_path / "classifiers.csv")
    proof, table = ((tmp_path / name).read_text(encoding="utf-8") for name in ("proof.json", "classifiers.csv"))
    flags = json.loads(proof)["options"].get("flags", [])
    assert run(["verify", str(tmp_path / "proof.json"), str(tmp_path / "classifiers.csv"), *flags]) == 0
    give(page, ("classifiers.csv", table), ("proof.json", proof))
    part(page, "answer").click() if part(page, "answer").is_visible() else None
    part(page, "checked").filter(has_text="Proved: of 16 models").wait_for()


FORGED = {
    "verdict": ("never", "prove"),
    "lower": ("1/2", "least lead"),
    "weights": ({"reading": "1/1"}, "the lead over"),
    "blockers": ({"ada": "1/2"}, "sum to 1/2"),
    "model": ("ada", "one prospect a model"),
}


@pytest.mark.parametrize("name", FORGED)
def test_a_forged_document_is_refused(opened, name):
    page = opened()
    document = json.loads(worked(page, File(SCORES))["document"])
    value, fault = FORGED[name]
    document["results"][0]["prospects"][1][name] = value
    with pytest.raises((ProofError, InputError)):
        read_document(io.StringIO(json.dumps(document))).verify()
    give(page, ("scores.csv", SCORES), ("proof.json", json.dumps(document)))
    part(page, "checked").filter(has_text="False: ").wait_for()
    assert fault in part(page, "checked").inner_text()


def test_a_document_of_another_table_is_refused_and_one_alone_is_opened(opened):
    page = opened()
    document = worked(page, File(SCORES))["document"]
    give(page, ("proof.json", document))
    assert SENTENCE in sentence(page)
    assert "no table was compared" in part(page, "checked").inner_text()
    give(page, ("scores.csv", SCORES.replace("81", "1")), ("proof.json", document))
    part(page, "checked").filter(has_text="the sign of").wait_for()
    other = document.replace(f'"weightlab": "{wl.__version__}"', '"weightlab": "9.9"')
    give(page, ("proof.json", other))
    part(page, "checked").filter(has_text="written by weightlab 9.9").wait_for()


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
    "json of another form": (b"[1, 2]", "neither a table"),
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


def test_decimal_commas_are_read_as_python_reads_them(opened, tmp_path):
    text = "model;a;b;c\nx;1,5;2,25;7\ny;0,75;3,5;8\nz;0,5;1,0;9\n"
    page = opened()
    give(page, ("comma.csv", text))
    assert sentence(page).startswith("Of 3 models 3 can win")
    assert "with decimal commas" in part(page, "source").inner_text()
    with page.expect_download() as saved:
        part(page, "save").click()
    saved.value.save_as(tmp_path / "proof.json")
    (tmp_path / "comma.csv").write_text(text, encoding="utf-8")
    flags = json.loads((tmp_path / "proof.json").read_text(encoding="utf-8"))["options"]["flags"]
    assert flags == ["--separator=;", "--decimal=,"]
    assert run(["verify", str(tmp_path / "proof.json"), str(tmp_path / "comma.csv"), *flags]) == 0


def test_commas_that_may_be_either_are_named_with_the_option_that_says_so(opened):
    page = opened()
    for cells, option in ((("1,5", "2.5"), "--decimal=,"), (("1,500", "2,000"), "--thousands=,")):
        give(page, ("t.csv", "model;a;b\n" + "".join(f"m{at};{cell};1\n" for at, cell in enumerate(cells))))
        part(page, "questions").filter(has_text=option).wait_for()


def test_a_map_has_corners_of_several_tasks_with_names(opened):
    rows = ["model,reading,code,speed,length", "ada,81,40,3,2", "bo,78,38,9,1", "cy,74,46,5,7", "dee,73,37,2,9"]
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
    page.get_by_role("img", name="Who wins where, between <b>Language</b>, speed and length").wait_for()
    board = File(text).board()
    groups = {"language": ["reading", "code"], "speed": ["speed"], "length": ["length"]}
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
def test_a_browser_that_lacks_something_answers_and_verifies_as_well(opened, lost):
    page = opened()
    document = worked(page, File(SCORES))["document"]
    page.evaluate(WITHOUT[lost])
    give(page, ("scores.csv", SCORES), ("proof.json", document))
    assert sentence(page) == SENTENCE
    part(page, "checked").filter(has_text="Proved: of 4 models").wait_for()


def test_names_in_documents_that_look_like_markup_stay_text(opened):
    page, name = opened(), "<img src=x onerror=alert(1)>"
    document = (
        worked(page, File(SCORES))["document"].replace('"dee"', json.dumps(name)).replace('"lower"', '"lo<b>er"', 1)
    )
    give(page, ("<b>.json", document))
    part(page, "checked").filter(has_text="a part that is not known").wait_for()
    odd = {"kind": "<script>alert(1)</script>", "options": name}
    give(page, ("<i>.json", json.dumps({"results": [odd], "weightlab": name})))
    part(page, "checked").filter(has_text="<script>alert(1)</script>").wait_for()
    assert page.locator("main b, main i, main img, main script").count() == 0


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


def test_a_document_says_how_the_table_beside_it_was_read(opened):
    page = opened()
    table = "model,acc,latency,org\na,1,3,x\nb,2,,y\nc,0,4,z\n"
    board = wl.read_leaderboard(io.StringIO(table), config={}, lower_is_better="latency", drop="org").complete()
    options = {"file": "t.csv", "config": None, "complete": True, "flags": ["--lower=latency", "--drop=org"]}
    document = Document(results=(wl.lp.prospects(board),), options=options, command="win")
    give(page, ("t.csv", table), ("t.json", document.to_json()))
    part(page, "checked").filter(has_text="Proved: of 2 models").wait_for()
    assert "made with" not in part(page, "checked").inner_text()
    page.get_by_role("switch", name="Lower is better on latency").uncheck()
    part(page, "checked").filter(has_text="False: the sign of").wait_for()
    assert "It was made with" in part(page, "checked").inner_text()
