"""Instances read a part at a time are ranked as those in memory, with the same errors."""

from __future__ import annotations

import json
import subprocess
import sys
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import weightlab as wl
from tests.dice import DICE
from weightlab.exceptions import FileFormatError, InputError
from weightlab.io.read import instance_stream
from weightlab.io.read.instance_stream import InstanceStream
from weightlab.rules import one_level, two_level

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")


def stored(path, rows, tasks):
    """Write rows of model, instance and a score a task in the order given."""
    columns = zip(*rows, strict=True)
    pq.write_table(pa.table(dict(zip(("model", "instance", *tasks), map(list, columns), strict=True))), path)
    return path


@pytest.fixture(autouse=True)
def _small_parts(monkeypatch):
    monkeypatch.setattr(instance_stream, "ROWS_OF_A_PART", 3)
    monkeypatch.setattr("weightlab.io.tables.parquet.rows_of_a_block", lambda _: 2)
    monkeypatch.setattr(instance_stream, "BLOCKS_AT_ONCE", 2)


@st.composite
def tables(draw):
    """Return rows in any order, some of them missing, twice there or without a number."""
    dice = draw(DICE)
    tasks = ("x", "y", "z")[: dice.between(1, 3)]
    scores = dice.one_of(
        [
            [0.1, 0.5, 1.0],
            [0.5, 1.0, None],
            ["1", "0.33333333333333333333", "", "3"],
            [Decimal("0.1"), Decimal("2.5")],
            [1, 2],
        ]
    )
    scores = [*scores, "bad"] if isinstance(scores[0], str) and dice.between(0, 5) == 0 else scores
    rows = [
        (model, f"i{instance}", *dice.many_of(scores, len(tasks)))
        for model in "abcd"[: dice.between(1, 4)]
        for instance in range(dice.between(1, 9))
    ]
    rows += rows[: int(dice.between(0, 7) == 0)]
    order = dice.shuffled(rows)
    options = {
        "lower_is_better": dice.some_of(tasks),
        "weights": {task: dice.one_of([1, 2, "0.5", 0]) for task in tasks},
    }
    return order, tasks, options


def said(question):
    """Return what a question says, or the error in its place."""
    try:
        found = question()
    except InputError as error:
        return type(error), str(error)
    return found.scores.to_dict(), found.order, found.to_dict(), found.verify()


@given(
    table=tables(),
    rule=st.sampled_from(["borda", "plurality", "veto", "dowdall", "mean", "copeland"]),
    missing=st.sampled_from(["error", "last"]),
    asked=st.sampled_from([two_level, one_level, lambda *of, **options: one_level(*of, each="task", **options)]),
)
@settings(max_examples=200)
def test_a_stream_is_ranked_as_the_same_instances_in_memory(tmp_path_factory, table, rule, missing, asked):
    rows, tasks, declared = table
    path = stored(tmp_path_factory.mktemp("stream") / "x.parquet", rows, tasks)
    options = {} if rule in {"mean", "copeland"} else {"missing": missing}
    in_parts, whole = (
        said(lambda read=read: asked(read(path, **declared), rule, **options))
        for read in (wl.io.stream_instances, wl.read_instances)
    )
    assert in_parts == whole


ROWS = [(model, f"i{at}", at % 3 + (model == "a"), None if at else 0.5) for model in "cab" for at in range(20)]


@pytest.fixture(params=["borda", "mean"])
def parted(tmp_path, monkeypatch, request):
    """Return a stream that may not be read whole, what it streams, and a rule."""
    path = stored(tmp_path / "x.parquet", ROWS, ("qa", "sums"))
    stream, whole = (
        wl.io.stream_instances(path, lower_is_better=["sums"]),
        wl.read_instances(path, lower_is_better=["sums"]),
    )
    monkeypatch.setattr(InstanceStream, "_tables", property(lambda _: pytest.fail("the file was read whole")))
    return stream, whole, request.param


def test_sums_over_instances_never_read_the_file_whole(parted):
    stream, whole, rule = parted
    assert (stream.models, stream.tasks) == (whole.models, whole.tasks) == (("c", "a", "b"), ("qa", "sums"))
    assert stream.weights.equals(whole.weights)
    assert stream.lower_is_better == whole.lower_is_better
    assert repr(stream) == "InstanceStream: 2 tasks, 3 models, 60 rows"
    assert len(list(stream.slices(stream.tasks))) > 5
    assert two_level(stream, rule).scores.to_dict() == two_level(whole, rule).scores.to_dict()
    for each in ("instance", "task") if rule == "borda" else ():
        found, other = (one_level(one, rule, each=each, missing="last") for one in (stream, whole))
        assert (found.order, found.scores.to_dict()) == (other.order, other.scores.to_dict())


def test_what_a_stream_cannot_say_in_parts_it_says_of_the_whole_file(tmp_path):
    path = stored(tmp_path / "x.parquet", ROWS, ("qa", "sums"))
    stream, whole = wl.io.stream_instances(path, tasks=["qa"]), wl.read_instances(path, tasks=["qa"])
    assert stream.equals(whole)
    assert stream.means().scores.equals(whole.means().scores)
    ranking = two_level(stream, "borda")
    assert ranking.verify(whole)
    assert ranking.steps["qa"].order == two_level(whole, "borda").steps["qa"].order


def test_a_file_that_changes_below_a_stream_is_noticed(tmp_path):
    path = stored(tmp_path / "x.parquet", ROWS, ("qa", "sums"))
    stream = wl.io.stream_instances(path)
    stored(path, ROWS[:-1], ("qa", "sums"))
    with pytest.raises(FileFormatError, match="the file is another than when the stream was opened"):
        stream.table("qa")


def test_temporary_files_go_with_the_stream(tmp_path):
    stream = wl.io.stream_instances(stored(tmp_path / "x.parquet", ROWS, ("qa", "sums")))
    folder = stream._folder
    assert any(folder.iterdir())
    del stream
    assert not folder.exists()


@pytest.mark.parametrize(
    ("name", "given", "error", "told"),
    [
        ("x.csv", {}, InputError, "x.csv: only Parquet files are read in parts; read_instances reads other formats"),
        ("none.parquet", {}, FileFormatError, "there is no such file"),
        ("empty.parquet", {}, FileFormatError, "not a Parquet file"),
        ("x.parquet", {"model": "system"}, FileFormatError, "system"),
        ("x.parquet", {"tasks": ["qa", "f1"]}, FileFormatError, "f1"),
        ("x.parquet", {"weights": {"f1": 2}}, FileFormatError, "f1"),
        ("x.parquet", {"columns": 3}, TypeError, "unexpected keyword argument 'columns'"),
    ],
)
def test_what_is_no_stream_is_refused(tmp_path, name, given, error, told):
    stored(tmp_path / "x.parquet", ROWS, ("qa", "sums"))
    (tmp_path / "empty.parquet").touch()
    with pytest.raises(error, match=told):
        wl.io.stream_instances(tmp_path / name, **given)


@pytest.mark.parametrize("path", [b"x.parquet", 3, None])
def test_what_is_no_path_is_refused(path):
    with pytest.raises(InputError, match="a path is needed; got"):
        wl.io.stream_instances(path)


GROWTH = """
import json, sys
from pathlib import Path
import pyarrow.parquet, weightlab as wl, weightlab.rules, weightlab.io
# Of this process alone: what getrusage tells begins with what the process that started this one had.
def peak(): return int(Path("/proc/self/status").read_text().split("VmHWM:")[1].split()[0]) / 1024
before = peak()
ranking = wl.rules.two_level(getattr(wl.io, sys.argv[1])(sys.argv[2]), "borda")
print(json.dumps([ranking.winners, {model: str(score) for model, score in ranking.scores.items()}, peak() - before]))
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="no /proc here, which tells the peak of a process")
def test_a_stream_takes_a_fraction_of_the_memory(tmp_path):
    """More than a million rows, in an order in which the rows of one instance stand far apart."""
    models, count, draw = 100, 12_000, np.random.default_rng(0)
    names = pa.array(np.repeat([f"model{model}" for model in range(models)], count))
    instances = pa.array(np.tile([f"question {number}" for number in range(count)], models))
    scores = draw.integers(0, 50, size=(3, models * count)) / 10
    columns = {"model": names, "instance": instances, **{f"t{at}": one for at, one in enumerate(scores)}}
    pq.write_table(pa.table(columns), tmp_path / "x.parquet")

    def asked(reader):
        run = [sys.executable, "-c", GROWTH, reader, str(tmp_path / "x.parquet")]
        return json.loads(subprocess.run(run, capture_output=True, text=True, check=True).stdout)

    in_parts, whole = asked("stream_instances"), asked("read_instances")
    assert in_parts[:2] == whole[:2]
    assert in_parts[2] < 100 < whole[2]
