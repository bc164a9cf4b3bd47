"""Whether an accepted claim is true: the question that it answers is asked anew, without its witnesses."""

from __future__ import annotations

from itertools import permutations

import tests.lp.truth as of_weights
import weightlab as wl
from weightlab.report import Document


def words_of(result):
    """Return all that a result says to a reader."""
    return str(result), str(Document(results=(result,)).table()), str(result.proof)


def value_of(result):
    """Return what the question of a result determines: of several true answers the same."""
    return VALUES.get(result.kind, words_of)(result)


def is_true(claim, source):
    """Tell whether a claim holds; None where nothing here decides it."""
    if claim.kind in of_weights.TRUTH:
        return of_weights.is_true(claim, source)
    if claim.kind in AGAIN:
        return value_of(AGAIN[claim.kind](claim, source)) == value_of(claim)
    return None


def forget():
    """Forget what was asked: boards are kept for as long as their answers."""
    of_weights._ANSWERS.clear()  # a long run asks about thousands


def holds(claim):
    """Return whether rankings have a structure; axes and the like may differ."""
    return claim.holds, str(claim.proof)


VALUES = {
    **dict.fromkeys(("single_peaked", "single_caved", "single_peaked_on_tree", "single_crossing"), holds),
    **dict.fromkeys(("group_separable", "value_restricted", "condorcet_domain", "one_euclidean"), holds),
    **dict.fromkeys(("necessarily", "possibly"), holds),
    "distance_restricted": lambda claim: (claim.holds, claim.degree, claim.largest_distance, claim.swapped),
    "nearest": lambda claim: (claim.holds, claim.drop, len(claim.dropped), claim.proof),
    "deepest_order": lambda claim: claim.depth,
    "no_bradley_terry_estimate": lambda claim: claim.kind,
    "realisation": lambda claim: (claim.duels, claim.wanted, claim.margin, claim.verdict),
    "duels": lambda claim: claim.least.to_dict() | claim.greatest.to_dict(),
    "kemeny": lambda claim: (claim.cost, claim.unique, claim.number, claim.tie_penalty, claim.proof),
    "pareto_front": lambda claim: [sorted(layer) for layer in claim.layers],
    "condorcet_winning_set": lambda claim: (len(claim.members), claim.proof),
    "slater": lambda claim: (claim.cost, claim.unique, claim.number, claim.proof),
    "feedback_arcs": lambda claim: (claim.cost, claim.unique, claim.number, claim.weighted, claim.proof),
    "first_places": lambda claim: (sorted(claim.winners), claim.proof),
    "strongest_cycle": lambda claim: claim.strength,
    "broken_cycle": lambda claim: (claim.value, claim.norm, sorted(claim.models)),
    "stability": lambda claim: (claim.model, str(claim)),
    "fewest_lifts": lambda claim: (claim.model, claim.count, str(claim.rule), claim.level, claim.ties, claim.proof),
    "lift_counts": lambda claim: (claim.counts.to_dict(), str(claim.rule), claim.level, claim.ties, claim.proof),
    "upset": lambda claim: (claim.model, claim.cost, claim.cost_unit, claim.proof),
}
"""What is compared instead of all words, where several answers are true."""


def asked_of(claim, source):
    """Return rankings to ask about: those of a claim, once seen to be the source's, or a breaking of its ties."""
    given = source.rankings() if isinstance(source, wl.Leaderboard) else source
    voters = {voter for voter, weight in zip(given.voters, given.weights, strict=True) if weight}
    own, before = ranks_of(claim.profile), ranks_of(given)
    assert own.keys() == voters
    for voter in voters:
        assert own[voter].keys() == before[voter].keys()
        for one, other in permutations(own[voter], 2):
            assert before[voter][one] >= before[voter][other] or own[voter][one] < own[voter][other]
    return claim.profile


def ranks_of(profile):
    """Return for each voter the rank of each model that it ranks."""
    rows = zip(profile.voters, profile.ranks.tolist(), strict=True)
    return {
        voter: {model: rank for model, rank in zip(profile.models, row, strict=True) if rank} for voter, row in rows
    }


def of_domain(claim, source):
    """Ask about the rankings of a claim."""
    own = asked_of(claim, source)
    if claim.kind == "distance_restricted":
        return wl.domains.distance_restricted(own, degree=claim.degree)
    if claim.kind == "nearest":
        return wl.domains.nearest(own, claim.domain, drop=claim.drop)
    if claim.kind in {"necessarily", "possibly"}:
        return getattr(wl.domains, claim.kind)(own, claim.domain, degree=claim.degree)
    if claim.kind in {"single_peaked", "single_caved"} and not own.is_complete:
        return getattr(wl.domains, claim.kind)(own, incomplete="solve")
    return getattr(wl.domains, claim.kind)(own)


def _drawn(name, *fields):
    def ask(claim, board):
        options = {field: getattr(claim, field) for field in fields}
        prior = claim.draws.prior if any(one != 1 for one in claim.draws.prior) else None
        return getattr(wl.lp, name)(
            board, samples=claim.draws.samples, rng=claim.draws.seed, space=claim.draws.space, prior=prior, **options
        )

    return ask


def _lifts_again(claim, board, model):
    rule = claim.rule.name if claim.rule.vector is None else list(claim.rule.vector)
    options = {"level": claim.level or "best", "ties": claim.ties, "missing": claim.rule.missing}
    try:
        return wl.lp.fewest_lifts(board, model, rule, **options)
    except wl.ImpossibleError as error:
        return error.proof


AGAIN = {
    **dict.fromkeys(
        [
            *("single_peaked", "single_caved", "single_peaked_on_tree", "single_crossing", "group_separable"),
            *("value_restricted", "condorcet_domain", "one_euclidean", "necessarily", "possibly", "nearest"),
            "distance_restricted",
        ],
        of_domain,
    ),
    "realisation": lambda claim, board: wl.lp.realise(board, claim.duels, space=claim.space, margin=claim.wanted),
    "duels": lambda claim, board: wl.lp.duels(board, space=claim.space),
    "broken_cycle": lambda claim, board: wl.lp.break_cycle(board, norm=claim.norm, space=claim.space),
    "duel_shares": _drawn("duel_shares"),
    "rank_shares": _drawn("rank_shares"),  # by the mean, which is its usual rule
    "winning_shares": _drawn("winning_shares"),
    "fewest_lifts": lambda claim, board: _lifts_again(claim, board, claim.model),
    "lift_counts": lambda claim, board: _lifts_again(claim, board, None),
    "missing": lambda claim, board: wl.lp.missing(board, space=claim.space),
    "ranking_stability": lambda claim, board: wl.lp.stability(board, rule=claim.rule.name, space=claim.space),
    "stability": lambda claim, board: wl.lp.stability(
        board, space=claim.space, norm=next(iter(claim.reversals.points)) if len(claim.reversals.points) == 1 else None
    ),
    "kemeny": lambda claim, board: wl.graph.kemeny(board, tie_penalty=claim.tie_penalty),
    "pareto_front": lambda _, board: wl.graph.pareto_front(board),
    "condorcet_winning_set": lambda _, board: wl.graph.condorcet_winning_set(board),
    "slater": lambda _, board: wl.graph.slater(board),
    "feedback_arcs": lambda claim, board: wl.graph.feedback_arcs(board, weighted=claim.weighted),
    "strongest_cycle": lambda _, board: wl.graph.strongest_cycle(board),
    "ranked_pairs": lambda claim, board: wl.graph.ranked_pairs(
        board, strength=claim.strength, tie_break=claim.tie_break
    ),
    "river": lambda claim, board: wl.graph.river(board, strength=claim.strength, tie_break=claim.tie_break),
    "schulze": lambda claim, board: wl.graph.schulze(board, strength=claim.strength),
    "split_cycle": lambda claim, board: wl.graph.split_cycle(board, strength=claim.strength),
    "comparison": lambda claim, board: wl.rules.compare(board, [*claim.rankings, *claim.left_out]),
    "ranking": lambda claim, board: wl.rules.rank(board, claim.rule),
    "deepest_order": lambda _, relations: wl.domains.deepest_order(relations),
    "agreement": lambda claim, board: wl.studies.agreement(
        board,
        list(claim.answers),
        reference=claim.reference,
        top=claim.top,
        last=claim.last,
        persistence=claim.persistence,
        overlap_ties=claim.overlap_ties,
    ),
    "dispersion": lambda claim, board: wl.studies.dispersion(
        board, list(claim.answers), tie_penalty=claim.tie_penalty, repeats=len(claim.random), rng=claim.seed
    ),
    "task_subsets": lambda claim, board: wl.studies.task_removal(
        board, ["borda"], sizes=claim.tasks, repeats=claim.repeats, rng=claim.seed
    ),
    "bootstrap": lambda claim, board: wl.studies.bootstrap(
        board, claim.question.rule.name, repeats=len(claim.levels), level=claim.level, rng=claim.seed
    ),
    "sweep": lambda claim, suite: wl.studies.sweep(
        suite,
        model_sets=claim.model_sets,
        metric_sets=claim.metric_sets,
        break_ties=claim.breakings,
        properties=claim.properties,
    ),
    "manipulation": lambda claim, _: wl.studies.manipulation(
        ["mean", "borda"],
        models=claim.size[0],
        tasks=claim.size[1],
        instances=claim.size[2],
        dispersions=claim.dispersions,
        reversed_tasks=claim.reversed_tasks,
        factors=claim.factors,
        rescaled=claim.rescaled,
        repeats=1,
        rng=claim.seed,
    ),
}
"""The same question once more, with the parameters that a claim has."""
