"""Every regular expression of the package takes time linear in the text, also where the text is made to be slow."""

from __future__ import annotations

import ast
import gc
import importlib
import re
import signal
from collections import defaultdict
from pathlib import Path

import pytest

import weightlab
from tests.architecture import nodes_of

if not hasattr(signal, "setitimer"):
    pytest.skip("needs a clock of the processor's time", allow_module_level=True)

parser, constants = re._parser, re._constants  # the standard library's own reader of patterns

ROOT = Path(weightlab.__file__).parent
LENGTH = 60_000
MOST_SECONDS = 0.4
"""Of the processor, for what takes milliseconds in linear time, and two seconds or more in quadratic time."""
METHODS = {"fullmatch", "match", "search", "sub", "findall", "finditer", "split"}
FLAGS = {"IGNORECASE", "VERBOSE", "DOTALL", "MULTILINE", "ASCII"}


def is_of_re(node):
    return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "re"


def flags_of(call):
    named = [
        one.attr for part in (*call.args, *call.keywords) for one in ast.walk(part) if isinstance(one, ast.Attribute)
    ]
    return sum(getattr(re, one) for one in named if one in FLAGS)


def patterns_of(path, text):
    """Yield (where, pattern, methods) of a module: those with a name, those written where they are used."""
    module = importlib.import_module(".".join(["weightlab", *path.relative_to(ROOT).with_suffix("").parts]))
    for name, value in vars(module).items():
        if isinstance(value, re.Pattern) and f"{name} = re.compile(" in text:
            yield f"{path.stem}.{name}", value, USED[name] & METHODS or METHODS
    for node in nodes_of(text):
        called = node.func if isinstance(node, ast.Call) and is_of_re(node.func) else None
        if called is not None and called.attr in METHODS and isinstance(node.args[0], ast.Constant):
            yield f"{path.stem}:{node.lineno}", re.compile(node.args[0].value, flags_of(node)), {called.attr}
        inner = node.value if isinstance(node, ast.Attribute) and node.attr in METHODS else None
        if isinstance(inner, ast.Call) and is_of_re(inner.func) and isinstance(inner.args[0], ast.Constant):
            yield f"{path.stem}:{node.lineno}", re.compile(inner.args[0].value, flags_of(inner)), {node.attr}


SOURCES = {path: path.read_text(encoding="utf-8") for path in sorted(ROOT.rglob("*.py"))}
USED = defaultdict(set)
for text in SOURCES.values():
    for name, attribute in re.findall(r"\b(\w+)\.(?=(\w+))", text):
        USED[name].add(attribute)
FOUND = [one for path, text in SOURCES.items() if "import re\n" in text for one in patterns_of(path, text)]
SPELT = importlib.import_module("weightlab.io.tables.delimited").Spelling
FOUND += [(f"Spelling {sign}", SPELT(decimal=",", thousands=sign)._form, {"fullmatch"}) for sign in (".", " ", "")]


def letters(options):
    """Return some letters of a class, as the standard library parses it."""
    kinds = {
        constants.CATEGORY_DIGIT: "7",
        constants.CATEGORY_SPACE: " \n",
        constants.CATEGORY_WORD: "a7",
        constants.CATEGORY_NOT_WORD: "-",
        constants.CATEGORY_NOT_SPACE: "a-",
        constants.CATEGORY_NOT_DIGIT: "a-",
    }
    found = ""
    for operation, value in options:
        if operation is constants.LITERAL:
            found += chr(value)
        elif operation is constants.RANGE:
            found += chr(value[0])
        elif operation is constants.CATEGORY:
            found += kinds[value]
    if options and options[0][0] is constants.NEGATE:
        found = "".join(one for one in "a7 -.(<[" if one not in found)
    return found or "a"


def sample(parsed):
    """Return a short text that fits a parsed pattern, lookarounds apart."""
    text = ""
    for operation, value in parsed:
        if operation is constants.LITERAL:
            text += chr(value)
        elif operation in (constants.NOT_LITERAL, constants.ANY):
            text += "b" if value == ord("a") else "a"
        elif operation is constants.IN:
            text += letters(value)[0]
        elif operation is constants.BRANCH:
            text += sample(value[1][0])
        elif operation is constants.SUBPATTERN:
            text += sample(value[3])
        elif operation is constants.ATOMIC_GROUP:
            text += sample(value)
        elif operation in REPEATS:
            text += sample(value[2]) * value[0]
    return text


REPEATS = {constants.MAX_REPEAT, constants.MIN_REPEAT, constants.POSSESSIVE_REPEAT}


def attacks(parsed, marks, before=""):
    """Yield a beginning and what is repeated after it: for each repetition what it takes, after what stands before."""
    for place, (operation, value) in enumerate(parsed):
        head = before + sample(parsed[:place])
        if operation in REPEATS:
            _, most, body = value
            if most > 99:
                yield head, sample(body)
                own = "".join(letters(one[1]) for one in body if one[0] is constants.IN)
                anything = any(one[0] is constants.ANY or str(one[1])[:8] == "[(NEGATE" for one in body)
                yield from ((head, letter) for letter in {*own, *(marks if anything else ())})
            yield from attacks(body, marks, head)
        elif operation is constants.BRANCH:
            for one in value[1]:
                yield head, sample(one)
                yield from attacks(one, marks, head)
        elif operation in (constants.SUBPATTERN, constants.ATOMIC_GROUP):
            yield from attacks(value[3] if operation is constants.SUBPATTERN else value, marks, head)
    if not before:
        yield "", sample(parsed)  # the whole pattern again and again, and its beginnings
        yield from (("", sample(parsed[:place])) for place in range(1, len(parsed)))


class TooSlowError(Exception):
    """The clock ran out."""


def texts(pattern):
    """Yield texts of a pattern that could be slow: what fits at first, on and on, and does not fit in the end."""
    marks = {letter for letter in str(pattern.pattern) if not letter.isalnum()} - set("\\^$?*+{}") | set("\\")
    for head, pump in {*attacks(parser.parse(pattern.pattern, pattern.flags), marks), *(("", mark) for mark in marks)}:
        for tail in ("", "\x00", "a"):
            text = head + pump * (LENGTH // max(1, len(pump))) + tail
            yield text if isinstance(pattern.pattern, str) else text.encode("latin-1")


def is_slow(pattern, method, text):
    """Tell whether the clock runs out."""
    signal.setitimer(signal.ITIMER_VIRTUAL, MOST_SECONDS)
    try:
        found = getattr(pattern, method)(*([text[:0]] if method == "sub" else []), text)
        list(found) if method == "finditer" else None
    except TooSlowError:
        return True
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return False


def first_slow(pattern, methods):
    """Return what a pattern takes too long for twice, if anything; no garbage is collected meanwhile."""

    def stop(*_):
        raise TooSlowError

    old = signal.signal(signal.SIGVTALRM, stop)
    gc.disable()
    try:
        for text in texts(pattern):
            for method in methods:
                if is_slow(pattern, method, text) and is_slow(pattern, method, text):
                    return method, f"{text[:40]}...{text[-5:]}"
    finally:
        gc.enable()
        signal.signal(signal.SIGVTALRM, old)
    return None


@pytest.mark.parametrize(("where", "pattern", "methods"), FOUND, ids=[where for where, *_ in FOUND])
def test_a_pattern_takes_linear_time(where, pattern, methods):
    assert first_slow(pattern, methods) is None


@pytest.mark.parametrize("pattern", [r"\s*\|?\s*-", r"[|-]*-[|-]*", r"mean \(.*\)[^\w(]*", r"(?:a|b)*c?(?:a|b)*d"])
def test_a_pattern_of_quadratic_time_is_noticed(pattern):
    assert first_slow(re.compile(pattern), {"fullmatch"})


def test_patterns_are_found():
    assert len(FOUND) > 60
    assert all(methods for _, _, methods in FOUND)
