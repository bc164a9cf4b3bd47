"""From a reading to what would have to be declared for it: explicit lists, which the reader acts on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from weightlab._cures import Cure, Fault
from weightlab._text import first_few, without
from weightlab.data.frame.declarations import suggests_lower
from weightlab.exceptions import FileFormatError
from weightlab.io.reading.drafts import Total
from weightlab.io.reading.own_weights import named_fractions
from weightlab.io.reading.reading import Certainty, Reading, Role
from weightlab.io.tables.declarations import Settings
from weightlab.io.tables.sheet import FileFaults


def explicit(reading: Reading) -> dict[str, Any]:
    """Return the keywords of the reader that state a whole reading, so that none of it is asked or found again."""
    made: dict[str, Any] = {"transpose": True} if reading.transposed else {}
    key = [one.name for one in reading.of(Role.KEY)]
    first = next((one.name for one in reading.columns if one.name not in reading.dropped), "")
    if not reading.transposed and key and key != [first]:
        made["name_column"] = key
    lists = {
        "drop": reading.dropped,
        "lower_is_better": reading.lower,
        "higher_is_better": tuple(
            one.name
            for one in reading.of(Role.TASK)
            if not one.lower and (one.certainty is Certainty.LIKELY or one.doubts)
        ),
        "missing_value": tuple(
            f"{one.name}={value}" for one in reading.of(Role.TASK) for value in one.missing if value
        ),
    }
    return made | {keyword: list(dict.fromkeys(its)) for keyword, its in lists.items() if its} | dict(reading.says)


def settled(declared: Settings, reading: Reading, header: Sequence[str], faults: FileFaults) -> Settings:
    """Return the declarations together with the whole reading, as the reader takes it: without patterns.

    What is declared of names that the table does not have is noted, or stays where others note it.
    """
    said = explicit(reading)
    values: dict[str, Any] = {}
    known = {*header, *reading.tasks}
    for keyword, tasks in (("lower_is_better", reading.lower), ("higher_is_better", _said_higher(reading))):
        if isinstance(declared.values.get(keyword), Mapping):
            continue  # which the data refuse
        own = [one for one in declared.listed(keyword) if one in known or not _means(one, declared, keyword, known)]
        values[keyword] = [*dict.fromkeys([*own, *tasks])]
    rows = [one.name for one in reading.columns if one.name not in header] if reading.transposed else []
    dropped = declared.columns("drop", [*header, *rows], faults)
    values["drop"] = [*dict.fromkeys([*dropped, *said.get("drop", ())])]
    values["missing_value"] = [*declared.listed("missing_value"), *said.get("missing_value", ())]
    by_itself = {"repeats_by", "weights"} & reading.says.keys() - declared.values.keys()
    values |= {keyword: reading.says[keyword] for keyword in by_itself}
    return declared.with_values(transpose=reading.transposed, **values)


def _said_higher(reading: Reading) -> list[str]:
    """Return the tasks on which higher is better though a word in the name suggests otherwise."""
    return [one.name for one in reading.of(Role.TASK) if not one.lower and suggests_lower(one.name)]


def _means(name: str, declared: Settings, keyword: str, known: set[str]) -> bool:
    """Return whether a name is a pattern that means some columns."""
    alone = declared.with_values(**{keyword: [name]})
    return bool(set(alone.columns(keyword, [*known], FileFaults(""))) & known)


def own_weights(reading: Reading, declared: Settings, faults: FileFaults) -> Mapping[str, Fraction]:
    """Return the weights of a board's own total, where they are known as fractions.

    Raises
    ------
    FileFormatError
        If there is no such column, it is no total, or its weights are not told by the rows.
    """
    name, where = str(declared.values["weights_from"]), declared.place("weights_from")
    totals = {one.name: one.total for one in reading.columns if one.total is not None}
    if "weights" in declared.values:
        faults.add(f"{where}: weights are declared, too; give one of them")
    if name not in totals:
        names = first_few(map(repr, totals), 6) or "none"
        raise FileFormatError(
            faults.name,
            Fault(
                f"{where}: {name!r} is not a total of other columns ({names})",
                *(Cure("weights_from", one) for one in [*totals][:1]),
            ),
        )
    whole = _shares(totals[name])
    if whole is None:
        raise FileFormatError(faults.name, f"{where}: {_unidentified(name, totals[name])}")
    weights = dict.fromkeys(reading.tasks, Fraction(0))
    for task, share in _unfolded(name, Fraction(1), totals).items():
        weights[task] = weights.get(task, Fraction(0)) + share
    if missing := without(weights, reading.tasks):
        inner = totals.get(missing[0])
        told = "is not a task" if inner is None else f"is not a task, and {_unidentified(missing[0], inner)}"
        raise FileFormatError(faults.name, f"{where}: {name!r} is made of {missing[0]!r}, which {told}")
    return weights


def _shares(total: Total) -> tuple[Fraction, ...] | None:
    """Return the weights of the parts of a mean, where they are known as fractions."""
    if "mean" not in total.kind:
        return None
    if total.kind == "mean":
        return (Fraction(1, len(total.parts)),) * len(total.parts)
    return named_fractions(total.weights) if total.weights else None


def _unidentified(name: str, total: Total) -> str:
    """Return that the weights of a total are not told by the rows, and between what they are known."""
    pairs = zip(total.parts, total.weights, strict=False)
    known = ", ".join(f"{part!r} between {low:.3g} and {high:.3g}" for part, (low, high) in pairs)
    return f"the weights of {name!r} are not identified{f': {known}' if known else ''}"


def _unfolded(part: str, share: Fraction, totals: Mapping[str, Total]) -> dict[str, Fraction]:
    """Return the weights of the tasks below a part, which may be a total itself whose weights are known."""
    shares = None if part not in totals else _shares(totals[part])
    if shares is None:
        return {part: share}
    found: dict[str, Fraction] = {}
    for one, inner in zip(totals[part].parts, shares, strict=True):
        for task, weight in _unfolded(one, share * inner, totals).items():
            found[task] = found.get(task, Fraction(0)) + weight
    return found
