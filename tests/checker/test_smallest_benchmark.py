"""The smallest benchmark: what one of the two checkers accepts or refuses the other does as well."""

from __future__ import annotations

import contextlib

import pytest

import weightlab as wl
from tests.checker.documents import board, code_of, csv_of, document_of, package_holds
from tests.lp.forging import some_forgeries
from weightlab import checker

SEEDS = (0, 2, 4)


def claims(seed):
    """Return smallest benchmarks by rules and weights, with costs, tolerances and conditions, and what proves none."""
    frame = board(seed, models=6, tasks=5, highest=9 if seed % 2 else 30)
    declared = {"lower_is_better": ["t1"], "weights": {"t0": 2}}
    table = wl.Leaderboard(frame, **declared)
    gapped = frame.copy()
    gapped.iloc[1, 2] = gapped.iloc[3, 2] = None
    with_gaps = wl.Leaderboard(gapped, tolerance={"t0": 1}, relative_tolerance={"t3": "1/8"}, **declared)
    space = wl.lp.WeightSpace(table).at_most("t0", "0.4").near(None, "0.9")
    asked = [
        (one, {"rule": rule, "weights": weights, "keep": keep, "k": 3, "margin": "1/50"})
        for rule in ("majority", "mean", "borda")
        for weights in ("free", "today", "equal")
        for keep in ("winner", "top", "order")
        for one in ((table, with_gaps) if rule == "majority" else (table,))
    ]
    costs = {task: f"{place + 1}/2" for place, task in enumerate(table.tasks)}
    for rule in ("mean", "majority"):
        for weights in ("free", "today"):
            more = {"keep": "top", "k": 4, "tolerance": 1, "cost": costs, "weights": weights}
            asked.append((table, {"rule": rule, **more}))
        asked.append((table, {"rule": rule, "keep": "top", "k": 3, "space": space, "most": 2}))
        asked.append((table, {"rule": rule, "keep": "order", "break_ties": "reverse", "margin": "1/5"}))
    for one, options in asked:
        try:
            found = wl.lp.smallest_benchmark(one, **options)
        except wl.ImpossibleError as error:
            found = error.proof
        except wl.InputError:  # a cycle of majorities
            continue
        yield found, one


@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_proved_is_accepted_with_and_without_the_table(seed):
    kinds = set()
    for found, table in claims(seed):
        told = checker.Declared(
            lower=("t1",),
            weights={"t0": checker.Fraction(2)},
            tolerance=dict(table.tolerance),
            relative_tolerance=dict(table.relative_tolerance),
        )
        document = document_of(found)
        expected = 0 if found.proof == "exact" else 3
        text = csv_of(table.scores)
        assert code_of(document)[0] == expected, (code_of(document), found)
        report = checker.check(checker.json.dumps(document), text, told)
        assert report.code == expected, report
        kinds.add(type(found.found).__name__)
    assert kinds == {"SmallestSets", "FixedSets", "CheapestSet"}


@pytest.mark.parametrize("seed", SEEDS)
def test_both_refuse_the_same_forgeries(seed):
    for found, _ in list(claims(seed))[::4]:
        for forged in some_forgeries(document_of(found), 25, seed=seed):
            with contextlib.suppress(RecursionError):
                code, words = code_of(forged)
                if forged.get("kind") == "smallest_benchmark" and code not in {2, 3}:
                    assert package_holds(forged, None) == (code == 0), (forged, words)


def reweighed(document):
    """Yield documents in which a smaller set, or the tasks chosen on a half, have other weights than were asked for."""
    for name in ("steps", "halves"):
        for place, part in enumerate(document[name]):
            own = {task: checker.Fraction(share) for task, share in part["weights"].items()}
            others = [{task: 2 * share for task, share in own.items()}]  # no shares
            others += [{**own, most: share + 1} for most, share in own.items()]
            if len(own) > 1 and document["question"]["weights"] != "free":
                rest = checker.Fraction(1, 10 * (len(own) - 1))
                others += [dict.fromkeys(own, rest) | {most: 1 - (len(own) - 1) * rest} for most in own]
            for other in others if own else ():
                for kept in ("0/1", "1/3", "1/2", "2/3", "1/1", part["kept"]):
                    shares = {task: f"{share.numerator}/{share.denominator}" for task, share in other.items()}
                    parts = [*document[name]]
                    parts[place] = {**part, "weights": shares, "kept": kept}
                    yield name, {**document, name: parts}


@pytest.mark.parametrize("weights", ["free", "today"])
def test_smaller_sets_and_halves_have_weights_that_the_question_allows(weights):
    table = wl.Leaderboard(board(0, models=6, tasks=4, highest=30), weights={"t0": 2}, rule="mean")
    found = wl.lp.smallest_benchmark(table, weights=weights, keep="top", k=3, margin="1/1000")
    tried = set()
    for name, forged in reweighed(document_of(found)):
        assert code_of(forged)[0] == 1
        assert not package_holds(forged, None)
        tried.add(name)
    assert tried == {"steps", "halves"}


@pytest.mark.parametrize("share", ["0/1", "-1/1"])
def test_a_cut_at_fixed_weights_has_a_positive_multiplier(share):
    table = wl.Leaderboard(board(0, models=4, tasks=4, highest=9), rule="mean")
    costs = {task: place + 1 for place, task in enumerate(table.tasks)}
    document = document_of(wl.lp.smallest_benchmark(table, weights="equal", cost=costs))
    assert code_of(document)[0] == 0
    cuts = document["found"]["cuts"]
    assert cuts
    for place, cut in enumerate(cuts):
        other = {**cut, "mixture": dict.fromkeys(cut["mixture"], share)}
        forged = {**document, "found": {**document["found"], "cuts": [*cuts[:place], other, *cuts[place + 1 :]]}}
        assert code_of(forged)[0] == 1
        assert not package_holds(forged, None)
