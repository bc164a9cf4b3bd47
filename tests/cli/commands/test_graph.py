from __future__ import annotations

import json

import networkx as nx
import pytest

CYCLE = b"model,x,y,z,w\na,3,1,2,3\nb,2,3,1,2\nc,1,2,3,1\n"


@pytest.fixture
def cycle(tmp_path):
    path = tmp_path / "cycle.csv"
    path.write_bytes(CYCLE)
    return path


def lines_of(answer):
    """Return what stands beside each heading."""
    return dict(line.split("  ", 1) for line in answer.out.splitlines() if "  " in line.strip())


def test_without_a_file_the_majorities_of_the_table_that_ships_are_shown(weightlab):
    answer = weightlab("graph")
    assert (answer.code, answer.err) == (0, "")
    assert answer.out.startswith("SVC beats all 15 rivals: it is the Condorcet winner.\n")
    assert lines_of(answer)["Smith set"].strip() == "1 of 16: SVC"


def test_a_cycle_is_shown_with_its_margins(weightlab, cycle):
    answer = weightlab("graph", cycle)
    assert answer.out.splitlines()[0] == (
        "No model beats all its rivals, and the Smith set is all 3 models: no part beats the rest."
    )
    said = {heading: text.strip() for heading, text in lines_of(answer).items()}
    assert said["Condorcet winner"] == "none"
    assert said["Undefeated"] == "1 of 3: a"
    assert said["Tied head-to-heads"] == "1 of 3"
    assert said["Transitive"] == "no: a beats b, which beats c, which a does not beat"
    assert said["Strongest cycle"] == "none: the majority relation is acyclic"


def test_a_circle_is_shown_with_the_tasks_that_make_it_and_what_breaks_it(weightlab):
    cycle = weightlab("graph", "-", stdin=b"model,x,y,z\na,3,1,2.5\nb,2,3,1\nc,1,2,3\n")
    assert lines_of(cycle)["Cycles of three models"].strip() == "1"
    assert [line.strip() for line in cycle.out.splitlines()[-5:]] == [
        "Strongest cycle                    a beats b 2 to 1, ahead on x, z",
        "b beats c 2 to 1, ahead on x, y",
        "c beats a 2 to 1, ahead on y, z",
        "Smallest score gap                 0.5 (c over a on z)",
        "Breaks if scores move by           0.25, each up or down (c over a)",
    ]


def test_under_a_relative_tolerance_a_circle_is_shown_without_what_breaks_it(weightlab, tmp_path):
    (tmp_path / "t.csv").write_bytes(b"model,x,y,z\na,3,1,2\nb,2,3,1\nc,1,2,3\n")
    (tmp_path / "t.toml").write_text("[relative_tolerance]\nx = 0.01\n", encoding="utf-8")
    cycle = weightlab("graph", "t.csv")
    assert cycle.code == 0
    assert cycle.out.splitlines()[-1].strip() == "c beats a by a margin of 1"


def test_transitive_majorities_and_a_loser_are_named(weightlab):
    answer = weightlab("graph", "-", stdin=b"model,x\na,1\nb,2\nc,3\n")
    said = {heading: text.strip() for heading, text in lines_of(answer).items()}
    assert (said["Condorcet loser"], said["Transitive"], said["Tied head-to-heads"]) == ("a", "yes", "0 of 3")


def test_the_graph_is_written_for_graphviz(weightlab, tmp_path):
    table = b'model,x\n"say ""hi""",1\nback\\slash,2\n\x1b[31m,3\n'
    assert weightlab("graph", "-", "-o", "out.dot", "--quiet", stdin=table).code == 0
    text = (tmp_path / "out.dot").read_text(encoding="utf-8")
    assert text.startswith("digraph majorities {\n")
    assert '  "say \\"hi\\"";' in text
    assert '  "back\\\\slash" -> "say \\"hi\\"" [label="1"];' in text
    assert "\x1b" not in text


def test_the_graph_is_written_as_graphml_with_exact_numbers(weightlab, tmp_path):
    table = b"model,x,y\na,1,2\nb,2,1\nc,0,0\n"
    (tmp_path / "t.csv").write_bytes(table)
    (tmp_path / "t.toml").write_text("[weights]\nx = 0.1\n", encoding="utf-8")
    assert weightlab("graph", "t.csv", "-o", "t.graphml").code == 0
    read = nx.read_graphml(tmp_path / "t.graphml")
    assert list(read.nodes) == ["a", "b", "c"]
    assert read.edges["a", "b"]["exact_margin"] == "9/10"
    assert read.edges["a", "b"]["margin"] == 0.9


def test_names_that_look_like_markup_are_names(weightlab, tmp_path):
    table = b'model,x,y,z\n[red]a,3,1,2\n<b>,2,3,1\n"c[/red]&""q",1,2,3\n'
    answer = weightlab("graph", "-", "-o", "t.graphml", stdin=table)
    assert "([red]a over <b> on x)" in answer.out
    assert list(nx.read_graphml(tmp_path / "t.graphml").nodes) == ["[red]a", "<b>", 'c[/red]&"q']


def test_names_that_xml_does_not_allow_are_escaped(weightlab, tmp_path):
    table = "model,x\na\uffff,1\nb,2\n".encode()
    assert weightlab("graph", "-", "-o", "t.graphml", stdin=table).code == 0
    assert list(nx.read_graphml(tmp_path / "t.graphml").nodes) == ["a\\uffff", "b"]


def test_margins_beyond_every_float_are_drawn_and_refused_as_graphml(weightlab, written, tmp_path):
    (tmp_path / "t.csv").write_bytes(b"model,x,y\na,1,2\nb,2,1\n")
    (tmp_path / "t.toml").write_text('[weights]\nx = "1e400"\n', encoding="utf-8")
    assert '"b" -> "a" [label="1.0000e+400"];' in written("graph", "t.csv", ending=".dot")
    refused = weightlab("graph", "t.csv", "-o", "t.graphml")
    assert refused.code == 2
    assert "the head-to-head of 'b' and 'a' counts 1.00000e+400, more than GraphML's floats hold" in refused.err


def test_names_that_would_look_the_same_are_numbered(weightlab, tmp_path):
    table = b"model,x\na\x1b,1\na\\x1b,2\n"
    assert weightlab("graph", "-", "-o", "t.graphml", stdin=table).code == 0
    assert list(nx.read_graphml(tmp_path / "t.graphml").nodes) == ["1 a\\x1b", "2 a\\x1b"]


def test_an_overview_is_verified_where_it_is_sent(weightlab, cycle):
    answer = weightlab("graph", cycle, "--json", "-o", "proof.json")
    assert json.loads(answer.out)["results"][0]["kind"] == "majority_overview"
    assert weightlab("verify", "proof.json", cycle).code == 0
    cycle.write_bytes(CYCLE.replace(b"a,3,1", b"a,0,1"))
    assert weightlab("verify", "proof.json", cycle).code == 1


def test_what_makes_a_cycle_is_verified_as_well(weightlab, tmp_path):
    (tmp_path / "t.csv").write_bytes(b"model,x,y,z\na,3,1,2\nb,2,3,1\nc,1,2,3\n")
    document = json.loads(weightlab("graph", "t.csv", "--json", "-o", "proof.json").out)
    assert [one["kind"] for one in document["results"]] == [
        "majority_overview",
        "cycle_robustness",
        "pareto_front",
        "condorcet_winning_set",
    ]
    assert weightlab("verify", "proof.json", "t.csv").code == 0
    document["results"][1]["radius"] = "3/2"
    (tmp_path / "proof.json").write_text(json.dumps(document), encoding="utf-8")
    answer = weightlab("verify", "proof.json", "t.csv")
    assert (answer.code, answer.err) == (1, "weightlab: false: cycle_robustness: radius is 1/2, not 3/2\n")


def test_missing_scores_and_wrong_files_are_said(weightlab, tmp_path):
    (tmp_path / "gaps.csv").write_text("model,x,y\na,1,\nb,2,3\n", encoding="utf-8")
    assert weightlab("graph", "gaps.csv").err == (
        "Head-to-head, two models are compared on the tasks both have; 1 of 4 scores is missing: a on y.\n"
    )
    missing = weightlab("graph", "none.csv")
    assert (missing.code, missing.out) == (2, "")
    assert "none.csv" in missing.err


def test_a_graph_replaces_no_file_that_is_read(weightlab, cycle):
    answer = weightlab("graph", cycle, "--output", cycle)
    assert (answer.code, answer.out) == (2, "")
    assert f"--output {str(cycle)!r} is a file that is read; name another one" in answer.err
    assert cycle.read_bytes() == CYCLE
