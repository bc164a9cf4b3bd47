"""No warning of Python's reaches a terminal: what weightlab warns of is a note, and with -q nothing is said at all."""

from __future__ import annotations

import re
import zipfile

import pytest

from weightlab.cli.app import COMMANDS

ROWS = "model,accuracy,latency,loss\nada,9,3,1\nbo,8,1,2\ncy,7,2,3\ndee,6,2.5,4\n"
SUITE = "dataset,metric,model,score\n" + "".join(
    f"{dataset},{metric},{model},{place * size % 7}\n"
    for size, dataset in enumerate(("x", "y"), start=2)
    for place, model in enumerate("abcde", start=1)
    for metric in ("accuracy", "latency")
)
CALLS = {
    "nearest": ("-m", "ada"),
    "region": ("-m", "ada"),
    "improve": ("-m", "dee"),
    "map": ("--axis", "accuracy", "--axis", "latency", "--axis", "loss"),
    "paired": ("-m", "ada", "-m", "bo"),
    "disagreement": ("-r", "mean", "-r", "borda"),
    "study": ("agreement", "FILE"),
    "report": ("--only", "behaved", "-o", "report.html"),
    "page": ("-o", "page.html"),
    "check": ("--against", "old.csv"),
    "convert": ("FILE", "made.json"),
    "verify": ("proof.json", "FILE"),
}
"""Words behind FILE, which comes first where it is not named."""
OF_SUITES = {"audit", "sweep", "report", "page", "convert", "verify"}


def workbook(path):
    """Write a workbook that openpyxl warns of, for want of a style, and weightlab, for a second sheet."""
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    for line in ROWS.splitlines():
        book.active.append([cell if cell.isalpha() else float(cell) for cell in line.split(",")])
    book.create_sheet("more").append(["left", "out"])
    book.save(path.with_suffix(".tmp"))
    with zipfile.ZipFile(path.with_suffix(".tmp")) as whole, zipfile.ZipFile(path, "w") as without:
        for name in whole.namelist():
            text = whole.read(name)
            text = re.sub(rb"<cellStyles.*?</cellStyles>|<cellStyleXfs.*?</cellStyleXfs>", b"", text)
            without.writestr(name, text)


@pytest.fixture(params=["csv", "xlsx", "suite"])
def table(request, tmp_path):
    """Tables with tasks that are called as if less were better, and that nobody declares."""
    (tmp_path / "old.csv").write_text(ROWS, encoding="utf-8")
    path = tmp_path / f"table.{request.param}"
    if request.param == "xlsx":
        workbook(path)
        return path.name
    path = tmp_path / f"{request.param}.csv"
    path.write_text(ROWS if request.param == "csv" else SUITE, encoding="utf-8")
    return path.name


@pytest.mark.filterwarnings("always")
@pytest.mark.parametrize("name", COMMANDS)
def test_warnings_are_notes_and_with_q_nothing_is_said(weightlab, table, name, recwarn):
    question = "audit" if "suite" in table else "win"
    assert weightlab(question, table, "-q", "-o", "proof.json").code == 0
    words = [table if word == "FILE" else word for word in CALLS.get(name, ())]
    call = [name, *([] if name == "page" or "FILE" in CALLS.get(name, ()) else [table]), *words]
    told = weightlab(*call)
    assert told.code in ({0, 2} if "suite" in table and name not in OF_SUITES else {0})
    assert re.search(r"Warning|\.py\b", told.err) is None
    hushed = weightlab(*call, "--quiet", *(["--force"] if name in {"convert", "report", "page"} else []))
    if hushed.code == 0:
        assert hushed.err == ""
    assert [str(one.message) for one in recwarn] == []
