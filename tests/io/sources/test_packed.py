"""Compressed files: what is in them is read, and what is made to do harm stops early."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import struct
import tracemalloc
import zipfile
import zlib

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import weightlab as wl
from weightlab.exceptions import FileFormatError
from weightlab.io.sources.packed import check_workbook, unpacked

TABLE = b"model,f1\na,1\nb,2\n"
MIB = 1 << 20


def zipped(files, how=zipfile.ZIP_DEFLATED):
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", how) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return held.getvalue()


def zstandard(data):
    pyarrow = pytest.importorskip("pyarrow", reason="pyarrow packs and unpacks .zst")
    return pyarrow.compress(data, codec="zstd", asbytes=True)


PACKERS = {
    ".gz": gzip.compress,
    ".bz2": bz2.compress,
    ".xz": lzma.compress,
    ".zip": lambda data: zipped({"t.csv": data}),
    ".zst": zstandard,
}


@pytest.mark.parametrize("kind", PACKERS)
def test_a_packed_table_is_the_table(tmp_path, kind):
    plain, packed = tmp_path / "t.csv", tmp_path / f"t.csv{kind}"
    plain.write_bytes(TABLE)
    packed.write_bytes(PACKERS[kind](TABLE))
    assert wl.read_leaderboard(packed).equals(wl.read_leaderboard(plain))
    assert wl.read_leaderboard(io.BytesIO(packed.read_bytes())).equals(wl.read_leaderboard(plain))


@given(st.lists(st.binary(max_size=200), min_size=1, max_size=3), st.sampled_from([".gz", ".bz2", ".xz"]))
def test_what_was_packed_in_a_row_comes_out_whole(parts, kind):
    packed = b"".join(map(PACKERS[kind], parts))
    plain = b"".join(parts)
    assume(plain[:2] not in {b"\x1f\x8b", b"BZ", b"\xfd7", b"(\xb5", b"PK"})  # how archives begin
    assert unpacked(packed, f"t{kind}") == (plain, "t")


@given(st.binary(max_size=300), st.sampled_from([".gz", ".bz2", ".xz", ".zip"]), st.data())
def test_damage_is_an_error_or_the_same_bytes(plain, kind, data):
    packed = bytearray(PACKERS[kind](plain))
    place = data.draw(st.integers(0, len(packed) - 1))
    packed[place] ^= 1 << data.draw(st.integers(0, 7))
    try:
        made, _ = unpacked(bytes(packed), f"t{kind}")
    except FileFormatError:
        return
    assert made in {plain, bytes(packed)}  # or not told as packed any more


@pytest.mark.parametrize("kind", PACKERS)
def test_what_is_cut_off_is_damaged(kind):
    packed = PACKERS[kind](bytes(range(256)) * 20)
    with pytest.raises(FileFormatError, match=r"a damaged \w+ archive"):
        unpacked(packed[: len(packed) // 2], f"t{kind}")


@pytest.mark.parametrize("kind", PACKERS)
def test_a_bomb_stops_at_the_limit_in_little_memory(kind):
    bomb = PACKERS[kind](bytes(32 * MIB))
    tracemalloc.start()
    try:
        with pytest.raises(FileFormatError, match="more than 4 MiB when unpacked; pass size_limit=8 to allow") as told:
            unpacked(bomb, f"t{kind}", limit=4)
        assert tracemalloc.get_traced_memory()[1] < 24 * MIB
    finally:
        tracemalloc.stop()
    assert told.value.cure[0].argument == "size_limit"


@pytest.mark.parametrize("kind", [".bz2", ".xz", ".zst"])
def test_more_than_a_thousand_bytes_of_one_are_refused(kind):
    bomb = PACKERS[kind](bytes(16 * MIB))
    with pytest.raises(FileFormatError, match="more than 1,000 bytes come out of each of its"):
        unpacked(bomb, f"t{kind}")
    assert len(unpacked(bomb, f"t{kind}", limit=16)[0]) == 16 * MIB


def test_a_dictionary_of_gigabytes_is_refused():
    filters = [{"id": lzma.FILTER_LZMA2, "dict_size": 1 << 29}]
    small = lzma.compress(TABLE, lzma.FORMAT_XZ, filters=[{"id": lzma.FILTER_LZMA2, "dict_size": 1 << 16}])
    assert unpacked(small, "t.xz")[0] == TABLE
    large = bytearray(lzma.compress(TABLE, lzma.FORMAT_XZ, filters=[{**filters[0], "dict_size": 1 << 16}]))
    place = large.index(b"\x21\x01", 12) + 2  # the filter's number, the size of what follows, the dictionary
    large[place] = 36  # 1 GiB
    size = (large[12] + 1) * 4
    large[12 + size - 4 : 12 + size] = struct.pack("<L", zlib.crc32(bytes(large[12 : 12 + size - 4])))
    with pytest.raises(FileFormatError, match="a damaged xz archive: Memory usage limit exceeded"):
        unpacked(bytes(large), "t.xz")


def test_of_several_files_one_is_named(tmp_path):
    path = tmp_path / "t.zip"
    path.write_bytes(zipped({"a/t.csv": TABLE, "u.tsv": b"model\tx\na\t1\nb\t0\n", "README.md": "words"}))
    with pytest.raises(FileFormatError, match=r"but 3: 'a/t.csv', 'u.tsv'; pass member='a/t.csv' or member='u.tsv'"):
        wl.read_leaderboard(path)
    assert wl.read_leaderboard(path, member="t.csv").tasks == ("f1",)
    assert wl.read_leaderboard(path, member="u.tsv").tasks == ("x",)
    with pytest.raises(FileFormatError, match=r"no one file in the archive is called 'v.csv'"):
        wl.read_leaderboard(path, member="v.csv")


def test_what_lies_beside_the_only_table_is_not_meant(tmp_path):
    path = tmp_path / "t.zip"
    beside = {"README.md": "words", "LICENSE": "words", "__MACOSX/._t.csv": "x", "d/.DS_Store": "x", "plot.png": "x"}
    path.write_bytes(zipped({"d/t.csv": TABLE, **beside}))
    assert wl.read_leaderboard(path).tasks == ("f1",)


def test_a_member_of_what_is_no_archive_is_refused(tmp_path):
    (tmp_path / "t.csv").write_bytes(TABLE)
    with pytest.raises(FileFormatError, match="member 'x' needs a zip archive, and this is not one"):
        wl.read_leaderboard(tmp_path / "t.csv", member="x")


@pytest.mark.parametrize(
    "data",
    [
        gzip.compress(gzip.compress(TABLE)),
        zipped({"t.csv.gz": gzip.compress(TABLE)}),
        gzip.compress(zipped({"t": b""})),
    ],
    ids=["gz in gz", "gz in zip", "zip in gz"],
)
def test_nested_archives_are_refused(data):
    with pytest.raises(FileFormatError, match="an archive inside an archive is not unpacked"):
        unpacked(data, "t")


def test_no_path_of_an_archive_is_written(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    data = zipped({"../../escaped.csv": TABLE})
    assert unpacked(data, "t.zip") == (TABLE, "../../escaped.csv")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("how", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_members_that_unpack_without_a_limit_are_refused(how):
    with pytest.raises(FileFormatError, match="compressed in a way that is not unpacked here; unpack it first"):
        unpacked(zipped({"t.csv": TABLE}, how), "t.zip")


def test_an_archive_that_lists_too_many_files_is_refused():
    end = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 0xFFFF, 0xFFFF, 1 << 30, 4, 0)
    with pytest.raises(FileFormatError, match="lists too many files"):
        unpacked(b"PK\x03\x04" + end, "t.zip")


def test_an_empty_archive_says_so():
    with pytest.raises(FileFormatError, match="the archive is empty"):
        unpacked(zipped({"d/": b""}), "t.zip")


def workbook(files):
    return zipped({"[Content_Types].xml": "<Types/>", **files})


def test_a_workbook_is_no_archive():
    data = workbook({"xl/a.xml": "<a/>"})
    assert unpacked(data, "t.xlsx") == (data, "t.xlsx")
    check_workbook(data, "t.xlsx")


def test_a_workbook_that_unpacks_to_too_much_is_refused():
    with pytest.raises(FileFormatError, match="more than 1 MiB when unpacked; pass size_limit=2"):
        check_workbook(workbook({"xl/a.xml": bytes(2 * MIB)}), "t.xlsx", 1)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
@pytest.mark.parametrize("before", [0, MIB - 14 - 4])
def test_entities_of_a_workbook_are_refused(encoding, before):
    text = f"<?xml?>{' ' * before}<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>".encode(encoding)
    with pytest.raises(FileFormatError, match="its XML declares entities"):
        check_workbook(workbook({"xl/a.xml": text}), "t.xlsx")
