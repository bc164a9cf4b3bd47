"""What a command says of the table that it reads."""

from __future__ import annotations

import pytest

import weightlab as wl

MEASURED = "model,acc,acc_stderr,f1\nada,0.9,0.01,3\nbo,0.8,,4\ncy,0.7,0.02,1\n"
NOTE = "2 scores with a standard error; only --level reads it.\n"


@pytest.fixture
def measured(tmp_path):
    path = tmp_path / "measured.csv"
    path.write_text(MEASURED, encoding="utf-8")
    return wl.read_leaderboard(path)


@pytest.mark.parametrize(
    "command", [("win", "--quick"), ("rank", "--rule", "mean"), ("graph",), ("compare", "--rule", "mean")]
)
def test_standard_errors_are_said_once_and_a_claim_verifies_against_their_table(weightlab, measured, tmp_path, command):
    told = weightlab(*command, "measured.csv", "--output", "proof.json")
    assert (told.code, told.err) == (0, NOTE)
    assert weightlab("verify", "proof.json", "measured.csv").code == 0
    assert weightlab(*command, "measured.csv", "--quiet").err == ""
    assert weightlab("verify", "--independent", "proof.json", "measured.csv").code in {0, 3}


def test_other_standard_errors_are_another_table_where_a_result_carries_it(weightlab, measured, tmp_path):
    weightlab("rank", "measured.csv", "--rule", "mean", "--output", "proof.json")
    (tmp_path / "measured.csv").write_text(MEASURED.replace("0.01", "0.03"))
    told = weightlab("verify", "proof.json", "measured.csv")
    assert told.code == 1
    assert "the standard error of 'ada' on 'acc' is 3/100 in the source, not 1/100" in told.err


def test_a_conversion_keeps_standard_errors_or_says_that_it_does_not(weightlab, measured):
    assert weightlab("convert", "measured.csv", "same.json").code == 0
    assert wl.read_leaderboard("same.json").equals(measured)
    for target, options in (("votes.soc", ()), ("votes.wmd", ()), ("long.csv", ("--to", "suite", "--dataset", "x"))):
        assert "Not kept: standard errors.\n" in weightlab("convert", "measured.csv", target, *options).err


def test_repeats_are_declared_beside_the_table(weightlab, tmp_path):
    (tmp_path / "r.csv").write_text("model,seed,f1\na,1,1\na,2,3\nb,1,2\nb,2,\n")
    (tmp_path / "r.toml").write_text('repeats_by = "seed"\n')
    told = weightlab("rank", "r.csv", "--rule", "mean")
    assert told.code == 0
    assert told.err == (
        "Means over unequal repeats: 'b' on 'f1' (1 of 2).\n"
        "As declared: means over repeats by seed.\n"
        "1 score with a standard error; only --level reads it.\n"
    )
