"""Plain rows of CSV files, which NumPy cuts, are read as the reader of records reads them, whatever a file holds."""

from __future__ import annotations

import csv
import io
from unittest.mock import patch

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import weightlab as wl
from weightlab.io.tables import delimited
from weightlab.io.tables.delimited import delimited_sheet
from weightlab.io.tables.sheet import FileFaults, Source

NAMES = ["a", "b", "model", "é", "\u00a0", "\u3000x", "a b", " a", "a\u0085b", "m" * 64, "m" * 65, "m" * 64 + "n"]
SCORES = [
    *["0.5", "1", "-0", "1e5", "1E-3", " 1", "1 ", "+1", "\uff11", "NaN", "nan", "", "-", "NA", "inf", "1_0", "93%"],
    *["0.1234567890123456", "0.12345678901234567", "12345678", "123456789", "9" * 30, "1" * 400, "." * 3, "1.", ".5"],
    *["1e400", "1e-400", "0x10", "true", "1/2", "1\u0085", "\u20281", "1\t", "\x0b", "\ufeff1", "1\u00a0", "²", "1,5"],
]
CELL = st.one_of(st.sampled_from(NAMES), st.sampled_from(SCORES), st.text('ab"0.,; \t\n\ré\ufeff', max_size=9))
LINE_END = st.sampled_from(["\n", "\n", "\n", "\n", "\n", "\r\n", "\r", "\n\n", ",\n", "\n \n", '"\n', ""])


@st.composite
def tables(draw):
    """Return bytes of a table that is plain for the most part, and may be odd in any place."""
    columns = draw(st.integers(1, 4))
    header = ["model", *(f"t{number}" for number in range(columns))]
    header[-1] = draw(st.sampled_from([header[-1], header[-1], "t0", "", "Model", '"t"', "t,u"]))
    odd = draw(st.sampled_from([0, 0, 1, 3]))
    plain = st.sampled_from(["0.5", "1", "0.25", "", "0.1234567890123456", "12345678", "123456789"])
    rows = [[f"m{number}", *(draw(plain) for _ in range(columns))] for number in range(draw(st.integers(0, 6)))]
    for _ in range(odd if rows else 0):
        row = draw(st.sampled_from(rows))
        row[draw(st.integers(0, columns))] = draw(CELL)
    ends = [draw(LINE_END) if odd else "\n" for _ in range(len(rows) + 1)]
    begin = draw(st.sampled_from(["", "", "\ufeff", "\n", "sep=,\n", "sep=,\r\n", "\ufeffsep=,\n"]))
    text = begin + "".join(",".join(row) + end for row, end in zip([header, *rows], ends, strict=True))
    data = text.encode() + draw(st.sampled_from([b"", b"", b"\xff", b"\xc3", b"m9"]))
    at = draw(st.integers(0, len(data)))
    return data[:at] + draw(st.sampled_from([b"", b"", b"", b"\xff", b"\xc3"])) + data[at:]


def cells(data):
    """Return the header, the rows with their lines, and what is wrong."""
    faults = FileFaults("t.csv")
    try:
        read = delimited_sheet(Source(name="t.csv", data=data, format="csv", path=None), faults)
        rows = [
            (int(row), *held) for block in read.blocks for row, *held in zip(block.rows, *block.columns, strict=True)
        ]
        faults.raise_here()
    except wl.FileFormatError as error:
        return error.faults
    return read.header, rows


def outcome(read, data):
    """Return what is read, as a document, or what is wrong with it."""
    try:
        return read(io.BytesIO(data), format="csv").to_dict()
    except (wl.InputError, wl.FileFormatError) as error:
        return str(error)


def carefully(ask, *given):
    """Return what is answered if no row is plain."""
    with patch.object(delimited.PlainRows, "cut", return_value=None):
        return ask(*given)


@pytest.mark.filterwarnings("ignore::UserWarning")
@given(
    data=st.one_of(tables(), st.text('ma,01.\n\r" é', max_size=60).map(str.encode), st.binary(max_size=60)),
    block=st.integers(1, 40),
)
@example(data=b"model,t\na,1\nb,2", block=1)
@example(data=b"model,t\n" + b"a" * 64 + b",1\n" + b"a" * 65 + b",2\n", block=1000)
@example(data=b"model,t\na,1\n\nb,2\n", block=1000)
@example(data=b"model,t\na\nb,1,2\n", block=1000)
@example(data=b"model,t\na\xff,1\nb,2\n", block=1000)
@example(data=b"model,t\na,1\rb,2\n", block=4)
@example(data=b"sep=,\nmodel,t\na,1\nb,2,3\n", block=5)
def test_any_bytes_are_read_alike_with_and_without_plain_rows(data, block):
    with patch.object(delimited, "BLOCK", block):
        assert cells(data) == carefully(cells, data)
        for read in (wl.read_leaderboard, wl.read_suite):
            assert outcome(read, data) == carefully(outcome, read, data)


@given(names=st.lists(st.text("ab", min_size=1, max_size=70), min_size=2, max_size=12))
def test_long_cells_that_begin_or_end_alike_are_told_apart(names):
    for whole in (names, [name + "x" * 16 for name in names], ["x" * 56 + name[:9] for name in names]):
        data = "model,t\n" + "".join(f"{name},1\n" for name in whole)
        assert [row[1] for row in cells(data.encode())[1]] == whole


def test_cells_that_are_mixed_to_the_same_number_are_told_apart():
    """Of sixteen bytes each, found by trying first halves: for every one there is one second half that does it."""

    def mixed(word):
        return (word ^ (word >> 29)) * 0x9E3779B97F4A7C15 % 2**64

    first, last = b"aaaaaaaa", b"bbbbbbbb"
    wanted = mixed(int.from_bytes(first, "little")) ^ int.from_bytes(last, "little")
    others = (f"{number:08d}".encode() for number in range(10**6))
    pairs = ((other, (wanted ^ mixed(int.from_bytes(other, "little"))).to_bytes(8, "little")) for other in others)
    other = next(head + tail for head, tail in pairs if tail.isalnum())
    both = [(first + last).decode(), other.decode()]
    assert [row[1] for row in cells("".join(["model,t\n", *(f"{name},1\n" for name in both)]).encode())[1]] == both


def test_a_field_longer_than_the_reader_takes_is_refused_by_it():
    before = csv.field_size_limit(60)
    try:
        data = b"model,t\na,1\n" + b"m" * 100 + b",2\n"
        assert (
            cells(data)
            == carefully(cells, data)
            == ("line 3: a field has more than 60 characters; is a quote not closed?",)
        )
    finally:
        csv.field_size_limit(before)


def test_a_byte_far_below_the_header_that_is_no_text_is_named():
    data = b"model,t\n" + b"".join(b"m%d,1\n" % number for number in range(5_000)) + b"\xff,1\n"
    data = data.replace(b"m4000,", b"m\xc3,")
    (told,) = cells(data)
    assert told.startswith(f"byte {data.index(0xC3)} (line 4002) is 0xc3, which is not UTF-8")
    assert carefully(cells, data) == (told,)


def test_plain_rows_are_read_as_such():
    """What is compared above is another reader indeed."""
    with patch.object(delimited._Records, "blocks", side_effect=AssertionError):
        assert cells(b"model,t\na,0.5\nb,1e5\n") == (("model", "t"), [(2, "a", "0.5"), (3, "b", "1e5")])
