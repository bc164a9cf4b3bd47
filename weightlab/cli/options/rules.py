"""From the options of a command to a rule with its options."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from weightlab._cures import Fault
from weightlab._exact import fraction
from weightlab._result import told_of
from weightlab._text import listed, shown
from weightlab.cli.inputs.names import group_named
from weightlab.cli.inputs.tables import pairwise_gaps
from weightlab.cli.options.table import split_at_equals
from weightlab.cli.terminal.cures import as_options
from weightlab.cli.terminal.show import note
from weightlab.data import Leaderboard, Margins, Profile
from weightlab.data.linear_rule import rule_words
from weightlab.data.points import made_complete
from weightlab.exceptions import InputError
from weightlab.graph import MissingScorePairs, missing_score_pairs
from weightlab.rules import RULES, Needs, Rule, rule
from weightlab.rules.inputs import is_score
from weightlab.rules.registry import COMPARED
from weightlab.views.words import by_reason

TRUE = {"true", "yes", "on", "1"}
FALSE = {"false", "no", "off", "0"}
OWN_OPTIONS = re.compile(r",(?=[\w-]+=)")
"""Where one option ends and the next begins in ``borda:ties=max,missing=last``; vectors have commas of their own."""
ALIASES = {"avg": "mean", "average": "mean", "winrate": "mean_win_rate", "avgrank": "mean_rank", "wins": "copeland"}
"""What people call rules of other names."""


def values_from(given: list[str]) -> dict[str, str]:
    """Return the names and values of options ``NAME=VALUE``, split at the last ``=``; hyphens stand for underscores."""
    values: dict[str, str] = {}
    for text in given:
        name, separator, value = text.rpartition("=")
        if not separator or not name:
            raise InputError(f"--option {text!r}: write NAME=VALUE, such as --option k=3; the last '=' separates")
        values[name.replace("-", "_")] = value
    return values


def options_from(chosen: Rule, values: dict[str, str]) -> dict[str, Any]:
    """Return those of the values that the rule has an option for, as what the option takes."""
    known = chosen.parameters
    return {name: _value(name, text, known[name]) for name, text in values.items() if name in known}


def rule_from(name: str, values: dict[str, str], *, option: str = "--rule") -> Rule:
    """Return the rule that options describe; its name may carry its own options, as in ``borda:ties=max``."""
    plain, _, own = name.partition(":")
    called = ALIASES.get(re.sub(r"[^a-z]", "", plain.casefold()))
    if called is not None:
        note(f"Rule {shown(repr(plain))} is read as {called}.")
    with told_of(f"{option} {name!r}", InputError):
        chosen = rule(called or plain)
        given = {**values, **values_from(OWN_OPTIONS.split(own) if own else [])}
        unknown = {one: text for one, text in given.items() if one not in chosen.parameters}
        return chosen.using(**{**unknown, **options_from(chosen, given)})


def ensure_reads_margins(chosen: Rule, data: Leaderboard | Profile | Margins) -> None:
    """Raise InputError if a rule reads scores or places and the file holds votes or margins."""
    if isinstance(data, Margins) and chosen.needs is not Needs.MARGINS:
        known = ", ".join(name for name, one in RULES.items() if one.needs is Needs.MARGINS)
        raise InputError(
            f"--rule {chosen.name!r} reads {chosen.needs} on tasks, and this file holds duels alone; "
            f"give one of {known}"
        )


def group_weights_from(given: list[str], groups: Sequence[str]) -> dict[str, str] | None:
    """Return the weights of groups that options ``GROUP=WEIGHT`` say, or None."""
    pairs = (split_at_equals(text, "--group-weight", "GROUP=WEIGHT") for text in given)
    return {group_named(name, groups): weight for name, weight in pairs} or None


SKIPPED = {"borda": "each pair of models is compared on the tasks that both have"}
"""What a rule makes of missing scores that it skips."""


def note_gaps(board: Leaderboard, *chosen: Rule) -> None:
    """Say on standard error what rules make of missing scores, and which one where they do not all do the same."""
    weights = board.weights
    gaps = [f"{shown(model)} on {shown(task)}" for model, task in board.missing_cells if weights[task]]
    told: dict[str, list[str]] = {}
    for one in chosen if gaps else ():
        told.setdefault(_gaps_by(board, one, listed(gaps)), []).append(one.name)
    for text, names in told.items():
        if text:
            by = listed((rule_words(name) for name in dict.fromkeys(names)), COMPARED)
            note(text if len(told) == 1 else f"{by[:1].upper()}{by[1:]}: {text}")


def _gaps_by(board: Leaderboard, chosen: Rule, cells: str) -> str:
    """Return a rule's treatments of missing scores; empty if it needs all scores."""
    missing = chosen.options.get("missing", "error")
    if is_score(missing):
        return f"Missing scores count as {missing}: {cells}."
    if chosen.options.get("unlisted") == "last":
        return f"Models are last where they have no score: {cells}."
    if chosen.needs is Needs.MARGINS:
        return pairwise_gaps(board)
    ways = {
        "last": "Missing scores count as tied last places",
        "skip": f"Missing scores are skipped ({SKIPPED.get(chosen.name, 'means are over the tasks that a model has')})",
        "median": "Missing scores count as the task's median",
    }
    way = ways.get(missing)
    return "" if way is None else f"{way}: {cells}."


def pairs_of_gaps(board: Leaderboard) -> tuple[MissingScorePairs, ...]:
    """Return which head-to-heads rest on missing scores, if any do, with a note on standard error unless disabled."""
    found = missing_score_pairs(board) if board.missing_cells else None
    if found is None or not found.pairs:
        return ()
    note(shown(found))
    return (found,)


def note_left_out(reasons: Mapping[str, str], source: object = None) -> None:
    """Say on standard error which rules have no answer on the table, why, and how to fill a leaderboard's gaps."""
    for line in by_reason(reasons):
        note(f"Left out: {line.rstrip('.')}.")
    for_gaps = any("missing score" in reason for reason in reasons.values())
    if for_gaps and isinstance(source, Leaderboard) and source.missing_cells:
        cures = made_complete(source.missing_cells, source.models, source.tasks)
        note(Fault("Missing scores leave rules out.", *cures).told(as_options))


def yes_or_no(text: str) -> bool:
    """Return the meaning of a word such as ``yes``, ``true``, ``off`` or ``0`` means.

    Raises
    ------
    InputError
        If it means neither.
    """
    folded = text.casefold()
    if folded not in TRUE | FALSE:
        raise InputError(f"is yes or no; got {text!r}")
    return folded in TRUE


def _value(name: str, text: str, default: Any) -> Any:
    if isinstance(default, bool):
        try:
            return yes_or_no(text)
        except InputError as error:
            raise InputError(f"{name} {error}") from None
    if name in {"vector", "tie_break"} and "," in text:
        return text.split(",")
    return float(fraction(text)) if name == "time_limit" else text
