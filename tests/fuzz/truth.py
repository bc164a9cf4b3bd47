"""Whether an accepted claim is true: the question that it answers is asked anew, without its witnesses."""

from __future__ import annotations

import json
from itertools import permutations
from operator import attrgetter

import numpy as np

import tests.lp.truth as of_weights
import weightlab as wl
from weightlab.report import Document
from weightlab.rules import kemeny_gap, majority_overview
from weightlab.studies.structure.repair import least_repair


def words_of(result):
    """Return all that a result says to a reader."""
    return str(result), str(Document(results=(result,)).table()), str(result.proof)


def value_of(result):
    """Return what the question of a result determines: of several true answers the same."""
    return VALUES.get(result.kind, words_of)(result)


def is_true(claim, source):
    """Tell whether a claim holds: every kind is in one of two lists."""
    if claim.kind in of_weights.TRUTH:
        return of_weights.is_true(claim, source)
    return value_of(AGAIN[claim.kind](claim, source)) == value_of(claim)


def forget():
    """Forget what was asked: boards are kept for as long as their answers."""
    of_weights._ANSWERS.clear()  # a long run asks about thousands


def holds(claim):
    """Return whether rankings have a structure; axes and the like may differ."""
    return claim.holds, str(claim.proof)


def of_dataset(claim):
    """Return what an audit of one dataset says; which of several cycles it names, and how thick it is, may differ."""
    facts = {name: one for name, one in claim.facts().items() if name not in {"cycle", "robust_cycle", "radius"}}
    left_out = {model: set(gaps) for model, gaps in claim.left_out.items()}
    return claim.dataset, claim.break_ties, str(facts), left_out, set(claim.lacking)


def of_audit(claim):
    """Return what an audit says of a suite; repairs are as small, whatever they leave out."""
    repairs = [(one.goal, one.drop, len(one.dropped), one.proof) for one in claim.repairs]
    among = {name: str(one.to_dict()) for name, one in claim.among.items()}
    counts = {name: str(one) for name, one in claim.counts.items()}
    datasets = {name: of_dataset(one) for name, one in claim.datasets.items()}
    return datasets, set(claim.weightless), claim.unaudited, counts, among, repairs, set(claim.unrepaired)


def of_lottery(claim):
    """Return what all maximal lotteries of a table share; one among others must only be one, by its definition."""
    margins = claim.margins.frame().to_numpy()
    counted = np.sign(margins) if claim.duels == "signs" else margins
    chances = claim.probabilities.to_numpy(dtype=float)
    lost = max(counted @ chances, default=0) > 1e-12
    return claim.duels, claim.unique, claim.support, str(claim.probabilities.to_dict()) if claim.unique else lost


def of_shares(claim):
    """Return what draws count, and what was drawn; in which order tasks stand in a sentence may differ."""
    draws = claim.draws
    conditions = json.dumps(draws.space.to_dict()["conditions"], sort_keys=True)
    return str(claim.summary().to_dict()), draws.samples, draws.seed, draws.method, conditions


def of_shortlist(claim):
    """Return the least cost, or the least loss of each size up to the first of 0; the sets may differ."""
    losses = [one.loss for one in claim.frontier]
    return claim.cost if claim.costs else losses[: losses.index(0) + 1] if 0 in losses else losses


VALUES = {
    "audit": of_audit,
    **dict.fromkeys(("duel_shares", "pair_shares", "rank_shares", "winning_shares"), of_shares),
    "maximal_lottery": of_lottery,
    "dataset_audit": of_dataset,
    "repair": lambda claim: (claim.goal, claim.drop, len(claim.dropped), list(claim.profiles), claim.proof),
    "common_winner": lambda claim: (claim.rules, claim.norm, claim.asked, claim.value, set(claim.unsettled)),
    "disagreement": lambda claim: (claim.rules, claim.norm, claim.disputed, claim.winners, claim.changes.tolist()),
    "kemeny_gap": lambda claim: (str(claim.ranking), claim.best.cost, claim.best.tie_penalty, claim.proof),
    "metric_cycles": lambda claim: (
        str(claim.summary()[["examined", "cyclic", "buffer"]].to_dict()),
        {metric: one for metric, one in claim.tolerance.items() if one},
    ),
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
    "missing_score_pairs": lambda claim: claim.pairs,
    "pareto_front": lambda claim: [sorted(layer) for layer in claim.layers],
    "condorcet_winning_set": lambda claim: (len(claim.members), claim.proof),
    "slater": lambda claim: (claim.cost, claim.unique, claim.number, claim.proof),
    "feedback_arcs": lambda claim: (claim.cost, claim.unique, claim.number, claim.weighted, claim.proof),
    "strongest_cycle": lambda claim: claim.strength,
    "broken_cycle": lambda claim: (claim.value, claim.norm, sorted(claim.models)),
    # The sentence names one of the rivals that tie it first.
    "stability": lambda claim: (
        claim.model,
        claim.of,
        str(claim.rule),
        {
            norm: (claim.radius(norm), [claim.least_leads.iloc[one] for one in claim.reversals.first(norm)])
            for norm in claim.norms
        },
    ),
    "fewest_drops": lambda claim: (claim.model, claim.drop, claim.count, claim.rivals, str(claim.rule), claim.proof),
    "fewest_lifts": lambda claim: (claim.model, claim.count, str(claim.rule), claim.level, claim.ties, claim.proof),
    "lift_counts": lambda claim: (claim.counts.to_dict(), str(claim.rule), claim.level, claim.ties, claim.proof),
    "smallest_benchmark": lambda claim: (
        claim.question.to_dict(),
        [sorted(level) for level in claim.kept],
        sorted(claim.sets) if claim.found.is_complete else len(claim.tasks or ()),
        claim.space.to_dict(),
        claim.proof if claim.sets else None,  # that no tasks do is true on a solver's word, too
    ),
    "upset": lambda claim: (claim.model, claim.cost, claim.cost_unit, claim.proof),
    "asked": lambda claim: claim.conflict is None,
    "shortlist": of_shortlist,
    "least_proof": lambda claim: (claim.models, claim.bound, str(claim.rule), claim.claim.to_dict(), claim.proof),
    "replay": lambda claim: (claim.hindsight.models, claim.hindsight.bound),
    "settle": lambda claim: (claim.verdict, sorted(claim.certain), str(claim.rule), claim.claim.to_dict()),
    "mean_upset": lambda claim: (claim.model, claim.cost),
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
        prior = claim.draws.prior if any(one != 1 for one in claim.draws.prior.values()) else None
        return getattr(wl.lp, name)(
            board, samples=claim.draws.samples, rng=claim.draws.seed, space=claim.draws.space, prior=prior, **options
        )

    return ask


def _lifts_again(claim, board, model):
    rule = claim.rule.name if claim.rule.vector is None else list(claim.rule.vector)
    options = {"level": claim.level or "best", "ties": claim.ties, "missing": claim.rule.missing, "space": claim.space}
    try:
        return wl.lp.fewest_lifts(board, model, rule, **options)
    except wl.ImpossibleError as error:
        return error.proof


def _drops_again(claim, board):
    rule = claim.rule.name if claim.rule.vector is None else list(claim.rule.vector)
    pair = None if len(claim.rivals) == len(board.models) - 1 > 1 else (claim.model, *claim.rivals)
    try:
        return wl.lp.fewest_drops(board, rule, drop=claim.drop, pair=pair, missing=claim.rule.missing)
    except wl.ImpossibleError as error:
        return error.proof


def _smallest_again(claim, board):
    asked = claim.question
    options = {"weights": asked.weights, "margin": asked.margin, "break_ties": asked.break_ties}
    options |= {"rule": asked.rule.name if asked.rule.vector is None else list(asked.rule.vector)}
    options |= {"missing": asked.rule.missing, "space": claim.space if claim.space.conditions else None}
    most = 99 if claim.found.is_complete else max(len(claim.sets), 1)
    try:
        return wl.lp.smallest_benchmark(board, keep="top", k=asked.k, most=most, halves=False, **options)
    except wl.ImpossibleError as error:
        return error.proof


def _rules(claim):
    """Return the rules that a study was asked about; all the usual ones where it says that some have no answer."""
    holder = claim if hasattr(claim, "questions") else claim.answers
    return None if holder.refusals else {name: one.rule for name, one in holder.questions.items()}


def _of_rules(name, *fields, **renamed):
    """Ask a study about the rules of a claim, with options that are fields of it, some under other names."""
    options = {**{field: field for field in fields}, **renamed}

    def ask(claim, board):
        given = {option: attrgetter(field)(claim) for option, field in options.items()}
        return getattr(wl.studies, name)(board, _rules(claim), **given)

    return ask


def _two_rules(name):
    def ask(claim, board, **options):
        one, other = (question.rule for question in claim.answers.questions.values())
        return getattr(wl.studies, name)(board, one, other, norm=claim.norm, **options)

    return ask


def _independence(claim, source):
    drawn = claim.drawn
    if claim.of_suite:
        return wl.studies.flips(source, by=drawn.by, metrics=drawn.metrics, top=drawn.top)
    if hasattr(drawn, "ranked"):
        return wl.studies.single_changes(source, _rules(claim), models=drawn.ranked)
    how = {"break_ties": drawn.break_ties, "last": drawn.last}
    if drawn.seed is not None:
        how |= {"repeats": len(drawn.orders), "rng": drawn.seed}
    else:
        how |= {"arrivals": drawn.orders}
    return wl.studies.irrelevant_models(source, _rules(claim), **how)


def _audit(claim, suite, models, metrics, *, repair=False):
    return wl.studies.audit(suite, models=models, metrics=metrics, break_ties=claim.break_ties, repair=repair)


def _dataset_audit(claim, suite):
    models, metrics = [*claim.board.models, *claim.left_out], [*claim.board.tasks, *claim.lacking]
    return _audit(claim, suite, models, metrics).datasets[claim.dataset]


def _repair(claim, suite):
    """Ask for a repair of the rankings that a claim shows, however they break the ties of the suite."""
    made = wl.studies.audit(suite, models=claim.models, metrics=claim.metrics, break_ties=None, repair=False)
    assert list(claim.profiles) == list(made.datasets), "the datasets are not the suite's"
    for name, one in made.datasets.items():
        shown, ranked = claim.profiles[name], one.profile
        assert (shown.models, shown.voters) == (ranked.models, ranked.voters), f"{name}: models or metrics differ"
        for before, after in zip(ranked.ranks.tolist(), shown.ranks.tolist(), strict=True):
            pairs = [(i, j) for i in range(len(before)) for j in range(len(before)) if before[i] < before[j]]
            assert all(after[i] < after[j] for i, j in pairs), f"{name}: the rankings are none of the suite's"
    return least_repair(claim.profiles, claim.goal, drop=claim.drop, models=claim.models, metrics=claim.metrics)


def _upset(claim, board):
    terms = {name: {} for name in ("cost", "step", "at_most", "best")}
    for task, one in claim.terms.items():
        for name, value in zip(terms, (one.cost, one.step, one.most, one.best), strict=True):
            terms[name] |= {} if value is None else {task: value}
    if claim.cost_unit == "result":
        del terms["best"], terms["step"]
    return wl.lp.upset(board, claim.model, space=claim.space, kind=claim.cost_unit, **terms)


def _asked_again(claim, board):
    """Ask the same answers anew; of a proved model also how far it may be behind where they hold."""
    if claim.settled:
        alone = wl.lp.shortlist(board, size=1, among=[claim.leader], rule=claim.rule, space=claim.allowed)
        assert alone.loss <= claim.loss
    options = {"loss": claim.loss, "equal": claim.equal, "rule": claim.rule, "space": claim.space, "seed": claim.seed}
    return wl.lp.ask(board, claim.answers, **options)


def _settle_again(claim, board, ask=wl.lp.settle, **more):
    bounds = {(model, task) if model else task: tuple(ends) for model, task, *ends in claim.limits}
    asked, prices = claim.claim, {(model, task): cost for model, task, cost in claim.prices}
    options = {"models": asked.models or None, "rule": claim.rule, "bounds": bounds or None, "cost": prices or None}
    return ask(board, asked.what, k=asked.k, **options, **more)


def _shortlist_again(claim, board):
    options = {"among": claim.among, "rule": claim.rule, "space": claim.space}
    loss = f"{100 * claim.loss}%" if claim.of_range and not claim.space.conditions else claim.loss
    if claim.costs:
        return wl.lp.shortlist(board, loss=loss, cost=claim.costs, **options)
    wanted = {"loss": loss} if isinstance(loss, str) else {"size": len(claim.frontier)}
    return wl.lp.shortlist(board, **wanted, **options)


def _draws_again(claim, source):
    return claim.reproduce(source)


def _depths(name):
    def ask(claim, source):
        return getattr(wl.domains, name)(source, weights=_given(claim))

    return ask


def _given(claim):
    """Return the weights that relations were given; None where they are their own."""
    data = claim.data
    weights = dict(zip(data.relations.items, data.weights, strict=True)) | dict.fromkeys(data.left_out, 0)
    return None if data.own else weights


def _no_estimate(board):
    """Return what shows that there are no estimates."""
    try:
        return wl.rules.rank(board, "bradley_terry")
    except wl.ImpossibleError as error:
        return error.proof


def _two_step(claim, board):
    weights = dict.fromkeys(board.groups, 0) | dict(zip(claim.steps, claim.weights, strict=True))
    first = next(iter(claim.steps.values())).rule
    return wl.rules.two_step(board, first, then=claim.final.rule, group_weights=weights)


AGAIN = {
    "audit": lambda claim, suite: _audit(
        claim,
        suite,
        claim.models,
        [*claim.metrics, *claim.weightless],
        repair=bool(claim.repairs or claim.unrepaired),
    ),
    "dataset_audit": _dataset_audit,
    "repair": _repair,
    "independence": _independence,
    "cycle_robustness": lambda claim, board: wl.graph.cycle_robustness(
        board, claim.cycle, scale=dict(zip(claim.table.tasks, claim.table.units, strict=True))
    ),
    "tukey_depth": _depths("tukey_depth"),
    "commonality_sharing": _depths("commonality_sharing"),
    "common_winner": lambda claim, board: _two_rules("common_winner")(claim, board, model=claim.asked),
    "disagreement": lambda claim, board: _two_rules("disagreement")(
        claim, board, reconcile=claim.reconciled is not None
    ),
    "discriminative_power": _of_rules("discriminative_power", "decimals"),
    "kemeny_gap": lambda claim, board: kemeny_gap(board, claim.ranking.rule),
    "majority_overview": lambda _, board: majority_overview(board),
    "maximal_lottery": lambda claim, board: wl.graph.maximal_lottery(board, duels=claim.duels),
    "metric_cycles": lambda claim, suite: wl.studies.metric_cycles(
        suite, metrics=claim.metrics, tolerance=claim.tolerance
    ),
    "no_bradley_terry_estimate": lambda _, board: _no_estimate(board),
    "omitted_scores": _draws_again,
    "two_step_ranking": _two_step,
    "upset": _upset,
    "asked": _asked_again,
    "shortlist": _shortlist_again,
    "settle": _settle_again,
    "least_proof": lambda claim, board: _settle_again(claim, board, wl.lp.least_proof),
    "replay": lambda claim, board: _settle_again(
        claim.hindsight,
        board,
        wl.studies.replay,
        orders=len(claim.costs),
        batch=claim.batch,
        rng=claim.seed,
    ),
    "mean_upset": lambda claim, board: wl.lp.upset(board, claim.model, rule="mean", space=claim.space),
    "user_ranking": lambda claim, board: wl.studies.user_ranking(
        board, claim.basic.rule, group_weights=claim.group_weights
    ),
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
    "pair_shares": _drawn("pair_shares", "pairs"),
    "changes": lambda claim, board: wl.studies.changes(claim.old, board),
    "check": lambda claim, board: wl.studies.check(
        board, claim.policy, against=None if claim.changes is None else claim.changes.old
    ),
    "fewest_drops": _drops_again,
    "fewest_lifts": lambda claim, board: _lifts_again(claim, board, claim.model),
    "lift_counts": lambda claim, board: _lifts_again(claim, board, None),
    "smallest_benchmark": _smallest_again,
    "missing": lambda claim, board: wl.lp.missing(board, rule=claim.rule, space=claim.space),
    "stability": lambda claim, board: wl.lp.stability(
        board, rule=claim.rule, space=claim.space, norm=claim.norms[0] if len(claim.norms) == 1 else None, of=claim.of
    ),
    "kemeny": lambda claim, board: wl.graph.kemeny(board, tie_penalty=claim.tie_penalty),
    "missing_score_pairs": lambda _, board: wl.graph.missing_score_pairs(board),
    "pareto_front": lambda _, board: wl.graph.pareto_front(board),
    "condorcet_winning_set": lambda _, board: wl.graph.condorcet_winning_set(board),
    "slater": lambda _, board: wl.graph.slater(board),
    "feedback_arcs": lambda claim, board: wl.graph.feedback_arcs(board, weighted=claim.weighted),
    "strongest_cycle": lambda _, board: wl.graph.strongest_cycle(board),
    "ranked_pairs": lambda claim, board: wl.graph.ranked_pairs(
        board, strength=claim.strength, tie_break=claim.tie_break
    ),
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
    "card": lambda claim, board: wl.studies.card(board, claim.rule),
    "micro_macro": lambda claim, board: wl.rules.micro_and_macro(board, claim.counts),
    "leave_one_out": lambda claim, board: wl.studies.leave_one_out(
        board, claim.rule, drop=claim.drop, top=max(2, claim.top)
    ),
    "task_subsets": _draws_again,
    "bootstrap": _draws_again,
    "paired": lambda claim, board: wl.studies.paired(
        board, claim.model, claim.rival, level=claim.level, repeats=claim.repeats, rng=claim.seed
    ),
    "noisy_verdicts": lambda claim, board: wl.studies.noisy_verdicts(
        board, over=claim.over, level=claim.level, space=claim.worst[0].space
    ),
    "rank_sets": lambda claim, board: wl.studies.rank_sets(
        board,
        claim.question.rule,
        level=claim.level,
        repeats=claim.repeats,
        rng=claim.seed,
        models=[model for model in board.models if model in {*claim.models, *claim.incomplete}],
    ),
    "effects": lambda claim, board: wl.studies.effects(
        board,
        claim.sets.question.rule,
        level=claim.sets.level,
        repeats=claim.sets.repeats,
        rng=claim.sets.seed,
        power=claim.power,
        margin=claim.margin,
        reference=claim.reference,
        models=[model for model in board.models if model in {*claim.sets.models, *claim.sets.incomplete}],
    ),
    "sweep": lambda claim, suite: wl.studies.sweep(
        suite,
        model_sets=claim.model_sets,
        metric_sets=claim.metric_sets,
        break_ties=claim.breakings,
        properties=claim.properties,
    ),
    "manipulation": lambda claim, _: claim.reproduce(),
}
"""The same question once more, with the parameters that a claim has."""
