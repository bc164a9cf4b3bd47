"""Conditions on weights, said twice: to a WeightSpace, and as plain inequalities for the twins."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import weightlab as wl
from tests.dice import DICE
from tests.lp.brute_force import signs_of_changes, single_changes


@dataclass(frozen=True)
class Cut:
    """One condition: the method of WeightSpace that states it, its arguments, and what it means."""

    method: str
    arguments: tuple[Any, ...]
    options: dict[str, Any]
    inequalities: tuple[Any, ...]

    def __repr__(self):
        return f"{self.method}{self.arguments}{self.options or ''}"


def space_of(tasks, cuts):
    space = wl.lp.WeightSpace(tasks)
    for cut in cuts:
        space = getattr(space, cut.method)(*cut.arguments, **cut.options)
    return space


def inequalities_of(cuts):
    return [one for cut in cuts for one in cut.inequalities]


def meets(cuts, shares):
    """Tell whether weights meet every cut, straight from its inequalities."""
    return all(sum(a * b for a, b in zip(row, shares, strict=True)) <= bound for row, bound in inequalities_of(cuts))


def shares(count):
    """Return weightings as fractions that sum to 1, zeros among them."""
    return DICE.map(lambda dice: shares_of(dice, count))


def shares_of(dice, count):
    """Return a weighting as dice choose it."""
    drawn = [dice.below(7) for _ in range(count)]
    drawn = drawn if any(drawn) else [1, *drawn[1:]]
    return [Fraction(one, sum(drawn)) for one in drawn]


def some_cuts(tasks, least, most):
    """Return lists of so many conditions on weights of all kinds."""
    return DICE.map(lambda dice: cuts_of(dice, tasks, least, most))


def cuts_of(dice, tasks, least, most):
    """Return so many conditions on weights as dice choose them."""
    return [cut_of(dice, list(tasks)) for _ in range(dice.between(least, most))]


def cut_of(dice, tasks):
    """Return a condition on weights as dice choose it, which leaves some."""
    drawn = any_cut(dice, tasks)
    if drawn.method in {"near", "within", "proportional"}:
        return drawn
    if all(min(row) <= bound for row, bound in drawn.inequalities):
        return drawn
    return Cut("at_least", ([tasks[0]], 0), {}, (([-int(task == tasks[0]) for task in tasks], 0),))


def any_cut(dice, tasks):
    """Return a condition on weights as dice choose it, which may leave none."""
    kind = dice.one_of(["at_most", "at_least", "fixed", "no_less", "ratio", "near", "within", "proportional"])
    named, others = (dice.shuffled(tasks)[: dice.between(1, len(tasks))] for _ in range(2))
    share = dice.one_of([Fraction(0), Fraction(1, 5), Fraction(1, 3), Fraction(1, 2), Fraction(4, 5)])
    row = [int(task in named) for task in tasks]
    if kind in {"at_most", "at_least", "fixed"}:
        up, down = (row, share), ([-one for one in row], -share)
        meant = {"at_most": (up,), "at_least": (down,), "fixed": (up, down)}[kind]
        return Cut(kind, (named, share), {}, meant)
    if kind in {"no_less", "ratio"}:
        factor = 1 if kind == "no_less" else dice.one_of([Fraction(1, 2), Fraction(1), Fraction(3)])
        least = [factor * (task in others) - (task in named) for task in tasks]
        if kind == "no_less":
            return Cut(kind, (named, others), {}, ((least, 0),))
        side = dice.one_of(["at_least", "at_most"])
        meant = least if side == "at_least" else [-one for one in least]
        return Cut(kind, (named, others), {side: factor}, ((meant, 0),))
    centre = shares_of(dice, len(tasks))
    if kind in {"near", "within"}:
        norm = dice.one_of(["l1", "linf"]) if kind == "near" else "relative"
        functions = signs_of_changes(centre) if norm == "l1" else single_changes(centre)
        units = [part for part in centre for _ in range(2)] if kind == "within" else [1] * len(functions)
        meant = tuple(
            (list(one), share * unit + constant) for (one, constant), unit in zip(functions, units, strict=True)
        )
        return Cut(kind, *(((share, centre), {}) if kind == "within" else ((centre, share), {"norm": norm})), meant)
    if not any(centre[tasks.index(task)] for task in named):
        return Cut("at_most", (named, share), {}, ((row, share),))
    return Cut(kind, (named, centre), {}, tuple(_proportions(named, tasks, centre)))


def _proportions(named, tasks, centre):
    """Yield w_a c_b = w_b c_a for all pairs of the named tasks."""
    for a in named:
        for b in named:
            row = [Fraction(0)] * len(tasks)
            row[tasks.index(a)] += centre[tasks.index(b)]
            row[tasks.index(b)] -= centre[tasks.index(a)]
            if any(row):
                yield row, 0
