from __future__ import annotations

import json
import random

import pandas as pd
import pytest

import weightlab as wl
from tests.checker.documents import (
    about_rankings,
    about_weights,
    board,
    code_of,
    contradiction,
    csv_of,
    document_of,
    package_holds,
    proved_by_an_odd_walk,
    spaces,
)
from tests.report.test_rule_named import unruled
from weightlab import checker
from weightlab._result import KINDS as RESULTS
from weightlab._result import result_from_dict
from weightlab.report import Document


def is_checked(result):
    """Tell whether nothing of a result is left open: a solver's bound, fewest blockers, a centre beside distances."""
    if result.kind == "winning_region" and any("norm" in one for one in result.space.to_dict()["conditions"]):
        return not result.unbeaten  # a region without an inside has no centre
    return result.proof == "exact" and getattr(result, "fewest", None) is None


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("place", range(7))
def test_what_is_proved_about_weights_is_accepted_with_and_without_the_table(seed, place):
    frame = board(seed)
    for result in about_weights(frame, spaces(list(frame))[place]):
        assert result.verify(wl.Leaderboard(frame))
        document = document_of(result)
        expected = 0 if is_checked(result) else 3
        assert code_of(document, csv_of(frame))[0] == expected, code_of(document, csv_of(frame))
        assert code_of(document)[0] == expected
        assert not unruled(code_of(document)[1])


@pytest.mark.parametrize("seed", range(0, 24, 2))
def test_what_is_proved_about_rankings_is_accepted_with_and_without_the_table(seed):
    frame = board(seed, models=3 + seed % 4, tasks=3 + seed % 3, highest=30)
    for result in about_rankings(frame):
        for table in (csv_of(frame), None):
            expected = 0 if result.kind in checker.KINDS else 3
            assert code_of(document_of(result), table)[0] == expected, (result, code_of(document_of(result), table))


def test_conditions_that_contradict_each_other_are_accepted():
    frame = board(2)
    code, words = code_of(document_of(contradiction(frame)), csv_of(frame))
    assert code == 0
    assert words.startswith("contradiction: no weights meet these 2 conditions together, and none of them is")


def turned(value):
    """Return a document with the tasks of its conditions in the opposite order, which says the same."""
    if isinstance(value, list):
        return [turned(one) for one in value]
    if not isinstance(value, dict):
        return value
    turns = {"centre": "radius" in value, "shares": len(value) == 1}
    return {name: dict(reversed(part.items())) if turns.get(name) else turned(part) for name, part in value.items()}


@pytest.mark.parametrize("place", range(3, 7))
def test_the_order_of_names_in_a_document_says_nothing(place):
    frame = board(4)
    space = spaces(list(frame))[place].near([1, 2, 3, 4], "1.5").proportional(["t3", "t0"], [1, 2, 3, 4])
    for result in about_weights(frame, space):
        document = turned(document_of(result))
        assert result_from_dict(turned(result.to_dict())).verify(wl.Leaderboard(frame))
        assert code_of(document, csv_of(frame))[0] == code_of(document_of(result), csv_of(frame))[0]
        assert code_of(document, csv_of(frame))[0] != 1


def test_a_contradiction_of_the_same_rows_in_another_order_is_one():
    anything = wl.lp.WeightSpace(["a", "b", "c"])
    for space in (
        anything.near([1, 1, 1], "0.1").at_least("b", "0.9"),
        anything.near([1, 1, 1], "0.1", norm="linf").at_least("c", "0.9"),
        anything.within("0.5", [1, 2, 3]).at_least("a", "0.9"),
        anything.proportional(["c", "b", "a"], [1, 1, 1]).at_least("b", "0.5"),
    ):
        with pytest.raises(wl.EmptySpaceError) as caught:
            wl.lp.prospect(wl.Leaderboard({task: {"m": 1, "n": 2} for task in "abc"}), "m", space=space)
        proof = caught.value.proof
        assert result_from_dict(turned(proof.to_dict())).verify()
        assert code_of(turned(document_of(proof)))[0] == 0


def test_a_consensus_has_every_structure():
    frame = board(0, models=3, tasks=3) * 0
    for place, score in enumerate((3.0, 2.0, 1.0)):
        frame.iloc[place] = score
    codes = {one.kind: code_of(document_of(one), csv_of(frame))[0] for one in about_rankings(frame)}
    assert (
        {kind for kind, code in codes.items() if code}
        == {"single_caved", "feedback_arcs"}
        == codes.keys() - checker.KINDS
    )


def test_a_block_of_many_models_is_proved_by_its_bound_or_said_to_rest_on_more():
    frame = board(6, models=24, tasks=3, highest=1000)
    found = wl.graph.slater(wl.Leaderboard(frame))
    assert max(len(block.models) for block in found.blocks) > checker.SEARCHED
    code, words = code_of(document_of(found), csv_of(frame))
    assert code == 3
    assert "not checked: how many orders of" in words


@pytest.mark.parametrize(
    "ask",
    [
        lambda table: wl.lp.rank_range(table, "m0"),
        wl.graph.pareto_front,
        wl.graph.condorcet_winning_set,
        wl.graph.feedback_arcs,
    ],
)
def test_a_kind_that_is_not_known_is_named_as_not_checked(ask):
    frame = board(2)
    found = ask(wl.Leaderboard(frame))
    code, words = code_of(document_of(found), csv_of(frame))
    assert code == 3
    assert words.startswith(f"{found.kind}: not checked: a kind that is not known here.\n")


def test_what_is_known_and_what_is_not_are_all_kinds_that_there_are():
    assert wl.studies.replay  # its kind is known once its module is loaded
    assert set(checker.KINDS) < set(RESULTS)


def test_an_unknown_part_beside_known_ones_does_not_hide_what_was_checked():
    frame = board(2)
    table = wl.Leaderboard(frame)
    results = [wl.lp.rank_range(table, "m0"), wl.lp.prospect(table, "m1")]
    code, words = code_of({"results": [document_of(one) for one in results]}, csv_of(frame))
    assert code == 3
    assert "\nprospect: Head-to-head, m1 can " in words


def test_the_rounded_rows_that_a_command_writes_are_named_as_not_compared():
    frame = board(2)
    table = wl.Leaderboard(frame)
    for result in (wl.lp.prospects(table), wl.lp.prospect(table, "m0")):
        document = json.loads(Document(results=(result,)).to_json(table=True))
        code, words = code_of(document, csv_of(frame))
        assert code == 0
        assert "\ntable: its rows are rounded words that follow from the results; they were not compared.\n" in words


@pytest.mark.parametrize("seed", range(4))
def test_the_fewest_tasks_are_named_as_not_searched_for(seed):
    frame = board(2 * seed, models=4, tasks=5, highest=4)
    table = wl.Leaderboard(frame)
    for model in table.models:
        if wl.lp.prospect(table, model).verdict != "strict":
            continue
        found = wl.lp.scenario(table, model, [wl.lp.fewest_tasks(), wl.lp.closest_to()])
        code, words = code_of(document_of(found), csv_of(frame))
        assert (code, words.splitlines()[0]) == (
            3,
            "scenario: not checked: the fewest tasks are not searched for here.",
        )


def test_that_rankings_with_gaps_have_no_axis_is_named_as_not_checked():
    orders = [["a", "b", "c"], ["b", "c", "a"], ["c", "a", "b"], ["d", "a"]]
    found = wl.domains.single_peaked(wl.Profile.from_orders(orders, models="abcd"), incomplete="solve")
    code, words = code_of(document_of(found))
    assert (code, words.splitlines()[0]) == (3, "single_peaked: not checked: why rankings with gaps have no axis.")


def test_a_group_is_compared_where_it_is_declared():
    frame = board(2)
    result = wl.lp.weight_ranges(wl.Leaderboard(frame, groups={"g": ["t0", "t1"]}), "m0")
    document = document_of(result)
    assert code_of(document, csv_of(frame))[0] == 3
    text = json.dumps(document)
    declared = checker.declared_in('[groups]\ng = ["t1", "t0"]')
    assert checker.check(text, csv_of(frame), declared).code == 0
    with pytest.raises(checker.FalseClaimError, match="stands for other tasks"):
        checker.check(text, csv_of(frame), checker.declared_in('[groups]\ng = ["t1"]'))


@pytest.mark.parametrize("seed", range(8))
def test_who_wins_all_duels_and_how_many_cycles_there_are_is_worked_out_from_the_table(seed):
    frame = board(seed, models=5, tasks=5)
    document = document_of(wl.rules.majority_overview(wl.Leaderboard(frame)))
    code, words = code_of(document, csv_of(frame))
    assert code == 3
    assert words.startswith(
        f"majority_overview: {document['condorcet_winner'] or 'no model'} beats all others; there are "
    )
    assert "\nmajority_overview: not checked: the sets of winners, the lottery and the intransitive triple.\n" in words
    assert code_of(document)[1].startswith("majority_overview: not checked: the scores in the document")
    others = {"condorcet_winner": "m9", "condorcet_loser": "m9", "three_cycles": -1}
    others |= {"cycle": None} if document["cycle"] else {"cycle": {"kind": "strongest_cycle", "models": ["m0", "m1"]}}
    for name, other in others.items():
        assert code_of({**document, name: other}, csv_of(frame))[0] in {1, 2}


def shuffled(value, rng):
    """Return a document whose objects have their entries in another order, which JSON says means nothing."""
    if isinstance(value, list):
        return [shuffled(one, rng) for one in value]
    if not isinstance(value, dict):
        return value
    return {name: shuffled(value[name], rng) for name in rng.sample(list(value), len(value))}


@pytest.mark.parametrize("seed", range(4))
def test_entries_of_objects_in_another_order_say_the_same_or_are_refused_by_both(seed):
    """Signs and shares follow the order of rivals or tasks in some objects: there another order is refused."""
    frame, rng = board(2 * seed), random.Random(seed)  # noqa: S311 - an order, no secret
    space, kept = spaces(list(frame))[3 + seed % 4], set()
    known = [one for one in about_rankings(frame) if one.kind in checker.KINDS]
    for result in [*about_weights(frame, space), *known, contradiction(frame)]:
        for _ in range(4):
            document = shuffled(document_of(result), rng)
            code, words = code_of(document, csv_of(frame))
            assert package_holds(document, wl.Leaderboard(frame)) == (code in {0, 3}), (result.kind, words)
            if code in {0, 3}:
                assert sorted(str(result_from_dict(document)).split()) == sorted(str(result).split())
                kept.add(result.kind)
    assert {"realisation", "kemeny", "contradiction"} <= kept


def test_margins_with_a_common_factor_are_priced_alike_by_both():
    frame = pd.DataFrame({"t": [0, 1, 2, 3, 4], "u": [1, 2, 3, 4, 0], "v": [2, 3, 4, 0, 1]}, index=list("abcde"))
    for weights in ({"t": 2, "u": 3, "v": 3}, {"t": 4, "u": 6, "v": 6}):
        result = wl.rules.kemeny(wl.Leaderboard(frame, weights=weights))
        assert [block.cost for block in result.blocks] == [1]
        assert code_of(document_of(result))[0] == 0, code_of(document_of(result))


@pytest.mark.parametrize("question", [wl.graph.kemeny, wl.graph.slater])
def test_an_order_that_may_not_be_the_least_is_read_with_its_bound(question):
    draw = random.Random(0)  # noqa: S311 - which orders does not matter
    orders = [draw.sample("abcdefghijklmnop", 16) for _ in range(5)]
    with pytest.raises(wl.TimeLimitError) as caught:
        question(wl.Profile.from_orders(orders, weights=[2] * 5), time_limit=0)
    document = document_of(caught.value.known["result"])
    code, words = code_of(document)
    assert (code, f"no order costs less than {caught.value.known['bound']} except" in words) == (3, True), words
    document["bound"] = document["cost"]
    assert code_of(document)[0] == 1


def test_an_odd_walk_is_a_condition_and_other_triangles_together_are_none():
    result = proved_by_an_odd_walk()
    document, net = document_of(result), result.margins.array
    proof = document["blocks"][0]["triangles"]
    assert checker.triangle_bound(net.tolist(), checker.Part(proof, "triangles")) > 69
    assert code_of(document)[0] == 3
    proof["sizes"].reverse()
    code, words = code_of(document)
    assert (code, "no odd walk" in words) == (1, True)


def test_a_share_of_nothing_may_be_of_any_model():
    frame = board(1)
    result = next(one for one in about_weights(frame, None) if one.kind == "broken_cycle")
    document = document_of(result)
    blocked = next(one for one in document["others"] if "blockers" in one)
    blocked["blockers"][blocked["model"]] = "0/1"
    assert package_holds(document, wl.Leaderboard(frame))
    assert code_of(document, csv_of(frame))[0] == 0
