"""Tables of SQLite databases: read only, tables alone, in bounded time."""

from __future__ import annotations

import gzip
import io
import sqlite3
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

import weightlab as wl
from weightlab.exceptions import FileFormatError
from weightlab.io.formats import sqlite

SCORES = (
    "CREATE TABLE scores (model TEXT, acc REAL, n_5 INTEGER)",
    "INSERT INTO scores VALUES ('a', 0.5, 3), ('b', NULL, 4)",
)
ENDLESS = (
    "CREATE VIEW endless AS WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT n, n AS m FROM r"
)


def database(path, *statements):
    held = sqlite3.connect(path)
    with held:
        for one in statements:
            held.execute(one)
    held.close()
    return path


def test_the_only_table_with_numbers_is_read(tmp_path):
    notes = ("CREATE TABLE notes (a TEXT, b TEXT)", "INSERT INTO notes VALUES ('x', 'y')")
    board = wl.read_leaderboard(database(tmp_path / "t.db", *SCORES, *notes), keep="*")
    assert (board.models, board.tasks) == (("a", "b"), ("acc", "n_5"))
    assert board.missing_cells == (("b", "acc"),)
    assert wl.read_leaderboard(io.BytesIO((tmp_path / "t.db").read_bytes()), keep="*").equals(board)


def test_of_several_tables_one_is_asked_for(tmp_path):
    path = database(tmp_path / "t.sqlite", *SCORES, "CREATE TABLE more AS SELECT model, acc + 1 AS up FROM scores")
    with pytest.raises(FileFormatError, match="2 of its 2 tables hold numbers: 'scores', 'more'; pass table='scores'"):
        wl.read_leaderboard(path)
    assert wl.read_leaderboard(path, table="scores", keep="*").tasks == ("acc", "n_5")
    with pytest.raises(FileFormatError, match="there is no table 'x', but 'scores', 'more'"):
        wl.read_leaderboard(path, table="x")


def test_a_database_that_is_written_to_is_read_as_it_was_saved(tmp_path):
    path = database(tmp_path / "t.db", "PRAGMA journal_mode = WAL", *SCORES)
    before = path.read_bytes()
    assert wl.read_leaderboard(path, keep="*").models == ("a", "b")
    assert path.read_bytes() == before
    assert [one.name for one in tmp_path.iterdir()] == ["t.db"]


def test_a_name_is_quoted(tmp_path):
    path = database(tmp_path / "t.db", *(one.replace("scores", '"a""b; DROP TABLE c"') for one in SCORES))
    assert wl.read_leaderboard(path, keep="*").models == ("a", "b")


def test_a_packed_database_is_one(tmp_path):
    path = database(tmp_path / "t.db", *SCORES)
    packed = tmp_path / "u.db.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    assert wl.read_leaderboard(packed, keep="*").models == ("a", "b")


def test_views_are_not_read(tmp_path):
    path = database(tmp_path / "t.db", *SCORES, ENDLESS)
    assert wl.read_leaderboard(path, keep="*").models == ("a", "b")
    with pytest.raises(FileFormatError, match="there is no table 'endless', but 'scores'"):
        wl.read_leaderboard(path, table="endless")


def test_a_view_in_the_place_of_a_table_does_not_run(tmp_path):
    path = database(
        tmp_path / "t.db",
        *SCORES,
        ENDLESS,
        "PRAGMA writable_schema = ON",
        "UPDATE sqlite_master SET type = 'table' WHERE name = 'endless'",
    )
    begun = time.monotonic()
    with pytest.raises(FileFormatError, match=r"t\.db: "):
        wl.read_leaderboard(path, table="endless")
    assert time.monotonic() - begun < 5


def test_a_function_of_the_file_does_not_run(tmp_path):
    column = "x AS (hex(zeroblob(100000000)))"
    path = database(
        tmp_path / "t.db",
        f"CREATE TABLE t (model TEXT, y REAL, {column})",
        "INSERT INTO t (model, y) VALUES ('a', 1), ('b', 2)",
    )
    begun = time.monotonic()
    assert wl.read_leaderboard(path).tasks == ("y",)
    assert time.monotonic() - begun < 5


def test_a_cell_of_a_hundred_megabytes_is_refused(tmp_path):
    path = database(tmp_path / "t.db", *SCORES, "INSERT INTO scores VALUES (hex(zeroblob(2000000)), 1, 2)")
    with pytest.raises(FileFormatError, match="too big"):
        wl.read_leaderboard(path)


def test_what_takes_too_long_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(sqlite, "SECONDS", -1.0)
    monkeypatch.setattr(sqlite, "STEPS", 1)
    with pytest.raises(FileFormatError, match="not read within"):
        wl.read_leaderboard(database(tmp_path / "t.db", *SCORES))


def test_too_many_cells_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(sqlite, "MOST_CELLS", 5)
    with pytest.raises(FileFormatError, match="table 'scores' has more than 5 cells"):
        wl.read_leaderboard(database(tmp_path / "t.db", *SCORES))


def test_no_other_file_is_attached(tmp_path):
    other = database(tmp_path / "other.db", *SCORES)
    virtual = "CREATE VIRTUAL TABLE v USING fts5(a, b)"
    try:
        path = database(tmp_path / "t.db", *SCORES, virtual)
    except sqlite3.OperationalError:
        pytest.skip("this SQLite has no fts5")
    other.unlink()
    with pytest.raises(FileFormatError, match="there is no table 'v'"):
        wl.read_leaderboard(path, table="v")


@given(st.data())
def test_damage_is_an_error_or_a_table(data):
    held = sqlite3.connect(":memory:")
    for one in SCORES:
        held.execute(one)
    held.commit()
    whole = bytearray(held.serialize())
    held.close()
    for _ in range(data.draw(st.integers(1, 8))):
        whole[data.draw(st.integers(16, len(whole) - 1))] = data.draw(st.integers(0, 255))
    try:
        wl.read_leaderboard(io.BytesIO(bytes(whole)), keep="*")
    except wl.InputError:
        return


def test_what_is_no_database_is_refused(tmp_path):
    (tmp_path / "t.db").write_bytes(b"model,x\na,1\nb,2\n")
    with pytest.raises(FileFormatError, match="not a SQLite database"):
        wl.read_leaderboard(tmp_path / "t.db")
    database(tmp_path / "e.db", "CREATE VIEW v AS SELECT 1")
    with pytest.raises(FileFormatError, match="there is no table"):
        wl.read_leaderboard(tmp_path / "e.db")
