"""Every cure that an error or a warning carries is one: the call goes on with it, or fails for another reason."""

from __future__ import annotations

import ast
import gzip
import inspect
import io
import sqlite3
import sys
import tempfile
import warnings
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import islice
from pathlib import Path

import pytest

import weightlab as wl
from tests.io.evaluations.helm_files import run_folder, stat
from tests.io.evaluations.result_files import lm_eval_file, mteb_file
from tests.io.evaluations.test_lm_eval import old_file
from tests.io.evaluations.test_open_llm import as_csv, second
from tests.io.sources.test_packed import zipped
from weightlab import exceptions, lp, rules, studies
from weightlab._cures import Cure, Spoken
from weightlab.cli.terminal.cures import OPTIONS
from weightlab.io.tables.declarations import KEYS

UNKNOWN = wl.Leaderboard({"x": {"a": 3, "b": 2}, "y": {"a": None, "b": 1}})
FUNCTIONS = (ast.FunctionDef, ast.Lambda)


def table(text, **given):
    return wl.read_leaderboard(io.StringIO(text), **given)


def raw(data, name, **given):
    held = io.BytesIO(data)
    held.name = name
    return wl.read_leaderboard(held, **given)


def workbook():
    openpyxl = pytest.importorskip("openpyxl", reason="Excel workbooks need openpyxl")
    book, held = openpyxl.Workbook(), io.BytesIO()
    for row in (["model", "x"], ["a", 1], ["b", 2]):
        book.active.append(row)
    book.save(held)
    return held.getvalue()


def votes(text, **given):
    return wl.read_votes(io.StringIO(text), **given)


def in_a_folder(call, **given):
    with tempfile.TemporaryDirectory() as folder:
        return call(Path(folder), **given)


def foo(at, **given):
    (at / "t.foo").write_text("model,x\na,1\nb,2\n", encoding="utf-8")
    return wl.read_leaderboard(at / "t.foo", **given)


def database(*tables):
    with tempfile.TemporaryDirectory() as folder:
        held = sqlite3.connect(Path(folder) / "t.sqlite")
        for name in tables:
            held.execute(f"create table {name} (model text, x real)")
            held.executemany(f"insert into {name} values (?, ?)", [("a", 1), ("b", 2)])  # noqa: S608 (names of ours)
        held.commit()
        held.close()
        return (Path(folder) / "t.sqlite").read_bytes()


def kinds_of_tables(at, **given):
    for name, column in (("p1", "x"), ("p2", "x"), ("q1", "y"), ("q2", "y")):
        (at / f"{name}.csv").write_text(f"model,{column}\n{name},1\n{name}b,2\n", encoding="utf-8")
    return wl.read_leaderboard(at, **given)


def results(write, **given):
    """Read a folder of results that a function writes; what is no keyword of the reader is a key of its TOML file."""
    called = inspect.signature(wl.read_leaderboard).parameters
    keys = {name: value for name, value in given.items() if name not in called}
    rest = {name: value for name, value in given.items() if name in called}
    with tempfile.TemporaryDirectory() as folder:
        return wl.read_leaderboard(write(Path(folder)), config=keys, **rest)


def helm(at):
    also = [stat("num_bytes", 3), stat("exact_match", 0.25, split="valid")]
    also += [stat("exact_match", 0.5, perturbation="typos"), stat("num_bytes", 4, perturbation="typos")]
    for model, score in (("a", 1), ("b", 0.5)):
        run_folder(at, model, {"exact_match": score}, stats=also)
    return at


def unknown_metric(at):
    for model, score in (("a", 1), ("b", 0.5)):
        lm_eval_file(at, model, {"arc": {"oddness,none": score}})
    return at


def checkpoints(at):
    for step in ("1", "2"):
        old_file(at / f"at{step}" / f"step{step}.json", "a", step, {"arc": {"acc": int(step) / 4}})
    return at


def mteb(at):
    for model, score in (("a", 1), ("b", 0.5)):
        mteb_file(at, model, "Banking", {"eng": score})
    return at


def open_llm(*rows):
    def write(at):
        (at / "t.csv").write_text(as_csv(rows).getvalue(), encoding="utf-8")
        return at / "t.csv"

    return write


def read_only(board):
    """Return a table that was made of a frame: names that suggest a direction are doubted there."""
    return board


FULL = wl.Leaderboard({"x": {"a": 3, "b": 1, "c": 2}, "y": {"a": 1, "b": 2, "c": 4}, "z": {"a": 1, "b": 3, "c": 2}})
GAPS = wl.Leaderboard({"x": {"a": 3, "b": 1, "c": 2}, "y": {"a": 1, "b": 2, "c": None}})
FEW = wl.Leaderboard({"x": {"a": 3, "b": 1, "c": 2}, "y": {"a": 1, "b": None, "c": None}})
APART = wl.Leaderboard({"x": {"a": 3, "b": None, "c": 2}, "y": {"a": None, "b": 2, "c": 1}})
SELDOM, OFTEN = (
    wl.Leaderboard({f"t{k}": {one: (place * k) % 7 if k % step != place else None for place, one in enumerate("abc")}
                    for k in range(12)}) for step in (3, 10)
)  # fmt: skip
LONG_GAP = wl.Leaderboard({f"t{k}": {"a": None if not k else k % 5, "b": k % 3, "c": k % 4} for k in range(12)})
FOUR = wl.Leaderboard({task: {"a": place, "b": 4 - place} for place, task in enumerate("wxyz")})
ASKED = wl.Instances({"qa": {f"q{n}": {"a": n % 2, "b": n % 3} for n in range(6)}})
TWO_DATASETS = wl.Instances(
    {name: {f"q{n}": {"a": (n + shift) % 2, "b": n % 3} for n in range(6)} for shift, name in enumerate(("qa", "qb"))}
)
PARTIAL = wl.Profile.from_orders([["a", "b", "c"], ["b", "a"]], models=["a", "b", "c"])
TIED = wl.Profile.from_orders([["a", ("b", "c")], ["b", "a", "c"]])
THIRDS = wl.Profile.from_orders([["a", "b"], ["b", "a"]], weights=["1/3", 1])
UNLISTED = wl.Leaderboard({"x": {"a": 3, "b": 2}, "y": {"a": None, "b": 1}}).rankings()
ROUGH = wl.Leaderboard({"x": {"a": Fraction(1, 3), "b": 1}, "y": {"a": 0, "b": 2}})
PAGE = "|model|x|\n|---|---|\n|a|1|\n|b|2|\n\n|model|x|\n|---|---|\n|a|3|\n|b|2|\n"
LISTS = '{"scores": [{"model": "a", "x": 1.5}, {"model": "b", "x": 2}], "facts": [{"m": "a"}, {"m": "b"}]}'
AVERAGED = "model,x,y,avg\n" + "".join(f"m{at},{at},{at * at % 11},{(at + at * at % 11) / 2}\n" for at in range(12))
TEN = (10, 20, 30, 40, 50, 60)
IN_GROUPS = wl.Leaderboard(
    {task: {"a": place + 1, "b": 5 - place} for place, task in enumerate("wxyz")},
    groups={"first": ["w", "x"], "last": ["y", "z"]},
)
DRAWN = {"repeats": 100, "rng": 0}

WINLESS = wl.Leaderboard({"x": {"a": 2, "b": 3, "c": 1}, "y": {"a": 3, "b": 2, "c": 1}, "z": {"a": 3, "b": 2, "c": 1}})

CALLS = {
    "percent": lambda **given: table("model,x\na,50%\nb,60\n", **given),
    "split": lambda **given: table("model,x\na,5/6\nb,7/8\n", **{"keep": "x", **given}),
    "split asked": lambda **given: table("model,x\na,5/6\nb,7/8\n", **given),
    "spread": lambda **given: table("model,x\na,84.2 ± 0.3\nb,80.1 ± 0.1\n", keep="x", **given),
    "spreads": lambda **given: table("model,x\na,84.2 ± 0.3\nb,80.1 ± 0.1\n", **given),
    "marks": lambda **given: table("model,x\na,**84**\nb,70%\n", **given),
    "separator": lambda **given: table("model;x\na;1\nb;2\n", **given),
    "decimal": lambda **given: table('model,x\na,"1,5"\nb,"2,75"\n', **given),
    "thousands": lambda **given: table('model,x\na,"1,234"\nb,"2,345"\n', keep="x", **given),
    "thousands and decimal": lambda **given: table('model,x\na,"1.234,5"\nb,"2.345,5"\n', **given),
    "text": lambda **given: table("model,x,note\na,1,foo\nb,2,bar\n", keep="*", **given),
    "empty": lambda **given: table("model,x,y\na,1,\nb,2,\n", keep="*", **given),
    "repeats": lambda **given: table("model,seed,x\na,1,1\na,2,2\nb,1,3\nb,2,4\n", **given),
    "kinds": lambda **given: table("kind,x,y\nk,1,2\nk,2,1\nk,3,3\n", **given),
    "zeros": lambda **given: table("model,x,y\na,90,1\nb,91,2\nc,92,3\nd,90,4\ne,0,5\n", **given),
    "a total": lambda **given: table(AVERAGED, **{"weights_from": "x", **given}),
    "turned": lambda **given: table("t,u,x\nq,1,2\nq,2,1\n", transpose=True, **given),
    "direction": lambda **given: table("model,p95 request cost\na,1\nb,2\n", **given),
    "datasets": lambda **given: table("dataset,x,y\nada,1,2\nbo,2,1\n", **given),
    "averages": lambda **given: table("model,x,y,task average\na,1,2,3\nb,2,1,3\n", **given),
    "declared direction": lambda **given: read_only(wl.Leaderboard({"latency": {"a": 1, "b": 2}}, **given)),
    "tables": lambda **given: table(PAGE, **{"format": "markdown", **given}),
    "lists": lambda **given: table(LISTS, **{"format": "json", **given}),
    "members": lambda **given: raw(
        zipped({"a.csv": "model,x\na,1\nb,2\n", "b.csv": "m,y\na,1\nb,2\n"}), "t.zip", **given
    ),
    "too large": lambda **given: raw(
        gzip.compress(b"model,x\na,1\nb,2\n" + b"\n" * (3 << 20)), "t.csv.gz", **{"size_limit": 2, **given}
    ),
    "HTML": lambda **given: raw(
        b"<html><table><tr><th>model<th>x<tr><td>a<td>1<tr><td>b<td>2</table>", "t.csv", **given
    ),
    "Parquet": lambda **given: raw(b"PAR1\x15", "t.csv", **given),
    "Excel": lambda **given: raw(workbook(), "t.csv", **given),
    "SQLite": lambda **given: raw(database("t"), "t.csv", **given),
    "tables of a database": lambda **given: raw(database("t", "u"), "t.sqlite", **given),
    "LaTeX": lambda **given: raw(
        b"\\begin{tabular}{ll} model & x \\\\ a & 1 \\\\ b & 2 \\\\ \\end{tabular}", "t.csv", **given
    ),
    "kinds of tables": lambda **given: in_a_folder(kinds_of_tables, **given),
    "a sign": lambda **given: table("model,x,y\na,50,1\nb,60,2\nc,none yet,3\n", **given),
    "extension": lambda **given: in_a_folder(foo, **given),
    "UTF-16": lambda **given: raw("model,x\na,1\nb,2\n".encode("utf-16-le"), "t.csv", **given),
    "outcomes": lambda **given: votes("model_a,model_b,winner\na,b,draw!\na,b,model_a\n", **given),
    "missing from means": lambda board=GAPS, **given: rules.rank(board, "mean", **given),
    "missing from places": lambda board=GAPS, **given: rules.rank(board, "borda", **given),
    "missing from votes": lambda board=PARTIAL, **given: rules.rank(board, "borda", **given),
    "missing from most": lambda board=FEW, **given: rules.rank(board, "mean", **given),
    "few complete": lambda board=FEW: board.complete(),
    "missing and skipped": lambda board=GAPS, **given: studies.rank_sets(
        board, "optimality_gap", over="tasks", options={"gamma": 9, "missing": "skip", **given}, **DRAWN
    ),
    "never together": lambda **given: rules.rank(APART, "borda", **{"missing": "skip", **given}),
    "seldom together": lambda board=SELDOM, **given: studies.rank_sets(
        board, "borda", options={"missing": "skip", **given}, **DRAWN
    ),
    "gamma and gaps": lambda **given: studies.effects(LONG_GAP, "mean", **{"effect_size": "akinshin_gamma", **given}),
    "gamma and weights": lambda **given: studies.effects(
        LONG_GAP.complete().with_weights({"t1": 2}), "mean", **{"effect_size": "akinshin_gamma", **given}
    ),
    "no complete model": lambda board=OFTEN, **given: studies.rank_sets(board, "borda", options=given, **DRAWN),
    "ranks with gaps": lambda board=GAPS, **given: studies.rank_sets(
        board, "borda", method="nemenyi", options={"missing": "last"}, **DRAWN | given
    ),
    "a test of groups": lambda **given: studies.rank_sets(
        FULL, "borda", method="wilcoxon", **{"over": "groups", **given}
    ),
    "no votes": lambda **given: studies.rank_sets(FULL, **{"over": "votes", **DRAWN, **given}),
    "no instances": lambda **given: studies.rank_sets(FULL, **{"over": "instances", **DRAWN, **given}),
    "no groups to draw": lambda **given: studies.rank_sets(FULL, **{"over": "groups", **DRAWN, **given}),
    "overlapping groups": lambda **given: studies.rank_sets(
        FULL.with_groups({"g": ["x", "y"], "h": ["y", "z"]}), "copeland", **{"over": "groups", **DRAWN, **given}
    ),
    "groups that overlap": lambda rule="mean", **given: studies.rank_sets(
        IN_GROUPS.with_groups({"g": ["w", "x"], "h": ["x", "y"]}), rule, **{"over": "groups", **DRAWN, **given}
    ),
    "a group called like a task outside all groups": lambda **given: studies.rank_sets(
        FULL.with_groups({"z": ["x", "y"]}), "mean", **{"over": "groups", **DRAWN, **given}
    ),
    "a new task with weights": lambda **given: studies.rank_sets(
        FULL.with_weights({"x": 2}), "mean", **{"over": "new_tasks", **DRAWN, **given}
    ),
    "one task": lambda **given: studies.rank_sets(ASKED, "mean", **{"over": "tasks", **DRAWN, **given}),
    "no tasks": lambda **given: studies.rank_sets(FULL.margins(), **{"over": "tasks", **DRAWN, **given}),
    "no errors": lambda **given: studies.noisy_verdicts(ASKED, **{"over": "standard_errors", **given}),
    "none to draw": lambda **given: studies.bootstrap(FULL, **{"over": "instances", **DRAWN, **given}),
    "two levels": lambda **given: studies.bootstrap(ASKED, "mean", **{"how": "two_level", **DRAWN, **given}),
    "corners": lambda **given: lp.map_of_winners(FOUR, **given),
    "corners twice": lambda **given: lp.map_of_winners(
        IN_GROUPS, ["w", "x", "y"], **{"groups": ["first", "last", "last"], **given}
    ),
    "a rule of its own": lambda **given: lp.stability(wl.Leaderboard(FULL.scores, rule="kemeny"), **given),
    "a ranking by majority": lambda **given: lp.stability(FULL, **{"of": "ranking", "rule": "majority", **given}),
    "a scale of another rule": lambda **given: lp.prospects(FULL, **{"rule": "borda", "scaled": "range", **given}),
    "many models by Dowdall": lambda **given: lp.prospects(
        wl.Leaderboard({"x": {f"m{place}": place for place in range(301)}}), **{"rule": "dowdall", **given}
    ),
    "duels by a rule": lambda **given: lp.duels(FULL, **{"rule": "mean", **given}),
    "a geometric mean under conditions": lambda **given: lp.prospects(
        FULL, rule="geometric_mean", **{"space": lp.WeightSpace(FULL).at_most(FULL.tasks[0], "0.9"), **given}
    ),
    "free weights by mean": lambda **given: lp.settle(UNKNOWN, "can", models="a", **{"rule": "mean", **given}),
    "last by majorities": lambda **given: rules.rank(UNKNOWN, "kemeny", **{"missing": "last", **given}),
    "a score for the unlisted": lambda **given: rules.rank(UNLISTED, "borda", **{"missing": 0, **given}),
    "a least proof without bounds": lambda **given: lp.least_proof(FULL, **{"rule": "mean", **given}),
    "claims without bounds": lambda **given: lp.settle(UNKNOWN, **{"rule": "mean", **given}),
    "a claim by plurality": lambda **given: lp.settle(UNKNOWN, **{"rule": "plurality", **given}),
    "unknown scores by mean": lambda **given: lp.missing(UNKNOWN, **{"rule": "mean", **given}),
    "unknown scores by Borda": lambda **given: lp.missing(
        UNKNOWN, space=lp.WeightSpace(UNKNOWN), **{"rule": "borda", **given}
    ),
    "unknown scores that tie": lambda **given: lp.missing(
        wl.Leaderboard(UNKNOWN.scores, tolerance=1), **{"rule": "borda", **given}
    ),
    "more models than there are": lambda **given: lp.shortlist(FULL, **{"size": 4, **given}),
    "last place": lambda **given: lp.upset(ROUGH, "a", **given),
    "rounded": lambda **given: in_a_folder(lambda at, **how: wl.write_leaderboard(ROUGH, at / "t.csv", **how), **given),
    "scaled": lambda **given: in_a_folder(lambda at, **how: wl.io.write_profile(THIRDS, at / "t.soc", **how), **given),
    "scaled margins": lambda **given: in_a_folder(
        lambda at, **how: wl.io.write_margins(THIRDS.margins(), at / "t.pwg", **how), **given
    ),
    "HELM": lambda **given: results(helm, **given),
    "metrics of no known direction": lambda **given: results(unknown_metric, **given),
    "two models of one name": lambda **given: results(checkpoints, lower_is_better=[], **given),
    "MTEB": lambda **given: results(mteb, **given),
    "Open LLM": lambda **given: results(open_llm(second("a", TEN), second("b", TEN[::-1])), **given),
    "unknown tasks": lambda **given: results(
        open_llm({**second("a", TEN), "Elo": 1}, {**second("b", TEN[::-1]), "Elo": 2}), **given
    ),
    "text among metrics": lambda **given: wl.read_suite(
        io.StringIO("dataset,model,x,note\nd,a,1,foo\nd,b,2,bar\n"), **given
    ),
    "one source too many": lambda **given: studies.rank_sets(ASKED, "mean", **{"over": "both", **DRAWN, **given}),
    "places over both": lambda **given: studies.rank_sets(
        TWO_DATASETS, "dowdall", **{"over": "both", **DRAWN, **given}
    ),
    "rows of a model": lambda **given: results(
        open_llm(second("a", TEN), second("a", TEN[::-1], precision="float16"), second("b", TEN)), **given
    ),
    "a winless model": lambda board=WINLESS, **given: rules.rank(board, "bradley_terry", **given),
    "irrational means": lambda **given: rules.two_step(IN_GROUPS, "geometric_mean", **given),
    "ties": lambda board=TIED, **given: in_a_folder(
        lambda at, **how: wl.io.write_profile(board, at / "t.soc", **how), **given
    ),
}


def spoken(call, *board, **given):
    """Return what a call raises or warns of, and what it gave."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            call(*board, **given)
        except exceptions.WeightlabError as error:
            return [error]
    return [warning.message for warning in caught if isinstance(warning.message, Spoken)]


def cures_of(error):
    """Yield each cure that an error or a warning carries, with the fault that it is for."""
    if isinstance(error, exceptions.ReadingError):
        yield from ((cure, error.faults[0]) for cure in error.cure)
    yield from ((cure, fault) for fault in error.faults for cure in getattr(fault, "cure", ()))


def steps(cure):
    """Yield a cure with what is to be done besides."""
    while cure is not None:
        yield cure
        cure = cure.also


@pytest.mark.parametrize("name", CALLS)
def test_every_cure_is_one(name):
    call = CALLS[name]
    found = spoken(call)
    cures = [one for error in found for one in cures_of(error)]
    assert cures
    for cure, fault in cures:
        board, given = (call.__defaults__ or (None,))[:1], {}
        for step in steps(cure):
            if step.argument.startswith("."):
                board = (getattr(board[0], step.argument[1:])(**step.value),)
            else:
                given[step.argument] = step.value
        with_it = spoken(call, *(board if call.__defaults__ else ()), **given)
        assert str(fault) not in [str(one) for again in with_it for one in again.faults], cure


@cache
def cures_in_the_package():
    """Return where each cure is made in the sources (file, line, column), the call, and if only when imported."""
    found = {}
    for path in sorted(Path(wl.__file__).parent.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        called = {part for one in ast.walk(tree) if isinstance(one, FUNCTIONS) for part in ast.walk(one)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Cure":
                found[str(path), node.lineno, node.col_offset] = (node, node not in called)
    return found


def maker(frame):
    """Return where a frame stands: file, line, column."""
    line, _, column, _ = next(islice(frame.f_code.co_positions(), frame.f_lasti // 2, None))
    return frame.f_code.co_filename, line, column


def says(node, cure):
    """Tell whether a call in the sources could have made a cure, by all of its arguments that stand there in full."""
    given = dict(zip(("argument", "value", "effect"), node.args, strict=False))
    given |= {one.arg: one.value for one in node.keywords}
    try:
        constant = {name: ast.literal_eval(one) for name, one in given.items() if not list(loaded(one))}
    except ValueError:
        return False
    return all(getattr(cure, name) == value for name, value in constant.items())


def loaded(node):
    """Yield the names that an expression reads."""
    return (part.id for part in ast.walk(node) if isinstance(part, ast.Name))


@pytest.fixture
def births(monkeypatch):
    """Where each cure from now on is made, or the cure it is made of, by its identity: all are kept alive."""
    made, kept, begin, of = {}, [], Cure.__init__, Cure.of

    def noted(cure, *given, **named):
        begin(cure, *given, **named)
        kept.append(cure)
        made[id(cure)] = maker(sys._getframe(1))

    def noted_of(cure, *columns):
        new = of(cure, *columns)
        if new is not cure:
            made[id(new)] = made.get(id(cure), cure)
        return new

    monkeypatch.setattr(Cure, "__init__", noted)
    monkeypatch.setattr(Cure, "of", noted_of)
    return made


def test_every_cure_in_the_sources_is_tried(births):
    met, named = set(), {}
    for call in CALLS.values():
        for step in (step for one in spoken(call) for cure, _ in cures_of(one) for step in steps(cure)):
            born = births.get(id(step), step)
            if isinstance(born, tuple):
                met.add(born)
            else:
                named[id(born)] = born
    sources = cures_in_the_package()
    alike = Counter(ast.dump(node) for node, at_import in sources.values() if at_import)
    for where, (node, at_import) in sources.items():
        made_at_import = at_import and sum(says(node, cure) for cure in named.values()) >= alike[ast.dump(node)]
        assert where in met or made_at_import, f"{where}: {ast.unparse(node)}"


def test_every_argument_of_a_cure_has_an_option_or_is_declared_to_have_none():
    named = {}
    for (file, line, _), (node, _) in cures_in_the_package().items():
        if Path(file).name == "exceptions.py":
            continue  # what a reading says is spelt by the keywords of the reader
        assert isinstance(node.args[0], ast.Constant), f"{file}, {line}: a cure's argument stands where it is made"
        named.setdefault(node.args[0].value, file)
    assert len(named) > 20
    assert {name: file for name, file in named.items() if name not in OPTIONS} == {}
    assert [name for name in OPTIONS if name not in named] == []
    assert {name for name, options in OPTIONS.items() if not options} - KEYS.keys() == {"how", "space", "step"}
