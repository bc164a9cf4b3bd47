"""``weightlab win --rule``: who can be first by another rule than winning every duel, and between which ranks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any

import pandas as pd

from weightlab._exact import fraction
from weightlab._result import Proof, Result, told_of
from weightlab._text import shown
from weightlab.cli.terminal.show import headed, say, table
from weightlab.data import Leaderboard
from weightlab.exceptions import InputError, UnknownNameError
from weightlab.lp import (
    MajorityProspect,
    RankRange,
    RankRanges,
    RuleProspect,
    Verdict,
    WeightSpace,
    prospect,
    rank_range,
    rank_ranges,
)
from weightlab.report.context import Unproved
from weightlab.report.text.prospect import Line
from weightlab.report.text.words import listed, mixture, named_shares, weights_line

DUELLING = ("copeland", "minimax")
"""Rules by margins: an integer program for each model, and no ranges of ranks."""
NAMED = ("mean", "borda", "dowdall", "plurality", "veto", *DUELLING)
"""Rules that are asked for by name."""
SECONDS = 10.0
"""So long is looked for an answer about one model by such a rule, where no time limit is given."""


def ask_rule(
    board: Leaderboard,
    rule: str,
    models: Sequence[str],
    unproved: Unproved,
    *,
    ways: Mapping[str, str | None],
    space: WeightSpace | None,
    time_limit: float | None,
) -> list[Result]:
    """Return what weights can do for models by a rule: of each that is named a prospect and its ranks, or all ranks.

    Parameters
    ----------
    rule : str
        ``mean``, ``borda``, ``dowdall``, ``plurality``, ``veto``, ``copeland``, ``minimax``, or points of the places
        with commas between, best first.
    models : sequence of str
        Empty asks for all.
    ways : mapping
        The ways with ties and missing scores; None leaves them to the rule.
    """
    limit = SECONDS if time_limit is None and rule in DUELLING else time_limit
    options: dict[str, Any] = {"rule": _rule(rule), "space": space, "time_limit": limit}
    options |= {name: way for name, way in ways.items() if way is not None}
    if not models and rule not in DUELLING:
        return _kept([unproved.ask(f"ranks by {rule}", partial(rank_ranges, board, **options))])
    found: list[Result | None] = []
    for model in dict.fromkeys(models or board.models):
        found.append(unproved.ask(shown(model), partial(prospect, board, model, **options)))
        if rule not in DUELLING:
            found.append(unproved.ask(f"{shown(model)}, ranks", partial(rank_range, board, model, **options)))
    return _kept(found)


def _kept(found: Iterable[Result | None]) -> list[Result]:
    return [one for one in found if one is not None]


def _rule(text: str) -> str | list[str]:
    """Return a rule's name, or the points that are written instead."""
    if "," not in text:
        if text not in NAMED:
            raise UnknownNameError("rule", text, NAMED, holder="list of rules for --rule")
        return text
    points = [part.strip() for part in text.split(",")]
    with told_of(f"--rule {text!r}", InputError):
        for point in points:
            fraction(point)
    return points


def print_by_rule(found: Sequence[Result]) -> None:
    """Print a table where all models were asked about, else each model's sentences and weights."""
    duels = [one for one in found if isinstance(one, MajorityProspect)]
    if len(duels) > 1:
        _print_duelling(duels)
        return
    for position, one in enumerate(found):
        if isinstance(one, RankRanges):
            _print_ranges(one)
            continue
        if position and not isinstance(one, RankRange):
            say("")
        say(shown(one), "", headed(_lines(one)), "")


def _lines(one: Result) -> list[Line]:
    if isinstance(one, RankRange):
        ends = ((f"Rank {one.best} under", one.best_weights), (f"Rank {one.worst} under", one.worst_weights))
        return [(heading, [_weights(weights)]) for heading, weights in ends]
    if isinstance(one, RuleProspect):
        lines = [("Best weights", [_weights(one.weights)])]
        if one.verdict is not Verdict.STRICT:
            lines.append(("Why it cannot be first alone", [mixture(named_shares(one.blockers))]))
        return lines
    if isinstance(one, MajorityProspect):
        return [("Best weights found", [_weights(one.weights)]), ("Proof", [_grounds(one)])]
    return []


def _print_ranges(found: RankRanges) -> None:
    say(shown(found), "")
    frame = found.summary()
    rows = [
        (shown(model), str(best), str(worst), _either(first, last))
        for model, best, worst, first, last in zip(frame.index, *(frame[name] for name in frame.columns), strict=True)
    ]
    say(table(["model", "best rank", "worst rank", "proof"], rows, right=(1, 2)), "")
    say(headed([("Can be first, alone or tied", [listed(found.possible_winners, 10)])]))


def _either(first: str, last: str) -> str:
    return first if first == last else f"best {first}, worst {last}"


def _print_duelling(found: Sequence[MajorityProspect]) -> None:
    order = list(Verdict)
    rows = [
        (shown(one.model), one.verdict.words, _grounds(one), _weights(one.weights))
        for one in sorted(found, key=lambda one: order.index(one.verdict))
    ]
    counts = {verdict: sum(1 for one in found if one.verdict is verdict) for verdict in Verdict}
    able = f"{counts[Verdict.STRICT]} can be the only winner, {counts[Verdict.WEAK]} can share the first place at best"
    say(f"By {found[0].rule}, of {len(found)} models {able}, {counts[Verdict.NEVER]} can never win.", "")
    say(table(["model", "verdict", "proof", "weights"], rows))


def _grounds(one: MajorityProspect) -> str:
    return "exact" if one.proof is Proof.EXACT else f"by the bound of {one.solver}"


def _weights(weights: pd.Series) -> str:
    return weights_line(named_shares(weights))
