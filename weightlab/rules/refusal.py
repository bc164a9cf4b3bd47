"""Rules without an answer on a table, and why: what is left out of a comparison can be checked as well."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from weightlab._result import Record, ensure
from weightlab.exceptions import ImpossibleError, MissingScoresError, NoWinnerError, UnprovedError, WeightlabError
from weightlab.rules.inputs import InapplicableError
from weightlab.rules.registry import AnyRule, Rule

NO_ANSWER = (InapplicableError, MissingScoresError, NoWinnerError, ImpossibleError, UnprovedError)
"""What a rule raises that has no answer on a table, though another may have."""
UNTAKEN = "it has no option 'missing': to it a missing score is a tie"
"""The reason when a rule does not take the given option for missing scores."""
UNSOLVED = "the time limit passed before its program was solved"
"""The reason that no check can confirm: the rule is NP-hard, and the time limit was short."""


class Refusal(Record, eq=True):
    """A rule that has no answer on a table.

    Attributes
    ----------
    rule : Rule
        With its options.
    reason : str
        Why it has none.
    """

    rule: AnyRule
    reason: str


def refusal(rule: Rule, error: WeightlabError) -> Refusal:
    """Return why a rule has no answer, from what it raised."""
    unsolved = isinstance(error, UnprovedError) and _is_hard(rule)
    return Refusal(rule=rule, reason=UNSOLVED if unsolved else error.message)


def refusal_of(rule: Rule, ask: Callable[[Rule], object]) -> Refusal | None:
    """Return why a rule has no answer on a table, or None if it has one."""
    try:
        ask(rule)
    except NO_ANSWER as error:
        return refusal(rule, error)
    return None


def reasons(refusals: Sequence[Refusal]) -> dict[str, str]:
    """Return why rules have no answer, by rule."""
    return {str(one.rule): one.reason for one in refusals}


def check_refusals(refusals: Sequence[Refusal], answered: Mapping[str, object], ask: Callable[[Rule], object]) -> None:
    """Raise ProofError unless each rule, asked again, has no answer for the same reason, and none is listed twice.

    Rules that are NP-hard are not asked to solve anything: a passed time limit is not re-checked.
    """
    names = list(reasons(refusals))
    ensure(len(names) == len(refusals), "a rule is left out twice")
    for one, name in zip(refusals, names, strict=True):
        ensure(name not in answered, f"{name!r} is left out, and has an answer")
        if _is_hard(one.rule) and one.reason == UNSOLVED:
            continue
        if one.reason == UNTAKEN:
            ensure("missing" not in one.rule.parameters, f"{name!r} has an option 'missing'")
            continue
        ensure(not _is_hard(one.rule), f"{name!r} is left out only where it was not solved, not for: {one.reason}")
        found = refusal_of(one.rule, ask)
        ensure(found is not None, f"{name!r} is left out, and has an answer")
        ensure(found is None or found.reason == one.reason, f"{name!r} is left out for another reason: {found}")


def _is_hard(rule: Rule) -> bool:
    return "time_limit" in rule.parameters
