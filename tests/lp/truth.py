"""What a claim means, asked anew: whether a result that verifies tells the truth about its table."""

from __future__ import annotations

import json

import weightlab as wl
from weightlab.lp.scenarios.lexicographic import LexicographicSolver, MarginStage, TasksStage


def is_true(claim, board):
    """Tell whether a result holds, by asking the question that it answers once more, without its witnesses."""
    return TRUTH[claim.kind](claim, board)


_ANSWERS = {}


def answer(question, board, *names, space, **options):
    """Return what a question is answered with, asked once for each board and space: most forgeries leave both alone."""
    key = (question, id(board), names, json.dumps(space.to_dict()), repr(sorted(options.items())))
    if key not in _ANSWERS:
        # The board is kept, so that no other one gets its number.
        _ANSWERS[key] = board, question(board, *names, space=space, **options)
    return _ANSWERS[key][1]


def _prospect(claim, board):
    margin = answer(wl.lp.prospect, board, claim.model, **_of_rule(claim)).margin
    if claim.fewest is not None:
        again = answer(wl.lp.prospect, board, claim.model, space=claim.space, fewest_blockers=True)
        if len(again.fewest.rivals) != len(claim.fewest.rivals):
            return False
    return claim.lower <= margin <= claim.upper


def _prospects(claim, board):
    return all(_prospect(claim.bounded(model), board) for model in claim.models)


def _scenario(claim, board):
    options = _of_rule(claim) | {"space": claim.space.ordered(board.tasks)}
    widest = answer(wl.lp.prospect, board, claim.model, **options)
    solver = LexicographicSolver(
        widest, claim.margin, lambda cut: answer(wl.lp.prospect, board, claim.model, **options | {"space": cut}), []
    )
    for number, stage in enumerate(claim.stages, start=1):
        solver.optimise(_objective(stage), last=number == len(claim.stages))
    strict = any(end.margin > 0 for end in solver.outcome().ends)
    return tuple(stage.value for stage in solver.stages) == claim.values and strict == claim.attained


def _objective(stage):
    if isinstance(stage, MarginStage):
        return wl.lp.widest_margin()
    return wl.lp.fewest_tasks(strict=stage.found.strict) if isinstance(stage, TasksStage) else stage.objective


def _contradiction(claim, board):
    try:
        wl.lp.prospects(board, space=claim.space)
    except wl.EmptySpaceError as error:
        return len(error.conditions) == len(claim.conditions)
    return False


def _weight_ranges(claim, board):
    options = _of_rule(claim) | {"space": claim.space.ordered(board.tasks), "margin": claim.margin}
    again = answer(wl.lp.weight_ranges, board, claim.model, **options)
    groups = [one for one in claim.ranges if one.is_group]
    own = [one for one in claim.ranges if not one.is_group]
    if [_range(claim, one) for one in own] != [_range(again, one) for one in again.ranges if not one.is_group]:
        return False
    named = wl.Leaderboard.from_dict(board.to_dict() | {"groups": {one.name: list(one.tasks) for one in groups}})
    wider = wl.lp.weight_ranges(named, claim.model, **options)
    return [_range(claim, one) for one in groups] == [_range(wider, one) for one in wider.ranges if one.is_group]


def _range(claim, one):
    return one.name, one.low, one.high, claim.attained(one.least), claim.attained(one.most)


def _task_sets(claim, board):
    options = {"space": claim.space.ordered(board.tasks), "margin": claim.margin, "strict": claim.found.strict}
    again = answer(wl.lp.fewest_task_sets, board, claim.model, **_of_rule(claim) | options)
    # A document may list the tasks in another order than the board.
    found, said = (sorted(sorted(one) for one in each.sets) for each in (again, claim))
    return found == said and again.size == claim.size


def _winning_region(claim, board):
    options = _of_rule(claim) | {"space": claim.space.ordered(board.tasks)}
    again = answer(wl.lp.winning_region, board, claim.model, **options)
    vertices, expected = (
        {tuple(row[task] for task in board.tasks) for row in one.vertices.to_dict("records")} for one in (claim, again)
    )
    return (
        vertices == expected
        and claim.share == again.share
        and claim.radius == again.radius
        and set(claim.tied) == set(again.tied)
    )


def _map_of_winners(claim, board):
    groups = {name: claim.corners[name].to_dict() for name in claim.corners.columns}
    again = wl.lp.map_of_winners(board, groups={name: _positive(shares) for name, shares in groups.items()})
    shares = again.shares[list(claim.shares.index)].tolist()
    return (claim.shares.tolist(), claim.tied, claim.cyclic) == (shares, again.tied, again.cyclic)


def _positive(shares):
    return {task: share for task, share in shares.items() if share}


def _geometric_prospect(claim, board):
    return claim.verdict is wl.lp.prospect(board, claim.model, rule="geometric_mean").verdict


def _partial_prospects(claim, board):
    return all(TRUTH[one.kind](one, board) for one in claim.prospects)


def _majority_prospect(claim, board):
    again = answer(wl.lp.prospect, board, claim.model, rule=claim.rule, space=claim.space.ordered(board.tasks))
    return (claim.verdict, claim.proof) == (again.verdict, again.proof)


def _rank_range(claim, board):
    again = answer(wl.lp.rank_range, board, claim.model, **_of_rule(claim))
    # What is left open says which ranks were found, and which are not excluded.
    best = claim.top.bound <= again.best <= claim.best and (again.best == claim.best or not claim.settled)
    worst = claim.worst <= again.worst <= claim.bottom.bound and (again.worst == claim.worst or not claim.settled)
    return best and worst


def _rank_ranges(claim, board):
    return all(_rank_range(claim[model], board) for model in claim)


def _of_rule(claim):
    rule = claim.rule
    options = {} if rule.name in {"majority", "mean"} else {"ties": rule.ties, "missing": rule.missing}
    return {"rule": rule.vector or rule.name, "space": claim.space, **options}


TRUTH = {
    "prospect": _prospect,
    "prospects": _prospects,
    "scenario": _scenario,
    "contradiction": _contradiction,
    "weight_ranges": _weight_ranges,
    "task_sets": _task_sets,
    "winning_region": _winning_region,
    "map_of_winners": _map_of_winners,
    "majority_prospect": _majority_prospect,
    "geometric_prospect": _geometric_prospect,
    "partial_prospects": _partial_prospects,
    "rank_range": _rank_range,
    "rank_ranges": _rank_ranges,
}
"""By kind of result."""
