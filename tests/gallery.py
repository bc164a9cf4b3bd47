"""One small example of every kind of result: a new kind belongs here; tests show it, send it and read it back."""

from __future__ import annotations

import pandas as pd

import weightlab as wl
from weightlab.exceptions import EmptySpaceError, ImpossibleError
from weightlab.lp import closest_to, fewest_task_sets
from weightlab.rules import kemeny_gap, majority_overview

NASTY = "<b>x</b> & \"y\" 'z'"
BOARD = wl.Leaderboard(
    {
        "code": {NASTY: 3, "bo": 2, "cy": 1, "dee": 1},
        "mathematics": {NASTY: 1, "bo": 3, "cy": 2, "dee": 1},
        "reading": {NASTY: 2, "bo": 1, "cy": 3, "dee": 1},
        "writing": {NASTY: 3, "bo": 1, "cy": 2, "dee": 1},
    },
    weights={"code": 2},
    groups={"words": ["reading", "writing"], "signs": ["code", "mathematics"]},
)
THREE = BOARD.select(models=[NASTY, "bo", "cy"], tasks=["code", "mathematics", "reading"])
NOISY = wl.Leaderboard(
    {task: THREE.scores[task] for task in THREE.tasks}, standard_errors=THREE.scores.astype(float) * 0 + 0.2
)
CYCLIC = wl.Leaderboard({task: THREE.scores[task] for task in THREE.tasks})
GAPPED = wl.Leaderboard({"x": {NASTY: 1, "bo": 2, "cy": None}, "y": {NASTY: 2, "bo": 1, "cy": 3}})
AHEAD = wl.Leaderboard({"x": {NASTY: 2, "bo": 1}, "y": {NASTY: 2, "bo": 1}})
CHANGED = wl.Leaderboard(
    BOARD.scores.drop(index="dee").replace({"code": {2.0: 4}}).rename({"cy": "ed"}).assign(reading=[2, 3, 1]),
    weights={"code": 2},
    higher_is_better=["code"],
)
POLICY = {
    "winner_stable_by": "1%",
    "never_above_place": 3,
    "acyclic_top": True,
    "directions_declared": True,
    "missing": 0,
    "score_range": [0, 3],
    "saturated": 1,
    "rank_level": "95%",
    "unmoved_by_newcomers": "borda",
}
PROFILE = BOARD.rankings(break_ties="alphabetical")
SUITE = wl.Suite.from_long(
    pd.DataFrame(
        [
            (dataset, metric, model, score)
            for dataset, scores in {
                "qa": {"f1": (3, 1, 2), "speed": (2, 3, 1), "bias": (1, 2, 3)},
                "sum": {"f1": (1, 2, 3), "speed": (1, 2, 3), "bias": (1, 3, 2)},
            }.items()
            for metric, row in scores.items()
            for model, score in zip((NASTY, "bo", "cy"), row, strict=True)
        ],
        columns=["dataset", "metric", "model", "score"],
    )
)
RELATIONS = SUITE.majority_relations(strict=False)


def _contradiction():
    space = wl.lp.WeightSpace(BOARD).at_least("code", "0.7").at_least("reading", "0.7")
    try:
        wl.lp.prospects(BOARD, space=space)
    except EmptySpaceError as error:
        return error.proof
    raise AssertionError("a space is not empty that should be")


def _no_estimate():
    try:
        wl.rules.rank(AHEAD, "bradley_terry")
    except ImpossibleError as error:
        return error.proof
    raise AssertionError("an estimate exists where none should")


def _first(results):
    return next(iter(results.values()))


EXAMPLES = {
    "agreement": lambda: wl.studies.agreement(BOARD, ["mean", "borda"]),
    "audit": lambda: wl.studies.audit(SUITE),
    "bootstrap": lambda: wl.studies.bootstrap(BOARD, "borda", repeats=20, rng=0),
    "broken_cycle": lambda: wl.lp.break_cycle(CYCLIC),
    "card": lambda: wl.studies.card(BOARD),
    "changes": lambda: wl.studies.changes(BOARD, CHANGED),
    "check": lambda: wl.studies.check(CHANGED, POLICY, against=BOARD),
    "common_winner": lambda: wl.studies.common_winner(BOARD, "mean", "borda"),
    "commonality_sharing": lambda: wl.domains.commonality_sharing(RELATIONS),
    "comparison": lambda: wl.rules.compare(BOARD, ["mean", "borda", "copeland"]),
    "condorcet_domain": lambda: wl.domains.condorcet_domain(PROFILE),
    "condorcet_winning_set": lambda: wl.graph.condorcet_winning_set(BOARD),
    "contradiction": _contradiction,
    "cycle_robustness": lambda: wl.graph.most_robust_cycle(CYCLIC, by="buffer"),
    "dataset_audit": lambda: _first(wl.studies.audit(SUITE).datasets),
    "deepest_order": lambda: wl.domains.deepest_order(RELATIONS),
    "disagreement": lambda: wl.studies.disagreement(BOARD, "mean", "borda"),
    "discriminative_power": lambda: wl.studies.discriminative_power(BOARD),
    "dispersion": lambda: wl.studies.dispersion(BOARD),
    "distance_restricted": lambda: wl.domains.distance_restricted(PROFILE, degree=1),
    "duel_shares": lambda: wl.lp.duel_shares(BOARD, samples=50, rng=0),
    "duels": lambda: wl.lp.duels(BOARD),
    "effects": lambda: wl.studies.effects(BOARD.with_groups({}), "borda", margin=1, repeats=100),
    "feedback_arcs": lambda: wl.graph.feedback_arcs(CYCLIC),
    "fewest_drops": lambda: wl.lp.fewest_drops(BOARD, "mean"),
    "fewest_lifts": lambda: wl.lp.fewest_lifts(BOARD, "dee", "mean", ties="ok"),
    "group_separable": lambda: wl.domains.group_separable(PROFILE),
    "independence: arrivals": lambda: wl.studies.irrelevant_models(BOARD, rules=["borda"], repeats=3, rng=0),
    "independence: flips": lambda: wl.studies.flips(SUITE, by="f1"),
    "independence: single changes": lambda: wl.studies.single_changes(BOARD, rules=["borda"]),
    "kemeny": lambda: wl.rules.kemeny(BOARD),
    "kemeny_gap": lambda: kemeny_gap(BOARD, "borda"),
    "micro_macro": lambda: wl.rules.micro_and_macro(BOARD, dict.fromkeys(BOARD.tasks, 3) | {BOARD.tasks[0]: 40}),
    "leave_one_out": lambda: wl.studies.leave_one_out(BOARD),
    "lift_counts": lambda: wl.lp.fewest_lifts(BOARD, rule="borda"),
    "geometric_prospect": lambda: wl.lp.prospect(BOARD, "bo", rule="geometric_mean"),
    "majority_overview": lambda: majority_overview(BOARD),
    "majority_prospect": lambda: wl.lp.prospect(BOARD, "bo", rule="copeland"),
    "manipulation": lambda: wl.studies.manipulation(
        rules=["mean", "borda"], models=3, tasks=3, instances=4, repeats=2, rng=0
    ),
    "map_of_winners": lambda: wl.lp.map_of_winners(BOARD, ["code", "mathematics", "reading"]),
    "maximal_lottery": lambda: wl.graph.maximal_lottery(CYCLIC),
    "metric_cycles": lambda: wl.studies.metric_cycles(SUITE),
    "missing": lambda: wl.lp.missing(GAPPED, rule="majority"),
    "missing_score_pairs": lambda: wl.graph.missing_score_pairs(GAPPED),
    "nearest": lambda: wl.domains.nearest(PROFILE, "single_peaked", drop="models"),
    "necessarily": lambda: wl.domains.necessarily(BOARD.rankings(), "single_peaked"),
    "no_bradley_terry_estimate": _no_estimate,
    "noisy_verdicts": lambda: wl.studies.noisy_verdicts(NOISY, over="standard_errors"),
    "omitted_scores": lambda: wl.studies.missing_scores(BOARD, rules=["borda"], counts=[1], repeats=2, rng=0),
    "one_euclidean": lambda: wl.domains.one_euclidean(PROFILE),
    "paired": lambda: wl.studies.paired(BOARD, NASTY, "bo", repeats=100),
    "partial_prospects": lambda: wl.lp.prospects(BOARD, rule="minimax"),
    "pair_shares": lambda: wl.lp.pair_shares(BOARD, [("bo", "dee")], samples=50, rng=0),
    "pareto_front": lambda: wl.graph.pareto_front(BOARD),
    "possibly": lambda: wl.domains.possibly(BOARD.rankings(), "single_peaked"),
    "prospect": lambda: wl.lp.prospect(BOARD, "dee"),
    "prospects": lambda: wl.lp.prospects(BOARD),
    "rank_range": lambda: wl.lp.rank_range(BOARD, "bo", rule="mean"),
    "rank_ranges": lambda: wl.lp.rank_ranges(BOARD, rule="mean"),
    "rank_sets": lambda: wl.studies.rank_sets(BOARD.with_groups({}), "borda", repeats=100),
    "rank_shares": lambda: wl.lp.rank_shares(BOARD, rule="mean", samples=50, rng=0),
    "ranked_pairs": lambda: wl.graph.ranked_pairs(BOARD),
    "ranking": lambda: wl.rules.rank(BOARD, "borda"),
    "realisation": lambda: wl.lp.realise(BOARD, [("bo", NASTY)]),
    "repair": lambda: wl.studies.audit(SUITE).repair("single_peaked"),
    "scenario": lambda: wl.lp.scenario(BOARD, "bo", closest_to()),
    "schulze": lambda: wl.graph.schulze(BOARD),
    "asked": lambda: wl.lp.ask(BOARD, [("bo", "dee")]),
    "shortlist": lambda: wl.lp.shortlist(BOARD, size=2),
    "least_proof": lambda: wl.lp.least_proof(BOARD, rule="mean", bounds=(0, 3)),
    "replay": lambda: wl.studies.replay(BOARD, rule="mean", bounds=(0, 3), orders=2),
    "settle": lambda: wl.lp.settle(GAPPED, rule="mean", bounds=(0, 3), cost={"x": 2}),
    "single_caved": lambda: wl.domains.single_caved(PROFILE),
    "single_crossing": lambda: wl.domains.single_crossing(PROFILE),
    "single_peaked": lambda: wl.domains.single_peaked(PROFILE),
    "single_peaked_on_tree": lambda: wl.domains.single_peaked_on_tree(PROFILE),
    "slater": lambda: wl.graph.slater(BOARD),
    "smallest_benchmark": lambda: wl.lp.smallest_benchmark(BOARD, keep="top", k=2, margin="1/1000"),
    "split_cycle": lambda: wl.graph.split_cycle(BOARD),
    "stability": lambda: wl.lp.stability(AHEAD, rule="majority"),
    "strongest_cycle": lambda: wl.graph.strongest_cycle(CYCLIC),
    "sweep": lambda: wl.studies.sweep(SUITE),
    "task_sets": lambda: fewest_task_sets(BOARD, "bo"),
    "task_subsets": lambda: wl.studies.task_removal(BOARD, rules=["borda"], sizes=[2], repeats=2, rng=0),
    "tukey_depth": lambda: wl.domains.tukey_depth(RELATIONS),
    "two_step_ranking": lambda: wl.rules.two_step(BOARD, "borda"),
    "upset": lambda: wl.lp.upset(BOARD, "dee"),
    "mean_upset": lambda: wl.lp.upset(BOARD, "dee", rule="mean", space="any"),
    "user_ranking": lambda: wl.studies.user_ranking(BOARD, "borda"),
    "value_restricted": lambda: wl.domains.value_restricted(PROFILE),
    "weight_ranges": lambda: wl.lp.weight_ranges(BOARD, "bo"),
    "winning_region": lambda: wl.lp.winning_region(BOARD, "bo"),
    "winning_shares": lambda: wl.lp.winning_shares(BOARD, samples=50, rng=0),
}
"""What makes an example, by kind."""
