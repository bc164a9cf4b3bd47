"""Tables in Parquet files."""

from __future__ import annotations

import datetime as dt
import io
import sys
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest

import weightlab as wl
from weightlab.io.tables.sheet import Source
from weightlab.io.tables.typed_columns import parquet_records, parquet_sheet

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

MODELS = ["a", "b"]


def stored(columns, **options):
    buffer = io.BytesIO()
    pq.write_table(pa.table(columns), buffer, **options)
    return io.BytesIO(buffer.getvalue())


def read(columns, **options):
    return wl.read_leaderboard(stored(columns), format="parquet", **options)


@pytest.mark.parametrize(
    ("column", "written"),
    [
        (pa.array([0.1, None]), ["0.1", ""]),
        (pa.array([0.1, float("nan")]), ["0.1", ""]),
        (pa.array([0.1, None], pa.float32()), ["0.1", ""]),
        (pa.array(np.array([0.1, 1], np.float16)), ["0.1", "1"]),
        (pa.array([3, -4]), ["3", "-4"]),
        (pa.array([3, None]), ["3", ""]),
        (pa.array([2**60 + 1, 0], pa.uint64()), [str(2**60 + 1), "0"]),
        (pa.array([True, False]), ["1", "0"]),
        (pa.array(["0.30000000000000000001", "-"]), ["0.30000000000000000001", ""]),
        (pa.array(["0.5", "1"]).dictionary_encode(), ["0.5", "1"]),
        (pa.array([Decimal("0.10000000000000000001"), None]), ["0.10000000000000000001", ""]),
    ],
    ids=str,
)
def test_every_type_of_number_is_what_it_prints_as(column, written):
    board = read({"model": MODELS, "f1": column, "full": [1, 2]})
    assert board.cells.texts(0) == written


def test_a_stored_index_names_the_models_wherever_it_stands(tmp_path):
    frame = pd.DataFrame({"f1": [0.5, 1.0]}, index=MODELS)
    frame.to_parquet(tmp_path / "x.parquet")
    assert wl.read_leaderboard(tmp_path / "x.parquet").equals(wl.Leaderboard(frame))
    frame.rename_axis("model").to_parquet(tmp_path / "x.parquet")
    assert wl.read_leaderboard(tmp_path / "x.parquet").equals(wl.Leaderboard(frame))


def test_without_one_the_first_column_does(tmp_path):
    frame = pd.DataFrame({"model": MODELS, "f1": [0.5, 1.0]})
    frame.to_parquet(tmp_path / "x.parquet")
    assert wl.read_leaderboard(tmp_path / "x.parquet").models == ("a", "b")


def test_names_may_be_whole_numbers():
    assert read({"model": [7, 8], "f1": [1, 2]}).models == ("7", "8")


def test_percent_and_split_work_on_text():
    board = read({"model": MODELS, "f1": ["1%", "2%"], "em": ["1/2", "3/4"]}, percent="f1", split={"em": "/"})
    assert board.scores.to_numpy().tolist() == [[1, 1, 2], [2, 3, 4]]


@pytest.mark.parametrize("column", [pa.array([1.0, 2.0]), pa.array([1, 2])], ids=["doubles", "integers"])
def test_numbers_of_a_column_in_percent_need_no_sign(column):
    assert read({"model": MODELS, "f1": column}, percent="f1").scores["f1"].tolist() == [1, 2]


def test_wrong_cells_are_named_by_their_row():
    columns = {
        "model": ["a", None],
        "f1": [float("inf"), 1.0],
        "when": [dt.date(2025, 1, 2), None],
        "list": [[1.0], [2.0]],
        "raw": [b"1", b"2"],
    }
    with pytest.raises(wl.FileFormatError) as refused:
        read(columns, keep="*")
    text = "is not a number"
    assert refused.value.faults == (
        "row 1, column 'f1': inf is infinite",
        f"row 1, column 'when': datetime.date(2025, 1, 2) {text}",
        "column 'list' holds no number but <list<element: double>>",
        "column 'raw' holds no number but b'1', b'2'",
        "row 2, column 'model': None is not a name",
    )


def test_long_files_come_in_blocks(monkeypatch):
    monkeypatch.setattr("weightlab.io.tables.typed_columns.rows_of_a_block", lambda _columns: 3)
    names = [f"m{number}" for number in range(10)]
    assert read({"model": names, "f1": range(10)}).models == tuple(names)
    with pytest.raises(wl.FileFormatError, match="row 8, column 'f1': 'x' is not a number"):
        read({"model": names, "f1": [*"0123456", "x", "8", "9"]})


def test_a_long_text_of_many_rows_is_held_once(monkeypatch):
    monkeypatch.setattr("weightlab.io.tables.typed_columns.rows_of_a_block", lambda _columns: 30)
    notes = ["x" * 5_000, None, "y" * 5_000, "z"] * 25
    made = io.BytesIO()
    pd.DataFrame({"model": [f"m{at}" for at in range(100)], "note": notes, "f1": range(100)}).to_parquet(made)
    sheet = parquet_sheet(Source(name="t", data=made.getvalue(), format="parquet", path=None))
    blocks = [block.columns for block in sheet.blocks]
    assert [cell for block in blocks for cell in block[1]] == notes
    assert [cell for block in blocks for cell in block[0]] == [f"m{at}" for at in range(100)]
    for block in blocks:
        assert len({id(cell) for cell in block[1]}) == len({*block[1]})


def test_records_that_unpack_to_too_much_are_refused(monkeypatch):
    monkeypatch.setattr("weightlab.io.tables.typed_columns.SIZE_LIMIT", 1)
    made = io.BytesIO()
    pd.DataFrame({"model": ["x" * 10_000] * 200}).to_parquet(made)
    with pytest.raises(wl.FileFormatError, match="more than 1 MiB when unpacked"):
        parquet_records(Source(name="t", data=made.getvalue(), format="parquet", path=None), lambda row: row)


def test_other_bytes_are_no_parquet_file():
    with pytest.raises(wl.FileFormatError, match=r"^<stream>: not a Parquet file: "):
        wl.read_leaderboard(io.BytesIO(b"model,f1\na,1\n"), format="parquet")


def test_a_damaged_file_is_refused():
    data = bytearray(stored({"model": MODELS * 500, "f1": [0.5] * 1000}, compression="snappy").getvalue())
    data[20:60] = bytes(40)
    with pytest.raises(wl.FileFormatError, match=r"^<stream>: "):
        wl.read_leaderboard(io.BytesIO(bytes(data)), format="parquet")


def test_an_empty_file_has_no_columns():
    with pytest.raises(wl.FileFormatError, match=r"^<stream>: there is no column"):
        read({})


@pytest.mark.parametrize(
    ("form", "doing"),
    [
        ("reading", lambda _board, _path: wl.read_leaderboard(io.BytesIO(b"PAR1"), format="parquet")),
        ("writing", wl.write_leaderboard),
    ],
    ids=["reading", "writing"],
)
def test_without_pyarrow_the_extra_is_named(monkeypatch, tmp_path, form, doing):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    board = wl.Leaderboard({"f1": {"a": 1, "b": 2}})
    with pytest.raises(wl.InputError) as refused:
        doing(board, tmp_path / "x.parquet")
    assert str(refused.value) == f"{form} Parquet files needs pyarrow: pip install 'weightlab[parquet]'"
    assert list(tmp_path.iterdir()) == []


def test_a_small_file_of_endless_rows_is_refused(tmp_path, monkeypatch):
    from pyarrow import parquet

    monkeypatch.setattr("weightlab.io.tables.typed_columns.MOST_CELLS", 1_000_000)
    table = pa.table({"model": pa.array(["a"] * 600_000), "x": pa.array([1] * 600_000)})
    parquet.write_table(table, tmp_path / "t.parquet")
    assert (tmp_path / "t.parquet").stat().st_size < 10_000
    with pytest.raises(wl.FileFormatError, match="more than 1,000,000 cells"):
        wl.read_leaderboard(tmp_path / "t.parquet")
