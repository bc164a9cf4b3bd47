"""Rankings as text, ABIF and tables of judges, and what is said of models that a ranking leaves out."""

from __future__ import annotations

import io
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import weightlab as wl
from tests.strategies import profiles
from weightlab.exceptions import FileFormatError, InputError


def read(text, name="votes.txt", **options):
    held = io.BytesIO(text.encode())
    held.name = name
    return wl.io.read_profile(held, **options)


def test_a_line_is_a_ranking():
    profile = read("# three voters\nRanker 1: A > B > C\n\nRanker 2: A > C > B\nRanker 3: B > A = C\n")
    assert profile.voters == ("Ranker 1", "Ranker 2", "Ranker 3")
    assert profile.orders == ((("A",), ("B",), ("C",)), (("A",), ("C",), ("B",)), (("B",), ("A", "C")))
    assert set(profile.weights) == {1}


def test_a_number_before_a_colon_counts_voters():
    assert tuple(read("3: A > B\n2: B > A\n", unlisted="unknown").weights) == (3, 2)


def test_abif_is_read():
    text = (
        '{"version": "0.1"}\n{title: "Tennessee"}\n=Memph:[Memphis, TN]\n=Nash:[Nashville > all]\n'
        "42:Memph/5>Nash/2>Chat=Knox # near\n26:Nash/5,Chat/2,Knox/2,Memph/0\n15:[Chat]\n"
    )
    profile = read(text.replace(" # near", ""), "t.abif", unlisted="unknown")
    assert tuple(profile.weights) == (42, 26, 15)
    assert profile.orders[0] == (("Memphis, TN",), ("Nashville > all",), ("Chat", "Knox"))
    assert profile.orders[1] == (("Nashville > all",), ("Chat", "Knox"), ("Memphis, TN",))
    assert profile.orders[2] == (("Chat",),)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("ranker,1,2,3\nr1,A,B,C\nr2,A,C,B\nr3,B,A,C\n", "t.csv"),
        ("1st\t2nd\t3rd\nA\tB\tC\nA\tC\tB\nB\tA\tC\n", "t.tsv"),
        ("place,r1,r2,r3\n1,A,A,B\n2,B,C,A\n3,C,B,C\n", "t.csv"),
        ("judge,A,B,C\nr1,1,2,3\nr2,1,3,2\nr3,2,1,3\n", "t.csv"),
        ("model,r1,r2,r3\nA,1,1,2\nB,2,3,1\nC,3,2,3\n", "t.csv"),
        ("Ranker 1: A > B > C\nRanker 2: A > C > B\nRanker 3: B > A > C\n", "t.txt"),
    ],
)
def test_tables_of_judges_say_what_the_text_says(text, name, weightlab_of):
    profile = read(text, name)
    assert {(order, weight) for order, weight in zip(profile.orders, profile.weights, strict=True)} == {
        ((("A",), ("B",), ("C",)), 1),
        ((("A",), ("C",), ("B",)), 1),
        ((("B",), ("A",), ("C",)), 1),
    }
    assert "By Borda, A wins" in weightlab_of(text, name)


@pytest.fixture
def weightlab_of(tmp_path, capsys):
    def answer(text, name):
        from weightlab.cli import run

        (tmp_path / name).write_text(text)
        assert run(["rank", str(tmp_path / name), "--rule", "borda"]) == 0
        return capsys.readouterr().out

    return answer


@pytest.mark.parametrize(
    "text",
    [
        "model,1,2,3\na,0.1,0.2,0.3\nb,0.3,0.2,0.1\n",  # scores by seed
        "model,x,y\na,1,2\nb,2,1\n",
        "name,first,second\nada,lovelace,x\nbo,diddley,y\n",  # words that do not recur
        "judge,A,B\nr1,7.5,8\nr2,6,9\n",  # marks, no places
        "model,acc>0.5\na,1\nb,2\n",
    ],
)
def test_other_tables_hold_no_rankings(text, tmp_path):
    from weightlab.io.preflib.rankings import holds_rankings

    (tmp_path / "t.csv").write_text(text)
    assert not holds_rankings(str(tmp_path / "t.csv"))
    with pytest.raises(FileFormatError, match="no rankings: lines such as"):
        wl.io.read_profile(tmp_path / "t.csv")


def test_lines_that_are_no_rankings_are_named():
    with pytest.raises(FileFormatError) as told:
        read("A > B\nA > A\nB > > C\nC > A\n")
    assert "line 2: 'A > A' is not a ranking" in str(told.value)
    assert "line 3" in str(told.value)


def test_what_is_left_out_is_last_unless_it_is_unknown():
    text = "# ALTERNATIVE NAME 1: ann\n# ALTERNATIVE NAME 2: bob\n# ALTERNATIVE NAME 3: cal\n6: 1\n5: 2,3\n"
    last, unknown = (
        wl.io.read_profile(io.StringIO(text), format="soi", **more) for more in ({}, {"unlisted": "unknown"})
    )
    assert last.orders == ((("ann",), ("bob", "cal")), (("bob",), ("cal",), ("ann",)))
    assert unknown.orders == ((("ann",),), (("bob",), ("cal",)))
    assert last.margins().margin("ann", "bob") == 1
    assert wl.rules.rank(last, "borda").winners == ("bob",)
    with pytest.raises(InputError, match="unlisted must be 'last' or 'unknown'; got 'first'"):
        wl.io.read_profile(io.StringIO(text), format="soi", unlisted="first")


@given(profiles())
def test_unlisted_models_tie_behind_all_others(profile):
    last = profile.with_unlisted_last()
    assert last.is_complete
    for order, whole in zip(profile.orders, last.orders, strict=True):
        listed = {name for place in order for name in place}
        rest = tuple(name for name in profile.models if name not in listed)
        assert whole == (*order, rest) if rest else whole == order


@given(st.lists(st.permutations("ABCD"), min_size=1, max_size=5), st.data())
def test_rankings_come_out_as_they_were_written(orders, data):
    signs = [[data.draw(st.sampled_from([" > ", ">", " = "])) for _ in order[1:]] for order in orders]
    counts = [data.draw(st.integers(1, 9)) for _ in orders]
    lines = [
        f"{count}: " + "".join(f"{name}{sign}" for name, sign in zip(order, [*own, ""], strict=True))
        for order, own, count in zip(orders, signs, counts, strict=True)
    ]
    if sum(">" in line for line in lines) * 2 < len(lines):
        return
    profile = read("\n".join(lines))
    assert [int(one) for one in profile.weights] == counts
    for order, own, found in zip(orders, signs, profile.orders, strict=True):
        flat = [name for place in found for name in sorted(place)]
        groups = "".join(f"{name}{sign.strip()}" for name, sign in zip(order, [*own, ""], strict=True)).split(">")
        assert [{*group.split("=")} for group in groups] == [{*place} for place in found]
        assert sorted(flat) == sorted(order)


@given(st.text("AB>=:,/[]\n 12#{", max_size=60))
def test_any_text_is_read_or_refused(text):
    try:
        read(text, "t.abif")
    except InputError:
        return


def test_winners_may_be_named():
    votes = wl.read_votes(
        io.StringIO("model_a,model_b,winner\nada,bo,ada\nbo,ada,ada\nada,cy,both\nbo,cy,draw\nbo,cy,cy\n")
    )
    assert votes.margin("ada", "bo") == 2
    assert votes.margin("cy", "bo") == 1
    assert votes.margin("ada", "cy") == 0
    with pytest.raises(FileFormatError, match="'dee' is no outcome"):
        wl.read_votes(io.StringIO("model_a,model_b,winner\nada,bo,dee\n"))
    with pytest.raises(FileFormatError, match="line 3: column 'winner': 'cy' is no outcome"):
        wl.read_votes(io.StringIO("model_a,model_b,winner\nada,cy,cy\nada,bo,cy\n"))


def test_the_inputs_of_public_reports(shared_data):
    folder = shared_data / "small" / "reports"
    for name in ("28.txt", "28b.csv", "28c.csv"):
        ranking = wl.rules.rank(wl.io.read_profile(folder / name), "borda")
        assert ranking.winners == ("A",)
    five = wl.io.read_profile(folder / "5b.soi")
    assert (five.margins().margin("ann", "bob"), five.margins().margin("ann", "cal")) == (1, 1)
    assert wl.rules.rank(wl.io.read_profile(folder / "26.soi"), "instant_runoff").winners == ("bob",)
    assert wl.io.read_profile(folder / "28.abif").weights == (Fraction(3), Fraction(2))


LISTS = "Pear,Orange\nOrange\nOrange\nPear,Plum\nPlum,Pear\nOrange,Plum\nPlum,Orange\n"


WEATHER = "sun,hot,no\nsun,cool,no\nrain,hot,yes\nrain,cool,no\nsun,hot,yes\nrain,hot,yes\nrain,cool,yes\n"
"""Categories, each in its column."""


def test_lines_that_list_names_are_ballots():
    profile = read(LISTS, "ballots.csv")
    assert (len(profile.voters), profile.models) == (7, ("Pear", "Orange", "Plum"))
    assert profile.orders[0][:2] == (("Pear",), ("Orange",))


@pytest.mark.parametrize(
    "text", ["model,licence\n" + LISTS, LISTS + "Plum,Plum\n", LISTS + "Plum,3\n", "a,b\nb,a\n", WEATHER]
)
def test_lists_of_other_things_are_no_ballots(text):
    with pytest.raises(FileFormatError):
        read(text, "ballots.csv")


def test_columns_of_judges_may_share_places():
    profile = read("Candidates,Faculty1,Faculty2,Faculty3\nA,1,2,1\nB,2,1,1\nC,3,2,3\n", "ballots.csv")
    assert profile.orders == ((("A",), ("B",), ("C",)), (("B",), ("A", "C")), (("A", "B"), ("C",)))


@pytest.mark.parametrize(
    "text",
    [
        "item,rater1,rater2,rater3\nA,1,2,1\nB,2,1,2\nC,3,3,2\nD,2,2,3\nE,3,1,1\n",
        "respondent,q1,q2,q3,q4,q5\nr1,1,2,3,4,4\nr2,2,2,1,3,4\nr3,4,4,1,2,3\n",
    ],
)
def test_grades_are_no_places(text):
    with pytest.raises(FileFormatError):
        read(text, "grades.csv")
