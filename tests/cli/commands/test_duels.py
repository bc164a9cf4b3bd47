from __future__ import annotations

import json

import pytest

from weightlab._result import result_from_dict
from weightlab.exceptions import TimeLimitError

TABLE = "model,x,y\na,4,4\nb,3,1\nc,2,2\nd,2,2\ne > f,1,1\n"


@pytest.fixture
def few(tmp_path):
    """A table with every kind of duel: a beats all, b and c may go either way, c and d always tie."""
    path = tmp_path / "few.csv"
    path.write_text(TABLE, encoding="utf-8")
    return path


def test_the_table_that_ships_has_no_duel_that_is_settled(weightlab):
    answer = weightlab("duels")
    assert answer.code == 0
    assert answer.out.startswith(
        "Of 120 head-to-heads 0 have the same winner under all weights, 120 can go either way.\n"
    )
    assert answer.out.rstrip().endswith("Proof checked in exact arithmetic: 120 head-to-heads x 72 tasks.")


def test_models_have_their_duels_counted_by_kind(weightlab, few):
    answer = weightlab("duels", few)
    assert (answer.code, answer.err) == (0, "")
    lines = answer.out.splitlines()
    assert "a beats every rival under all weights." in lines[0]
    assert lines[2].split("  ")[0] == "model"
    rows = {line[:6].strip(): line[6:].split() for line in lines[3:8]}
    assert rows["a"] == ["4", "0", "0", "0", "0", "0"]
    assert rows["b"] == ["0", "1", "2", "0", "0", "1"]
    assert rows["c"] == ["1", "0", "1", "1", "0", "1"]


def test_one_models_duels_are_shown_with_their_leads(weightlab, few):
    answer = weightlab("duels", few, "--model", "b")
    rows = [line.split(maxsplit=4) for line in answer.out.splitlines() if line.startswith(("a ", "c ", "d "))]
    assert rows[0] == ["a", "-100%", "never", "0%", "always loses"]
    assert [(row[0], row[4]) for row in rows[1:]] == [("c", "either wins"), ("d", "either wins")]
    for row in rows[1:]:  # weight shifts from where it leads to where it trails: half of the lead
        assert float(row[2].rstrip("%")) == abs(float(row[1].rstrip("%"))) / 2


def test_conditions_settle_duels(weightlab, few):
    answer = weightlab("duels", few, "--model", "b", "--min", "x=0.6")
    assert [line.split(maxsplit=4)[2:] for line in answer.out.splitlines() if line.startswith("c ")] == [
        ["never", "100%", "always wins"]
    ]
    assert "Conditions: x at least 3/5." in answer.out


def test_duels_wanted_are_won_or_ruled_out(weightlab, few):
    answer = weightlab("duels", few, "--want", "b > c")
    assert answer.code == 0
    assert answer.out.startswith("Some weights make 1 head-to-head (b over c) come out as wanted")
    assert "Weights that do it                 x 1" in answer.out
    answer = weightlab("duels", few, "--want", "b > c", "--want", "c>b", "--want", "b>e > f")
    assert answer.out.startswith("No weights make 3 head-to-heads")
    assert "What rules it out                  an even mixture of b over c and c over b" in answer.out
    assert "Not to blame                       b over e > f" in answer.out


def test_an_order_is_wanted_at_once(weightlab, few):
    answer = weightlab("duels", few, "--want", "a > b > c > e > f", "--json")
    (document,) = json.loads(answer.out)["results"]
    assert document["duels"] == [["a", "b"], ["b", "c"], ["c", "e > f"]]
    assert result_from_dict(document).holds


def test_names_with_a_greater_than_sign_are_read_in_the_one_way_there_is(weightlab, tmp_path):
    (tmp_path / "odd.csv").write_text("model,x,y\nB > C,2,3\nB,1,2\nC,1,1\n", encoding="utf-8")
    (document,) = json.loads(weightlab("duels", "odd.csv", "--want", "B > C > C", "--json").out)["results"]
    assert document["duels"] == [["B > C", "C"]]
    answer = weightlab("duels", "odd.csv", "--want", "B > C > B")
    assert (answer.code, answer.out) == (2, "")
    assert "can be read as 'B' over 'C', 'C' over 'B' or 'B > C' over 'B'" in answer.err


@pytest.mark.parametrize("arguments", [(), ("--model", "m01")])
def test_long_tables_are_cut_and_whole_on_request(weightlab, tmp_path, arguments):
    rows = "\n".join(f"m{number:02},{number},{30 - number % 7}" for number in range(30))
    (tmp_path / "long.csv").write_text(f"model,x,y\n{rows}\n", encoding="utf-8")
    answer = weightlab("duels", "long.csv", *arguments)
    count = 30 - len(arguments) // 2
    assert f"\nShowing 20 of {count} rows; use --all for the rest.\n" in answer.out
    whole = weightlab("duels", "long.csv", "--all", *arguments).out
    assert len(whole.splitlines()) == len(answer.out.splitlines()) - 1 + count - 20


@pytest.mark.parametrize(
    "arguments", [(), ("--want", "b > c"), ("--max", "x=0.3"), ("--want", "c > b", "--fix", "x=1")]
)
def test_documents_are_verified(weightlab, few, arguments):
    assert weightlab("duels", few, *arguments, "--output", "proof.json").code == 0
    answer = weightlab("verify", "proof.json", few)
    assert answer.code == 0
    assert ", in exact arithmetic" in answer.out
    few.write_text(TABLE.replace("b,3,1", "b,1,3"), encoding="utf-8")
    assert weightlab("verify", "proof.json", few).code == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--want", "b c"], "--want 'b c': write 'A > B', the winner first"),
        (["--want", "b > eve"], "no model named 'eve'"),
        (["--want", "b > b"], "'b' cannot beat itself"),
        (["--model", "eve"], "no model named 'eve'"),
        (["--model", "b", "--want", "b > c"], "say one of them"),
        (["--max", "x=2"], "lies between 0 and 1"),
    ],
)
def test_wrong_calls_are_one_message(weightlab, few, arguments, message):
    answer = weightlab("duels", few, *arguments)
    assert (answer.code, answer.out) == (2, "")
    assert message in answer.err


def test_a_time_limit_that_ends_the_search_is_exit_code_3(weightlab, few, monkeypatch):
    def late(*_arguments, **_options):
        raise TimeLimitError("too late")

    monkeypatch.setattr("weightlab.lp.duels", late)
    answer = weightlab("duels", few, "--time-limit", "1")
    assert (answer.code, answer.err) == (3, "weightlab: too late\n")
