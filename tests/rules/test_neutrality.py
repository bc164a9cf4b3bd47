"""No rule lets names decide: other names for the models, in another order, change nothing but the names."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given, settings

import weightlab as wl
from tests.dice import DICE
from weightlab.exceptions import WeightlabError
from weightlab.rules import RULES, compare, rank, rule

OPTIONS = {"k_approval": {"k": 2}, "scoring": {"vector": "borda"}, "optimality_gap": {"gamma": 9}}
NAMES = ("ada", "bo", "cy", "dee", "eve", "fay")


def pair_of_boards(dice):
    """Return a board with ties and twins, the same board under other names in another order, and who is who."""
    count, tasks = dice.between(2, 5), dice.between(1, 5)
    rows = [dice.many_of(range(1, 5), tasks) for _ in range(count)]
    rows.append(list(dice.one_of(rows)))  # a twin
    own, names = dice.shuffled(range(count + 1)), dice.shuffled(NAMES[: count + 1])
    columns = [f"t{task}" for task in range(tasks)]
    first = wl.Leaderboard(rows, models=list(NAMES[: count + 1]), tasks=columns)
    second = wl.Leaderboard([rows[place] for place in own], models=[names[place] for place in own], tasks=columns)
    return first, second, dict(zip(first.models, names, strict=True))


def asked(board, name):
    try:
        return rank(board, rule(name, **OPTIONS.get(name, {})))
    except WeightlabError as error:
        return type(error)


def said(ranking, names):
    """Return all that a ranking says but for the witness, under other names."""
    marks = wl.plots.ranking_marks(ranking)
    models = marks[marks["mark"] == "model"]
    ranges = ranking.ranges
    document = json.loads(json.dumps(ranking.to_dict()))
    return (
        {names[model]: (place, ranking.scores[model]) for model, place in ranking.ranks.items()},
        {names[model] for model in ranking.winners},
        [{names[model] for model in group} for group in ranking.places],
        None if ranges is None else {names[model]: tuple(row) for model, *row in ranges.itertuples()},
        {names[row.model]: (row.rank, row.label, row.role, row.tied) for row in models.itertuples()},
        {names[model] for model in document["winners"]},
    )


@pytest.mark.parametrize("name", RULES)
@settings(max_examples=8)
@given(dice=DICE)
def test_names_change_nothing_but_the_names(name, dice):
    first, second, names = pair_of_boards(dice)
    one, other = asked(first, name), asked(second, name)
    if isinstance(one, type) or isinstance(other, type):
        assert one is other
        return
    exact = not isinstance(one.scores.iloc[0], float)
    mine, theirs = said(one, names), said(other, dict(zip(second.models, second.models, strict=True)))
    if exact:
        assert mine == theirs
    else:
        assert {model: place for model, (place, _) in mine[0].items()} == {
            model: place for model, (place, _) in theirs[0].items()
        }
        assert mine[1:3] == theirs[1:3]
    twin = next(model for model in first.models[:-1] if same_rows(first, model, first.models[-1]))
    assert one.ranks[twin] == one.ranks[first.models[-1]]
    assert (twin in one.winners) == (first.models[-1] in one.winners)


def same_rows(board, one, other):
    return board.scores.loc[one].tolist() == board.scores.loc[other].tolist()


def renamed(text, names):
    """Return a text in which names stand for others, all at once."""
    return re.sub("|".join(sorted(names, key=len, reverse=True)), lambda found: names[found.group()], text)


def text_of(result):
    """Return all that a result writes, says and draws."""
    drawn = wl.plots.marks(result).to_csv(index=False)
    return "\n".join([json.dumps(result.to_dict()), str(result), result.summary().to_csv(), drawn])


@pytest.mark.parametrize("name", [*RULES, "all rules"])
@settings(max_examples=6)
@given(dice=DICE)
def test_whole_documents_and_pictures_say_the_same_under_other_names(name, dice):
    """Where names alone change, nothing else does: no witness, no order of equals, no mark of a picture."""
    board, _, _ = pair_of_boards(dice)
    # Alike in length, so that pictures give them the same room; no other word of a document has them.
    letters = "abcdef"[: len(board.models)]
    first = board.rename(models=dict(zip(board.models, (f"Q{one}Q" for one in letters), strict=True)))
    names = dict(zip(first.models, (f"X{one}X" for one in dice.shuffled(letters)), strict=True))
    second = first.rename(models=names)
    if name == "all rules":
        one, other = (compare(board, RULES, **options()) for board in (first, second))
    else:
        one, other = asked(first, name), asked(second, name)
    if isinstance(one, type) or isinstance(other, type):
        assert one is other
        return
    assert renamed(text_of(one), names) == text_of(other)


def options():
    return {"k": 2, "vector": "borda", "gamma": 9}


@settings(max_examples=5)
@given(dice=DICE)
def test_comparisons_and_their_pictures_are_neutral(dice):
    first, second, names = pair_of_boards(dice)
    one, other = compare(first, RULES, **options()), compare(second, RULES, **options())
    assert one.left_out.keys() == other.left_out.keys()
    mine = one.ranks.rename(index=names).sort_index()
    assert mine.equals(other.ranks.sort_index())
    assert {name: {names[model] for model in who} for name, who in one.winners.items()} == {
        name: set(who) for name, who in other.winners.items()
    }
    twin = next(model for model in first.models[:-1] if same_rows(first, model, first.models[-1]))
    assert one.ranks.loc[twin].equals(one.ranks.loc[first.models[-1]])
    assert one.tied.equals(other.tied)
    assert one.agreement.round(12).equals(other.agreement.round(12))
    pictures = [wl.plots.marks(found) for found in (one, other)]
    points = [marks[marks["mark"] == "point"] for marks in pictures]
    drawn = [{(row.model, row.column): (row.rank, row.tied) for row in part.itertuples()} for part in points]
    assert {(names[model], column): place for (model, column), place in drawn[0].items()} == drawn[1]
