"""Documents altered at random, as somebody might who wants a false claim to pass, or the reader to break."""

from __future__ import annotations

import copy
import re
from fractions import Fraction

FRACTION = re.compile(r"-?\d+(/\d+)?", re.ASCII)
EXTREMES = [
    *("1/0", "0/0", "nan", "inf", "-1/1", "0/1", "1/1", "2/2", "1e999999", "1e3", "0.5", " 1/2", "1/2 ", "", "1/-2"),
    *("\u0661/\u0662", "1_0/1", "9" * 400 + "/7", "1/" + "9" * 400, "9" * 6000 + "/1", "\ud800", "\x1b[31m", "a\nb"),
    *("<script>", "\u202e", "x" * 3000, 10**30, -(10**30), 10**9, 10**12, 2**63, 2**31, -1, 0, 1, 2, 0.5, 1e308),
    *(float("nan"), float("inf"), True, False, None, [], {}, [[]], {"": None}, [None], "exact", "strict", "never"),
    *("weak", "HiGHS", "CBC", "condorcet", "kind"),
]
DEEP = 100_000


def places(part, path=()):
    """Yield the path of every part of a document."""
    if path:
        yield path
    steps = part.items() if isinstance(part, dict) else enumerate(part) if isinstance(part, list) else ()
    for step, inner in steps:
        yield from places(inner, (*path, step))


def place_in(part, rng):
    """Return the path of a part: any of all, or one met on a walk from the whole, which favours what stands high up."""
    if rng.random() < 0.4:
        return rng.choice(list(places(part)) or [()])
    path = ()
    while isinstance(part, dict | list) and part and (not path or rng.random() < 0.8):
        step = rng.choice(list(part) if isinstance(part, dict) else range(len(part)))
        part, path = part[step], (*path, step)
    return path


def part_at(document, path):
    """Return the part at a path."""
    for step in path:
        document = document[step]
    return document


def fraction_near(text, rng):
    """Return another fraction than a text ``p/q``."""
    value = Fraction(text)
    steps = [1, -1, Fraction(1, 2), Fraction(1, 10**9), -Fraction(1, 10**9), -value, -2 * value, value, -value / 2]
    other = value + rng.choice(steps)
    return (
        f"{other.numerator}/{other.denominator}"
        if rng.random() < 0.9
        else f"{2 * value.numerator}/{2 * value.denominator}"
    )


def leaf_near(value, rng, names):
    """Return another value of the same type."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + rng.choice([1, -1, 2, -value, -2 * value - 1])
    if isinstance(value, float):
        return value + rng.choice([1.0, -0.1, 1e-6])
    return text_near(value, rng, names) if isinstance(value, str) else rng.choice(EXTREMES)


def text_near(value, rng, names):
    """Return another text: a fraction for a fraction, signs for signs."""
    if is_fraction(value) and rng.random() < 0.8:
        return fraction_near(value, rng)
    if value and not value.strip("+0-1") and rng.random() < 0.8:
        at = rng.randrange(len(value))
        return value[:at] + rng.choice("+0-1") + value[at + 1 :]
    return rng.choice([rng.choice(names), value + "?", value[::-1], value.upper(), "", value + " "])


def another(value, rng, names, stock):
    """Return what to put in the place of a value."""
    draw = rng.random()
    if draw < 0.15:
        return copy.deepcopy(rng.choice(EXTREMES))
    if draw < 0.35:
        alike = [one for one in stock if type(one) is type(value)]
        return copy.deepcopy(rng.choice(alike or stock))
    if isinstance(value, list):
        return list_near(value, rng, stock)
    if isinstance(value, dict):
        return mapping_near(value, rng, names, stock)
    return leaf_near(value, rng, names)


def list_near(value, rng, stock):
    """Return a list with other items, or in another order."""
    made = list(value)
    at = rng.randrange(len(made)) if made else 0
    move = rng.choice(["drop", "double", "swap", "reverse", "turn", "empty", "shuffle", "more"])
    if move == "more" or not made:
        return [*made, copy.deepcopy(rng.choice(stock))]
    if move == "drop":
        del made[at]
    elif move == "double":
        made.insert(at, copy.deepcopy(made[at]))
    elif move == "swap":
        other = rng.randrange(len(made))
        made[at], made[other] = made[other], made[at]
    elif move == "shuffle":
        rng.shuffle(made)
    else:
        made = {"reverse": made[::-1], "turn": made[1:] + made[:1], "empty": []}[move]
    return made


def mapping_near(value, rng, names, stock):
    """Return an object with other entries, in another order, or with values that have changed places."""
    made = dict(value)
    if not made:
        return {rng.choice(names): copy.deepcopy(rng.choice(stock))}
    key, other = rng.choice(list(made)), rng.choice(list(made))
    move = rng.choice(["drop", "add", "rename", "swap", "reorder", "shift", "zero"])
    if move == "drop":
        del made[key]
    elif move == "add":
        made[rng.choice(names)] = copy.deepcopy(rng.choice(stock))
    elif move == "rename":
        new = rng.choice([*names, f"{key}?", ""])
        made = {new if name == key else name: one for name, one in made.items()}
    elif move == "swap":
        made[key], made[other] = made[other], made[key]
    elif move == "reorder":
        made = dict(sorted(made.items(), key=lambda _: rng.random()))
    elif move == "zero":
        made[key] = "0/1"
    elif is_fraction(made[key]) and is_fraction(made[other]):
        # What one loses the other gains: sums stay.
        step = rng.choice([Fraction(1, 10**6), Fraction(1, 7), Fraction(made[key])])
        for name, way in ((key, -1), (other, 1)):
            moved = Fraction(made[name]) + way * step
            made[name] = f"{moved.numerator}/{moved.denominator}"
    return made


def renamed(part, names):
    """Return a document in which names have been exchanged for others wherever they stand."""
    if isinstance(part, dict):
        return {names.get(name, name): renamed(one, names) for name, one in part.items()}
    if isinstance(part, list):
        return [renamed(one, names) for one in part]
    return names.get(part, part) if isinstance(part, str) else part


def altered(document, rng, names, others):
    """Return a document with one change, and where it was made.

    Parameters
    ----------
    document : JSON value
        It is not changed itself.
    names : sequence of str
        Models, tasks and parts that names may be exchanged for.
    others : sequence
        Documents from which parts may be taken.
    """
    document = copy.deepcopy(document)
    path = place_in(document, rng)
    draw = rng.random()
    if draw < 0.06:
        one, other = rng.sample(names, 2)
        place = path if rng.random() < 0.5 else ()
        return put(document, place, renamed(part_at(document, place), {one: other, other: one})), (*place, "~names")
    if draw < 0.16 and others:
        # The same place of another document, or its whole part of that name.
        found = same_place(rng.choice(others), path)
        if found:
            return put(document, path, copy.deepcopy(found[0])), (*path, "~other document")
    if draw < 0.24:
        fractions = [one for one in places(document) if is_fraction(part_at(document, one))]
        if fractions:
            path = rng.choice(fractions)
            return put(document, path, fraction_near(part_at(document, path), rng)), path
    if draw < 0.30 and path:
        holder = part_at(document, path[:-1])
        value = holder.pop(path[-1])
        if isinstance(holder, dict) and rng.random() < 0.4:
            holder[rng.choice(names)] = value
        return document, (*path, "~gone")
    everywhere = list(places(document))
    stock = [part_at(document, one) for one in rng.sample(everywhere, min(20, len(everywhere)))] or [None]
    value = part_at(document, path)
    return put(document, path, another(value, rng, names, stock)), path


def is_fraction(value):
    """Tell whether a value is a text ``p/q`` that one can count with."""
    fits = isinstance(value, str) and len(value) < 500 and FRACTION.fullmatch(value)
    return bool(fits) and int(value.partition("/")[2] or 1) != 0


def same_place(other, path):
    """Return the part of another document at a path, in a list; an empty one where there is none."""
    for step in path:
        try:
            other = other[step]
        except (KeyError, IndexError, TypeError):
            return []
    return [other]


def put(document, path, value):
    """Return a document with a value at a path, the document itself being changed."""
    if not path:
        return value
    part_at(document, path[:-1])[path[-1]] = value
    return document


def scrambled(text, rng):
    """Return a document's text altered as text, and how."""
    at = rng.randrange(len(text))
    move = rng.choice(["twice", "nan", "cut", "deep", "deep object", "digits", "letter", "mark", "page", "exponent"])
    key = rng.choice(re.findall(r'"(?:[^"\\]|\\.)*": ', text) or ['"kind": '])
    number = rng.choice(list(re.finditer(r"(?<=[ \[])-?\d+(?=[,\]}\n])", text)) or [None])
    if move == "twice":
        text = text.replace(key, f"{key}{rng.choice(['null', '1', '[]', '{}'])}, {key}", 1)
    elif move in {"nan", "digits", "exponent"} and number:
        new = {"nan": rng.choice(["NaN", "Infinity", "-Infinity"]), "digits": "9" * 5000, "exponent": "1e999999"}[move]
        text = text[: number.start()] + new + text[number.end() :]
    elif move == "cut":
        text = text[:at]
    elif move.startswith("deep"):
        inner = "[" * DEEP + "]" * DEEP if move == "deep" else '{"a":' * DEEP + "1" + "}" * DEEP
        text = text.replace(key, f'"deep": {inner}, {key}' if rng.random() < 0.5 else f"{key}{inner}, {key}", 1)
    elif move == "mark":
        text = "\ufeff" + text
    elif move == "page":
        text = (
            rng.choice(["<", "<html>", " <!doctype html><script class='weightlab-document' type='application/json'>"])
            + text
        )
    else:
        text = text[:at] + rng.choice('"{}[]:,0-+/\\n\u2028') + text[at + 1 :]
    return text, f"~text: {move}"
