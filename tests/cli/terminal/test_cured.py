"""Every option that a message advises at the prompt, pasted behind the command, ends what it was advised for."""

from __future__ import annotations

import re
import shlex

import pytest

ADVISED = re.compile(r"(?:pass|or) (--.*?)(?= or | to | if | where | \(|\.?$)", re.MULTILINE)
CALLS = {
    "spread": ("t.csv", "model,x\na,84.2 ± 0.3\nb,80.1 ± 0.1\n", ["rank"]),
    "separator": ("t.csv", "model;x\na;1\nb;2\n", ["rank"]),
    "decimal": ("t.csv", 'model,x\na,"1,5"\nb,"2,75"\n', ["win"]),
    "percent": ("t.csv", "model,x\na,50%\nb,60\n", ["rank"]),
    "text": ("t.csv", "model,x,my note\na,1,foo\nb,2,bar\n", ["compare", "--keep", "*"]),
    "dashes": ("t.csv", "model,x,-note\na,1,foo\nb,2,bar\n", ["rank", "--keep", "*"]),
    "thousands": ("t.csv", 'model,x\na,"1,234"\nb,"2,345"\n', ["win", "--higher", "x"]),
    "then": (
        "t.csv",
        "model,w,x,y,z\na,1,2,3,4\nb,4,3,2,1\n",
        ["rank", "--rule", "geometric_mean", "--two-step", "--group", "g=w,x", "--group", "h=y,z"],
    ),
    "scaled": ("t.csv", "model,x,y\na,1,2\nb,2,1\n", ["convert", "t.soc", "--weight", "x=1/3"]),
    "thousands and decimal": ("t.csv", 'model,x\na,"1.234,5"\nb,"2.345,5"\n', ["win"]),
    "repeats": ("t.csv", "model,seed,x\na,1,1\na,2,2\nb,1,3\nb,2,4\n", ["rank"]),
    "extension": ("t.foo", "model,x\na,1\nb,2\n", ["rank"]),
    "missing from places": ("t.csv", "model,x,y\na,1,2\nb,2,1\nc,3,\n", ["rank", "--rule", "borda"]),
    "missing from means": ("t.csv", "model,x,y\na,1,2\nb,2,1\nc,3,\n", ["rank", "--rule", "mean"]),
    "missing from most": ("t.csv", "model,x,y\na,1,2\nb,2,\nc,3,\n", ["rank", "--rule", "mean"]),
    "votes over tasks": (
        "t.csv",
        "model_a,model_b,winner\na,b,model_a\nb,a,model_a\na,b,tie\n",
        ["rank", "--level", "95%", "--over", "tasks"],
    ),
    "tasks over votes": ("t.csv", "model,x,y\na,1,2\nb,2,1\n", ["rank", "--level", "95%", "--over", "votes"]),
    "tables": ("t.md", "|model|x|\n|---|---|\n|a|1|\n|b|2|\n\n|model|x|\n|---|---|\n|a|3|\n|b|2|\n", ["rank"]),
    "ties": ("t.csv", "model,x,y\na,1,2\nb,1,1\n", ["convert", "t.soc"]),
}


@pytest.mark.parametrize("name", CALLS)
def test_every_option_that_is_advised_works(name, weightlab, tmp_path):
    file, text, words = CALLS[name]
    (tmp_path / file).write_text(text, encoding="utf-8")
    command, *options = words
    asked = weightlab(command, file, *options)
    lines = [line for line in asked.err.splitlines() if ADVISED.search(line)]
    assert lines
    for line in lines:
        told = line.removeprefix("weightlab: ").partition("; pass ")[0]
        for advised in ADVISED.findall(line):
            again = weightlab(command, file, *options, *shlex.split(advised))
            assert told not in again.err, advised
            assert again.code in {0, 3} or again.err != asked.err


DOUBTED = {
    "direction": ("model,p95 request latency\na,1\nb,2\n", ["rank"]),
    "total": ("model,x,y,task average\na,1,2,3\nb,2,1,3\n", ["rank", "--rule", "borda"]),
    "turned": ("dataset,ada,bo\nu,1,2\nv,2,1\n", ["win", "--quick"]),
    "zeros": ("model,x,y\na,90,1.5\nb,91,2.5\nc,92,3.5\nd,90,4.5\ne,0,5.5\n", ["win", "--quick"]),
    "tall": ("model,x\na,300\nb,200\n", ["graph"]),
    "odd names": ("model,p95 'request' latency\na,1\nb,2\n", ["rank"]),
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
