"""The tables of the papers equal what is printed, and what the papers say about them holds."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations, product

import pytest

from weightlab import datasets

A1 = {"m_A": (1, 1, 4, 4, 4), "m_B": (2, 4, 1, 2, 2), "m_C": (3, 2, 3, 1, 3), "m_D": (4, 3, 2, 3, 1)}
PRINTED = {
    "votenrank-a1": A1,
    "votenrank-a1-baldwin": {"m_B": (1, 3, 1, 2, 2), "m_C": (2, 1, 3, 1, 3), "m_D": (3, 2, 2, 3, 1)},
    "colombo-table1": {
        "A": ("0.3", 5, 10, "0.02", 1, "0.4"),
        "B": ("0.1", 4, 13, "0.01", "2.2", "0.3"),
        "C": (0, 3, 15, "0.03", 2, "0.2"),
    },
    "beyond-arrow-table1": {
        "GPT-4": ("0.65", "0.49", "1.17"),
        "Qwen1.5": ("0.49", "0.32", 2),
        "GPT-3.5": ("0.40", "0.41", 1),
    },
    "condorcet-paradox": {"a": (1, 3, 2), "b": (2, 1, 3), "c": (3, 2, 1)},
}


def scores(name):
    """Return the exact scores, model by model."""
    frame = datasets.load_leaderboard(name).scores
    return {model: tuple(Fraction(repr(float(cell))) for cell in row) for model, row in frame.iterrows()}


def lead(name, model, rival):
    """Return on how many tasks the model leads the rival."""
    board = datasets.load_leaderboard(name)
    lower = [task in board.lower_is_better for task in board.tasks]
    table = scores(name)
    return sum(
        (mine < theirs) if less else (mine > theirs)
        for mine, theirs, less in zip(table[model], table[rival], lower, strict=True)
    )


def beats(name, model, rival):
    return lead(name, model, rival) > lead(name, rival, model)


def test_every_table_of_a_paper_is_checked_here():
    assert set(PRINTED) == set(datasets.names("leaderboard")) - set(datasets.names("suite"))


@pytest.mark.parametrize("name", PRINTED)
def test_the_table_is_as_printed(name):
    assert scores(name) == {model: tuple(map(Fraction, row)) for model, row in PRINTED[name].items()}


@pytest.mark.parametrize("name", PRINTED)
def test_every_table_says_which_paper_and_where_in_it(name):
    source = datasets.about(name).source
    assert any(paper in source for paper in ("Rofin et al. (2023)", "Colombo et al. (2022)", "Beyond Arrow"))
    assert "Table" in source or "section" in source


def test_tables_of_ranks_hold_every_rank_once_a_task():
    for name in ("votenrank-a1", "votenrank-a1-baldwin", "condorcet-paradox"):
        for ranks in zip(*scores(name).values(), strict=True):
            assert sorted(ranks) == list(range(1, len(ranks) + 1))
        board = datasets.load_leaderboard(name)
        assert board.lower_is_better == board.tasks


def test_appendix_a1_gives_the_scores_that_the_paper_prints():
    ranks = scores("votenrank-a1")
    plurality = {model: sum(rank == 1 for rank in row) for model, row in ranks.items()}
    borda = {model: sum(4 - rank for rank in row) for model, row in ranks.items()}
    dowdall = {model: sum(1 / rank for rank in row) for model, row in ranks.items()}
    threshold = {model: sum(rank < 4 for rank in row) for model, row in ranks.items()}
    copeland = {
        model: sum(beats("votenrank-a1", model, rival) - beats("votenrank-a1", rival, model) for rival in ranks)
        for model in ranks
    }
    assert plurality == {"m_A": 2, "m_B": 1, "m_C": 1, "m_D": 1}
    assert borda == {"m_A": 6, "m_B": 9, "m_C": 8, "m_D": 7}
    assert dowdall == {
        "m_A": Fraction("2.75"),
        "m_B": Fraction("2.75"),
        "m_C": Fraction("2.5"),
        "m_D": Fraction("1.75") + Fraction(2, 3),
    }
    assert threshold == {"m_A": 2, "m_B": 4, "m_C": 5, "m_D": 4}
    assert copeland == {"m_A": -3, "m_B": 3, "m_C": 1, "m_D": -1}


def test_table_7_is_table_6_without_the_borda_loser():
    ranks = scores("votenrank-a1")
    kept = [model for model in ranks if model != "m_A"]
    again = {
        model: tuple(1 + sum(ranks[rival][task] < ranks[model][task] for rival in kept) for task in range(5))
        for model in kept
    }
    assert scores("votenrank-a1-baldwin") == again
    assert {model: sum(3 - rank for rank in row) for model, row in again.items()} == {"m_B": 6, "m_C": 5, "m_D": 4}


def test_colombo_table_1_has_the_printed_sums_ranks_and_duels():
    table = scores("colombo-table1")
    assert {model: sum(row) for model, row in table.items()} == {
        "A": Fraction("16.72"),
        "B": Fraction("19.61"),
        "C": Fraction("20.23"),
    }
    ranks = {
        model: sum(1 + sum(table[rival][task] < row[task] for rival in table) for task in range(6))
        for model, row in table.items()
    }
    assert ranks == {"A": 13, "B": 12, "C": 11}
    assert beats("colombo-table1", "B", "A")
    assert beats("colombo-table1", "C", "B")
    assert lead("colombo-table1", "A", "C") == lead("colombo-table1", "C", "A")


@pytest.mark.parametrize(
    ("name", "cycle"),
    [("beyond-arrow-table1", ("GPT-4", "Qwen1.5", "GPT-3.5")), ("condorcet-paradox", ("a", "b", "c"))],
)
def test_the_majorities_form_the_cycle_that_the_paper_tells_of(name, cycle):
    for place, model in enumerate(cycle):
        assert beats(name, model, cycle[(place + 1) % 3])


def test_condorcets_paradox_is_the_only_one_of_three_strict_orders_up_to_names():
    """Of all 216 profiles those with a cycle are the renamings of the one that ships: letters add nothing to it."""

    def cyclic(profile):
        wins = {(x, y): sum(ranks[x] < ranks[y] for ranks in profile) > 1 for x in range(3) for y in range(3)}
        return (wins[0, 1] and wins[1, 2] and wins[2, 0]) or (wins[1, 0] and wins[2, 1] and wins[0, 2])

    orders = list(permutations((1, 2, 3)))
    shipped = list(zip(*scores("condorcet-paradox").values(), strict=True))
    renamed = {
        tuple(tuple(voter[model] for model in models) for voter in voters)
        for models in permutations(range(3))
        for voters in permutations(shipped)
    }
    assert renamed == {profile for profile in product(orders, repeat=3) if cyclic(profile)}
