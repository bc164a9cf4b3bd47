"""Every option that a message advises at the prompt, pasted behind the command, ends what it was advised for."""

from __future__ import annotations

import gzip
import re
import shlex

import pytest

from tests.cli.terminal.test_arguments_of_cures import (
    AVERAGED,
    TEN,
    checkpoints,
    helm,
    mteb,
    open_llm,
    unknown_metric,
)
from tests.io.evaluations.test_open_llm import second
from tests.io.sources.test_packed import zipped
from weightlab.cli.terminal.cures import OPTIONS
from weightlab.io.tables.declarations import KEYS

ADVISED = re.compile(r"(?:pass|or) (--.*?)(?= or | to | if | where | \(|\.?$)", re.MULTILINE)
KEY_ADVISED = re.compile(r"(?:write|or) (\w+ = (?:(?!\bor\b).)*?) in a TOML file \(--config\)")
ANSWERS = "model,instance,qa,qb\n" + "".join(
    f"{model},q{n},{int(model == 'a')},{n % 3}\n" for model in "ab" for n in range(6)
)

KEMENY = ("rank", "--rule", "kemeny", "--keep", "*")
UNLISTED = ("rank", "--rule", "borda", "--unlisted", "unknown")
SOME_LISTED = (
    "# NUMBER ALTERNATIVES: 3\n" + "".join(f"# ALTERNATIVE NAME {n}: m{n}\n" for n in (1, 2, 3)) + "1: 1,2\n1: 2,3\n"
)
TWO = "model,x\na,1\nb,2\n"


def packed(at, name, data):
    (at / name).write_bytes(data)


CALLS = {
    "a total": ("t.csv", AVERAGED, ["rank", "--weights-from", "x"]),
    "spread": ("t.csv", "model,x\na,84.2 ± 0.3\nb,80.1 ± 0.1\n", ["rank", "--keep", "x"]),
    "size": ("t.csv", "model,x,y\na,1,2\nb,2,1\n", ["shortlist", "--size", "3"]),
    "separator": ("t.csv", "model;x\na;1\nb;2\n", ["rank"]),
    "decimal": ("t.csv", 'model,x\na,"1,5"\nb,"2,75"\n', ["win"]),
    "percent": ("t.csv", "model,x\na,50%\nb,60\n", ["rank"]),
    "a sign": ("t.csv", "model,x,y\na,50,1\nb,60,2\nc,n.a.,3\n", ["rank"]),
    "text": ("t.csv", "model,x,my note\na,1,foo\nb,2,bar\n", ["compare", "--keep", "*"]),
    "dashes": ("t.csv", "model,x,-note\na,1,foo\nb,2,bar\n", ["rank", "--keep", "*"]),
    "thousands": ("t.csv", 'model,x\na,"1,234"\nb,"2,345"\n', ["win", "--higher", "x"]),
    "then": (
        "t.csv",
        "model,w,x,y,z\na,1,2,3,4\nb,4,3,2,1\n",
        ["rank", "--rule", "geometric_mean", "--two-step", "--group", "g=w,x", "--group", "h=y,z"],
    ),
    "rule": ("t.csv", "model,x,y\na,1,2\nb,2,4\n", ["stability", "--rule", "majority", "--ranking"]),
    "scaled": ("t.csv", "model,x,y\na,1,2\nb,2,1\n", ["convert", "t.soc", "--weight", "x=1/3"]),
    "thousands and decimal": ("t.csv", 'model,x\na,"1.234,5"\nb,"2.345,5"\n', ["win"]),
    "repeats": ("t.csv", "model,seed,x\na,1,1\na,2,2\nb,1,3\nb,2,4\n", ["rank"]),
    "extension": ("t.foo", "model,x\na,1\nb,2\n", ["rank"]),
    "missing from places": ("t.csv", "model,x,y\na,1,2\nb,2,\nc,3,\n", ["rank", "--keep", "*"]),
    "missing from most": ("t.csv", "model,x,y\na,1,2\nb,2,\nc,3,\n", ["rank", "--rule", "mean", "--keep", "*"]),
    "votes over tasks": (
        "t.csv",
        "model_a,model_b,winner\na,b,model_a\nb,a,model_a\na,b,tie\n",
        ["rank", "--level", "95%", "--over", "tasks"],
    ),
    "tasks over votes": ("t.csv", "model,x,y\na,1,2\nb,2,1\n", ["rank", "--level", "95%", "--over", "votes"]),
    "new tasks with weights": (
        "t.csv",
        "model,x,y,z\na,1,2,3\nb,2,1,2\n",
        ["rank", "--level", "95%", "--over", "new_tasks", "--weight", "x=2"],
    ),
    "tables": ("t.md", "|model|x|\n|---|---|\n|a|1|\n|b|2|\n\n|model|x|\n|---|---|\n|a|3|\n|b|2|\n", ["rank"]),
    "ties": ("t.csv", "model,x,y\na,1,2\nb,1,1\n", ["convert", "t.soc"]),
    "rounded": (
        "t.csv",
        "model,seed,x\na,1,1\na,2,1\na,3,2\nb,1,3\nb,2,3\nb,3,4\n",
        ["convert", "x.csv", "--repeats-by", "seed"],
    ),
    "bounds": ("t.csv", "model,x,y\na,1,2\nb,2,\nc,3,3\n", ["missing", "--rule", "mean", "--keep", "*"]),
    "unlisted": (
        "t.soi",
        SOME_LISTED,
        [*UNLISTED, "--missing", "0"],
    ),
    "last at once": ("t.csv", "model,x,y\na,1,2\nb,2,\nc,3,3\n", [*KEMENY, "--missing", "last"]),
    "weights of effects": (
        *("t.csv", "model,x,y,z\na,1,2,1\nb,2,1,2\nc,3,3,5\n"),
        ["rank", "--rule", "mean", "--level", "95%", "--effect-size", "akinshin_gamma", "--weight", "x=2"],
    ),
    "several numbers": ("t.csv", "model,x\na,5/6\nb,7/8\n", ["rank", "--keep", "*"]),
    "kinds": ("t.csv", "kind,x,y\nk,1,2\nk,2,1\nk,3,3\n", ["rank"]),
    "empty": ("t.csv", "model,x,y\na,1,\nb,2,\n", ["rank", "--keep", "*"]),
    "turned": ("t.csv", "t,u,x\nq,1,2\nq,2,1\n", ["rank", "--transpose"]),
    "Parquet": ("t.csv", "PAR1\x15", ["rank"]),
    "members": ("runs/t.zip", lambda at: packed(at, "t.zip", zipped({"a.csv": TWO, "b.csv": TWO})), ["rank"]),
    "too large": (
        "runs/t.csv.gz",
        lambda at: packed(at, "t.csv.gz", gzip.compress(TWO.encode() + b"\n" * (5 << 20))),
        ["rank", "--size-limit", "3"],
    ),
    "UTF-16": ("t.csv", "m\0o\0d\0e\0l\0,\0x\0\n\0a\0,\0001\0\n\0b\0,\0002\0\n\0", ["rank"]),
    "outcomes": ("t.csv", "model_a,model_b,winner\na,b,draw!\na,b,model_a\n", ["rank"]),
    "text among metrics": ("t.csv", "dataset,model,x,note\nd,a,1,foo\nd,b,2,bar\n", ["audit"]),
    "places over both": ("t.csv", ANSWERS, ["rank", "--rule", "dowdall", "--level", "95%", "--over", "both"]),
    "HELM": ("runs", helm, ["rank"]),
    "metrics of no known direction": ("runs", unknown_metric, ["rank"]),
    "two models of one name": ("runs", checkpoints, ["rank"]),
    "MTEB": ("runs", mteb, ["rank"]),
    "Open LLM": ("runs/t.csv", open_llm(second("a", TEN), second("b", TEN[::-1])), ["rank"]),
    "unknown tasks": ("runs/t.csv", open_llm({**second("a", TEN), "Elo": 1}, {**second("b", TEN), "Elo": 2}), ["rank"]),
    "rows of a model": (
        "runs/t.csv",
        open_llm(second("a", TEN), second("a", TEN[::-1], precision="float16"), second("b", TEN)),
        ["rank"],
    ),
}


def written(folder, file, holds):
    """Write what a command is asked about: a text, or the results that a function writes."""
    if callable(holds):
        (folder / "runs").mkdir()
        holds(folder / "runs")
    else:
        (folder / file).write_text(holds, encoding="utf-8")


def advised(line, asked=()):
    """Return what a line advises: words of a shell and, where they name it, the key for a TOML file."""
    if line.startswith("  weightlab "):
        return [(shlex.split(line)[1 + len(asked) :], "")]
    keys = [(["--config", "advised.toml"], key) for key in KEY_ADVISED.findall(line)]
    return [(shlex.split(words), "") for words in ADVISED.findall(line)] + keys


@pytest.mark.parametrize("name", CALLS)
def test_everything_that_is_advised_works(name, weightlab, tmp_path):
    file, holds, words = CALLS[name]
    written(tmp_path, file, holds)
    command, *options = words
    asked = weightlab(command, file, *options)
    lines = [line for line in asked.err.splitlines() if advised(line)]
    assert lines
    first = asked.err.splitlines()[0]
    for line in lines:
        told = re.split("; (?:pass|write) ", (first if line.startswith(" ") else line).removeprefix("weightlab: "))[0]
        for more, key in advised(line, [command, file, *options]):
            (tmp_path / "advised.toml").write_text(key, encoding="utf-8")
            again = weightlab(command, file, *options, *more)
            assert told not in again.err, (more, key)
            assert again.code in {0, 3} or again.err != asked.err


def test_every_option_and_every_key_that_can_be_advised_is_tried(weightlab, tmp_path):
    tried = set()
    for place, (file, holds, (command, *options)) in enumerate(CALLS.values()):
        (tmp_path / str(place)).mkdir()
        written(tmp_path / str(place), file, holds)
        found = weightlab(command, f"{place}/{file}", *options).err
        words = [command, f"{place}/{file}", *options]
        for more, key in (one for line in found.splitlines() for one in advised(line, words)):
            tried |= {key.partition(" = ")[0]} if key else {one.partition("=")[0] for one in more if one[:2] == "--"}
    keys = {name for name, options in OPTIONS.items() if not options and name in KEYS}
    only_in_python = {"groups"}  # corners of a map, which the prompt calls axes whatever they are
    assert ({option for options in OPTIONS.values() for option in options} | keys) - only_in_python - tried == set()


DOUBTED = {
    "spread": ("model,x\na,84.2 ± 0.3\nb,80.1 ± 0.1\n", ["rank"]),
    "gains": ('model,x,p95 request cost\na,"84.2 (+1.2, +3%)",1\nb,80.1,2\n', ["rank"]),
    "several scores": ("model,x,y\na,1.5,5/6\nb,2.5,7/8\n", ["rank"]),
    "lacking": ("model,x,y\na,1.5,2\nb,2.5,\nc,3.5,\n", ["rank", "--rule", "borda"]),
    "direction": ("model,p95 request cost\na,1\nb,2\n", ["rank"]),
    "total": ("model,x,y,task average\na,1,2,3\nb,2,1,3\n", ["rank", "--rule", "borda"]),
    "turned": ("dataset,ada,bo\nu,1,2\nv,2,1\n", ["win", "--quick"]),
    "zeros": ("model,x,y\na,90,1.5\nb,91,2.5\nc,92,3.5\nd,90,4.5\ne,0,5.5\n", ["win", "--quick"]),
    "tall": ("model,x\na,300\nb,200\n", ["graph"]),
    "odd names": ("model,p95 'request' cost\na,1\nb,2\n", ["rank"]),
    "thousands": ('model,x\na,"1,234"\nb,"2,345"\n', ["rank"]),
}


@pytest.mark.parametrize("name", DOUBTED)
def test_every_command_below_a_doubt_reads_the_table(name, weightlab, tmp_path):
    text, (command, *options) = DOUBTED[name]
    (tmp_path / "odd name.csv").write_text(text, encoding="utf-8")
    asked = weightlab(command, "odd name.csv", *options)
    told, head, below = re.split(r"\n(To read it so:|Either of:)\n", asked.err)
    assert (asked.code, told.startswith("weightlab: odd name.csv: ")) == (2, True)
    commands = [line for line in below.splitlines() if line]
    assert (head == "To read it so:") == (len(commands) == 1)
    for line in commands:
        program, *words = shlex.split(line)
        answer = weightlab(*words)
        assert (program, answer.code) == ("weightlab", 0), answer.err
        assert answer.read


def test_a_name_that_a_terminal_would_obey_is_told_escaped(weightlab, tmp_path):
    (tmp_path / "t.csv").write_text("model,latency \x1b[2J\u202e\na,1\nb,2\n", encoding="utf-8")
    noted = weightlab("rank", "t.csv")
    assert "latency \\x1b[2J\\u202e: likely lower is better" in noted.err
    read = weightlab("rank", "t.csv", "--accept-reading")
    assert not {"\x1b", "\u202e"} & {*noted.err, *noted.out, *read.out, *read.err, *read.read[0]}
