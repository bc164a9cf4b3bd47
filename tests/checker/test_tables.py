from __future__ import annotations

import io
import json

import pandas as pd
import pytest

import weightlab as wl
from tests.checker.documents import board, code_of, csv_of, document_of
from weightlab import checker

NAMES = 'model,"speed, in ms",quality,"said ""good"""\na,10,1.50,0\n"b, the second",20,,1\nc,9.99,1.5,-\n'


@pytest.fixture
def named(tmp_path):
    (tmp_path / "named.csv").write_text(NAMES, encoding="utf-8")
    return wl.read_leaderboard(tmp_path / "named.csv", lower_is_better=["speed, in ms"])


def test_directions_missing_cells_and_quoted_names_are_read(named):
    declared = checker.Declared(lower=("speed, in ms",))
    for model in named.models:
        text = json.dumps(document_of(wl.lp.prospect(named, model)))
        report = checker.check(text, NAMES, declared)
        assert report.code == 0
        assert report.lines[-1] == "Compared with the table; declared: lower is better on speed, in ms."
        with pytest.raises(checker.FalseClaimError, match="prospect: the sign of"):
            checker.check(text, NAMES)


def test_columns_and_models_left_out_are_declared(named):
    kept = named.select(tasks=["speed, in ms", "quality"]).complete()
    text = json.dumps(document_of(wl.lp.prospects(kept)))
    declared = checker.Declared(lower=("speed, in ms",), drop=('said "good"',), complete=True)
    assert checker.check(text, NAMES, declared).code == 0
    with pytest.raises(checker.FalseClaimError, match="is only in the table"):
        checker.check(text, NAMES, declared._replace(complete=False))
    with pytest.raises(checker.FalseClaimError, match="the task 'said \"good\"' is only in the table"):
        checker.check(text, NAMES, declared._replace(drop=()))


def test_a_claim_by_points_is_compared_with_the_models_that_have_every_score():
    frame = pd.DataFrame({"x": [3.0, 2, 1, None], "y": [1.0, 2, 3, 4]}, index=["m0", "m1", "m2", "m3"])
    whole = wl.Leaderboard(frame).complete()
    for found in (
        wl.lp.prospects(whole, rule="mean"),
        wl.lp.scenario(whole, "m2", wl.lp.closest_to(), rule="mean"),
        wl.lp.winning_shares(whole, rule="borda", samples=50, rng=1),
    ):
        code, words = code_of(document_of(found), csv_of(frame))
        assert code in {0, 3}
        assert words.endswith("Answers by points are about the models with every score, not about m3.")
        for other in (frame.fillna(5), frame.replace(2, 5)):
            assert code_of(document_of(found), csv_of(other))[0] == 1
    fewer = wl.lp.prospects(whole.select(models=["m0", "m1"]), rule="mean")
    assert code_of(document_of(fewer), csv_of(frame))[0] == 1


def test_columns_of_standard_errors_are_no_tasks():
    text = "model,x,x_stderr,y\na,1,0.5,2\nb,2,,1\n"
    table = wl.read_leaderboard(io.StringIO(text))
    proof = json.dumps(document_of(wl.lp.prospect(table, "a")))
    assert checker.check(proof, text).code == 0
    with pytest.raises(checker.FalseClaimError, match="'z_stderr' is only in the table"):
        checker.check(proof, text.replace("x_stderr", "z_stderr"))


def test_the_options_of_a_document_are_applied():
    frame = board(3)
    table = wl.Leaderboard(frame).complete()
    document = {"options": {"complete": True}, "results": [document_of(wl.lp.prospects(table))]}
    code, words = code_of(document, csv_of(frame))
    assert code == 0
    assert "models that lack a score left out" in words
    assert code_of(document["results"][0], csv_of(frame))[0] == 1


def test_a_configuration_that_a_document_names_must_be_declared():
    frame = board(2)
    document = {"options": {"config": "t.toml"}, "results": [document_of(wl.lp.prospect(wl.Leaderboard(frame), "m0"))]}
    assert code_of(document, csv_of(frame))[0] == 2
    assert code_of(document)[0] == 0
    declared = checker.declared_in("lower_is_better = []\nweights = { t0 = 0.5 }")
    assert checker.check(json.dumps(document), csv_of(frame), declared).code == 0
    with pytest.raises(checker.WrongInputError, match="'instance', which is not read here"):
        checker.declared_in("instance = 1")


@pytest.mark.parametrize(("flags", "code"), [(["--higher=t0"], 0), (["--higher=t0", "--lower=t1"], 2)])
def test_that_higher_is_better_need_not_be_declared(flags, code):
    frame = board(2)
    claim = document_of(wl.lp.prospect(wl.Leaderboard(frame), "m0"))
    assert code_of({"options": {"flags": flags}, "results": [claim]}, csv_of(frame))[0] == code


@pytest.mark.parametrize("relative", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_scores_that_tie_within_a_tolerance_are_compared_as_such(seed, relative):
    frame = board(seed)
    kind = "relative_tolerance" if relative else "tolerance"
    limits = {"t0": "0.3", "t1": "1"} if relative else {"t0": "1.5", "t2": "2"}
    table = wl.Leaderboard(frame, lower_is_better=["t1"], **{kind: limits})
    declared = checker.declared_in(
        f"lower_is_better = ['t1']\n{kind} = {{ {', '.join(f'{task} = {limit}' for task, limit in limits.items())} }}"
    )
    for result in (wl.lp.prospects(table), wl.lp.duels(table), wl.rules.kemeny(table)):
        text = json.dumps(document_of(result))
        assert checker.check(text, csv_of(frame), declared).code == 0
        with pytest.raises(checker.FalseClaimError):
            checker.check(text, csv_of(frame), checker.Declared(lower=("t1",)))


def test_weights_of_today_are_declared():
    frame = board(4)
    table = wl.Leaderboard(frame, weights={"t0": 2})
    text = json.dumps(document_of(wl.rules.kemeny(table)))
    assert checker.check(text, csv_of(frame), checker.Declared(weights={"t0": checker.Fraction(2)})).code == 0
    with pytest.raises(checker.FalseClaimError, match="kemeny: the wins of"):
        checker.check(text, csv_of(frame))


def test_scores_are_compared_as_the_decimals_that_are_written():
    digits = "0.1000000000000000000000000000001"
    text = f"model,x,y\na,{digits},1e-2\nb,0.1,0.01\n"
    claim = {
        "kind": "realisation", "format": 2, "proved": ["everything"], "believed": [],
        "verdict": "strict", "duels": [["a", "b"]], "wanted": "0/1", "margin": "1/1",
        "weights": {"x": "1/1"}, "blockers": ["1/1"], "vectors": [], "signs": ["+0"],
        "space": {"tasks": ["x", "y"], "conditions": []},
    }  # fmt: skip
    assert code_of(claim, text)[0] == 0
    assert code_of(claim, text.replace(digits, "0.1"))[0] == 1


@pytest.mark.parametrize(
    "text",
    ["", "\n\n", "model\na\n", "model,x\na,1\na,2\n", "model,x,x\na,1,2\n", "model,x\na,1,2\n", "model,x\na,one\n",
     'model,x\n"a,1\n', "model,x\na,1e99999\n", "model,x\na,93 %\n", "model;x\na;1\n", f"model,x\na,{'9' * 5000}\n"],
)  # fmt: skip
def test_what_is_no_table_is_wrong_input(text):
    claim = document_of(wl.lp.prospect(wl.Leaderboard(board(2)), "m0"))
    assert code_of(claim, text)[0] == 2


HOSTILE = [
    "", "{", "[]", "null", "3", '{"results": []}', '{"results": 3}', '{"results": [3]}', '{"results": [{"kind": 3}]}',
    '{"kind": "prospect", "kind": "prospect"}', '{"kind": NaN}', '{"kind": Infinity}', "[" * 100_000,
    '{"kind": ' + "9" * 10_000 + "}", '{"kind": "prospect", "lower": 1e999}', "<html>", '{"kind": "prospect"}',
    '{"options": [], "results": [{"kind": "x"}]}',
]  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE)
def test_what_is_no_document_is_wrong_input(text):
    with pytest.raises(checker.WrongInputError):
        checker.check(text)


@pytest.mark.parametrize("number", ["1/0", "nan", "1e3", "0.5", "1/2 ", "+1", "9" * 5000, "1/" + "9" * 5000, "٣/٤"])
def test_numbers_are_fractions_of_bounded_length(number):
    document = document_of(wl.lp.prospect(wl.Leaderboard(board(2)), "m0"))
    assert code_of({**document, "upper": number})[0] == 2


def test_denominators_that_would_fill_the_memory_are_refused():
    tasks = [f"t{one}" for one in range(300)]
    primes = [10**3000 + 2 * one + 1 for one in range(300)]
    claim = {
        "kind": "realisation", "format": 2, "proved": ["everything"], "believed": [],
        "verdict": "strict", "duels": [["a", "b"]], "wanted": "0/1", "margin": "1/1",
        "weights": {task: f"1/{prime}" for task, prime in zip(tasks, primes, strict=True)}, "blockers": ["1/1"],
        "vectors": [], "signs": ["+" * 300], "space": {"tasks": tasks, "conditions": []},
    }  # fmt: skip
    assert code_of(claim) == (2, "the denominators of the numbers are too many and too long")


def test_a_frame_written_by_pandas_is_the_table():
    frame = pd.DataFrame({"x": [0.1 + 0.2, 0.3], "y": [1.0, None]}, index=["a", "b"])
    assert code_of(document_of(wl.lp.prospects(wl.Leaderboard(frame))), csv_of(frame))[0] == 0


@pytest.mark.parametrize(
    "text", ["weights = 1", "weights = { t0 = true }", "weights = { t0 = [1] }", "drop = 3", "=", "x"]
)
def test_what_declares_nothing_is_wrong_input(text):
    with pytest.raises(checker.WrongInputError):
        checker.declared_in(text)


@pytest.mark.parametrize("count", [2, 8, 9, 40])
@pytest.mark.parametrize("dot", [".", " . "])
@pytest.mark.parametrize(
    ("form", "is_key"),
    [
        ("[KEY]\nx = 1\n", True),
        ("KEY = 1\n", True),
        ("'a'.KEY = 1\n", True),
        ('drop = ["KEY"]\n', False),
        ("drop = 'Such. KEY as words. end. in. dots.'\n", False),
        ('drop = """KEY\nKEY"""\n', False),
        ('weights = { "KEY" = 1 }\n', False),
        ("# KEY\n", False),
    ],
)
def test_both_refuse_a_key_of_too_many_parts_and_only_a_key(tmp_path, form, is_key, dot, count):
    text = form.replace("KEY", dot.join(["a"] * (count - form.startswith("'"))))
    (tmp_path / "declared.toml").write_text(text, encoding="utf-8")
    (tmp_path / "table.csv").write_text("model,x,y\na,1,2\nb,2,1\n", encoding="utf-8")
    said = []
    for read in (
        lambda: checker.declared_in(text),
        lambda: wl.read_leaderboard(tmp_path / "table.csv", config=tmp_path / "declared.toml"),
    ):
        try:
            read()
        except (checker.WrongInputError, wl.WeightlabError) as error:
            said.append("of more than 8 parts" in str(error))
        else:
            said.append(False)
    assert said == [is_key and count > 8] * 2


def test_values_too_deep_to_be_shown_are_wrong_input():
    deep = "[" * 900 + "]" * 900
    with pytest.raises(checker.WrongInputError):
        checker.check('{"kind": "prospect", "model": ' + deep + "}")


def test_an_option_that_is_not_known_is_refused():
    document = {"options": {"proved": True}, "results": [document_of(wl.rules.kemeny(wl.Leaderboard(board(2))))]}
    assert code_of(document) == (2, "options: 'proved' is not known, or cannot be True")
