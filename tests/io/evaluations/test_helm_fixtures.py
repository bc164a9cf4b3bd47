"""What HELM's own runner wrote: two models that answer by rule, two subjects, two splits, and a perturbation."""

from __future__ import annotations

from pathlib import Path

import pytest

import weightlab as wl

RUNS = Path(__file__).parents[2] / "fixtures" / "helm"

SUMS, WORDS = "__main__.Questions:sums", "__main__.Questions:words"


def scores(**options):
    """Return the exact matches of the adder, then of the model that says the last word, on sums and on words."""
    board = wl.io.read_helm(RUNS, metrics="exact_match", **options).leaderboard()
    assert (board.models, board.tasks) == (("made/adder", "made/last-word"), (SUMS, WORDS))
    return board.scores.to_numpy().tolist()


def test_the_scores_are_those_of_the_test_split_as_it_was():
    assert scores() == [[0.75, 0], [0, 1]]


@pytest.mark.parametrize(
    ("options", "expected"),
    [({"split": "valid"}, [[1, 0], [0, 0]]), ({"perturbation": "lowercase"}, [[0.75, 0], [0, 1]])],
)
def test_another_split_and_a_perturbation_can_be_read(options, expected):
    assert scores(**options) == expected


def test_directions_are_helms_and_what_is_left_out_is_named():
    results = wl.io.read_helm(RUNS)
    said = {cell.metric: cell.higher_is_better for cell in results.cells}
    assert (said["exact_match"], said["logprob"], said["perplexity"]) == (True, True, False)
    assert dict(results.groups) == {"__main__.Questions": (SUMS, WORDS)}
    assert any(note.endswith("1 split (valid).") for note in results.notes)
    assert any(note.startswith("Left out, by perturbation: 3 p") for note in results.notes)
    assert any(note.startswith("Left out as counts without a direction") for note in results.notes)


@pytest.mark.filterwarnings("ignore::weightlab.io.ResultsWarning")
def test_instances_have_the_means_that_helm_wrote():
    instances = wl.io.read_helm_instances(RUNS, metrics="exact_match")
    assert instances.means().scores.to_numpy().tolist() == scores()
    assert instances.table(SUMS).columns == ("id0", "id1", "id2", "id3")


@pytest.mark.filterwarnings("ignore::weightlab.io.ResultsWarning")
def test_the_folder_is_read_where_a_table_is():
    board = wl.read_leaderboard(RUNS, config={"metrics": ["exact_match"]})
    assert board.scores.to_numpy().tolist() == scores()
