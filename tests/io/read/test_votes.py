"""Votes between two models: every pair's wins and ties, exactly, whatever the form of the file."""

from __future__ import annotations

import csv
import io
import json
from collections import defaultdict
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given

import weightlab as wl
from tests.dice import DICE
from tests.peer import asked, pref_voting_margins

WORDS = ("model_a", "model_b", "tie", "tie (bothbad)")
WEIGHTS = ("1", "0.5", "2.25", "0", "1e-3", "12345678901234567.1", "3")
NAMES = ("gpt, the 4th", "claude", "llama-3", 'ein "Modell"', "z")
VOTES = "model_a,model_b,winner\nada,bo,model_a\nbo,ada,model_b\nada,bo,tie\ncy,ada,model_a\n"


def read(text, **options):
    return wl.read_votes(io.StringIO(text), **options)


def refusal(text, **options):
    with pytest.raises(wl.FileFormatError) as refused:
        read(text, **options)
    return list(refused.value.faults)


UNKNOWN = "are no outcome; known are 'model_a', 'model_b', 'tie', 'tie (bothbad)'"


def rolled_votes(dice):
    """Return rows of two models, a word and the text of a weight."""
    rows = []
    for _ in range(dice.between(1, 12)):
        first, second = dice.shuffled(NAMES)[:2]
        rows.append((first, second, dice.one_of(WORDS), dice.one_of(WEIGHTS)))
    return rows


def counted(rows, *, weighted):
    """Return the models and the weight of the wins and of the ties of each ordered pair, straight from the rows."""
    models = list(dict.fromkeys(name for row in rows for name in row[:2]))
    wins, ties = defaultdict(Fraction), defaultdict(Fraction)
    for first, second, word, text in rows:
        weight = Fraction(text) if weighted else 1
        if word == "model_a":
            wins[first, second] += weight
        elif word == "model_b":
            wins[second, first] += weight
        else:
            ties[first, second] += weight
            ties[second, first] += weight
    return models, wins, ties


def written(rows, form):
    """Return the rows as a file, beside columns that are not read."""
    records = [
        {"id": number, "model_a": a, "model_b": b, "winner": word, "weight": weight}
        for number, (a, b, word, weight) in enumerate(rows)
    ]
    if form == "csv":
        file = io.StringIO()
        csv.DictWriter(file, list(records[0])).writerows([dict(zip(records[0], records[0], strict=True)), *records])
        return file.getvalue()
    nested = [record | {"conversation": [{"role": "user", "content": "?"}], "moderation": {}} for record in records]
    return json.dumps(nested) if form == "json" else "\n\n".join(map(json.dumps, nested))


def assert_counts(margins, rows, *, weighted):
    models, wins, ties = counted(rows, weighted=weighted)
    assert list(margins.models) == models
    for row, model in enumerate(models):
        for column, rival in enumerate(models):
            assert Fraction(int(margins.wins[row, column]), margins.denominator) == wins[model, rival]
            assert Fraction(int(margins.ties[row, column]), margins.denominator) == ties[model, rival]
    margins.check()


@pytest.mark.parametrize("form", ["csv", "json", "jsonl"])
@given(dice=DICE)
def test_wins_and_ties_are_those_counted_row_by_row(form, dice):
    rows = rolled_votes(dice)
    weighted = dice.flag()
    margins = read(written(rows, form), format=form, **({"weight": "weight"} if weighted else {}))
    assert_counts(margins, rows, weighted=weighted)


@given(dice=DICE)
def test_a_pair_counts_the_same_in_both_orders(dice):
    rows = rolled_votes(dice)
    turned = {"model_a": "model_b", "model_b": "model_a"}
    swapped = [
        (b, a, turned.get(word, word), weight) if dice.flag() else (a, b, word, weight) for a, b, word, weight in rows
    ]
    one, other = (read(written(each, "csv"), weight="weight") for each in (rows, swapped))
    assert set(one.models) == set(other.models)
    one.ensure_same(other.select(one.models))


def test_the_margins_of_votes_are_pref_votings():
    rng = np.random.default_rng(0)
    for _ in range(3):
        pairs = [rng.permutation(5)[:2] for _ in range(60)]
        words = rng.choice(WORDS, 60)
        rows = [(f"m{a}", f"m{b}", word, "1") for (a, b), word in zip(pairs, words, strict=True)]
        margins = read(written(rows, "csv"))
        place = {model: number for number, model in enumerate(margins.models)}
        ballots = []
        for first, second, word, _ in rows:
            ranks = [0] * len(place)
            ranks[place[first]], ranks[place[second]] = {"model_a": (1, 2), "model_b": (2, 1)}.get(word, (1, 1))
            ballots.append(ranks)
        theirs, winner = asked("pref_voting", pref_voting_margins, ballots, [1] * len(ballots), compiled=False)
        assert margins.array.tolist() == theirs
        assert wl.graph.condorcet_winner(margins) == (None if winner is None else margins.models[winner])


def test_columns_and_words_may_have_other_names(tmp_path):
    plain = read(VOTES)
    sides = VOTES.replace("model_a", "left").replace("model_b", "right").replace("winner", "preference")
    plain.ensure_same(read(sides, model_a="left", model_b="right", winner="preference"))
    numbers = VOTES.replace(",model_a\n", ",1\n").replace(",model_b\n", ",2\n").replace(",tie\n", ",0\n")
    meant = {"1": "model_a", "2": "model_b", "0": "tie"}
    plain.ensure_same(read(numbers, outcomes=meant))
    (tmp_path / "votes.csv").write_text(numbers)
    (tmp_path / "votes.toml").write_text('[outcomes]\n1 = "model_a"\n2 = "model_b"\n0 = "tie"\n')
    plain.ensure_same(wl.read_votes(tmp_path / "votes.csv"))


def test_a_frame_written_in_any_form_reads_the_same(tmp_path):
    pytest.importorskip("pyarrow", reason="pyarrow writes Parquet")
    frame = pd.read_csv(io.StringIO(VOTES)).assign(weight=[1, 2, 3, 0.25], turn=[[1], [2], [3], [4]])
    frame.to_parquet(tmp_path / "v.parquet")
    frame.to_json(tmp_path / "v.json")
    frame.to_json(tmp_path / "v.jsonl", orient="records", lines=True)
    frame.to_csv(tmp_path / "v.tsv", sep="\t")
    want = wl.read_votes(tmp_path / "v.tsv", weight="weight")
    assert (want.margin("ada", "bo"), want.denominator) == (3, 4)
    for form in ("parquet", "json", "jsonl"):
        want.ensure_same(wl.read_votes(tmp_path / f"v.{form}", weight="weight"))


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        (
            "model_a,model_b,winner\nada,bo,A\nada,bo,tie\nbo,ada,A\nada,bo,\n",
            [f"line 2: column 'winner': 'A', '' {UNKNOWN}; and in 2 more rows"],
        ),
        (
            "model_a,model_b,winner\nada,ada,tie\nbo,ada,tie\nbo,bo,model_a\nada,ada,tie\n",
            [
                "line 2: a vote between 'ada' and itself; and in 1 more row",
                "line 4: a vote between 'bo' and itself",
            ],
        ),
        ("model_a,model_b,winner\n,ada,tie\n", ["line 2, column 'model_a': '' is not a name"]),
        ("model_a,model_b,winner\n", ["there is a header and no row below it"]),
        (
            "model_a,winner\nada,tie\n",
            ["model_b: no column named 'model_b'; the file has 'model_a', 'winner' (did you mean 'model_a'?)"],
        ),
    ],
)
def test_votes_that_cannot_be_counted_are_refused_with_their_line(text, faults):
    assert refusal(text) == faults


def test_a_column_of_other_text_is_refused_as_fast_as_it_is_read():
    rows = "".join(f"ada,bo,answer {number}\n" for number in range(20_000))
    faults = refusal("model_a,model_b,winner\n" + rows)
    assert faults == [
        (
            "line 2: column 'winner': 'answer 0', 'answer 1', 'answer 2' and 19,997 more are no outcome; known are "
            "'model_a', 'model_b', 'tie', 'tie (bothbad)'; and in "
            "19,999 more rows"
        )
    ]


def test_weights_are_numbers_and_not_negative():
    text = "model_a,model_b,winner,weight\nada,bo,tie,-1\nada,bo,tie,\nada,bo,tie,-2.5\n"
    assert refusal(text, weight="weight") == [
        "line 3: no weight in column 'weight'",
        "line 2: a negative weight in column 'weight'; and in 1 more row",
    ]
    assert refusal(text.replace("-1", "much"), weight="weight")[0].startswith(
        "line 2, column 'weight': 'much' is not a number"
    )


@pytest.mark.parametrize("options", [{"outcomes": {"A": "left"}}, {"outcomes": "A"}, {"winner": "model_a"}])
def test_what_is_declared_of_votes_is_checked(options):
    assert refusal(VOTES, **options)


def test_nested_cells_are_refused_where_a_name_is_needed():
    assert refusal('{"model_a": ["ada"], "model_b": "bo", "winner": "tie"}\n', format="jsonl") == [
        "line 1, column 'model_a': a list where a name or a score is needed"
    ]


@pytest.mark.parametrize(
    ("line", "fault"), [("{", "line 2: not JSON"), ("3", "line 2: an object is needed, {...}; got 3")]
)
def test_a_line_that_is_no_object_is_refused_with_its_number(line, fault):
    text = f'{{"model_a": "ada", "model_b": "bo", "winner": "tie"}}\n{line}\n'
    assert refusal(text, format="jsonl")[0].startswith(fault)


def test_json_lines_of_a_stream_are_told_from_one_object():
    records = [
        {"model_a": "ada", "model_b": "bo", "winner": "tie"},
        {"model_a": "cy", "model_b": "bo", "winner": "tie"},
    ]
    lines = "\n".join(map(json.dumps, records))
    assert read(lines).models == ("ada", "bo", "cy")
    board = wl.read_leaderboard(io.StringIO('{"model": "a", "x": 1}\n{"model": "b", "x": 2}\n'))
    assert (board.models, board.tasks) == (("a", "b"), ("x",))
    assert wl.read_leaderboard(io.StringIO('{"x":\n{"a": 1, "b": 2}}')).models == ("a", "b")


@pytest.mark.parametrize(
    ("header", "words"),
    [
        ("generation_a,generation_b,vote", ("A", "B", "both_bad")),
        ("Model 1,Model 2,Preference", ("1", "2", "tie")),
        ("player_a,player_b,winner", ("ada", "bo", "draw")),
        ("left,right,winner", ("left", "right", "tie")),
        ("Left Model,Right Model,Vote", ("Left", "RIGHT", "both")),
        ("model_left,model_right,preference", ("model_left", "right", "equal")),
    ],
)
def test_columns_of_votes_may_be_called_otherwise(header, words):
    first, second, tie = words
    text = f"{header}\nada,bo,{first}\nada,bo,{first}\nada,bo,{second}\nada,bo,{tie}\n"
    for votes in (wl.read_votes(io.StringIO(text)), wl.read_votes(pd.read_csv(io.StringIO(text)))):
        assert votes.margin("ada", "bo") == 1
        assert votes.models == ("ada", "bo")


def test_columns_of_other_tables_are_no_votes():
    from weightlab.io.read.votes import called_otherwise

    assert called_otherwise(["model", "system_a", "system_b"]) == {}
    assert called_otherwise(["vote", "score_a", "score_b"]) == {}
