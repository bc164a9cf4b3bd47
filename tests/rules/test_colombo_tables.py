"""What Colombo et al. print, as far as it holds, and what exact orders say beside it.

Their Borda sums are points with ties inside a task broken by the position in the file (argsort of argsort, which keeps
equal numbers not even in that order in long files); so a printed sum is compared with the least and the greatest
points that the ties of its model allow.
"""

from __future__ import annotations

import pytest

from weightlab.datasets import load_leaderboard
from weightlab.graph import kemeny_cost, margins_of
from weightlab.io import read_instances, read_leaderboard
from weightlab.rules import kemeny, kemeny_gap, kendall_tau, one_level, rank, two_level, winners

TABLE_1 = load_leaderboard("colombo-table1")


class TestTable1:
    """Three systems on six tasks, of which less is better."""

    def test_the_sums_and_the_ranks(self):
        assert {model: -6 * float(score) for model, score in rank(TABLE_1, "mean").scores.items()} == pytest.approx(
            {"A": 16.72, "B": 19.61, "C": 20.23}
        )
        assert {model: 6 * score for model, score in rank(TABLE_1, "mean_rank").scores.items()} == {
            "A": 13,
            "B": 12,
            "C": 11,
        }

    def test_the_mean_says_a_b_c(self):
        assert rank(TABLE_1, "mean").order == (("A",), ("B",), ("C",))

    def test_duels_alone_are_paradoxical(self):
        duels = margins_of(TABLE_1)
        assert (duels.margin("B", "A") > 0, duels.margin("C", "B") > 0, duels.margin("A", "C")) == (True, True, 0)

    @pytest.mark.parametrize("rule", ["borda", "kemeny", "mean_rank", "bradley_terry"])
    def test_ranks_say_c_b_a(self, rule):
        assert rank(TABLE_1, rule).order == (("C",), ("B",), ("A",))


# Tables 3 and 7: Borda sum, place by the mean (from 0) and the mean of the first ten.
PRINTED = {
    "glue105": [
        ("Microsoft Alexander", 1430, 0, 88.6),
        ("ERNIE", 1405, 1, 88.0),
        ("DeBERTa Team", 1397, 2, 87.9),
        ("AliceMind", 1391, 3, 87.8),
        ("PING-AN", 1375, 5, 87.6),
        ("HFL", 1362, 4, 87.7),
        ("T5 Team", 1361, 6, 87.5),
        ("DIRL Team", 1358, 10, 86.7),
        ("Zihang Dai", 1331, 7, 87.6),
        ("ELECTRA Team", 1316, 11, 86.7),
    ],
    "superglue24": [
        ("Liam Fedus", 289, 0, 90.0),
        ("Microsoft Alexander", 278, 1, 89.4),
        ("ERNIE", 268, 2, 89.3),
        ("SuperGLUE Human", 263, 3, 89.2),
        ("DeBERTa Team", 256, 5, 88.8),
        ("Zirui Wang", 256, 4, 88.8),
        ("T5 Team", 234, 6, 87.7),
        ("Alibaba", 205, 7, 86.8),
        ("Anuar", 182, 8, 86.1),
        ("Huawei", 181, 11, 83.4),
    ],
}
# Of SuperGLUE's DeBERTa no way with ties gives 256, and GLUE's Funnel-Transformer has a mean of 87.0.
WRONG_SUMS = {("superglue24", "DeBERTa Team")}
WRONG_MEANS = {("glue105", "Zihang Dai")}


@pytest.mark.parametrize("name", PRINTED)
def test_tables_3_and_7(shared_data, name):
    board = read_leaderboard(shared_data / "colombo" / f"{name}.csv")
    most, least = (rank(board, "borda", ties=ties).scores for ties in ("min", "max"))
    mean = rank(board, "mean")
    for start, points, place, score in PRINTED[name]:
        model = next(one for one in board.models if one.startswith(start))
        held = least[model] <= points <= most[model]
        assert held != ((name, start) in WRONG_SUMS)
        # Means are cut or rounded to one decimal, and equal ones are told apart by their position in the file.
        tied = int((mean.ranks == mean.ranks[model]).sum())
        assert mean.ranks[model] - 1 <= place <= mean.ranks[model] + tied - 2
        assert (abs(float(mean.scores[model]) - score) < 0.1) != ((name, start) in WRONG_MEANS)


@pytest.mark.parametrize(
    ("name", "cost", "number"), [("glue105", 7248, 169_869_312), ("superglue24", 539, 54), ("xtreme15", 41, 42)]
)
def test_exact_orders_of_least_disagreement_are_within_reach(shared_data, name, cost, number):
    board = read_leaderboard(shared_data / "colombo" / f"{name}.csv")
    best = kemeny(board)
    assert (best.cost, best.unique, best.number) == (cost, False, number)
    assert best.verify(board)


def test_what_the_approximations_of_glue_cost(shared_data):
    board = read_leaderboard(shared_data / "colombo" / "glue105.csv")
    borda, mean = kemeny_gap(board, "borda"), kemeny_gap(board, "mean")
    # The five pairs that Borda ties cost nothing, or what the order of the file makes them cost, or at most ...
    assert len(borda.tied_pairs) == 5
    in_file_order = [(model,) for group in borda.ranking.order for model in group]
    assert (borda.cost, kemeny_cost(board, in_file_order)) == (7651, 7681)
    assert (borda.low, borda.high) == (7673, 7698)
    assert (mean.low, mean.high) == (8412, 8414)
    assert borda.verify(board)


def test_kemeny_and_borda_choose_different_winners_on_superglue(shared_data):
    board = read_leaderboard(shared_data / "colombo" / "superglue24.csv")
    assert winners(board, "borda") == ("Liam Fedus -SS-MoE",)
    assert winners(board, "kemeny") == ("SuperGLUE Human Baselines -SuperGLUE Human Baselines",)


@pytest.mark.parametrize(
    ("name", "tau"),
    [("dialog_pc", 1), ("dialog_tc", 1), ("flickr", 1), ("real_sum", 0.89), ("sum_eval", 0.95), ("tac_08", 0.97)],
)
def test_one_level_and_two_levels_agree_closely(shared_data, name, tau):
    # Table 4 says that they do not agree at all: it correlates lists of identifiers, and ranks documents for systems.
    instances = read_instances(
        shared_data / "colombo" / "instances" / f"{name}.csv", model="Utterance", instance="System"
    )
    one, two = one_level(instances, "borda", missing="last"), two_level(instances, "borda", missing="last")
    assert round(kendall_tau(one.order, two.order), 2) == tau
    assert one.winners == two.winners
