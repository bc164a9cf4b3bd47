"""What an audit says, in tables and plain sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from weightlab._text import counted, listed, shown
from weightlab.data.suite import ALL_TASKS
from weightlab.domains.registry import domain_words
from weightlab.studies import Audit, DatasetAudit, Repair
from weightlab.studies.structure.properties import PROPERTIES
from weightlab.views.view import Facts, Table, View

SHOWN = 6
"""Models, datasets or head-to-heads named in a list."""


def left_out_notes(found: Audit) -> list[str]:
    """Return omissions and reasons: one line for models, one for metrics, one per dataset not audited."""
    notes = [f"{shown(dataset)} is not audited: {shown(why)}." for dataset, why in found.unaudited.items()]
    thinned = [one for one in found.datasets.values() if one.left_out]
    lacking = {model for one in thinned for model in one.left_out}
    if lacking:
        every = {model for one in found.datasets.values() for model in (*one.board.models, *one.left_out)}
        lack = f"{len(lacking):,} of {counted(len(every), 'model')} lack{'s' * (len(lacking) == 1)} a score"
        where = f"of {counted(len(thinned), 'dataset')}" if len(found.datasets) > 1 else "of the audit"
        notes.append(f"{lack} and {'is' if len(lacking) == 1 else 'are'} left out {where}.")
    empty = {one.dataset: one.lacking for one in found.datasets.values() if one.lacking}
    if empty:
        notes.append(
            f"No model has a score on {'; '.join(f'{shown(on)}: {listed(them)}' for on, them in empty.items())}."
        )
    if found.weightless:
        notes.append(f"Metrics of weight 0 have no say: {listed(found.weightless)}.")
    return notes


def dataset_rows(found: Audit) -> tuple[list[str], list[tuple[str, ...]]]:
    """Return the headings and one row per dataset: its size, its winner, a cycle if any, and its structure."""
    rows: list[tuple[str, ...]] = []
    for name, one in found.datasets.items():
        winner, cycle = one.majority.condorcet_winner, one.majority.cycle
        held = [domain_words(asked) for asked, claim in one.claims.items() if claim]
        rows.append(
            (
                shown(name),
                f"{len(one.board.models):,}",
                f"{len(one.board.tasks):,}",
                "none" if winner is None else shown(winner),
                "none" if cycle is None else f"of {len(cycle)} models",
                "all" if held and len(held) == len(one.claims) else listed(held, 3) or "none",
            )
        )
    return ["dataset", "models", "metrics", "Condorcet winner", "majority cycle", "structure"], rows


def dataset_heading(one: DatasetAudit) -> str:
    """Return a dataset's name and size, and what was left out of it."""
    left = "" if one.complete else f"; left out: {_left_out(one)}"
    return f"{shown(one.dataset)}: {one.size}, {'complete' if one.complete else 'incomplete'}{left}"


def property_rows(one: DatasetAudit) -> tuple[list[str], list[tuple[str, ...]]]:
    """Return the headings and one row per property: whether it holds, also under other tie-breaking, and why."""
    rows = []
    for name, claim in one.claims.items():
        ties = () if one.ties is None else (_under_ties(one, name),)
        rows.append((domain_words(name).removeprefix("a "), "yes" if claim else "no", *ties, shown(claim)))
    return ["property", "holds", *([] if one.ties is None else ["other ties"]), "witness"], rows


def _left_out(one: DatasetAudit) -> str:
    parts = [counted(len(one.left_out), "model")] if one.left_out else []
    parts += [f"metric {listed(one.lacking)}"] if one.lacking else []
    return ", ".join(parts)


def _under_ties(one: DatasetAudit, name: str) -> str:
    if one.ties is None:
        return ""
    some, every = one.ties.under_some(name), one.ties.under_every(name)
    if some is None or (some and every is None):
        return "undecided"
    return "same" if some == every else "depends"


def majority_lines(one: DatasetAudit) -> Iterator[tuple[str, list[str]]]:
    """Yield what the majority of a dataset's metrics says, heading by heading."""
    majority = one.majority
    winner = majority.condorcet_winner
    yield "Condorcet winner", ["none" if winner is None else shown(winner)]
    weak = "yes" if majority.weakly_transitive else f"no: {_triple(majority.triple or ())}"
    yield "Majority transitive", [f"{'yes' if majority.transitive else 'no'}; with ties counted: {weak}"]
    yield "Majority acyclic", ["yes" if majority.cycle is None else f"no: {_around(majority.cycle)}"]
    if majority.three_cycles:
        yield "Cycles of three models", [f"{majority.three_cycles:,}"]
    if one.robust_cycle is not None:
        yield "Cycle of the scores", [shown(one.robust_cycle)]
    if majority.tied:
        yield "Tied head-to-heads", [f"{len(majority.tied):,}"]
    if one.ties is not None and one.ties.open_duels:
        duels = [f"{a} / {b}" for a, b in one.ties.open_duels]
        yield "Head-to-heads decided by ties broken", [f"{len(duels):,}: {listed(duels, 3)}"]
    taus = one.agreement
    if taus.mean is not None and taus.least is not None:
        least = f"least {taus.least:.2f} ({shown(' and '.join(taus.farthest))})"
        yield "Kendall's tau among them", [f"mean {taus.mean:.2f}; {least}"]


def _triple(models: Sequence[str]) -> str:
    x, y, z = map(shown, models)
    return f"{x} beats or ties {y}, which beats or ties {z}, which beats {x}"


def _around(cycle: Sequence[str]) -> str:
    return shown(" > ".join([*cycle, cycle[0]]))


def suite_lines(found: Audit, asked: Sequence[Repair], *, full: bool = False) -> Iterator[tuple[str, list[str]]]:
    """Yield the verdict on the suite, heading by heading; ``full``: also what other tie-breaking would change."""
    every = len(found.datasets) + len(found.unaudited)
    yield "Audited", [f"{len(found.datasets)} of {counted(every, 'dataset')}, {_broken(found)}"]
    if every > 1:  # of one dataset its own lines say all this
        yield from _counts(found)
        together = found.together
        domain = "yes" if together.forms_condorcet_domain else f"no: {shown(together.why_no_domain)}"
        yield "Majorities a Condorcet domain", [domain]
        yield "Representative ranking", _representative(found)
        yield "Depends on how ties are broken", list(_ties(found, full=full))
    repairs = [one for one in (*found.repairs, *asked) if every > 1 or one.drop != "datasets"]
    wanted, voters = (
        "For all to be" if every > 1 else "For it to be",
        "tasks" if ALL_TASKS in found.datasets else "metrics",
    )
    for goal in dict.fromkeys(one.goal for one in repairs):
        ways = [_repair(one, voters) for one in repairs if one.goal == goal and one.dropped]
        told = ["drop nothing"] if not ways else [ways[0], *(f"or {one}" for one in ways[1:])]
        yield f"{wanted} {domain_words(goal)}", told
    for what, why in found.unrepaired.items():
        told = [f"what to drop is not known: {shown(why).replace('metrics', voters)}"]
        yield f"{wanted} {domain_words(what.partition(',')[0])}", told


def _counts(found: Audit) -> Iterator[tuple[str, list[str]]]:
    """Yield what holds on all, on some and on none of the datasets."""
    asked = {_heading(name): one for name, one in found.counts.items() if one.asked}
    held = [name for name, one in asked.items() if one.holds == one.asked]
    broken = [name for name, one in asked.items() if not one.holds]
    some = [f"{name} ({one.holds} of {one.asked})" for name, one in asked.items() if 0 < one.holds < one.asked]
    yield "On all datasets", [", ".join(held) or "none"]
    if some:
        yield "On some datasets", [", ".join(some)]
    yield "On no dataset", [", ".join(broken) or "none"]


def _heading(name: str) -> str:
    words = {
        "transitive": "majorities transitive",
        "weakly_transitive": "majorities transitive with ties counted",
        "acyclic": "majorities acyclic",
        "condorcet_winner": "a Condorcet winner",
    }
    return words.get(name) or domain_words(name)


def _broken(found: Audit) -> str:
    order = "in reverse alphabetical order" if found.break_ties == "reverse" else "alphabetically"
    return "ties kept" if found.break_ties is None else f"ties broken {order}"


def _representative(found: Audit) -> list[str]:
    together = found.together
    if together.why_not:
        return [f"none: {shown(together.why_not)}"]
    return [] if together.sharing is None else [shown(together.sharing)]


def _ties(found: Audit, *, full: bool) -> Iterator[str]:
    tied = [one for one in found.datasets.values() if one.ties is not None]
    if not tied:
        yield "nothing: no metric ties any two models"
        return
    changes = [
        f"{shown(dataset)} ({', '.join(map(domain_words, names))})" for dataset, names in found.tie_changes.items()
    ]
    told = "; ".join(changes) if full or len(changes) <= SHOWN else listed(found.tie_changes, SHOWN)
    yield f"properties: {told or 'none'}"
    duels = {one.dataset: len(one.ties.open_duels) for one in tied if one.ties is not None and one.ties.open_duels}
    named = [f"{dataset} {count}" for dataset, count in duels.items()]
    yield f"head-to-heads: {listed(named, SHOWN) if named else 'none'}"
    if not full:
        return
    undecided = [name for name in PROPERTIES if any(_under_ties(one, name) == "undecided" for one in tied)]
    if undecided:
        yield f"not decided for all breakings at once: {', '.join(map(domain_words, undecided))}"
    for how, one in found.among.items():
        if one is not found.together:
            acyclic = f"acyclic on {len(one.profiles) - len(one.cyclic)} of {len(one.profiles)}"
            ranking = f"No representative ranking: {one.why_not}." if one.why_not else str(one.sharing)
            yield f"with ties {how}: {acyclic}. {shown(ranking)}"


def _repair(repair: Repair, voters: str) -> str:
    rests = "" if repair.exact else f", according to {repair.solver}"
    what = counted(len(repair.dropped), (voters if repair.drop == "metrics" else repair.drop)[:-1])
    return f"drop {what}: {listed(repair.dropped, SHOWN)} (minimum{rests})"


def audit_view(found: Audit, asked: Sequence[Repair] = (), *, full: bool = False) -> View:
    """Return the verdict on a suite and its datasets; ``full``: each dataset's properties, with a witness for each."""
    blocks: list[Table | Facts | str] = [Facts(list(suite_lines(found, asked, full=full)))]
    many = len(found.datasets) > 1
    if many:
        blocks.append(Table(*dataset_rows(found), (1, 2), "Datasets", None))
    for one in found.datasets.values() if full or not many else ():
        blocks.append(Table(*property_rows(one), (), dataset_heading(one), None, titled=True))
        blocks.append(Facts(list(majority_lines(one))))
    if many and not full:
        blocks.append("Each dataset's properties, with a witness for each: --all.")
    return View(headline=shown(found), blocks=blocks, results=[found, *asked], picture=found)
