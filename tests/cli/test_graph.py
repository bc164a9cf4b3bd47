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
        "No model beats all its rivals; those that beat all the rest together are a, b, c."
    )
    said = {heading: text.strip() for heading, text in lines_of(answer).items()}
    assert said["Condorcet winner"] == "none"
    assert said["Beaten by nobody"] == "1 of 3: a"
    assert said["Tied duels"] == "1 of 3"
    assert said["Transitive"] == "no: a beats b, which beats c, which a does not beat"
    assert said["Strongest cycle"] == "none: the majorities run in no circle"
    circle = weightlab("graph", "-", stdin=b"model,x,y,z\na,3,1,2\nb,2,3,1\nc,1,2,3\n")
    assert [line.strip() for line in circle.out.splitlines()[-3:]] == [
        "Strongest cycle                    a beats b by 1",
        "b beats c by 1",
        "c beats a by 1",
    ]
    assert lines_of(circle)["Cycles of three models"].strip() == "1"


def test_transitive_majorities_and_a_loser_are_named(weightlab):
    answer = weightlab("graph", "-", stdin=b"model,x\na,1\nb,2\nc,3\n")
    said = {heading: text.strip() for heading, text in lines_of(answer).items()}
    assert (said["Condorcet loser"], said["Transitive"], said["Tied duels"]) == ("a", "yes", "0 of 3")


def test_the_graph_is_written_for_graphviz(weightlab, tmp_path):
    table = b'model,x\n"say ""hi""",1\nback\\slash,2\n\x1b[31m,3\n'
    assert weightlab("graph", "-", "--dot", "out.dot", "--quiet", stdin=table).code == 0
    text = (tmp_path / "out.dot").read_text(encoding="utf-8")
    assert text.startswith("digraph majorities {\n")
    assert '  "say \\"hi\\"";' in text
    assert '  "back\\\\slash" -> "say \\"hi\\"" [label="1"];' in text
    assert "\x1b" not in text


def test_the_graph_is_written_as_graphml_with_exact_numbers(weightlab, tmp_path):
    table = b"model,x,y\na,1,2\nb,2,1\nc,0,0\n"
    (tmp_path / "t.csv").write_bytes(table)
    (tmp_path / "t.toml").write_text("[weights]\nx = 0.1\n", encoding="utf-8")
    assert weightlab("graph", "t.csv", "--graphml", "t.graphml").code == 0
    read = nx.read_graphml(tmp_path / "t.graphml")
    assert list(read.nodes) == ["a", "b", "c"]
    assert read.edges["a", "b"]["exact_margin"] == "9/10"
    assert read.edges["a", "b"]["margin"] == 0.9


def test_names_that_would_look_the_same_are_numbered(weightlab, tmp_path):
    table = b"model,x\na\x1b,1\na\\x1b,2\n"
    assert weightlab("graph", "-", "--graphml", "t.graphml", stdin=table).code == 0
    assert list(nx.read_graphml(tmp_path / "t.graphml").nodes) == ["1 a\\x1b", "2 a\\x1b"]


def test_an_overview_is_verified_where_it_is_sent(weightlab, cycle):
    answer = weightlab("graph", cycle, "--json", "-o", "proof.json")
    assert json.loads(answer.out)["results"][0]["kind"] == "majority_overview"
    assert weightlab("verify", "proof.json", cycle).code == 0
    cycle.write_bytes(CYCLE.replace(b"a,3,1", b"a,0,1"))
    assert weightlab("verify", "proof.json", cycle).code == 1


def test_missing_scores_and_wrong_files_are_said(weightlab, tmp_path):
    (tmp_path / "gaps.csv").write_text("model,x,y\na,1,\nb,2,3\n", encoding="utf-8")
    assert weightlab("graph", "gaps.csv").err == "Missing scores count as ties: a on y.\n"
    missing = weightlab("graph", "none.csv")
    assert (missing.code, missing.out) == (2, "")
    assert "none.csv" in missing.err
