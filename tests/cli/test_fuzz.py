from __future__ import annotations

import contextlib
import csv
import io
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from weightlab._result import result_from_dict
from weightlab.cli import run

NAMES = st.text(max_size=6)
CELLS = st.one_of(
    st.sampled_from(
        ["", "-", "NA", "nan", "0", "1", "-0.0", "1e-320", "1e308", "1e999", "inf", "93.9%", "1,000", "93.9/91.8"]
    ),
    st.decimals(allow_nan=False, allow_infinity=False, places=3).map(str),
    st.text(max_size=4),
)
PIECES = st.sampled_from(
    [b"model", b",", b"\n", b"\r\n", b'"', b"1", b"0.5", b"a", b"\xff", b"\x00", b"\xef\xbb\xbf", b";", b"\t", b" "]
)


def asked(path, *arguments):
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = run(["win", str(path), "--json", *arguments])
    assert "Traceback" not in err.getvalue()
    assert code in {0, 2, 3}
    if code:
        assert out.getvalue() == ""
        assert any(line.startswith("weightlab: ") for line in err.getvalue().splitlines())
    else:
        for result in json.loads(out.getvalue())["results"]:
            assert result_from_dict(result).verify()
    return code


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("fuzz")


@given(
    st.one_of(st.binary(max_size=200), st.lists(PIECES, max_size=40).map(b"".join)),
    st.sampled_from(["csv", "tsv", "json"]),
)
def test_no_bytes_give_a_traceback(folder, content, extension):
    path = folder / f"table.{extension}"
    path.write_bytes(content)
    asked(path)


@settings(max_examples=60)
@given(st.data())
def test_no_table_gives_a_traceback_or_a_proof_that_fails(folder, data):
    tasks = data.draw(st.lists(NAMES, min_size=1, max_size=4))
    rows = data.draw(st.lists(st.tuples(NAMES, *[CELLS] * len(tasks)), max_size=5))
    path = folder / "table.csv"
    with path.open("w", newline="", encoding="utf-8", errors="surrogatepass") as file:
        csv.writer(file).writerows([["model", *tasks], *rows])
    asked(path)


@settings(max_examples=40)
@given(st.data())
def test_every_proof_about_a_sound_table_verifies(folder, data):
    models = data.draw(st.lists(st.text(min_size=1, max_size=5).filter(str.strip), min_size=2, max_size=6, unique=True))
    cells = st.one_of(st.integers(0, 3).map(str), st.sampled_from(["", "0.1", "0.30000000000000004", "1e-3"]))
    rows = [[model, str(position), *data.draw(st.tuples(cells, cells))] for position, model in enumerate(models)]
    path = folder / "sound.csv"
    with path.open("w", newline="", encoding="utf-8", errors="surrogatepass") as file:
        csv.writer(file).writerows([["model", "x", "y", "z"], *rows])
    if asked(path) == 0:
        asked(path, "--model", models[0])


JSON_VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5)),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=5), inner, max_size=4)),
    max_leaves=8,
)


@given(
    st.dictionaries(
        st.sampled_from(
            ["kind", "results", "options", "signs", "space", "weights", "blockers", "lower", "upper", "model"]
        ),
        st.one_of(JSON_VALUES, st.sampled_from(["prospect", "prospects", "scenario", "contradiction"])),
    )
)
def test_no_document_gives_a_traceback(folder, document):
    path = folder / "document.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    err = io.StringIO()
    with contextlib.redirect_stderr(err), contextlib.redirect_stdout(io.StringIO()):
        code = run(["verify", str(path)])
    assert code in {0, 1, 2}
    assert "Traceback" not in err.getvalue()
    assert code == 0 or err.getvalue().startswith("weightlab: ")
