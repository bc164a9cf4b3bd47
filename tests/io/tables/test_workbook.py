"""Excel workbooks."""

from __future__ import annotations

import io
import zipfile

import pytest

import weightlab as wl

openpyxl = pytest.importorskip("openpyxl")


def book(path, **sheets):
    made = openpyxl.Workbook()
    made.remove(made.active)
    for title, rows in sheets.items():
        sheet = made.create_sheet(title)
        for row in rows:
            sheet.append(row)
    made.save(path)
    return path


ROWS = [[None, "model", "x", None, "y"], [], [None, "a", 0.1, None, 3], [None, "b", "0.25", None, None]]


def test_the_scores_are_the_decimals_that_the_cells_show(tmp_path):
    path = book(tmp_path / "t.xlsx", results=ROWS)
    board = wl.read_leaderboard(path)
    assert (board.models, board.tasks, board.missing_cells) == (("a", "b"), ("x", "y"), (("b", "y"),))
    assert board.scores.loc["a"].tolist() == [0.1, 3]
    assert wl.read_leaderboard(io.BytesIO(path.read_bytes())).equals(board)


def test_other_sheets_are_said_to_be_left_out(tmp_path):
    path = book(tmp_path / "t.xlsx", empty=[], one=ROWS, two=ROWS)
    with pytest.warns(wl.io.ResultsWarning, match="sheet 'one' is read; left out: 'two'"):
        assert len(wl.read_leaderboard(path).models) == 2


def test_faults_name_the_row(tmp_path):
    path = book(tmp_path / "t.xlsx", one=[*ROWS, [None, "c", "high", None, 1]])
    with pytest.raises(wl.FileFormatError, match="row 5, column 'x': 'high' is not a number"):
        wl.read_leaderboard(path)


@pytest.mark.parametrize("data", [b"model,x\n", b"PK\x03\x04rest"])
def test_what_is_no_workbook_is_refused(tmp_path, data):
    (tmp_path / "t.xlsx").write_bytes(data)
    with pytest.raises(wl.FileFormatError, match=r"not an \.xlsx workbook|a damaged zip archive"):
        wl.read_leaderboard(tmp_path / "t.xlsx")
    with pytest.raises(wl.FileFormatError, match="the workbook is empty"):
        wl.read_leaderboard(book(tmp_path / "e.xlsx", one=[]))


def test_without_openpyxl_the_error_says_what_to_install(tmp_path, monkeypatch):
    path = book(tmp_path / "t.xlsx", one=ROWS)
    monkeypatch.setitem(__import__("sys").modules, "openpyxl", None)
    with pytest.raises(wl.InputError, match=r"pip install 'weightlab\[excel\]'"):
        wl.read_leaderboard(path)


def test_a_sheet_that_says_it_is_endless_is_read_or_refused_in_time(tmp_path, monkeypatch):
    path = book(tmp_path / "t.xlsx", one=ROWS)
    files = {}
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            files[name] = archive.read(name)
    name = "xl/worksheets/sheet1.xml"
    wide = b"".join(b'<row r="%d"><c r="XFD%d"><v>1</v></c></row>' % (row, row) for row in range(9, 109))
    for old, new in (
        (b'<dimension ref="A1:E4"', b'<dimension ref="A1:XFD1048576"'),
        (b"</sheetData>", wide + b"</sheetData>"),
    ):
        files[name] = files[name].replace(old, new)
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for one, data in files.items():
                archive.writestr(one, data)
        if new.startswith(b"<dim"):
            assert wl.read_leaderboard(path).models == ("a", "b")
    monkeypatch.setattr("weightlab.io.formats.open_sheet.MOST_CELLS", 1_000_000)
    with pytest.raises(wl.FileFormatError, match="spans more than 1,000,000 cells"):
        wl.read_leaderboard(path)
