"""Orders: one rule's ranking, rules side by side, ranges and joint intervals of ranks, what the majorities say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from weightlab import lp
from weightlab._result import Proof
from weightlab._text import level_text, listed, shown
from weightlab.data import Leaderboard
from weightlab.views.majority import overview_lines
from weightlab.views.verdicts import rank_rows, rule_rows
from weightlab.views.view import Facts, Table, View
from weightlab.views.words import Rows

if TYPE_CHECKING:  # the rules and the studies load all graphs, which those who ask about weights can do without
    from weightlab.graph import CondorcetWinningSet, CycleRobustness, ParetoFront
    from weightlab.rules import Comparison, MajorityOverview, MicroMacro, Ranking, Round, TwoStepRanking
    from weightlab.studies import LeaveOneOut, NoisyVerdicts, RankSets

TOP = 5
"""Models of each ranking compared."""


def noise_rows(found: NoisyVerdicts) -> Rows:
    """Return one row per model that can win head-to-head at best: verdicts with open leads lost, and won."""
    told, place = found.summary(), [verdict.words for verdict in lp.Verdict].index
    able = told[told["at best"] != lp.Verdict.NEVER.words]
    able = able.sort_values(["at worst", "at best"], key=lambda words: words.map(place), kind="stable")
    rows = [(shown(model), *words) for model, *words in able.itertuples(name=None)]
    return ["model", "if all open leads are lost", "if all are won"], rows, ()


def between_rows(found: lp.RankRanges) -> Rows:
    """Return one row per model: its best and worst rank, and what proves them."""
    open_ranks = [] if found.settled.all() else ["not excluded"]
    rows = [
        (shown(model), str(best), str(worst), *(found[model].not_excluded for _ in open_ranks), _either(first, last))
        for model, best, worst, first, last in found.summary().iloc[:, :4].itertuples(name=None)
    ]
    return ["model", "best rank", "worst rank", *open_ranks, "proof"], rows, (1, 2)


def _either(*ends: str) -> str:
    first, last = ("bound of HiGHS" if one == Proof.EXACT_WITNESS else one for one in ends)
    return first if first == last else f"best {first}, worst {last}"


def noise_view(found: NoisyVerdicts) -> View:
    """Return who can win head-to-head if every uncertain lead is lost, and if it is won."""
    table = Table(*noise_rows(found), caption="Verdicts with noise")
    never = len(found.summary()) - len(table.rows)
    more = f"Head-to-head, {never} more can never win, whatever the noise." if never else ""
    return View(headline=shown(found), blocks=[table, more], results=[found])


def ranges_view(found: lp.RankRanges) -> View:
    """Return between which ranks each model is, over the allowed weights."""
    can = Facts([("Can rank first, alone or tied", [listed(found.possible_winners, 10)])])
    table = Table(*between_rows(found), caption="Best and worst ranks", most=None)
    return View(headline=shown(found), blocks=[table, can], results=[found])


# One rule.


def ranking_rows(found: Ranking | TwoStepRanking) -> Rows:
    """Return one row per model, best first: its rank, the rule's score, the gap below, its rank in each step."""
    from weightlab.rules.ranking import score_texts  # noqa: PLC0415 - who ranks has loaded the rules

    steps = getattr(found, "steps", {})
    final: Any = getattr(found, "final", found)
    places = final.ranks.to_dict()
    if final.optimal is not None:
        places = dict(zip(final.models, final.optimal.places, strict=True))
    inner = {shown(name): step.ranks.to_dict() for name, step in steps.items()}
    inner |= {} if steps else _measured(final.source)
    scores = final.scores.tolist()
    exact = final.optimal is None and all(isinstance(score, Fraction) for score in scores)
    gaps = [_gap(scores, place) for place in range(len(scores))] if exact else []
    rows = []
    for place, (model, score) in enumerate(zip(final.scores.index, score_texts(scores), strict=True)):
        own = [str(one.get(model, "")) for one in inner.values()]
        rows.append((str(places[model]), shown(model), score, *gaps[place : place + 1], *own))
    headings = ["rank", "model", shown(final.rule.counts), *(["gap to next"] if exact else []), *inner]
    return headings, rows, (0, *range(2, len(headings)))


def _gap(scores: list[Fraction], place: int) -> str:
    """Return how far a score is ahead of the next one, if there is one, with three digits at least."""
    from weightlab.rules.ranking import score_text  # noqa: PLC0415 - as above

    if place + 1 == len(scores):
        return ""
    gap = scores[place] - scores[place + 1]
    return score_text(gap, 3)


def _measured(source: object) -> dict[str, dict[str, int]]:
    """Return a column that says on how many tasks each model has a score, where that differs."""
    if not isinstance(source, Leaderboard):
        return {}
    weighing = [task for task in source.tasks if source.weights[task]]
    counts = dict(zip(source.models, (~source.missing[weighing]).sum(axis=1).tolist(), strict=True))
    return {"tasks": counts} if len({*counts.values()}) > 1 else {}


def ranking_view(
    found: Ranking | TwoStepRanking,
    *,
    firm: Sequence[str] = (),
    sets: RankSets | None = None,
    ranges: lp.RankRanges | None = None,
    sizes: Any = None,
) -> View:
    """Return a ranking, with what is known of its ranks: joint intervals, ranges over weights, effect sizes."""
    final: Any = getattr(found, "final", found)
    told = [shown(found), *firm, *set_lines(sets), *(shown(one) for one in (ranges, sizes) if one is not None)]
    under = {} if ranges is None else _under_weights(ranges)
    names, cells, right = ranking_rows(found)
    headings = [*names[:3], *set_headings(sets), *(["under all weights"] if under else []), *names[3:]]
    rows = [
        (*row[:3], *set_cells(sets, model), *([under[model]] if under else []), *row[3:])
        for model, row in zip(final.scores.index, cells, strict=True)
    ]
    numbers = right if sets is None and not under else (0, 2, *(range(3, len(headings)) if sets is None else (3,)))
    rounds = [_round(number, one) for number, one in enumerate(final.rounds or (), start=1)]
    eliminated = Table(["round", "least", "most", "leave"], rounds, (0, 1, 2), "Rounds", None)
    results = [one for one in (found, ranges, sets if sizes is None else sizes) if one is not None]
    blocks = [Table(headings, rows, numbers, "Ranking", None), eliminated]
    return View(headline=tuple(told), blocks=blocks, results=results, picture=found if sets is None else sets)


def _under_weights(found: lp.RankRanges) -> dict[str, str]:
    """Return by model between which ranks it stays under the allowed weights."""
    told = {model: " to ".join(map(str, dict.fromkeys((found[model].best, found[model].worst)))) for model in found}
    return {model: text if found.settled[model] else f"{text} or more" for model, text in told.items()}


def _round(number: int, one: Round) -> tuple[str, ...]:
    from weightlab.rules.ranking import score_texts  # noqa: PLC0415 - as above

    scores = one.scores
    left = listed(one.left) if one.left else "none: all that are left tie"
    return (str(number), *score_texts([scores.iloc[-1], scores.iloc[0]]), left)


def set_cells(found: RankSets | None, model: str) -> tuple[str, ...]:
    """Return a model's set of ranks and its letters, as a table shows them; none where there are no sets."""
    if found is None:
        return ()
    low, high = found.rank_sets.get(model, ("", ""))
    letters = [str(found.classes.get(model, ""))] if _readable(found) else []
    return (str(low) if low == high else f"{low} to {high}", *letters)


def set_headings(found: RankSets | None) -> tuple[str, ...]:
    """Return the headings of those cells."""
    return () if found is None else (f"rank at {level_text(found.level)}", *(["letters"] if _readable(found) else []))


def set_lines(found: RankSets | None) -> tuple[str, ...]:
    """Return rank sets as a sentence."""
    letters = " Models that share a letter are not separated."
    return () if found is None else (f"{shown(found)}{letters if _readable(found) else ''}",)


def _readable(found: RankSets) -> bool:
    from weightlab.studies.confidence.letters import READABLE  # noqa: PLC0415 - as above

    return bool(found.classes.str.len().max() <= READABLE)


# Several rules.


def comparison_view(
    found: Comparison, *, top: int = TOP, ranks: bool = False, sets: Mapping[str, RankSets] | None = None
) -> View:
    """Return the winners by each rule and how far rules agree; also each model's rank, and its joint interval."""
    blocks: list[Any] = [Table(*rule_rows(found, min(top, len(found.models))), caption="Rules", most=None)]
    blocks += [Table(*rank_rows(found), caption="Ranks by rule", most=None)] if ranks else []
    if sets:
        rows = [(shown(model), *(set_cells(one, model)[0] for one in sets.values())) for model in found.ranks.index]
        right = tuple(range(1, len(sets) + 1))
        blocks += [tuple(map(shown, sets.values())), Table(["model", *sets], rows, right, "Joint rank intervals", None)]
    return View(headline=shown(found), blocks=blocks, results=[found, *(sets or {}).values()], picture=found)


def overview_view(
    found: MajorityOverview,
    robust: CycleRobustness | None = None,
    front: ParetoFront | None = None,
    few: CondorcetWinningSet | None = None,
) -> View:
    """Return the majority summary: winners, sets of models, cycles."""
    facts = Facts(list(overview_lines(found, robust, front=front, few=few)))
    results = [one for one in (found, robust, front, few) if one is not None]
    return View(headline=shown(found), blocks=[facts], results=results, picture=found.margins)


OF_LIFTS = {"majority": " (head-to-head)", "median": " (lower)"}
"""How drops of tasks read a rule, where that differs: of two middle scores, the median is the lower one."""


def differences_view(reasons: Sequence[tuple[str, lp.FewestDrops]]) -> View:
    """Return which tasks make rules differ on the winner, the fewest for each."""
    if not reasons:
        return View(headline="The rules that --why explains have the same winner.")
    rows = [
        (
            name + OF_LIFTS.get(str(one.rule), ""),
            one.model,
            one.rivals[0],
            "never" if one.tasks is None else listed(one.tasks, 5),
        )
        for name, one in reasons
    ]
    told = "unless dropped: the fewest tasks without which it is behind, as by the other rule. Proof checked exactly."
    table = Table(["by", "is ahead", "of", "unless dropped"], rows, (), "Why rules differ", None)
    return View(blocks=[table, told], results=[one for _, one in reasons])


def averages_view(found: MicroMacro) -> View:
    """Return both ranks of each model: by the average over tasks, and over instances."""
    from weightlab.rules.ranking import score_text  # noqa: PLC0415 - as above

    both = (found.macro, found.micro)
    rows = [
        (model, *(f"{one.ranks[model]} ({score_text(one.scores[model])})" for one in both))
        for model in found.macro.scores.index
    ]
    table = Table(["model", "macro rank (mean)", "micro rank (mean)"], rows, (1, 2), "Averages", None)
    return View(headline=str(found), blocks=[table], results=[found])


def leave_one_out_view(found: LeaveOneOut) -> View:
    """Return who is first without each task or model."""
    frame = found.to_frame()
    more = ["now complete, not ranked"] if bool(frame["now complete"].any()) else []
    rows = [
        [name, first, str(swaps), *([complete] if more else [])]
        for name, first, swaps, _, complete in frame.itertuples(name=None)
    ]
    headings = [f"without this {found.drop.removesuffix('s')}", "first", f"swaps in the top {found.top}", *more]
    left = f"Not ranked (missing scores): {listed(found.left_out)}." if found.left_out else ""
    table = Table(headings, rows, (2,), f"Without each of the {found.drop}")
    return View(headline=shown(found), blocks=[table, left], results=[found], picture=found)
