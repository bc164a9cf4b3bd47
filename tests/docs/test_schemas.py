"""The JSON Schemas of the docs: true documents of every kind have that form, and documents of another form do not."""

from __future__ import annotations

import json
import sys
from functools import lru_cache
from pathlib import Path

import pytest
from typer.testing import CliRunner

import weightlab as wl
from tests.fuzz.questions import QUESTIONS, case
from weightlab._result import KINDS, SHARED
from weightlab.cli.app import app

jsonschema = pytest.importorskip(
    "jsonschema", reason="the extra peers is not installed: pip install 'weightlab[peers]'"
)
pytest.importorskip("sphinx", reason="the extra docs is not installed: pip install 'weightlab[docs]'")

sys.path.insert(0, str(Path(__file__).parents[2] / "docs" / "_ext"))
import schemas  # noqa: E402

NAMES = sorted(QUESTIONS)


def validator(kind):
    return jsonschema.Draft202012Validator(schemas.schema(kind))


@lru_cache
def written(name):
    return json.dumps(case(name, "schema")[1].to_dict())


def document_of(name):
    return json.loads(written(name))


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_each_schema_is_one(kind):
    jsonschema.Draft202012Validator.check_schema(schemas.schema(kind))


@pytest.mark.parametrize("name", NAMES)
def test_true_documents_have_the_form_and_others_have_not(name):
    document = document_of(name)
    checks = validator(document["kind"])
    checks.validate(document)
    for part in document.keys() - {SHARED}:
        assert not checks.is_valid({one: value for one, value in document.items() if one != part}), f"without {part}"
        others = [{**document, part: value} for value in (None, True, 0.5, "?", [0.5], {"?": 0.5})]
        assert not all(map(checks.is_valid, others)), f"{part} of any form"
    assert not checks.is_valid({**document, "part": None})
    assert not checks.is_valid({**document, "kind": "another"})
    assert not checks.is_valid([document])


def test_every_kind_has_a_question():
    assert {json.loads(written(name))["kind"] for name in NAMES} == set(KINDS)


def test_fractions_are_texts():
    document = document_of("prospect")
    for wrong in (0.5, "0.5", "1/2/3", "", None, " 1/2"):
        assert not validator("prospect").is_valid({**document, "lower": wrong}), wrong


def test_a_document_of_the_command_line_has_the_form_of_documents(tmp_path):
    referencing = pytest.importorskip("referencing")
    known = [(f"{kind}.json", referencing.Resource.from_contents(schemas.schema(kind))) for kind in KINDS]
    checks = jsonschema.Draft202012Validator(
        schemas.document_schema(), registry=referencing.Registry().with_resources(known)
    )
    checks.check_schema(schemas.document_schema())
    noted = tmp_path / "latency.csv"
    noted.write_text("model,accuracy,latency_ms\na,1,2\nb,2,3\n", encoding="utf-8")
    for words in (["win"], ["rank", "--rule", "borda"], ["stability"], ["win", str(noted), "--higher", "latency_ms"]):
        answer = CliRunner().invoke(app(), [*words, "--json"])
        assert answer.exit_code == 0, answer.output
        document = json.loads(answer.stdout)
        checks.validate(document)
        assert ("reading" in document) == (str(noted) in words)
        assert not checks.is_valid({**document, "results": []})
        assert not checks.is_valid({**document, "note": ""})
        assert not checks.is_valid({**document, "options": {**document["options"], "seed": 1}})


def test_files_are_written_beside_the_pages(tmp_path):
    schemas.written(tmp_path / "schemas")
    files = {one.stem: json.loads(one.read_text()) for one in (tmp_path / "schemas").glob("*.json")}
    assert files.keys() == {*KINDS, "document"}
    assert files["prospects"] == schemas.schema("prospects")
    assert wl.lp.Prospects.__doc__.partition(".")[0].split()[0] in files["prospects"]["description"]
