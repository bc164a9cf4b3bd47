"""Ties and ballots of public reports of faults in other programs: what is right stands beside the tables."""

from __future__ import annotations

from fractions import Fraction

import pytest

import weightlab as wl
from weightlab.exceptions import ImpossibleError
from weightlab.rules import RULES, rank

OPTIONS = {"k_approval": {"k": 2}, "scoring": {"vector": "borda"}, "optimality_gap": {"gamma": 9}}


@pytest.fixture(scope="module")
def folder(shared_data):
    return shared_data / "small" / "reports"


def read(file):
    columns = file.read_text().partition("\n")[0].split(",")[1:]
    return wl.read_leaderboard(file, higher_is_better=columns)


def test_undefeated_models_share_the_first_place_whatever_their_names(folder):
    board = read(folder / "2.csv")
    found = rank(board, "ranked_pairs")
    assert found.places == (("ada", "bo"), ("cy",), ("dee",))
    other = board.rename(models={"ada": "zoe", "dee": "abe"})
    assert rank(other, "ranked_pairs").places == (("zoe", "bo"), ("cy",), ("abe",))


@pytest.mark.parametrize("name", sorted({*RULES} - {"bradley_terry", "condorcet"}))
def test_models_with_equal_rows_share_their_rank_by_every_rule(folder, name):
    board = read(folder / "2.csv")
    rows = [*board.scores.to_numpy().tolist(), board.scores.loc["ada"].tolist()]
    twins = wl.Leaderboard(rows, models=[*board.models, "twin of ada"], tasks=list(board.tasks))
    ranks = rank(twins, name, **OPTIONS.get(name, {})).ranks
    assert ranks["ada"] == ranks["twin of ada"]


def test_unlisted_alternatives_are_last(folder):
    five = wl.io.read_profile(folder / "5b.soi")
    assert five.margins().winner == "ann"
    assert rank(five, "copeland").scores.to_dict() == {"ann": 2, "bob": 0, "cal": -2}
    # Ties share their points: unlisted models split those of the places that are left.
    assert rank(five, "borda", ties="average").scores.to_dict() == {"bob": 13, "ann": 12, "cal": 8}
    unknown = wl.io.read_profile(folder / "5b.soi", unlisted="unknown")
    for name in ("copeland", "borda", "kemeny", "schulze"):
        assert rank(unknown, name, unlisted="last").places == rank(five, name).places
    pizza = wl.io.read_profile(folder / "5.soi")
    copeland = rank(pizza, "copeland").scores.to_dict()
    assert sorted(copeland.values(), reverse=True) == [2, 2, 0, 0, -4]
    assert copeland["pepper"] == -4
    for name in ("schulze", "kemeny"):
        assert set(rank(pizza, name).winners) == {"pine", "beef"}


def test_votes_with_several_optima_have_several_winners(folder):
    votes = wl.io.read_profile(folder / "6.soc")
    assert rank(votes, "copeland").scores.to_dict() == {"bob": 2, "eli": 2, "ann": 0, "dot": 0, "cal": -4}
    assert rank(votes, "borda").scores.to_dict() == {"bob": 53, "dot": 51, "cal": 40, "eli": 34, "ann": 32}
    worst = rank(votes, "minimax").scores.to_dict()
    assert worst == {"bob": -11, "cal": -11, "dot": -11, "eli": -20, "ann": -21}
    assert rank(votes, "schulze").winners == ("bob", "dot")
    assert rank(votes, "kemeny").winners == ("bob", "dot")
    assert wl.graph.kemeny(votes).number == 3


def test_equal_rows_tie_by_all_rules_but_those_that_any_zero_makes_zero(folder):
    board = read(folder / "16.csv")
    for name in RULES:
        if name in {"bradley_terry", "condorcet", "k_approval", "scoring", "optimality_gap"}:
            continue
        places = rank(board, name).places
        if name in {"geometric_mean", "harmonic_mean"}:
            assert places == (("ada", "bo", "cy", "dee"),)
        else:
            assert places == (("bo", "dee"), ("ada", "cy")), name


def test_win_rates_are_those_of_all_and_of_some(folder):
    board = read(folder / "8.csv")
    rates = rank(board, "mean_win_rate").scores.to_dict()
    expected = {"ada": Fraction(13, 15), "cy": Fraction(8, 15), "bo": Fraction(2, 5), "dee": Fraction(1, 5)}
    assert rates == expected
    both = rank(board.select(models=["ada", "bo"]), "mean_win_rate").scores.to_dict()
    assert both == {"ada": Fraction(3, 5), "bo": Fraction(2, 5)}


def test_a_model_that_never_wins_has_no_strength_and_the_others_have(folder):
    votes = wl.read_votes(folder / "20.csv")
    with pytest.raises(ImpossibleError, match="nowhere does cy win or tie") as caught:
        rank(votes, "bradley_terry")
    (cure,) = caught.value.cure
    kept = votes.select(cure.value["models"])
    assert rank(kept, "bradley_terry").places == (("ada",), ("dee",), ("bo",))
    even = rank(wl.read_votes(folder / "20b.csv"), "bradley_terry").scores
    assert even.tolist() == pytest.approx([1 / 3] * 3)


def test_undefeated_models_and_cycles_without_strict_majorities(folder):
    assert read(folder / "24.csv").margins().undefeated == ("ada", "bo", "cy")
    assert read(folder / "24b.csv").margins().undefeated == ("ada", "bo")
    votes = wl.read_votes(folder / "24d.csv")
    assert votes.undefeated == ("ada",)
    assert wl.graph.is_acyclic(votes)
    assert not wl.graph.is_transitive(votes)
    overview = str(wl.rules.majority_overview(votes))
    assert overview == "No model beats all its rivals, and the Smith set is all 3 models: no part beats the rest."


def test_eliminations_count_the_votes_that_are_left(folder):
    votes = wl.io.read_profile(folder / "26.soi")
    runoff = rank(votes, "instant_runoff")
    assert runoff.winners == ("bob",)
    assert runoff.rounds[0].left == ("cal",)
    assert dict(runoff.rounds[1].scores) == {"bob": 10, "ann": 7}
    assert rank(votes, "plurality").winners == ("ann",)


@pytest.mark.parametrize("name", ["28.txt", "28b.csv"])
def test_rankings_in_several_forms_say_the_same(folder, name):
    profile = wl.io.read_profile(folder / name)
    assert rank(profile, "borda").scores.to_dict() == {"A": 5, "B": 3, "C": 1}
    assert rank(profile, "copeland").places == (("A",), ("B",), ("C",))


def test_mean_ranks_share_the_places_of_ties(folder):
    board = wl.read_leaderboard(folder / "30.csv", accept_reading=True)
    scores = rank(board, "mean_rank").scores.to_dict()
    assert scores == {"rf": Fraction(5, 3), "svm": Fraction(5, 3), "nb": Fraction(8, 3)}


def test_ranks_of_means_are_not_means_of_ranks(folder):
    board = read(folder / "14.csv")
    groups = {name: [task for task in board.tasks if task.startswith(name)] for name in ("T1", "T2")}
    grouped = board.replace(groups=groups)
    of_ranks = rank(board, "mean_rank").scores.to_dict()
    assert of_ranks == {"ada": Fraction(7, 5), "bo": Fraction(8, 5)}
    of_means = wl.rules.two_step(grouped, "mean", then="mean_rank").final
    assert of_means.scores.to_dict() == {"ada": Fraction(3, 2), "bo": Fraction(3, 2)}
    assert of_means.places == (("ada", "bo"),)


def test_mean_ranks_are_weighted(folder):
    board = read(folder / "18.csv")
    ranks = [
        rank(board.replace(weights=dict(zip(board.tasks, weights, strict=True))), "mean_rank").scores.to_dict()
        for weights in (("0.4", "0.6"), ("0.8", "0.2"))
    ]
    assert ranks == [
        {"cy": Fraction(9, 5), "bo": 2, "ada": Fraction(11, 5), "dee": 4},
        {"ada": Fraction(7, 5), "bo": 2, "cy": Fraction(13, 5), "dee": 4},
    ]


def test_ballots_are_read_whole_with_their_ties(folder):
    strict, tied = (wl.io.read_profile(folder / name) for name in ("22a.soc", "22e.toc"))
    assert strict.models == tied.models == ("ann, jr", "bob: b", "cal")
    assert strict.ranks.tolist() == [[1, 2, 3], [3, 2, 1]]
    assert tied.ranks.tolist() == [[1, 2, 2], [2, 1, 1]]
    assert tuple(strict.weights) == tuple(tied.weights) == (2, 1)
    assert rank(tied, "copeland").places == (("ann, jr",), ("bob: b", "cal"))


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("22b.soc", "line 10: alternative 2 is ranked twice"),
        ("22c.soc", "line 10: alternative 4 has no name in the header"),
        ("22d.soc", "line 10: alternative 3 is not ranked; a .soc file holds complete orders"),
        ("22f.toc", "line 10: '2: 1,{2,3' is not a row"),
        ("22g.soc", "NUMBER VOTERS says 5, and there are 3 voters"),
        ("22h.soc", "line 11: '-1: 3,2,1' is not a row"),
        ("22i.soc", "line 10: '2.5: 1,2,3' is not a row"),
    ],
)
def test_ballots_that_say_no_order_are_refused_where_they_stand(folder, name, told):
    with pytest.raises(wl.FileFormatError) as caught:
        wl.io.read_profile(folder / name)
    assert told in str(caught.value)


def test_weighted_ballots_with_a_tie(folder):
    profile = wl.io.read_profile(folder / "28.abif")
    assert rank(profile, "copeland").places == (("A",), ("B",), ("C",))
    # By Borda B and C have as many points where a tie shares those of its places.
    assert rank(profile, "borda").scores.to_dict() == {"A": 7, "B": 4, "C": 4}
    assert rank(profile, "borda", ties="min").places == (("A",), ("B",), ("C",))
