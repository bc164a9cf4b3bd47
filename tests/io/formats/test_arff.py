"""ARFF files, as Weka and OpenML write them."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

import weightlab as wl
from weightlab.exceptions import FileFormatError

RUNS = """% runs
@RELATION runs
@attribute 'data set' {adult, 'the wine'}
@attribute algorithm string
@attribute accuracy NUMERIC
@attribute error real
@DATA
adult,forest,0.9,?

% between
'the wine',forest,0.7,0.1
adult,'boost, ing',0.8,0.2
'the wine',"boost, ing",0.9,0.1
"""


def read(text, **options):
    return wl.read_leaderboard(io.StringIO(text), format="arff", **options)


def test_attributes_are_columns(tmp_path):
    (tmp_path / "t.arff").write_text(RUNS)
    board = wl.read_leaderboard(tmp_path / "t.arff")
    assert board.models == ("forest", "boost, ing")
    assert board.tasks == ("accuracy/adult", "accuracy/the wine", "error/adult", "error/the wine")
    assert board.missing_cells == (("forest", "error/adult"),)


def test_sparse_rows_are_filled():
    text = (
        "@relation r\n@attribute model {a,b}\n@attribute x numeric\n@attribute y numeric\n@data\n{1 5}\n{0 b, 2 '7'}\n"
    )
    board = read(text)
    assert board.models == ("a", "b")
    assert board.scores.to_numpy().tolist() == [[5, 0], [0, 7]]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("@relation r\n@attribute x numeric\n", "there is no line @data"),
        ("@attribute a relational\n@data\n", "line 1: attribute a holds tables, which are not read"),
        ("@attribute m string\n@attribute x numeric\n@data\na,1,2\nb\n", "line 4: 3 fields where the header has 2"),
        ("@attribute m string\n@attribute x numeric\n@data\na,'1\nb,2\n", "line 4: 3 fields where the header has 2"),
        (
            "@attribute m string\n@attribute x numeric\n@data\na,1\nb,high\n",
            "line 5, column 'x': 'high' is not a number",
        ),
    ],
)
def test_faults_name_the_line(text, told):
    with pytest.raises(FileFormatError, match=told):
        read(text)


CELLS = st.lists(st.text("ab,'\"\\ ?%", max_size=6), min_size=2, max_size=2)


@given(st.lists(CELLS, min_size=1, max_size=4))
def test_quoted_cells_come_out_as_they_were(rows):
    quoted = [",".join("'" + cell.replace("\\", "\\\\").replace("'", "\\'") + "'" for cell in row) for row in rows]
    text = "@attribute m string\n@attribute n string\n@data\n" + "\n".join(quoted) + "\n"
    held = io.BytesIO(text.encode())
    held.name = "t.arff"
    from weightlab.io.formats.arff import arff_sheet
    from weightlab.io.tables.sheet import opened

    (block,) = arff_sheet(opened(held)).blocks
    assert [list(row) for row in zip(*block.columns, strict=True)] == rows


@given(st.text("@data{}',\"\\ \n01?%bx", max_size=80))
def test_any_text_is_read_or_refused(text):
    try:
        read("@attribute m string\n@attribute x numeric\n" + text)
    except wl.InputError:
        return
