"""Small tables with ties, gaps and weights, and one question for every kind of result about them."""

from __future__ import annotations

import csv
import io
import random
from dataclasses import dataclass, replace
from itertools import combinations

import weightlab as wl
from weightlab import checker
from weightlab.exceptions import EmptySpaceError, ImpossibleError
from weightlab.lp import WeightSpace
from weightlab.rules import kemeny_gap, majority_overview

NAMES = ["a", "b", "c", "d", "e", "x y", "1/2", "<b>", "\u00fc"]
TASKS = ["t", "u", "v", "w", "a", "gain of t", "1/2"]
HIGHEST = 4
DATASETS = 2
DOMAINS = ["single_peaked", "single_caved", "group_separable", "single_crossing", "value_restricted"]
RULES = ["mean", "borda", "copeland", "condorcet", "kemeny", "schulze", "baldwin", "plurality", "z_score", "minimax"]


@dataclass(frozen=True)
class World:
    """One table of small integers for each dataset, all of the same models and tasks, and what is declared of it."""

    models: tuple
    tasks: tuple
    cells: tuple
    weights: tuple
    groups: dict
    lower: tuple
    errors: tuple = ()

    def scores(self, dataset=0):
        """Return a table as columns by task."""
        return {
            task: dict(zip(self.models, column, strict=True))
            for task, column in zip(self.tasks, self.cells[dataset], strict=True)
        }

    def board(self):
        """Return the first table, with its weights and groups."""
        weights = dict(zip(self.tasks, self.weights, strict=True))
        beside = {task: dict(zip(self.models, column, strict=True)) for task, column in self._errors()}
        return wl.Leaderboard(
            self.scores(),
            weights=weights,
            groups=self.groups,
            lower_is_better=self.lower,
            standard_errors=beside or None,
        )

    def _errors(self):
        """Return tasks with their standard errors; none where the score is missing."""
        columns = zip(self.tasks, self.errors, self.cells[0], strict=bool(self.errors))
        return [
            (task, [None if score is None else one for one, score in zip(own, scores, strict=True)])
            for task, own, scores in columns
        ]

    def full(self):
        """Return the first table where a missing score is the lowest."""
        cells = tuple(tuple(tuple(one or 0 for one in column) for column in table) for table in self.cells)
        return replace(self, cells=cells).board()

    def suite(self):
        """Return all tables."""
        named = {f"data {number}": self.scores(number) for number in range(DATASETS)}
        return wl.Suite(named, lower_is_better=self.lower)

    def instances(self):
        """Return all tables, the tasks being instances of a task a table."""
        return wl.Instances({f"data {number}": self.scores(number) for number in range(DATASETS)})

    def profile(self, break_ties="alphabetical"):
        """Return the rankings of the first table, those of its ties broken."""
        return self.board().rankings(break_ties=break_ties)

    def relations(self):
        """Return the majority relations of all tables."""
        return self.suite().majority_relations(strict=False)

    def votes(self):
        """Return the votes of the tasks of the first table: each votes on each pair of which it has both scores."""
        file = io.StringIO()
        rows = csv.writer(file)
        rows.writerow(["model_a", "model_b", "winner", "weight"])
        for task, weight, column in zip(self.tasks, self.weights, self.cells[0], strict=True):
            way = -1 if task in self.lower else 1
            scores = {model: one for model, one in zip(self.models, column, strict=True) if one is not None}
            for (one, own), (other, its) in combinations(scores.items(), 2):
                won = "tie" if own == its else "model_a" if way * own > way * its else "model_b"
                rows.writerow([one, other, won, weight])
        return wl.read_votes(io.StringIO(file.getvalue()), weight="weight")

    def csv(self):
        """Return the first table as a file, and what must be declared beside it."""
        beside = self._errors()
        rows = [["model", *self.tasks, *(f"{task}_stderr" for task, _ in beside)]]
        columns = [*self.cells[0], *(own for _, own in beside)]
        rows += [[model, *own] for model, own in zip(self.models, zip(*columns, strict=True), strict=True)]
        text = "".join(",".join('"{}"'.format("" if one is None else one) for one in row) + "\n" for row in rows)
        weights = {task: checker.Fraction(weight) for task, weight in zip(self.tasks, self.weights, strict=True)}
        return text, checker.Declared(lower=self.lower, weights=weights, groups=self.groups)

    def edited(self, rng):
        """Return the tables with one score or one weight changed."""
        place = rng.randrange(len(self.tasks))
        if rng.random() < 0.2:
            weights = list(self.weights)
            weights[place] += 1
            return replace(self, weights=tuple(weights))
        dataset, row = rng.randrange(DATASETS), rng.randrange(len(self.models))
        tables = [[list(column) for column in table] for table in self.cells]
        old = tables[dataset][place][row]
        tables[dataset][place][row] = rng.choice([one for one in (None, *range(HIGHEST + 1)) if one != old])
        return replace(self, cells=tuple(tuple(map(tuple, table)) for table in tables))


def world(rng, *, gaps):
    """Return tables to ask about, drawn at random."""
    plain = rng.random() < 0.7
    models = tuple(NAMES[: rng.randint(3, 5)] if plain else rng.sample(NAMES, rng.randint(3, 5)))
    tasks = tuple(TASKS[: rng.randint(2, 4)] if plain else rng.sample(TASKS, rng.randint(2, 4)))
    highest = rng.choice([1, 2, HIGHEST, HIGHEST])

    def cell():
        return None if gaps and rng.random() < 0.15 else rng.randint(0, highest)

    cells = tuple(tuple(tuple(cell() for _ in models) for _ in tasks) for _ in range(DATASETS))
    if rng.random() < 0.25:  # each task turns the order of the one before: majorities have cycles
        order = list(range(len(models)))
        cells = (tuple((*order[turn:], *order[:turn]) for turn in range(len(tasks))), *cells[1:])
    weights = (1,) * len(tasks) if rng.random() < 0.5 else tuple(rng.choice([0, 1, 1, 2, 3]) for _ in tasks)
    groups = {"one": tasks[:1], "rest": tasks[1:]} if rng.random() < 0.4 else {}
    lower = tuple(task for task in tasks if rng.random() < 0.15)
    errors = ()
    if rng.random() < 0.25:
        kinds = rng.choice([[None, "0.25", "0.5", "1"], ["0.05", "0.25", "0.5"]])
        errors = tuple(tuple(rng.choice(kinds) for _ in models) for _ in tasks)
    return World(models, tasks, cells, weights if any(weights) else (1,) * len(tasks), groups, lower, errors)


def space_of(one, rng):
    """Return the space of all weights, or one with a condition of any form."""
    tasks = list(one.tasks)
    space, equal = WeightSpace(tasks), [1] * len(tasks)
    first, second = rng.sample(tasks, 2)
    return rng.choice(
        [
            None,
            None,
            space.at_most(first, "0.6"),
            space.at_least([first, second], "1/5"),
            space.fixed(first, "0.3"),
            space.no_less(second, first),
            space.near(equal, "0.7"),
            space.within("1/2", weights=equal),
            space.near(equal, "0.2", norm="linf").at_least(second, "0.1"),
            space.ratio(first, second, at_least="0.5", at_most=3),
            space.proportional([first, second], equal),
        ]
    )


LINEAR = ["majority"] * 3 + ["mean", "borda", "dowdall", "plurality", "veto"]


def _lp(name, rules=(), **fixed):
    """Return a question about a model under weights, by one of some rules."""

    def ask(one, rng):
        space, ruled = space_of(one, rng), {"rule": rng.choice(rules)} if rules else {}
        return getattr(wl.lp, name)(one.board(), rng.choice(one.models), space=space, **ruled, **fixed)

    return ask


def _all(name, source="board", rules=(), **fixed):
    """Return a question about all models under weights, by one of some rules."""

    def ask(one, rng):
        ruled = {"rule": rng.choice(rules)} if rules else {}
        return getattr(wl.lp, name)(getattr(one, source)(), space=space_of(one, rng), **ruled, **fixed)

    return ask


def _prospect(one, rng):
    rule = rng.choice(LINEAR)
    few = rule == "majority" and rng.random() < 0.5
    asked = {"rule": rule, "space": space_of(one, rng), "fewest_blockers": few}
    return wl.lp.prospect(one.board(), rng.choice(one.models), **asked)


def _ruled(rules):
    return lambda one, rng: wl.lp.prospect(
        one.board(), rng.choice(one.models), rule=rng.choice(rules), space=space_of(one, rng)
    )


def _scenario(one, rng):
    objectives = [
        wl.lp.closest_to(),
        wl.lp.closest_to(norm="linf"),
        wl.lp.closest_to([rng.randint(1, 3) for _ in one.tasks]),
        wl.lp.most_balanced(),
        wl.lp.least_weight([one.tasks[0]]),
        wl.lp.most_weight(list(one.tasks[:2])),
        wl.lp.widest_margin(),
        wl.lp.fewest_tasks(strict=rng.random() < 0.5),
    ]
    chosen = rng.sample(objectives, rng.randint(1, 2))
    asked = {"margin": rng.choice([0, 0, "1/1000"]), "space": space_of(one, rng), "rule": rng.choice(LINEAR)}
    return wl.lp.scenario(one.board(), rng.choice(one.models), chosen, **asked)


def _realisation(one, rng):
    pairs = [(x, y) for x in one.models for y in one.models if x != y]
    return wl.lp.realise(one.board(), rng.sample(pairs, rng.randint(1, 3)), space=space_of(one, rng))


def _contradiction(one, rng):
    tasks = rng.sample(one.tasks, 2)
    space = WeightSpace(one.tasks).at_least(tasks[0], "0.7").at_least(tasks[1], "0.6").at_most(tasks[0], 1)
    if rng.random() < 0.5:
        space = WeightSpace(one.tasks).at_least(tasks, "0.95").near([1] * len(one.tasks), "0.05")
    return _proof(lambda: wl.lp.prospects(one.board(), space=space))


def _no_estimate(one, rng):
    del rng
    return _proof(lambda: wl.rules.rank(one.full(), "bradley_terry"))


def _proof(question):
    """Return what shows that a question has no answer."""
    try:
        question()
    except (EmptySpaceError, ImpossibleError) as error:
        return error.proof
    raise wl.InputError("there is nothing to be shown")


def _domain(name, **fixed):
    def ask(one, rng):
        unbroken = rng.random() < 0.4
        return getattr(wl.domains, name)(one.board() if unbroken else one.profile(), **fixed)

    return ask


def _peaked(name):
    def ask(one, rng):
        if rng.random() < 0.4:
            return getattr(wl.domains, name)(one.board(), incomplete="solve")
        return getattr(wl.domains, name)(one.profile())

    return ask


def _graph(name, *options, source="board"):
    return lambda one, rng: getattr(wl.graph, name)(getattr(one, source)(), **rng.choice(options or [{}]))


def _rule(one, rng):
    return wl.rules.rank(one.board() if rng.random() < 0.5 else one.full(), rng.choice(RULES))


def _asked(one, rng):
    """Return what a few answers prove, which may be about equal, left open or in conflict."""
    answers = [
        (*rng.sample(one.models, 2), rng.choice(["first", "first", "equal", "skip"])) for _ in range(rng.randint(0, 3))
    ]
    asked = {"loss": rng.choice([0, 0, "1/2"]), "rule": rng.choice(["mean", "borda"]), "space": space_of(one, rng)}
    return wl.lp.ask(one.board(), answers, **asked)


def _settle(one, rng):
    """Return whether a claim holds, of models that it names or of some."""
    claim, size = rng.choice(["winner", "top", "order"]), rng.randint(1, len(one.models) - 1)
    named = rng.sample(one.models, 1 if claim == "winner" else size) if rng.random() < 0.5 else None
    options = {"k": None if claim == "winner" else size, "models": named, "bounds": (0, HIGHEST)}
    costs = rng.choice([None, {(one.models[0], one.tasks[0]): rng.randint(1, 3)}])
    return wl.lp.settle(one.board(), claim, rule=rng.choice(["mean", "majority", "borda"]), cost=costs, **options)


def _replay(board, claim, **options):
    return wl.studies.replay(board, claim, orders=2, rng=1, **options)


def _least_proof(one, rng, *, ask=wl.lp.least_proof, **options):
    """Return the cheapest scores that prove who is first, or the top."""
    claim, k = rng.choice([("winner", None), ("top", 1), ("order", 1)])
    costs = rng.choice([None, {one.models[0]: 2}, {(one.models[0], one.tasks[0]): 3}])
    rule = rng.choice(["mean", "majority", "borda"])
    return ask(one.full(), claim, k=k, rule=rule, bounds=(0, HIGHEST), cost=costs, **options)


def _shortlist(one, rng):
    """Return a set of a size, or of a loss in points or in percent, or the cheapest."""
    costs = {model: rng.randint(1, 3) for model in one.models}
    options = rng.choice([{"size": 1}, {"size": 2}, {"loss": 1}, {"loss": "50%"}, {"loss": "1/2", "cost": costs}])
    return wl.lp.shortlist(one.board(), rule=rng.choice(["mean", "borda"]), space=space_of(one, rng), **options)


def _study(name, *rest, source="full", **fixed):
    return lambda one, _: getattr(wl.studies, name)(getattr(one, source)(), *rest, **fixed)


def _found(result):
    if result is None:
        raise wl.InputError("there is none")
    return result


def _lifts(*, one_model):
    """Return a question about the fewest lifts of a model that wins, or of all models."""

    def ask(one, rng):
        options = {"ties": rng.choice(["no", "ok"]), "level": rng.choice(["best", "best", 1, "1/2"])}
        rule = rng.choice(["majority", "mean", "median", "mean_win_rate", "borda", list(range(len(one.models), 0, -1))])
        model = rng.choice(one.models) if one_model else None
        if rule != "median" and rng.random() < 0.3:
            options["space"] = space_of(one, rng)
        return wl.lp.fewest_lifts(one.full(), model, rule, **options)

    return ask


def _drops(one, rng):
    """Return the fewest drops of a winner or a pair, or the proof that none do."""
    drop, pair = rng.choice(["tasks", "tasks", "models"]), rng.choice([None, tuple(rng.sample(one.models, 2))])
    rules = ["majority", "mean", "median", "borda", "mean_win_rate"]
    try:
        return wl.lp.fewest_drops(one.full(), rng.choice(rules), drop=drop, pair=pair)
    except ImpossibleError as error:
        return error.proof


def _smallest(one, rng):
    """Return the smallest benchmark of a table without gaps, or the proof that there is none."""
    options = {"keep": rng.choice(["winner", "top", "order"]), "k": rng.randint(1, 3), "most": rng.choice([1, 1, 9])}
    options |= {"rule": rng.choice(["mean", "borda", "majority"]), "break_ties": rng.choice([None, None, "reverse"])}
    how = rng.choice(["free", "free", "today", "equal"])
    space = space_of(one, rng) if how == "free" else None
    try:
        return wl.lp.smallest_benchmark(one.full(), weights=how, space=space, margin="1/50", rng=0, **options)
    except ImpossibleError as error:
        return error.proof


def _older(one):
    """Return another version of a table: the scores of the models the other way round."""
    now = one.full()
    frame = now.to_pandas()
    return wl.Leaderboard(frame.iloc[::-1].set_axis(frame.index), lower_is_better=now.lower_is_better)


def _check(one, rng):
    """Return whether a table keeps some rules, against an older version or alone."""
    rules = {
        "winner_stable_by": "5%",
        "never_above_place": 3,
        "acyclic_top": True,
        "directions_declared": True,
        "missing": 1,
        "score_range": [0, 10],
        "saturated": 1,
        "rank_level": 0.9,
        "unmoved_by_newcomers": "borda",
    }
    policy = {rule: rules[rule] for rule in rng.sample(list(rules), 4)}
    old = _older(one).select(models=one.models[1:]) if rng.random() < 0.5 else None
    return wl.studies.check(one.full(), policy, against=old)


OF_MARGINS = ["condorcet", "copeland", "minimax", "kemeny", "schulze", "ranked_pairs", "split_cycle"]
"""Rules that votes can be ranked by."""
STRENGTHS = [{"strength": "margins"}, {"strength": "winning_votes"}]
TWO = ["mean", "borda"]

QUESTIONS = {
    "agreement": _study("agreement", TWO),
    "audit": _study("audit", source="suite"),
    "bootstrap": _study("bootstrap", "borda", repeats=8, rng=0),
    "broken_cycle": lambda one, rng: wl.lp.break_cycle(
        one.board(), norm=rng.choice(["l1", "linf"]), space=space_of(one, rng)
    ),
    "changes": lambda one, _: wl.studies.changes(_older(one), one.full()),
    "check": _check,
    "paired": lambda one, rng: wl.studies.paired(one.board(), *rng.sample(one.models, 2), repeats=200),
    "common_winner": lambda one, rng: wl.studies.common_winner(
        one.full(), *rng.sample(["mean", "borda", "plurality"], 2)
    ),
    "commonality_sharing": lambda one, _: wl.domains.commonality_sharing(one.relations()),
    "comparison": lambda one, rng: wl.rules.compare(one.full(), rng.sample(RULES, 3)),
    "condorcet_domain": _domain("condorcet_domain"),
    "contradiction": _contradiction,
    "cycle_robustness": lambda one, rng: _found(
        wl.graph.most_robust_cycle(one.board(), by=rng.choice(["buffer", "radius"]))
    ),
    "dataset_audit": lambda one, _: next(iter(wl.studies.audit(one.suite()).datasets.values())),
    "deepest_order": lambda one, _: wl.domains.deepest_order(one.relations()),
    "disagreement": lambda one, rng: wl.studies.disagreement(one.full(), *rng.sample(["mean", "borda", "copeland"], 2)),
    "discriminative_power": _study("discriminative_power", TWO),
    "dispersion": _study("dispersion", TWO, repeats=3, rng=0),
    "distance_restricted": lambda one, rng: wl.domains.distance_restricted(one.profile(), degree=rng.randint(0, 3)),
    "duel_shares": _all("duel_shares", samples=20, rng=0),
    "condorcet_winning_set": _graph("condorcet_winning_set", {}),
    "duels": _all("duels"),
    "feedback_arcs": _graph("feedback_arcs", {"weighted": True}, {"weighted": False}),
    "fewest_drops": _drops,
    "fewest_lifts": _lifts(one_model=True),
    "group_separable": _domain("group_separable"),
    "independence: arrivals": _study("irrelevant_models", ["borda"], repeats=2, rng=0),
    "independence: flips": lambda one, rng: wl.studies.flips(one.suite(), by=rng.choice(one.tasks)),
    "independence: single changes": _study("single_changes", ["borda"]),
    "kemeny": _graph("kemeny", {}, {"tie_penalty": "1/2"}),
    "kemeny_gap": lambda one, _: kemeny_gap(one.board(), "borda"),
    "lift_counts": _lifts(one_model=False),
    "majority_overview": lambda one, _: majority_overview(one.board()),
    "majority_prospect": _ruled(["copeland", "minimax"]),
    "geometric_prospect": lambda one, rng: wl.lp.prospect(one.full(), rng.choice(one.models), rule="geometric_mean"),
    "partial_prospects": lambda one, rng: wl.lp.prospects(one.board(), rule=rng.choice(["copeland", "minimax"])),
    "manipulation": lambda _, rng: wl.studies.manipulation(
        TWO, models=3, tasks=2, instances=2, repeats=1, dispersions=[0.1], rng=rng.randrange(9)
    ),
    "map_of_winners": lambda one, _: wl.lp.map_of_winners(one.board(), list(one.tasks[:3])),
    "maximal_lottery": _graph("maximal_lottery", {"duels": "margins"}, {"duels": "signs"}),
    "metric_cycles": _study("metric_cycles", source="suite"),
    "missing": _all("missing"),
    "missing_score_pairs": _graph("missing_score_pairs"),
    "nearest": lambda one, rng: wl.domains.nearest(
        one.profile(), rng.choice(DOMAINS[:3]), drop=rng.choice(["models", "voters"])
    ),
    "necessarily": lambda one, rng: wl.domains.necessarily(one.board(), rng.choice(DOMAINS)),
    "no_bradley_terry_estimate": _no_estimate,
    "omitted_scores": _study("missing_scores", ["borda"], counts=[1], repeats=2, rng=0),
    "one_euclidean": _domain("one_euclidean"),
    "possibly": lambda one, rng: wl.domains.possibly(one.board(), rng.choice(DOMAINS)),
    "prospect": _prospect,
    "noisy_verdicts": lambda one, rng: wl.studies.noisy_verdicts(
        one.full(), over="standard_errors", level=rng.choice([0.5, 0.95]), space=space_of(one, rng)
    ),
    "prospects": _all("prospects", rules=LINEAR),
    "pareto_front": _graph("pareto_front", {}),
    "rank_sets": lambda one, rng: wl.studies.rank_sets(
        one.full(), rng.choice(["mean", "borda", "copeland", "schulze"]), level=rng.choice([0.5, 0.95]), repeats=100
    ),
    "effects": lambda one, rng: wl.studies.effects(
        one.full(),
        rng.choice(["mean", "borda", "copeland"]),
        margin=1,
        repeats=100,
        effect_size=rng.choice(["cohen_d", "akinshin_gamma"]),
    ),
    "rank_range": _lp("rank_range", rule="mean"),
    "rank_ranges": _all("rank_ranges", rule="borda"),
    "pair_shares": lambda one, rng: wl.lp.pair_shares(
        one.board(), [tuple(rng.sample(one.models, 2))], space=space_of(one, rng), samples=20, rng=0
    ),
    "rank_shares": _all("rank_shares", source="full", rule="mean", samples=20, rng=0),
    "ranked_pairs": _graph("ranked_pairs", *STRENGTHS),
    "ranking": _rule,
    "realisation": _realisation,
    "repair": lambda one, rng: wl.studies.audit(one.suite()).repair(rng.choice(["single_peaked", "acyclic"])),
    "scenario": _scenario,
    "schulze": _graph("schulze", *STRENGTHS),
    "single_caved": _peaked("single_caved"),
    "single_crossing": _domain("single_crossing"),
    "single_peaked": _peaked("single_peaked"),
    "single_peaked_on_tree": _domain("single_peaked_on_tree"),
    "slater": _graph("slater"),
    "smallest_benchmark": _smallest,
    "split_cycle": _graph("split_cycle", *STRENGTHS),
    "stability": _all("stability", rules=["majority", "majority", "mean", "borda"]),
    "strongest_cycle": lambda one, _: _found(wl.graph.strongest_cycle(one.board())),
    "sweep": _study("sweep", source="suite"),
    "task_sets": lambda one, rng: wl.lp.fewest_task_sets(
        one.board(), rng.choice(one.models), strict=rng.random() < 0.5, space=space_of(one, rng)
    ),
    "asked": _asked,
    "shortlist": _shortlist,
    "settle": _settle,
    "least_proof": _least_proof,
    "replay": lambda one, chance: _least_proof(one, chance, ask=_replay),
    "card": _study("card", source="board"),
    "micro_macro": lambda one, chance: wl.rules.micro_and_macro(
        one.full(), {task: chance.randrange(1, 9) for task in one.full().tasks}
    ),
    "leave_one_out": _study("leave_one_out", source="board"),
    "task_subsets": _study("task_removal", ["borda"], sizes=[1], repeats=2, rng=0),
    "tukey_depth": lambda one, _: wl.domains.tukey_depth(one.relations()),
    "two_step_ranking": lambda one, _: wl.rules.two_step(one.full(), "borda"),
    "mean_upset": lambda one, rng: wl.lp.upset(
        one.full(), rng.choice(one.models), rule="mean", space=rng.choice([None, "any"])
    ),
    "upset": lambda one, rng: wl.lp.upset(one.full(), rng.choice(one.models), kind=rng.choice(["score", "result"])),
    "user_ranking": _study("user_ranking", "borda"),
    "value_restricted": _domain("value_restricted"),
    "weight_ranges": _lp("weight_ranges", rules=LINEAR),
    "winning_region": _lp("winning_region", rules=LINEAR),
    "winning_shares": _all("winning_shares", samples=20, rng=0),
}
"""What asks for a result of each kind: from tables and chance; WeightlabError where these have none."""
QUESTIONS |= {
    "comparison: votes": lambda one, rng: wl.rules.compare(one.votes(), rng.sample(OF_MARGINS, 3)),
    "feedback_arcs: votes": _graph("feedback_arcs", {"weighted": True}, {"weighted": False}, source="votes"),
    "kemeny: votes": _graph("kemeny", {}, {"tie_penalty": "1/2"}, source="votes"),
    "majority_overview: votes": lambda one, _: majority_overview(one.votes()),
    "maximal_lottery: votes": _graph("maximal_lottery", {"duels": "margins"}, {"duels": "signs"}, source="votes"),
    "ranked_pairs: votes": _graph("ranked_pairs", *STRENGTHS, source="votes"),
    "ranking: votes": lambda one, rng: wl.rules.rank(one.votes(), rng.choice(OF_MARGINS)),
    "rank_sets: votes": lambda one, rng: wl.studies.rank_sets(
        one.votes(), rng.choice(["bradley_terry", "copeland", "kemeny"]), level=rng.choice([0.5, 0.95]), repeats=100
    ),
    "schulze: votes": _graph("schulze", *STRENGTHS, source="votes"),
    "slater: votes": _graph("slater", source="votes"),
    "split_cycle: votes": _graph("split_cycle", *STRENGTHS, source="votes"),
    "strongest_cycle: votes": lambda one, _: _found(wl.graph.strongest_cycle(one.votes())),
}
"""The same about votes, of which only the margins of duels are known."""

OF_RELATIONS = {"commonality_sharing", "deepest_order", "tukey_depth"}
OF_SUITE = {"audit", "dataset_audit", "repair", "sweep", "metric_cycles", "independence: flips"}
OF_FULL = {
    *("changes", "check", "fewest_lifts", "lift_counts"),
    *("agreement", "bootstrap", "common_winner", "comparison", "disagreement", "discriminative_power", "dispersion"),
    *("independence: arrivals", "independence: single changes", "no_bradley_terry_estimate", "omitted_scores"),
    *(
        "noisy_verdicts",
        "least_proof",
        "replay",
        "rank_sets",
        "effects",
        "rank_shares",
        "task_subsets",
        "two_step_ranking",
        "upset",
        "user_ranking",
    ),
}


def is_of_votes(name):
    """Tell whether a question is about votes."""
    return name.endswith(": votes")


def source_of(name, one):
    """Return what a result of a question is to be compared with."""
    if name == "manipulation":
        return None
    if is_of_votes(name):
        return one.votes()
    if name in OF_RELATIONS:
        return one.relations()
    return one.suite() if name in OF_SUITE else one.full() if name in OF_FULL else one.board()


@dataclass(frozen=True)
class Case:
    """A question that has an answer: asked again, with other tables or the same, it makes the same choices."""

    name: str
    world: World
    choices: str

    def ask(self, one):
        """Return the answer about tables."""
        return QUESTIONS[self.name](one, random.Random(self.choices))


def case(name, seed):
    """Return a question that has an answer; tables are drawn until there is one."""
    for attempt in range(200):
        choices = f"{seed}/{name}/{attempt}"
        rng = random.Random(choices)
        made = Case(name, world(rng, gaps=rng.random() < 0.3), choices)
        try:
            result = made.ask(made.world)
            result.verify(source_of(name, made.world))
        except wl.WeightlabError:
            continue
        return made, result
    raise AssertionError(f"no table of 200 has a result of {name}")
