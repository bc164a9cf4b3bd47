"""A few altered documents of each kind; ``python -m tests.fuzz --minutes 60 --jobs 2`` alters very many."""

from __future__ import annotations

import json
import pickle
import random
from dataclasses import fields, is_dataclass

import pandas as pd
import pytest

import weightlab.domains
import weightlab.graph
import weightlab.lp
import weightlab.rules
import weightlab.studies  # noqa: F401 - these bring the kinds
from tests.fuzz.documents import KINDS, Unit
from tests.fuzz.mutations import altered, places
from tests.fuzz.questions import case, source_of
from tests.fuzz.truth import is_true
from tests.fuzz.verdicts import FAULTS, Outcome
from weightlab._result import KINDS as RESULTS
from weightlab._result import result_from_dict

FEW = 4
"""Alterations of each kind."""


def test_every_kind_of_result_is_altered():
    assert {name.partition(":")[0] for name in KINDS} == {
        kind for kind, made in RESULTS.items() if made.__module__.startswith("weightlab.")
    }


@pytest.mark.parametrize("name", KINDS)
def test_what_is_true_is_known_to_be(name):
    """Whatever claim is accepted can be judged: the question is asked anew, from what the claim says alone."""
    made, result = case(name, "known")
    assert is_true(result, source_of(name, made.world)) is True


def held_in(part):
    """Yield everything that a result, or a part of one, holds in its fields."""
    yield part
    if is_dataclass(part):
        inner = [vars(part)[one.name] for one in fields(part)]
    else:
        inner = part.values() if isinstance(part, dict) else part if isinstance(part, list | tuple) else ()
    for one in inner:
        yield from held_in(one)


@pytest.mark.parametrize("name", KINDS)
def test_results_hold_nothing_of_pandas_and_are_pickled(name):
    made, result = case(name, "held")
    back = result_from_dict(json.loads(json.dumps(result.to_dict())))
    for one in (result, back):
        assert not any(isinstance(part, pd.Series | pd.DataFrame) for part in held_in(one))
        again = pickle.loads(pickle.dumps(one))  # noqa: S301 - written here
        assert again.to_dict() == result.to_dict()
        assert again.verify(source_of(made.name, made.world))


def test_some_tables_have_standard_errors():
    made = [case("schulze", number)[0].world for number in range(20)]
    assert 0 < sum(any(one.errors) for one in made) < 20


@pytest.mark.parametrize("number", range(len(KINDS)), ids=KINDS)
def test_an_altered_document_is_refused_or_true_and_breaks_nothing(number):
    unit = Unit("few", number)
    for one in range(FEW):
        made = unit.altered(one)
        verdict = unit.verdict(made)
        assert verdict.outcome not in FAULTS, (made.where, verdict)


@pytest.mark.parametrize("number", [KINDS.index("prospect"), KINDS.index("comparison")])
def test_a_document_that_is_not_altered_stays_the_same(number):
    unit = Unit("same", number)
    made = unit.altered(0)._replace(text=json.dumps(unit.document), world=unit.case.world, with_table=True)
    assert unit.verdict(made).outcome is Outcome.SAME


def test_what_is_altered_follows_from_the_seed():
    assert [Unit("seed", 3).altered(one) for one in range(5)] == [Unit("seed", 3).altered(one) for one in range(5)]


@pytest.mark.parametrize("seed", range(20))
def test_altering_leaves_the_document_itself_alone(seed):
    document = {"results": [{"kind": "x", "shares": {"a": "1/2", "b": "1/2"}, "rows": ["+-", "0+"], "number": 3}]}
    before = json.dumps(document)
    rng = random.Random(seed)
    made, path = altered(document, rng, ["a", "b"], [{"results": [{"kind": "y"}]}])
    assert json.dumps(document) == before
    assert path
    assert json.dumps(made) is not None
    assert all(places(document))


def test_a_claim_that_is_false_is_noticed(monkeypatch):
    unit = Unit("lie", KINDS.index("prospect"))
    result = unit.document["results"][0]
    lie = {**result, "upper": "2/1", "lower": "2/1", "verdict": "strict"}
    made = unit.altered(0)._replace(text=json.dumps(lie), world=unit.case.world, with_table=True)
    monkeypatch.setattr("weightlab.lp.Prospect.verify", lambda *_: True)
    monkeypatch.setattr("tests.fuzz.verdicts.independent", lambda *_, **__: (3, ""))
    assert unit.verdict(made).outcome is Outcome.FALSE
