"""What can be opened, and what a file must be to be text."""

from __future__ import annotations

import errno
import gzip
import io
import os
import pickle
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import weightlab as wl
from weightlab.exceptions import FileFormatError
from weightlab.io.tables.sheet import Source, decoded, opened

NO_TABLE = "there is no table: rows of cells between <table> and </table> are needed"
TABLE = "model,f1\na,1\nb,2\n"


def refusal(path, **options):
    with pytest.raises(wl.InputError) as refused:
        wl.read_leaderboard(path, **options)
    return str(refused.value)


def source(data):
    return Source(name="t.csv", data=data, format="csv", path=None)


def test_a_path_may_be_text_or_a_path(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(TABLE)
    assert wl.read_leaderboard(str(path)).equals(wl.read_leaderboard(path))


@pytest.mark.parametrize("stream", [io.StringIO(TABLE), io.BytesIO(TABLE.encode())], ids=["text", "bytes"])
def test_a_stream_without_a_name_is_csv(stream):
    assert wl.read_leaderboard(stream).models == ("a", "b")


def test_an_open_file_has_the_format_of_its_name(tmp_path):
    path = tmp_path / "t.tsv"
    path.write_text(TABLE.replace(",", "\t"))
    with path.open() as stream:
        assert wl.read_leaderboard(stream).tasks == ("f1",)


def test_a_text_stream_is_read_in_the_encoding_it_was_opened_in():
    text = io.TextIOWrapper(io.BytesIO("model,f1\n\u00e9,1\nb,2\n".encode("latin-1")), encoding="latin-1")
    assert wl.read_leaderboard(text).models == ("\u00e9", "b")


def test_a_text_stream_that_is_encoded_otherwise_is_refused():
    text = io.TextIOWrapper(io.BytesIO(b"model,f1\n\xe9,1\n"), encoding="utf-8")
    assert refusal(text) == (
        "<stream>: cannot be read: 'utf-8' codec can't decode byte 0xe9 in position 9: invalid continuation byte"
    )


def test_a_stream_is_read_from_where_it_stands(tmp_path):
    (tmp_path / "t.csv").write_text("# a comment\n" + TABLE)
    with (tmp_path / "t.csv").open() as stream:
        assert stream.readline() == "# a comment\n"
        assert wl.read_leaderboard(stream).models == ("a", "b")


def test_standard_input_is_called_so():
    class Standard(io.BytesIO):
        name = "<stdin>"

    assert refusal(Standard(b"")) == "standard input: the file is empty"


def test_a_file_descriptor_has_no_name_to_show():
    reading, writing = os.pipe()
    os.close(writing)
    with os.fdopen(reading, "rb") as stream:
        assert refusal(stream) == "<stream>: the file is empty"


def test_a_closed_stream_cannot_be_read():
    stream = io.StringIO(TABLE)
    stream.close()
    assert refusal(stream) == "<stream>: cannot be read: I/O operation on closed file"


def test_what_is_neither_a_path_nor_a_stream_is_refused():
    assert refusal(3) == "a path or an open file is needed; got 3"


def test_a_file_that_is_not_there_suggests_the_nearest_one(tmp_path):
    (tmp_path / "superglue.csv").write_text(TABLE)
    path, meant = tmp_path / "superglu.csv", str(tmp_path / "superglue.csv")
    assert refusal(path) == f"{path}: there is no such file (did you mean {meant!r}?)"
    path = tmp_path / "q.csv"
    assert refusal(path) == f"{path}: there is no such file"
    path = tmp_path / "superglue.csv" / "q.csv"
    assert refusal(path) == f"{path}: there is no such file"


def test_a_folder_is_no_file(tmp_path):
    assert refusal(tmp_path) == (
        f"{tmp_path}: this is a folder, and in it is none of run_spec.json of HELM, results*.json of "
        "lm-evaluation-harness, model_meta.json of MTEB, *.json or *.parquet of Every Eval Ever, "
        "*.json or *.eval of Inspect, README.md with model-index or .eval_results of Hugging Face"
    )
    with pytest.raises(FileFormatError, match="this is a folder; give a file"):
        wl.io.read_profile(tmp_path)


def test_a_name_that_no_file_can_have_is_refused():
    assert re.fullmatch(r"a\\x00b.csv: cannot be read: .*embedded null (byte|character in path)", refusal("a\0b.csv"))
    assert refusal("x" * 5_000 + ".csv").endswith("cannot be read: File name too long")


def test_a_file_without_permission_is_named(tmp_path, monkeypatch):
    def refuse(_path):
        raise PermissionError(errno.EACCES, "Permission denied")

    path = tmp_path / "t.csv"
    path.write_text(TABLE)
    monkeypatch.setattr(Path, "read_bytes", refuse)
    assert refusal(path) == f"{path}: cannot be read: Permission denied"


@pytest.mark.parametrize(("name", "found"), [("t.dat", "ends in '.dat'"), ("table", "has no extension")])
def test_an_unknown_extension_lists_the_known_ones(tmp_path, name, found):
    path = tmp_path / name
    path.write_text(TABLE)
    known = (
        ".csv, .tsv, .tab, .txt, .json, .md, .parquet, .jsonl, .xlsx, .yaml, .yml, .html, .htm, .tex, .arff, .sqlite"
    )
    known += ", .sqlite3, .db"
    assert refusal(path) == f"{path}: the name {found}; known are {known}; pass format='csv'"
    assert wl.read_leaderboard(path, format="csv").models == ("a", "b")


def test_extensions_may_be_in_capitals(tmp_path):
    path = tmp_path / "T.CSV"
    path.write_text(TABLE)
    assert wl.read_leaderboard(path).models == ("a", "b")


def test_an_unknown_format_lists_the_known_ones():
    known = "csv, tsv, json, markdown, parquet, jsonl, xlsx, yaml, html, latex, arff, sqlite"
    assert refusal(io.StringIO(TABLE), format="ods") == f"no format named 'ods'; there are {known}"


def test_a_byte_order_mark_is_no_part_of_a_name():
    board = wl.read_leaderboard(io.BytesIO(b"\xef\xbb\xbf" + b"f1,model\n1,2\n3,4\n"))
    assert board.tasks == ("model",)
    assert decoded(source(b"\xef\xbb\xbfabc")) == "abc"


@pytest.mark.parametrize("data", [b"", b"\xef\xbb\xbf", b" \r\n\n\t"])
def test_a_file_of_nothing_is_empty(data):
    assert refusal(io.BytesIO(data)) == "<stream>: the file is empty"


def test_another_encoding_is_refused_with_the_position_of_the_byte():
    data = "model,f1\na,1\nL\u00e9a,2\n".encode("latin-1")
    assert refusal(io.BytesIO(data)) == (
        "<stream>: byte 14 (line 3) is 0xe9, which is not UTF-8; save the file as UTF-8, or declare its encoding"
    )


@given(before=st.text(max_size=20), after=st.binary(max_size=5))
def test_the_position_is_that_of_the_first_bad_byte(before, after):
    data = b"x" + before.replace("\0", "").encode() + b"\xff" + after.replace(b"\0", b"")
    with pytest.raises(wl.FileFormatError) as refused:
        decoded(source(data))
    start = len(data) - len(after.replace(b"\0", b"")) - 1
    line = data[:start].count(b"\n") + 1
    told = "which is not UTF-8; save the file as UTF-8, or declare its encoding"
    assert refused.value.faults == (f"byte {start} (line {line}) is 0xff, {told}",)


def test_a_bad_byte_far_into_a_file_is_found_too():
    data = b"model,f1\n" + b"".join(b"m%d,1\n" % number for number in range(40_000)) + b"\xe9,1\n"
    assert "is 0xe9" in refusal(io.BytesIO(data))
    assert f"byte {data.index(0xE9)} (line 40002)" in refusal(io.BytesIO(data))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (TABLE.encode("utf-16") + b"x", "the file begins as UTF-16 does, and byte 36 is not of it: truncated data"),
        (
            TABLE.encode("utf-16-le"),
            "byte 1 is NUL; this is not a text file; pass encoding='utf-16-le' if it is UTF-16",
        ),
        (
            b"\x1f\x8brest",
            "a damaged gzip archive: Compressed file ended before the end-of-stream marker was reached",
        ),
        (b"<!DOCTYPE html><table>", NO_TABLE),
        (b"\n<table class='wikitable'>", NO_TABLE),
        (b"% a table\n\\begin{tabular}{lr}", "line 2: \\begin{tabular} is not ended"),
        (b"\x7fELF\0", "byte 4 is NUL; this is not a text file"),
    ],
)
def test_what_is_not_text_is_named(data, message):
    assert refusal(io.BytesIO(data)) == f"<stream>: {message}"


@pytest.mark.parametrize(
    ("data", "kind", "told"),
    [
        (b"PAR1rest", "parquet", "this is a Parquet file"),
        (b"\\begin{tabular}{lr}", "latex", "this is LaTeX"),
        (b"SQLite format 3\0", "sqlite", "this is a SQLite database"),
    ],
)
def test_what_is_of_another_format_names_it(tmp_path, data, kind, told):
    (tmp_path / "t.csv").write_bytes(data)
    assert refusal(tmp_path / "t.csv") == f"{tmp_path / 't.csv'}: {told}; pass format={kind!r}"


@pytest.mark.parametrize("name", ["t.csv.gz", "T.CSV.GZ", "t.tsv.gz", "t.csv"])
def test_gzipped_tables_are_unpacked(tmp_path, name):
    text = TABLE.replace(",", "\t") if "tsv" in name else TABLE
    (tmp_path / name).write_bytes(gzip.compress(b"\xef\xbb\xbf" + text.encode()))
    (tmp_path / f"{name.partition('.')[0]}.toml").write_text("lower_is_better = 'f1'")
    board = wl.read_leaderboard(tmp_path / name)
    assert (board.models, board.lower_is_better) == (("a", "b"), ("f1",))
    assert wl.read_leaderboard(io.BytesIO(gzip.compress(TABLE.encode()))).models == ("a", "b")


def test_the_error_carries_the_path_and_the_faults(tmp_path):
    with pytest.raises(wl.FileFormatError) as refused:
        opened(tmp_path / "no.csv")
    assert refused.value.path == str(tmp_path / "no.csv")
    assert refused.value.faults == ("there is no such file",)
    assert re.fullmatch(r".*no\.csv: there is no such file", str(refused.value))
    assert opened(io.StringIO(TABLE)).path is None
    assert opened(Path(__file__), "csv").path == Path(__file__)


@pytest.mark.parametrize("name", ["t.pkl", "t.pickle", "t.joblib", "t.csv"])
def test_nothing_is_unpickled(tmp_path, name):
    class Harm:
        def __reduce__(self):
            return (Path.touch, (tmp_path / "harm",))

    (tmp_path / name).write_bytes(pickle.dumps(Harm()))
    assert "this is a pickle, which runs code when it is read" in refusal(tmp_path / name)
    assert not (tmp_path / "harm").exists()
