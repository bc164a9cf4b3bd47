"""A ranking says what its rule says, carries what it was read from, and notices every change."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from fractions import Fraction

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.rules.strategies import boards, profile_of
from weightlab._result import Proof, result_from_dict
from weightlab.data import Leaderboard, Profile, margins
from weightlab.exceptions import InputError, NoWinnerError, ProofError, UnknownNameError, WeightlabError
from weightlab.rules import RULES, Needs, Outcome, Ranking, Round, Rule, rank, rule, winners
from weightlab.rules.ranking import score_texts

OPTIONS = {"optimality_gap": {"gamma": "2.5"}, "k_approval": {"k": 1}, "scoring": {"vector": "borda"}}
BOARD = Leaderboard(
    {"x": {"ada": 3, "bo": 2, "cy": 2}, "y": {"ada": 1, "bo": 4, "cy": 2}, "z": {"ada": 5, "bo": 1, "cy": 4}},
    weights={"x": "1.5"},
)
CYCLE = profile_of(["abc", "bca", "cab"])


NEAR = st.integers(-3, 3).map(lambda steps: Fraction(2, 3) + Fraction(steps, 10**9))
SCORES = st.lists(NEAR | NEAR.map(float) | st.fractions() | st.floats(allow_nan=False), min_size=1, max_size=6)


@given(SCORES, st.integers(0, 40))
def test_scores_of_neighbours_print_alike_exactly_where_they_are_equal(scores, powers):
    ordered = sorted(
        one / 10**powers if isinstance(one, Fraction) else Fraction(one) for one in scores if abs(one) < 1e300
    )
    for numbers in (ordered, [float(one) for one in ordered]):
        texts = score_texts(numbers)
        for at in range(1, len(numbers)):
            assert (texts[at - 1] == texts[at]) == (numbers[at - 1] == numbers[at])
        assert all(
            math.isclose(float(text.replace(",", "")), number, rel_tol=1e-5)
            for text, number in zip(texts, numbers, strict=True)
        )


@pytest.mark.parametrize(
    ("scores", "texts"),
    [
        (["2/3", "1/3", "1/7"], ["0.666667", "0.333333", "0.142857"]),
        (["10000001/30000000", "1/3", "1/3", "0.2"], ["0.3333334", "0.3333333", "0.3333333", "0.2"]),
        (["6000001/1000000", "6"], ["6.000001", "6"]),
        (["10000000000000000000001/3", "1e22"], ["3.33333e+21", "10,000,000,000,000,000,000,000"]),
        (["1e-30", "1000000000000000000001e-51"], ["1e-30", "1.000000000000000000001e-30"]),
    ],
)
def test_as_many_digits_are_printed_as_tell_neighbours_apart(scores, texts):
    assert score_texts(list(map(Fraction, scores))) == texts


def travelled(result):
    """Return a result after a journey as JSON text."""
    return result_from_dict(json.loads(json.dumps(result.to_dict())))


@pytest.mark.parametrize("name", RULES)
@settings(max_examples=12)
@given(board=boards(positive=True))
def test_what_a_rule_says_verifies_here_and_after_a_journey(name, board):
    chosen = rule(name, **OPTIONS.get(name, {}))
    try:
        ranking = rank(board, chosen)
    except WeightlabError:
        return
    again = travelled(ranking)
    assert ranking.verify(board)
    assert again.verify(board)
    assert again.to_dict() == ranking.to_dict()
    assert (again.order, again.winners, list(again.ranks)) == (ranking.order, ranking.winners, list(ranking.ranks))


@pytest.mark.parametrize("name", RULES)
@settings(max_examples=12)
@given(board=boards(positive=True))
def test_scores_stand_best_first_and_tie_exactly_where_ranks_do(name, board):
    chosen = rule(name, **OPTIONS.get(name, {}))
    try:
        ranking = rank(board, chosen)
    except WeightlabError:
        return
    best_first = list(ranking.scores)
    assert best_first == sorted(best_first, reverse=not ranking.rule.lower_is_better)
    assert list(ranking.ranks.index) == list(ranking.scores.index)
    for model in board.models:
        level = [one for one in board.models if ranking.scores[one] == ranking.scores[model]]
        above = [one for one in board.models if (ranking.scores[one] < ranking.scores[model]) != chosen.lower_is_better]
        above = [one for one in above if one not in level]
        if ranking.ranges is None:
            below_count = len(board.models) - len(level) - len(above)
            assert (model, ranking.ranks[model]) == (model, below_count + 1)
        else:  # the best rank in any optimal order, which more models may take than stand in one
            assert ranking.ranks[model] == ranking.ranges.loc[model, "best"]
            assert ranking.scores[model] == len(board.models) - ranking.ranks[model]
    assert sorted(sum(ranking.order, ())) == sorted(board.models)
    assert set(ranking.order[0]) & set(ranking.winners)


def rankings():
    """Yield rankings that between them have every field: rounds, exact and float scores, every kind of data."""
    yield rank(BOARD, "mean")
    yield rank(BOARD, "geometric_mean")
    yield rank(BOARD, "borda", ties="max")
    yield rank(BOARD, "baldwin")
    yield rank(BOARD, "minimax", score="margins")
    yield rank(BOARD, "schulze")


def spoilt(ranking):
    """Yield the ranking with each of its fields changed in turn."""
    first, second = ranking.order[0][0], ranking.order[1][0]
    yield "order", replace(ranking, order=ranking.order[::-1])
    yield "order", replace(ranking, order=(tuple(sum(ranking.order, ())),))
    yield "winners", replace(ranking, winners=(second,))
    yield "scores", replace(ranking, scores=ranking.scores[::-1])
    changed = ranking.scores.copy()
    changed[first] = changed[first] + 1
    yield "score of", replace(ranking, scores=changed)
    yield "rule", replace(ranking, rule=rule("veto") if ranking.rule.needs is Needs.PLACES else rule("copeland"))
    for number, one in enumerate(ranking.rounds):
        for other in (
            Round.of(one.models, [score + 1 for score in one.exact], one.left),
            Round.of(one.models, one.exact, one.left[::-1] + one.models[:1]),
        ):
            rounds = (*ranking.rounds[:number], other, *ranking.rounds[number + 1 :])
            yield "round", replace(ranking, rounds=rounds)
    if ranking.rounds:
        yield "rounds", replace(ranking, rounds=())
    yield "source", replace(ranking, source=other_source())


def other_source():
    """Return a table that says otherwise."""
    return Leaderboard(
        {"x": {"ada": 1, "bo": 2, "cy": 3}, "y": {"ada": 1, "bo": 2, "cy": 4}, "z": {"ada": 1, "bo": 3, "cy": 6}}
    )


@pytest.mark.parametrize("ranking", list(rankings()), ids=lambda one: one.rule.name)
def test_every_change_of_a_field_is_noticed(ranking):
    assert ranking.verify(BOARD)
    for field, changed in spoilt(ranking):
        with pytest.raises((ProofError, InputError, TypeError, AttributeError)):
            changed.verify()
        assert field


@pytest.mark.parametrize("ranking", list(rankings()), ids=lambda one: one.rule.name)
def test_a_ranking_of_another_table_is_refused(ranking):
    other = Leaderboard(
        {**{task: BOARD.scores[task] for task in "xy"}, "z": {"ada": 5, "bo": 6, "cy": 4}}, weights={"x": "1.5"}
    )
    with pytest.raises(ProofError, match="in the source"):
        ranking.verify(other)
    fewer = BOARD.select(models=["ada", "bo"])
    with pytest.raises(ProofError, match="the source has different models: fewer: 'cy'"):
        ranking.verify(fewer)


def test_each_part_of_what_is_carried_is_compared_with_the_source():
    columns = {"x": {"a": 1, "b": 2}, "y": {"a": 3, "b": 4}}
    ranking = rank(Leaderboard(columns), "mean")
    others = {
        "tasks": Leaderboard({"x": columns["x"], "w": columns["y"]}),
        "lower_is_better": Leaderboard(columns, lower_is_better=["x"]),
        "the weight of": Leaderboard(columns, weights={"x": 2}),
        "the score of 'b' on 'y' is 5": Leaderboard({**columns, "y": {"a": 3, "b": 5}}),
        "order": Leaderboard(dict(reversed(columns.items()))),
        "must be a Leaderboard": Leaderboard(columns).rankings(),
    }
    for one in (ranking, rank(Leaderboard(columns), "borda"), rank(Leaderboard(columns), "copeland")):
        assert one.verify(Leaderboard(columns))
        for what, source in others.items():
            with pytest.raises(ProofError, match=what):
                one.verify(source)


def test_a_ranking_says_who_wins():
    assert str(rank(BOARD, "borda")) == "By Borda, ada wins among 3 models (points: 5)."
    assert str(rank(profile_of(["ab", "ba"]), "borda")) == "By Borda, a, b tie for the win among 2 models (points: 1)."
    many = rank(profile_of(["abcdefgh", "hgfedcba"]), "borda")
    assert "a, b, c, d, e and 3 more tie for the win" in str(many)


def test_the_summary_has_ranks_and_floats_best_first():
    summary = rank(BOARD, "borda").summary()
    assert summary.index.tolist() == rank(BOARD, "borda").scores.index.tolist()
    assert summary.dtypes.astype(str).tolist() == ["int64", "float64"]
    assert "<table" in rank(BOARD, "borda")._repr_html_()


def test_scores_are_fractions_where_they_are_rational_and_floats_where_not():
    assert {type(score) for score in rank(BOARD, "mean").scores} == {Fraction}
    assert rank(BOARD, "geometric_mean").scores.dtype == "float64"


def test_ranks_are_from_1_and_ties_share_the_least():
    ranking = rank(profile_of([["a", ("b", "c", "d"), "e"]]), "borda")
    assert ranking.ranks.to_dict() == {"a": 1, "b": 2, "c": 2, "d": 2, "e": 5}


def test_rules_that_read_duels_take_boards_profiles_and_margins():
    sources = [BOARD, BOARD.rankings(), BOARD.margins()]
    for name in ("copeland", "minimax", "schulze", "split_cycle", "ranked_pairs"):
        assert len({rank(source, name).order for source in sources}) == 1


def test_rules_that_read_places_say_the_same_of_a_board_and_of_its_profile():
    for name in ("borda", "baldwin", "threshold", "mean_rank"):
        assert rank(BOARD, name).order == rank(BOARD.rankings(), name).order


def test_tasks_of_weight_0_do_not_count_for_places_or_gaps():
    silent = Leaderboard({"x": {"a": 2, "b": 1}, "z": {"a": None, "b": 1}}, weights={"z": 0})
    assert rank(silent, "borda").scores.to_dict() == {"a": 1, "b": 0}
    profile = Profile.from_orders([["a", "b"], ["b"]], weights=[1, 0])
    assert rank(profile, "plurality").data.voters == ("1",)


def test_a_rule_without_an_answer_says_why():
    with pytest.raises(NoWinnerError, match="there is no Condorcet winner"):
        rank(profile_of(["abc", "bca", "cab"]), "condorcet")


def test_the_condorcet_rule_names_the_winner_and_ties_the_rest():
    ranking = rank(profile_of(["abc", "acb", "bca"]), "condorcet")
    assert ranking.order == (("a",), ("b", "c"))


def test_winners_are_those_of_the_ranking():
    assert winners(BOARD, "plurality") == rank(BOARD, "plurality").winners
    assert winners(BOARD) == rank(BOARD, "borda").winners


def test_an_unknown_rule_is_named_with_the_nearest():
    with pytest.raises(UnknownNameError, match=r"no rule named 'bordo'; .* \(did you mean 'borda'\?\)"):
        rank(BOARD, "bordo")


def test_hyphens_may_stand_for_underscores():
    assert rule("instant-runoff").name == "instant_runoff"


def test_a_rule_of_ones_own_can_be_used_and_checked():
    last = Rule(
        name="alphabetical",
        function=lambda profile: Outcome.by_order([[place] for place in range(len(profile.models))]),
        needs=Needs.PLACES,
        counts="models behind",
        source="none",
    )
    ranking = rank(BOARD, last)
    assert ranking.order == (("ada",), ("bo",), ("cy",))
    assert ranking.verify(BOARD)
    with pytest.raises(InputError, match="no rule named 'alphabetical'"):
        Ranking.from_dict(ranking.to_dict())


def test_a_ranking_proves_as_much_as_its_witness():
    assert rank(BOARD, "borda").proof is Proof.EXACT
    assert rank(BOARD, "schulze").proof is rank(BOARD, "schulze").witness.proof


def test_a_witness_of_a_rule_that_has_none_is_refused():
    schulze = rank(BOARD, "schulze")
    with pytest.raises(ProofError, match="the rule 'copeland' has no witness"):
        replace(schulze, rule=rule("copeland")).verify()


WITNESSED = [name for name, one in RULES.items() if one.read is not None]


@pytest.mark.parametrize("other", WITNESSED)
@pytest.mark.parametrize("name", WITNESSED)
def test_the_witness_of_another_rule_proves_nothing(name, other):
    claimed = replace(rank(CYCLE, other), rule=rule(name))
    if name == other:
        assert claimed.verify(CYCLE)
        return
    with pytest.raises(ProofError, match="the rule is proved by "):
        claimed.verify()


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("kemeny", {"tie_penalty": "1/2"}),
        *((name, {"strength": "winning_votes"}) for name in ("schulze", "split_cycle", "ranked_pairs")),
        ("ranked_pairs", {"tie_break": ["c", "b", "a"]}),
    ],
)
def test_a_witness_made_with_other_options_proves_nothing(name, options):
    ranking = rank(CYCLE, name, **options)
    assert travelled(ranking).verify(CYCLE)
    for claimed in (replace(ranking, rule=rule(name)), replace(rank(CYCLE, name), rule=rule(name, **options))):
        with pytest.raises(ProofError, match="the witness "):
            claimed.verify()


@pytest.mark.parametrize("name", WITNESSED)
def test_a_ranking_that_lost_its_witness_is_refused(name):
    with pytest.raises(ProofError, match="needs a witness"):
        replace(rank(CYCLE, name), witness=None).verify()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"rule": "borda"}, "an object is needed; got 'borda'"),
        ({"rule": {"name": "none", "options": {}}}, "no rule named 'none'"),
        ({"rule": {"name": "borda", "options": {"tis": 1}}}, "no option 'tis'"),
        ({"rule": {"name": "borda", "options": [1]}}, "an object with an entry for each name"),
        ({"source": []}, "an object is needed"),
        ({"source": {"models": ["a", "b"], "ranks": {"1": [2, 2]}, "weights": {}}}, "without a gap"),
        ({"source": {"models": ["a"], "ranks": {"1": [1]}, "weights": {"1": "-1/1"}}}, "negative"),
        ({"source": {"models": ["a"], "ranks": {"1": [1.5]}, "weights": {}}}, "integer"),
        ({"source": {"models": ["a"], "ranks": {"1": [1, 2]}, "weights": {}}}, "lists of 1 cells"),
        ({"source": {"models": ["a", "a"], "ranks": {}, "weights": {}}}, "'a'"),
        ({"source": {"models": ["a", "b"], "scores": {"x": ["1/1"]}}}, "needs a list of 2 scores"),
        ({"source": {"models": ["a"], "wins": [[0]], "ties": [[0]]}}, "denominator"),
        ({"winners": "ada"}, "a list is needed"),
        ({"order": [["ada", 1]]}, "a text is needed"),
        ({"scores": {"ada": "x/y"}}, "is not a fraction"),
        ({"rounds": [{"numerators": [], "denominator": 1, "left": []}]}, "has a score for each"),
        ({"rounds": [{"numerators": [1.5, 1], "denominator": 1, "left": []}]}, "a whole number"),
        ({"rounds": [{"numerators": [1, 1, 1], "denominator": 0, "left": []}]}, "a denominator above 0"),
        ({"rounds": [{"numerators": [1], "left": []}]}, "lacks 'denominator'"),
    ],
)
def test_documents_of_another_form_are_refused(change, message):
    with pytest.raises(InputError, match=message):
        Ranking.from_dict({**rank(BOARD, "borda").to_dict(), **change})


@pytest.mark.parametrize(
    "change", [{"denominator": 0}, {"wins": [[1, 0], [0, 0]]}, {"ties": [[0, 1], [0, 0]]}, {"wins": [[0, -1], [0, 0]]}]
)
def test_margins_that_are_none_are_refused(change):
    ranking = rank(BOARD.select(models=["ada", "bo"]).margins(), "copeland")
    document = ranking.to_dict()
    assert Ranking.from_dict(document).verify()
    with pytest.raises((InputError, ProofError)):
        Ranking.from_dict({**document, "source": {**document["source"], **change}}).verify()


def test_scores_that_no_double_holds_travel_exactly():
    board = Leaderboard(pd.DataFrame({"x": {"a": Fraction(1, 3), "b": "0.12345678901234567890123"}}, dtype=object))
    again = travelled(rank(board, "mean"))
    assert again.scores["a"] == Fraction(1, 3)
    assert again.verify(board)


def test_scores_beyond_every_float_are_said_and_ordered_exactly():
    board = Leaderboard({"x": {"ada": 3, "bo": 2}, "y": {"ada": 1, "bo": 2}}, weights={"x": "1e400", "y": "1/3"})
    ranking = rank(board, "borda")
    assert str(ranking) == "By Borda, ada wins among 2 models (points: 1e+400)."
    assert ranking.summary()["score"].tolist() == [float("inf"), 1 / 3]
    assert travelled(ranking).verify(board)
    worst = rank(board, "minimax")
    assert worst.summary()["score"].tolist() == [0, -float("inf")]


def test_a_document_of_many_models_does_not_fill_the_memory_with_their_duels():
    count = margins.MOST_MODELS + 1
    names = [f"m{place}" for place in range(count)]
    many = {"models": names, "scores": {"x": ["0/1"] * count}}
    document = rank(Leaderboard({"x": {"a": 2, "b": 1}}), "schulze").to_dict() | {"source": many}
    with pytest.raises(InputError, match=f"duels are counted among {count - 1} models at most; got {count}"):
        result_from_dict(document).verify()


def test_a_winner_of_margins_that_have_none_is_refused_as_a_false_claim():
    votes = Profile.from_orders([["a", "b", "c"]]).margins()
    cycle = Profile.from_orders([["a", "b", "c"], ["b", "c", "a"], ["c", "a", "b"]]).margins()
    document = json.loads(json.dumps(rank(votes, "condorcet").to_dict()))
    document["source"] = cycle.to_dict()
    with pytest.raises(ProofError, match="answers what has no answer"):
        result_from_dict(document).verify()
