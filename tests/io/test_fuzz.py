"""Whatever is in a file, reading it gives a table or an error of weightlab, and nothing else."""

from __future__ import annotations

import contextlib
import io
import json
import warnings

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import weightlab as wl
from tests.io.strategies import FILE_NAME
from tests.strategies import decimals

READERS = [wl.read_leaderboard, wl.read_suite, wl.read_instances, wl.io.read_config]
EXAMPLES = settings(max_examples=100)

CELL = st.one_of(
    decimals(),
    FILE_NAME,
    st.sampled_from(["", "-", "NA", "93.9%", "93.9/91.8", "1,234", "inf", "1e999", "0" * 700, "\x00", '"', "true"]),
)
HEADER = st.one_of(
    FILE_NAME,
    st.sampled_from(["", "model", "instance", "dataset", "metric", "score", "higher_is_better", "#", '"']),
)
BYTES = st.one_of(
    st.binary(max_size=60),
    st.text(max_size=40).map(str.encode),
    st.text('ab1.,;\t"\n\r-/%#\ufeff', max_size=60).map(str.encode),
    st.text('{}[]":,1eE.-ntf \n', max_size=40).map(str.encode),
)
JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.floats(), st.integers(), CELL, HEADER),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(HEADER, inner, max_size=4)),
    max_leaves=20,
)
OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        "drop": st.one_of(HEADER, st.lists(HEADER, max_size=2), st.integers()),
        "percent": st.one_of(HEADER, st.lists(HEADER, max_size=2)),
        "weights": st.dictionaries(HEADER, CELL, max_size=2),
        "lower_is_better": st.one_of(HEADER, st.lists(HEADER, max_size=2)),
    },
)
LEADERBOARD_OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        "split": st.dictionaries(HEADER, st.one_of(CELL, st.integers()), max_size=2),
        "groups": st.dictionaries(HEADER, st.lists(HEADER, max_size=2), max_size=2),
        "tolerance": st.one_of(CELL, st.dictionaries(HEADER, CELL, max_size=2)),
    },
)


def outcome(read, data, **options):
    """Return what is read, or None where it is refused as it should be."""
    with contextlib.suppress(wl.InputError), warnings.catch_warnings():
        warnings.simplefilter("ignore", wl.io.ResultsWarning)
        return read(io.BytesIO(data), **options)
    return None


@pytest.mark.parametrize("form", ["csv", "tsv", "json", "parquet"])
@EXAMPLES
@given(data=BYTES)
@example(data=b"model,x\n\xff,1\n")
@example(data=b'a,b\n"\n')
@example(data=b"\r")
@example(data=b'{"a":{"x":1,"y":2}}')
def test_no_bytes_break_a_reader(form, data):
    if form == "parquet":
        pytest.importorskip("pyarrow")
    for read in READERS[:3]:
        table = outcome(read, data, format=form)
        assert table is None or table.models
    outcome(wl.io.read_config, data)


@EXAMPLES
@given(
    rows=st.lists(st.lists(CELL, min_size=2, max_size=4), min_size=1, max_size=4),
    header=st.lists(HEADER, min_size=2, max_size=4),
    common=OPTIONS,
    own=LEADERBOARD_OPTIONS,
    ending=st.sampled_from(["\n", "\r\n", "\r"]),
)
def test_no_table_breaks_a_reader(rows, header, common, own, ending):
    quoted = [",".join('"' + cell.replace('"', '""') + '"' for cell in row) for row in [header, *rows]]
    data = ending.join(quoted).encode()
    board = outcome(wl.read_leaderboard, data, **common, **own)
    assert board is None or set(board.scores.shape) == {len(board.models), len(board.tasks)}
    outcome(wl.read_instances, data, **common, model=header[0], instance=header[1])
    outcome(wl.read_suite, data, dataset=header[0], metric=header[1], model=header[-1], score=header[-2])


@EXAMPLES
@given(document=JSON, common=OPTIONS, own=LEADERBOARD_OPTIONS)
def test_no_json_document_breaks_a_reader(document, common, own):
    data = json.dumps(document).encode()
    outcome(wl.read_leaderboard, data, format="json", **common, **own)
    outcome(wl.read_instances, data, format="json", **common)
    outcome(wl.read_suite, data, format="json")


@settings(max_examples=50)
@given(damage=st.lists(st.tuples(st.integers(0, 2_000), st.integers(0, 255)), min_size=1, max_size=5))
def test_no_damage_to_a_parquet_file_breaks_a_reader(damage):
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    buffer = io.BytesIO()
    parquet.write_table(pyarrow.table({"model": ["a", "b"], "x": [0.5, None], "y": ["1", "2"]}), buffer)
    data = bytearray(buffer.getvalue())
    for place, byte in damage:
        data[place % len(data)] = byte
    outcome(wl.read_leaderboard, bytes(data), format="parquet")


@EXAMPLES
@given(
    declared=st.dictionaries(
        st.sampled_from(["drop", "weights", "split", "tolerance", "groups", "x"]), JSON, max_size=3
    )
)
def test_no_declaration_breaks_a_reader(declared):
    outcome(wl.read_leaderboard, b"model,x,y\na,1,2\nb,3,4\n", config=declared)
