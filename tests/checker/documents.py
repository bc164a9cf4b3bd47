"""True documents of every kind that the checker knows, the table beside each, and what both checkers say of one."""

from __future__ import annotations

import contextlib
import json
import random

import numpy as np
import pandas as pd
import pytest

import weightlab as wl
from weightlab import checker
from weightlab._result import result_from_dict
from weightlab.graph.median_orders.exact_search import TooManyIdealsError
from weightlab.lp import WeightSpace

REFUSED = (wl.ProofError, wl.InputError)


def board(seed, models=5, tasks=4, highest=6):
    """Return a table of small integers, with ties and some missing scores where the seed is odd."""
    rng = random.Random(seed)  # noqa: S311 - tables, no secrets
    cells = [[rng.randint(0, highest) for _ in range(tasks)] for _ in range(models)]
    frame = pd.DataFrame(cells, [f"m{one}" for one in range(models)], [f"t{one}" for one in range(tasks)], dtype=float)
    if seed % 2:
        frame.iloc[rng.randrange(models), rng.randrange(tasks)] = None
    return frame


def csv_of(frame):
    """Return the text of a table."""
    return frame.to_csv(index_label="model")


def spaces(tasks):
    """Return spaces with every form of condition."""
    space, first, second, third = WeightSpace(tasks), *tasks[:3]
    equal = [1] * len(tasks)
    return [
        space,
        space.at_most(first, "0.4").at_least([second, third], "1/5"),
        space.fixed(first, "0.3").no_less(second, third),
        space.near(equal, "0.7"),
        space.near(equal, "0.2", norm="linf").at_least(second, "0.3"),
        space.ratio(first, second, at_least="0.5", at_most=3),
        space.proportional([first, second], equal).near([3, *equal[1:]], "1.1"),
    ]


def contradiction(frame):
    """Return why a space is empty."""
    space = (
        WeightSpace(list(frame)).at_least(["t0", "t1"], "0.7").near([1] * len(frame.columns), "0.3").at_most("t2", 1)
    )
    try:
        wl.lp.prospect(wl.Leaderboard(frame), "m0", space=space)
    except wl.EmptySpaceError as error:
        return error.proof
    raise AssertionError


def about_weights(frame, space):
    """Return results about weights of a space, of each kind that there is for the table."""
    table = wl.Leaderboard(frame)
    found = [wl.lp.prospects(table, space=space), wl.lp.duels(table, space=space)]
    found += about_weights_by_points(table, space)
    found += [wl.lp.realise(table, [("m0", "m1"), ("m2", "m0")], space=space)]
    blocked = wl.lp.prospect(table, "m1", space=space, fewest_blockers=True)
    found.append(blocked)
    winner = next((one for one in found[0].models if found[0].verdicts[one] == "strict"), None)
    if winner is not None:
        goals = ([wl.lp.closest_to()], [wl.lp.most_balanced(), wl.lp.least_weight(["t0"])], [wl.lp.widest_margin()])
        found += [wl.lp.scenario(table, winner, list(goal), space=space) for goal in goals]
        found.append(wl.lp.scenario(table, winner, wl.lp.closest_to(norm="linf"), space=space, margin="1/1000000"))
        found.append(wl.lp.weight_ranges(table, winner, space=space))
        found += [wl.lp.break_cycle(table, norm=norm, space=space) for norm in ("l1", "linf")]
    found += of_one_model_at_a_time(table, space, winner)
    rule = "borda" if table.missing_cells else "mean"
    missing = "last" if table.missing_cells else None
    found.append(wl.lp.shortlist(table, size=2, rule=rule, missing=missing, space=space))
    found.append(wl.lp.ask(table, [("m0", "m1"), ("m1", "m0")], rule=rule, missing=missing, space=space))
    found += [] if space is not None and space.conditions else settled(table)
    if wl.graph.condorcet_winner(table) is not None:
        found.append(wl.lp.stability(table, space=space, rule="majority"))
    return found


def of_one_model_at_a_time(table, space, winner):
    """Return the smallest task sets of a winner, and prospects by rules that answer for one model at a time."""
    found = [wl.lp.prospects(table, rule=rule, space=space) for rule in ("copeland", "minimax")]
    if not table.missing_cells and not (space is not None and space.conditions):
        found += [wl.lp.prospects(table, rule="geometric_mean")]
    found += [one for many in found for one in many.prospects[:2]]
    rule = "borda" if table.missing_cells else "mean"
    missing = "last" if table.missing_cells else None
    for options in ({}, {"rule": rule, "missing": missing}):
        found.append(wl.lp.winning_shares(table, samples=200, rng=1, space=space, **options))
        pairs = [("m0", "m1"), ("m2", "m0")]
        found.append(wl.lp.pair_shares(table, pairs, samples=200, rng=1, space=space, **options))
        with contextlib.suppress(wl.ImpossibleError):
            found.append(wl.lp.winning_region(table, "m0", space=space, **options))
        with contextlib.suppress(wl.InputError):  # conditions may leave no area
            found.append(wl.lp.map_of_winners(table, ["t0", "t1", "t2"], space=space, **options))
        groups = {"one": ["t0"], "two": {"t1": 2, "t2": 1}, "three": ["t3", "t1"]}
        with contextlib.suppress(wl.InputError):
            found.append(wl.lp.map_of_winners(table, groups=groups, space=space, **options))
    asked = [(winner, {}), (winner, {"strict": True})] if winner is not None else []
    asked += [(one, {"rule": rule, "missing": missing}) for one in table.models[:2]]
    for model, options in asked:
        try:
            found.append(wl.lp.fewest_task_sets(table, model, space=space, **options))
        except wl.ImpossibleError:
            continue
    return found


def settled(table):
    """Return claims that are certain, refuted and open, by each rule, of models that are named and of some."""
    asked = [("winner", {}), ("top", {"k": 2}), ("order", {"k": 2}), ("top", {"models": ["m1", "m0"]})]
    asked += [("order", {"models": ["m2", "m1"]})]
    bounds = dict.fromkeys(table.tasks[:-1], (0, 6)) | {table.tasks[-1]: (-1, 7)}
    return [
        wl.lp.settle(table, what, rule=rule, bounds=bounds, cost={"m0": "1/2"}, **options)
        for what, options in asked
        for rule in ("mean", "majority", "borda")
    ]


def about_weights_by_points(table, space):
    """Return results about weights by rules of points."""
    complete = not table.missing_cells
    vector = [7, *range(len(table.models) - 1, 0, -1)]
    rules = [("mean", {})] if complete else [("borda", {"missing": "last"}), (vector, {"missing": "last"})]
    rules += [("dowdall", {"ties": "min"}), ("borda", {})] if complete else []
    found = []
    for rule, ways in rules:
        options = {"rule": rule, "space": space, **ways}
        found.append(wl.lp.prospects(table, **options))
        found.append(wl.lp.prospect(table, table.models[1], **options))
        winner = next((one for one in found[-2].models if found[-2].verdicts[one] != "never"), None)
        if winner is not None:
            goals = ([wl.lp.closest_to()], [wl.lp.widest_margin(), wl.lp.most_balanced()])
            found += [wl.lp.scenario(table, winner, list(goal), **options) for goal in goals]
            found.append(wl.lp.weight_ranges(table, winner, **options))
        found += [wl.lp.stability(table, of=of, **options) for of in ("winner", "ranking")]
    return found


def about_rankings(frame):
    """Return results about the rankings and the majorities of a table."""
    table = wl.Leaderboard(frame)
    strict = table.rankings(break_ties="alphabetical")
    domains = [wl.domains.single_peaked, wl.domains.single_caved, wl.domains.group_separable]
    found = [ask(strict) for ask in (*domains, wl.domains.distance_restricted)] if strict.is_complete else []
    found += [wl.domains.single_peaked(table.rankings())] if strict.is_complete else []
    found += [wl.rules.kemeny(table), wl.rules.kemeny(table, tie_penalty="1/2"), wl.graph.slater(table)]
    found += [wl.graph.feedback_arcs(table), wl.graph.feedback_arcs(table, weighted=False)]
    found += [wl.graph.missing_score_pairs(table)]
    cycle = wl.graph.strongest_cycle(table)
    return found if cycle is None else [*found, cycle]


def proved_by_an_odd_walk():
    """Return an order of eight models: triangles alone prove that none costs less than 69, with an odd walk 70."""

    def refuse(*_):
        raise TooManyIdealsError

    upper = np.triu(np.random.default_rng(224).integers(-20, 21, (8, 8)), 1)
    wins = np.maximum(upper - upper.T, 0)
    table = wl.data.Margins(models=tuple("abcdefgh"), wins=wins, ties=np.zeros_like(wins), denominator=1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("weightlab.graph.median_orders.exact_search.optima_within", refuse)
        patch.setattr("weightlab.graph.median_orders.least_order._with_shared_pairs", lambda _net, block, _until: block)
        return wl.graph.kemeny(table)


def document_of(result):
    """Return a document as it is read from a file."""
    return json.loads(json.dumps(result.to_dict()))


def code_of(document, table=None):
    """Return the exit code of the checker and its words."""
    try:
        report = checker.check(json.dumps(document), table)
    except checker.FalseClaimError as error:
        return 1, str(error)
    except checker.WrongInputError as error:
        return 2, str(error)
    return report.code, "\n".join(report.lines)


def package_holds(document, source):
    """Tell whether the package accepts a document."""
    try:
        result_from_dict(json.loads(json.dumps(document))).verify(source)
    except REFUSED:
        return False
    return True
