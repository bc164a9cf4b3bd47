"""Scenarios by name: what ``--scenario`` asks to make small or large."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from weightlab.cli.inputs.tables import named
from weightlab.cli.terminal.show import headed, rounded, say, shown, table
from weightlab.data import Leaderboard
from weightlab.exceptions import InputError
from weightlab.lp import (
    Objective,
    Scenario,
    closest_to,
    fewest_tasks,
    least_weight,
    most_balanced,
    most_weight,
    widest_margin,
)

__all__ = ["SCENARIOS", "objectives_from", "print_scenario"]

PLAIN: dict[str, Callable[[], Objective]] = {
    "closest": closest_to,
    "closest-linf": lambda: closest_to(norm="linf"),
    "fewest-tasks": fewest_tasks,
    "fewest-tasks-strict": lambda: fewest_tasks(strict=True),
    "most-balanced": most_balanced,
    "widest-margin": widest_margin,
}
OF_A_TASK = {"least-weight": least_weight, "most-weight": most_weight}
SCENARIOS = (*PLAIN, *(f"{name}=TASK" for name in OF_A_TASK))
"""What may be asked for."""


def objectives_from(texts: Sequence[str], board: Leaderboard) -> list[Objective]:
    """Return the objectives that ``--scenario`` names, in turn.

    Raises
    ------
    InputError
        If one is unknown, or its task is.
    """
    return [_objective(text, board) for text in texts]


def _objective(text: str, board: Leaderboard) -> Objective:
    name, separator, task = text.partition("=")
    if not separator and name in PLAIN:
        return PLAIN[name]()
    if name in OF_A_TASK and task:
        try:
            return OF_A_TASK[name](named(task, board))
        except InputError as error:
            raise InputError(f"--scenario {text!r}: {error}") from None
    raise InputError(f"--scenario {text!r}: there are {', '.join(SCENARIOS)} (a TASK may be @GROUP)")


def print_scenario(found: Scenario) -> None:
    """Print the optimum in words, the weights, and the rivals that are nearest to a tie."""
    say(shown(found), "")
    strict = found.strict_weights if found.slack else None
    other = [Fraction(0)] * len(found.tasks) if strict is None else strict.tolist()
    headings = ["task", "weight", *(["weight that wins outright"] if strict is not None else [])]
    rows = [
        (shown(task), rounded(weight, 4), *([rounded(second, 4)] if strict is not None else []))
        for task, weight, second in zip(found.tasks, found.weights.tolist(), other, strict=True)
        if weight or second
    ]
    say(table(headings, rows, right=(1, 2)), "")
    tied = [shown(rival) for rival, lead in found.duels.items() if lead == found.margin]
    leads = "Ties" if not found.margin else "Leads by no more than was asked"
    say(headed([(leads, [", ".join(tied) or "nobody"]), ("Proof", [_proof(found)])]))


def _proof(found: Scenario) -> str:
    if str(found.proof) == "exact":
        return "checked in exact arithmetic"
    return "weights checked in exact arithmetic; that there are no fewer tasks rests on the solver's bound"
