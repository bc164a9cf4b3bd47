"""Addresses where a file is named at the prompt."""

from __future__ import annotations

import json

import pytest

from tests.io.sources.web import TABLE, serving


@pytest.fixture
def server():
    with serving() as made:
        yield made


def test_what_may_be_secret_is_shown_nowhere(server, weightlab):
    server.answers["/t.csv"] = b"model,f1,p95 request cost\na,1,2\nb,2,1\n"
    url = server.at.replace("http://", "http://ada:secret@") + "/t.csv?token=hidden#part"
    told = weightlab("rank", url)
    assert "  the same command and behind it --accept-reading" in told.err
    assert "weightlab rank" not in told.err  # it would not run
    made = weightlab("rank", url, "--accept-reading", "--json")
    missing = weightlab("rank", url.replace("t.csv", "x.csv"))
    report = weightlab("report", url, "--accept-reading", "--as", "md")
    for shown in (told.err, made.out, made.err, missing.err, report.out, report.err):
        assert not {"secret", "hidden", "ada", "#part"} & set(filter(shown.__contains__, ("secret", "hidden", "ada:")))
    assert json.loads(made.out)["options"]["file"] == "t.csv"


def test_commands_are_shown_of_an_address_that_is_shown_whole(server, weightlab):
    server.answers["/t.csv"] = b"model,f1,p95 request cost\na,1,2\nb,2,1\n"
    url = f"{server.at}/t.csv"
    assert f"weightlab rank {url} --accept-reading" in weightlab("rank", f"{url}#part").err
    assert f"  weightlab win {url} --lower" in weightlab("read", url).out
    assert "  weightlab win with this address as it was given, and --lower" in weightlab("read", f"{url}?key=1").out


def test_a_command_asks_once(server, weightlab):
    assert weightlab("win", f"{server.at}/t.csv", "--quick").code == 0
    assert len(server.asked) == 1


def test_the_version_before_may_be_at_an_address(server, weightlab, tmp_path):
    (tmp_path / "t.csv").write_bytes(TABLE.replace(b"b,2", b"b,0"))
    assert "f1" in weightlab("check", "t.csv", "--against", f"{server.at}/t.csv").out


def test_the_checker_reads_files_only(server, weightlab, tmp_path):
    made = weightlab("rank", f"{server.at}/t.csv", "--json")
    (tmp_path / "r.json").write_text(made.out)
    assert weightlab("verify", "r.json", f"{server.at}/t.csv").code == 0
    assert "weightlab convert URL table.csv" in weightlab("verify", "r.json", f"{server.at}/t.csv", "--independent").err
