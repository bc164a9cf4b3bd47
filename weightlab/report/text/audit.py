"""What an audit says, in tables and plain sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from weightlab._text import shown
from weightlab._validate import counted
from weightlab.report.text.words import listed
from weightlab.studies import Audit, DatasetAudit, Repair
from weightlab.studies.structure.properties import PROPERTIES

SHOWN = 6
"""So many models, datasets or duels are named in a row."""


def left_out_notes(found: Audit) -> list[str]:
    """Return what was left out and why, a note a dataset."""
    notes = [f"{shown(dataset)} is not audited: {shown(why)}." for dataset, why in found.unaudited.items()]
    lacking = {model for one in found.datasets.values() for model in one.left_out}
    if lacking and len(found.datasets) > 1:
        every = {model for one in found.datasets.values() for model in (*one.board.models, *one.left_out)}
        lack = f"{len(lacking):,} of {counted(len(every), 'model')} lack{'s' * (len(lacking) == 1)} a score somewhere"
        notes.append(f"{lack} and {'is' if len(lacking) == 1 else 'are'} left out there.")
    if found.weightless:
        notes.append(f"Metrics of weight 0 have no say: {listed(found.weightless)}.")
    for dataset, one in found.datasets.items():
        if one.left_out:
            some = list(one.left_out)[:2]
            cells = "; ".join(f"{shown(model)} has no {listed(one.left_out[model], 3)}" for model in some)
            more = f"; and {len(one.left_out) - 2} more" if len(one.left_out) > 2 else ""
            notes.append(f"{shown(dataset)}: left out {counted(len(one.left_out), 'model')} ({cells}{more}).")
        if one.lacking:
            notes.append(f"{shown(dataset)}: no model has a score on {listed(one.lacking)}.")
    return notes


def dataset_heading(one: DatasetAudit) -> str:
    """Return a dataset's name and size, and what was left out of it."""
    size = f"{counted(len(one.board.models), 'model')} x {counted(len(one.board.tasks), 'metric')}"
    left = "" if one.complete else f"; left out: {_left_out(one)}"
    return f"{shown(one.dataset)}: {size}, {'complete' if one.complete else 'incomplete'}{left}"


def property_rows(one: DatasetAudit) -> tuple[list[str], list[tuple[str, ...]]]:
    """Return the headings and a row a property: whether it holds, also under other breakings of ties, and why."""
    rows = []
    for name, claim in one.claims.items():
        ties = () if one.ties is None else (_under_ties(one, name),)
        rows.append((name.replace("_", "-"), "yes" if claim else "no", *ties, shown(claim)))
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
        yield "Cycles of three models", [str(majority.three_cycles)]
    if one.robust_cycle is not None:
        yield "Cycle of the scores", [shown(one.robust_cycle)]
    if majority.tied:
        yield "Tied head-to-heads", [str(len(majority.tied))]
    if one.ties is not None and one.ties.open_duels:
        duels = [f"{a} / {b}" for a, b in one.ties.open_duels]
        yield "Head-to-heads decided by ties broken", [f"{len(duels)}: {listed(duels, 3)}"]
    taus = one.agreement
    if taus.mean is not None and taus.least is not None:
        least = f"least {taus.least:.2f} ({shown(' and '.join(taus.farthest))})"
        yield "Kendall's tau among metrics", [f"mean {taus.mean:.2f}; {least}"]


def _triple(models: Sequence[str]) -> str:
    x, y, z = map(shown, models)
    return f"{x} beats or ties {y}, which beats or ties {z}, which beats {x}"


def _around(cycle: Sequence[str]) -> str:
    return shown(" > ".join([*cycle, cycle[0]]))


def suite_lines(found: Audit, asked: Sequence[Repair]) -> Iterator[tuple[str, list[str]]]:
    """Yield the verdict on the suite, heading by heading."""
    every = len(found.datasets) + len(found.unaudited)
    yield "Audited", [f"{len(found.datasets)} of {counted(every, 'dataset')}, {_broken(found)}"]
    for name, count in found.counts.items():
        # One dataset is no sample of datasets: no interval.
        alone = count.asked == 1 and every == 1
        yield _heading(name), [("yes" if count.holds else "no") if alone else str(count)]
    together = found.together
    common = counted(len(together.models), "model")
    yield "Compared across datasets", [f"{common} in common"]
    domain = "yes" if together.forms_condorcet_domain else f"no: {shown(together.why_no_domain)}"
    yield "Majorities a Condorcet domain", [domain]
    yield "Representative ranking", _representative(found)
    yield "Under other breakings of ties", list(_ties(found))
    for repair in (*found.repairs, *asked):
        yield f"To make all {repair.goal.replace('_', '-')}", [_repair(repair)]
    for what, why in found.unrepaired.items():
        yield "What to drop is not known", [f"{what}: {shown(why)}"]


def _heading(name: str) -> str:
    words = {
        "transitive": "Majority transitive",
        "weakly_transitive": "Transitive counting ties",
        "acyclic": "Majority acyclic",
        "condorcet_winner": "Some Condorcet winner",
    }
    return words.get(name, name.replace("_", "-").capitalize())


def _broken(found: Audit) -> str:
    return "ties kept" if found.break_ties is None else f"ties broken: {found.break_ties}"


def _representative(found: Audit) -> list[str]:
    together = found.together
    if together.why_not:
        return [f"none: {shown(together.why_not)}"]
    return [] if together.sharing is None else [shown(together.sharing)]


def _ties(found: Audit) -> Iterator[str]:
    tied = [one for one in found.datasets.values() if one.ties is not None]
    if not tied:
        yield "nothing changes: no metric ties any two models"
        return
    changes = [f"{shown(dataset)} ({', '.join(names)})" for dataset, names in found.tie_changes.items()]
    yield f"properties that depend on them: {'; '.join(changes) if changes else 'none'}"
    duels = {one.dataset: len(one.ties.open_duels) for one in tied if one.ties is not None and one.ties.open_duels}
    named = [f"{dataset} {count}" for dataset, count in duels.items()]
    yield f"head-to-heads that depend on them: {listed(named, SHOWN) if named else 'none'}"
    undecided = [name for name in PROPERTIES if any(_under_ties(one, name) == "undecided" for one in tied)]
    if undecided:
        yield f"not decided for all breakings at once: {', '.join(undecided)}"
    for how, one in found.among.items():
        if one is not found.together:
            acyclic = f"acyclic on {len(one.profiles) - len(one.cyclic)} of {len(one.profiles)}"
            ranking = f"No representative ranking: {one.why_not}." if one.why_not else str(one.sharing)
            yield f"ties {how}: {acyclic}. {shown(ranking)}"


def _repair(repair: Repair) -> str:
    if not repair.dropped:
        return f"nothing to drop ({repair.drop})"
    rests = "" if repair.exact else f", says {repair.solver}"
    what = counted(len(repair.dropped), repair.drop[:-1])
    return f"drop {what}: {listed(repair.dropped, SHOWN)} (no fewer will do{rests})"
