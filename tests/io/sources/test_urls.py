"""Addresses: what is there is read, and nothing that is there leads anywhere else or takes more than is allowed."""

from __future__ import annotations

import socket
import time
import tracemalloc
from contextlib import suppress
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

import weightlab as wl
from tests.io.sources.web import TABLE, serving
from weightlab.exceptions import FileFormatError
from weightlab.io.sources import urls
from weightlab.io.sources.urls import bare, fetched, is_url, is_whole

MIB = 1 << 20


@pytest.fixture
def server():
    with serving() as made:
        yield made


def to(location, status=302):
    def answer(handler):
        handler.send_response(status)
        handler.send_header("Location", location)
        handler.end_headers()

    return answer


def refusal(server, path, **more):
    with pytest.raises(FileFormatError) as told:
        wl.read_leaderboard(server.at + path, **more)
    return str(told.value).removeprefix(server.at)


def test_what_is_at_an_address_is_read(server):
    assert wl.read_leaderboard(f"{server.at}/t.csv").models == ("a", "b")
    assert wl.propose_reading(f"{server.at}/t.csv").line.startswith("Read t.csv: 2 models")
    server.answers["/t.tsv"] = TABLE.replace(b",", b"\t")
    assert wl.read_leaderboard(f"{server.at}/t.tsv").tasks == ("f1",)
    server.answers["/download"] = TABLE  # without an extension its content tells
    assert wl.read_leaderboard(f"{server.at}/download").tasks == ("f1",)


def test_votes_suites_and_orders_are_read_from_addresses(server):
    server.answers["/v.csv"] = b"model_a,model_b,winner\na,b,model_a\n"
    server.answers["/s.csv"] = b"dataset,metric,model,score\nd,f1,a,1\nd,f1,b,2\n"
    server.answers["/o.soc"] = b"# ALTERNATIVE NAME 1: a\n# ALTERNATIVE NAME 2: b\n3: 1,2\n"
    assert wl.read_votes(f"{server.at}/v.csv").models == ("a", "b")
    assert wl.read_suite(f"{server.at}/s.csv").datasets == ("d",)
    assert wl.io.read_profile(f"{server.at}/o.soc").models == ("a", "b")


def test_only_the_address_is_sent(server, monkeypatch, tmp_path):
    (tmp_path / ".netrc").write_text("machine 127.0.0.1 login ada password secret\n")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("http_proxy", "http://user:secret@127.0.0.1:9")
    url = server.at.replace("http://", "http://ada:secret@") + "/t.csv?token=hidden#part"
    wl.read_leaderboard(url)
    ((path, headers),) = server.asked
    assert path == "/t.csv?token=hidden"
    assert {name.casefold() for name in headers} == {"host", "user-agent", "accept", "accept-encoding", "connection"}
    assert "secret" not in str(headers)


def test_a_configuration_is_never_fetched(server):
    server.answers["/t.toml"] = b"lower_is_better = ['f1']"
    with pytest.raises(FileFormatError, match="there is no such file"):
        wl.read_leaderboard(f"{server.at}/t.csv", config=f"{server.at}/t.toml")
    assert wl.read_leaderboard(f"{server.at}/t.csv").lower_is_better == ()
    assert [path for path, _ in server.asked if "toml" in path] == []


def test_redirects_are_followed_five_times(server):
    server.answers |= {f"/{at}": to(f"/{at - 1}") for at in range(2, 8)} | {"/1": to("/t.csv", 307)}
    assert wl.read_leaderboard(f"{server.at}/5").models == ("a", "b")
    assert refusal(server, "/6") == "/6: more than 5 redirects"


@pytest.mark.parametrize("location", ["file:///etc/passwd", "ftp://127.0.0.1/t.csv", "data:text/csv,a", "gopher://a/"])
def test_redirects_to_other_schemes_are_refused(server, location):
    server.answers["/away"] = to(location)
    scheme = location.partition(":")[0]
    assert refusal(server, "/away") == f"/away: it redirects from http to {scheme}, which is not followed"


def test_https_never_becomes_http():
    with pytest.raises(FileFormatError, match="it redirects from https to http, which is not followed"):
        urls._next(urlsplit("https://a.example/x"), "http://a.example/x", "x")
    assert urls._next(urlsplit("http://a.example/x"), "https://b.example/y", "x").hostname == "b.example"


@pytest.mark.parametrize(
    "host",
    ["127.0.0.2", "10.0.0.1", "192.168.0.1", "169.254.169.254", "[::1]", "[fe80::1]", "[::ffff:127.0.0.1]"],
)
def test_redirects_from_the_web_to_this_machine_or_a_private_network_are_refused(server, monkeypatch, host):
    real = urls._is_public
    monkeypatch.setattr(urls, "_is_public", lambda address: address == "127.0.0.1" or real(address))
    monkeypatch.setattr(urls, "SECONDS", 5)
    server.answers["/away"] = to(f"http://{host}:{server.server_address[1]}/t.csv")
    assert refusal(server, "/away") == "/away: it leads to an address of this machine or of a private network"
    assert len(server.asked) == 1


@pytest.mark.parametrize("address", ["8.8.8.8", "2001:4860:4860::8888", "::ffff:8.8.8.8"])
def test_public_addresses_are_told(address):
    assert urls._is_public(address)


@pytest.mark.parametrize("address", ["224.0.0.1", "100.64.0.1", "2002:7f00:1::", "fc00::1", "fe80::1%eth0", "::"])
def test_other_addresses_are_not_public(address):
    assert not urls._is_public(address)


def test_a_body_without_end_stops_at_the_limit_in_little_memory(server):
    def endless(handler):
        handler.send_response(200)
        handler.end_headers()
        while True:
            handler.wfile.write(b"x" * MIB)

    server.answers["/endless.csv"] = endless
    tracemalloc.start()
    try:
        told = "/endless.csv: more than 2 MiB at this address; pass size_limit=4 to allow so many MiB"
        assert refusal(server, "/endless.csv", size_limit=2) == told
        assert tracemalloc.get_traced_memory()[1] < 16 * MIB
    finally:
        tracemalloc.stop()


def test_a_body_that_is_said_to_be_too_large_is_not_fetched(server):
    def large(handler):
        handler.send_response(200)
        handler.send_header("Content-Length", str(65 * MIB))
        handler.end_headers()

    server.answers["/large.csv"] = large
    assert refusal(server, "/large.csv").startswith("/large.csv: more than 64 MiB at this address")


@pytest.mark.parametrize("part", ["body", "headers"])
def test_what_comes_drop_by_drop_ends_in_time(server, monkeypatch, part):
    monkeypatch.setattr(urls, "SECONDS", 0.3)

    def slow(handler):
        if part == "body":
            handler.send_response(200)
            handler.end_headers()
        else:
            handler.wfile.write(b"HTTP/1.1 200 OK\r\nX: ")
        for _ in range(100):
            handler.wfile.write(b"x")
            handler.wfile.flush()
            time.sleep(0.05)

    server.answers["/slow.csv"] = slow
    begun = time.monotonic()
    assert refusal(server, "/slow.csv") == "/slow.csv: not fetched within 0.3 seconds"
    assert time.monotonic() - begun < 2


def test_a_resolver_that_does_not_answer_ends_in_time(monkeypatch):
    monkeypatch.setattr(urls, "SECONDS", 0.2)
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: time.sleep(1) or [])
    with pytest.raises(FileFormatError, match="not fetched within"):
        fetched("http://a.example/t.csv")


def test_what_ends_early_is_refused(server):
    def short(handler):
        handler.send_response(200)
        handler.send_header("Content-Length", "100")
        handler.end_headers()
        handler.wfile.write(TABLE)

    server.answers["/short.csv"] = short
    assert refusal(server, "/short.csv") == "/short.csv: the connection ended before the file did"


def test_what_is_no_answer_is_refused(server):
    server.answers["/odd.csv"] = lambda handler: handler.wfile.write(b"odd\r\n\r\n")
    assert "cannot be fetched" in refusal(server, "/odd.csv")
    assert refusal(server, "/none.csv") == "/none.csv: the server says 404 Not Found"


@pytest.mark.parametrize("url", ["ftp://a/t.csv", "file:///etc/passwd", "http://", "hf://a/b", "http://a:0x/"])
def test_other_addresses_are_refused(url):
    with pytest.raises(FileFormatError, match="addresses are read that begin with https://"):
        wl.read_leaderboard(url)


@pytest.mark.parametrize(
    ("url", "file"),
    [
        ("hf://org/repo/a/b.csv", "https://huggingface.co/org/repo/resolve/main/a/b.csv"),
        ("hf://datasets/org/repo@v1/b.csv", "https://huggingface.co/datasets/org/repo/resolve/v1/b.csv"),
        ("https://github.com/o/r/blob/main/x.csv", "https://github.com/o/r/raw/main/x.csv"),
        ("https://huggingface.co/o/r/blob/main/x.csv", "https://huggingface.co/o/r/resolve/main/x.csv"),
        ("HTTP://Example.ORG:80/x.csv?a=b#c", "http://example.org/x.csv"),
        ("http://[::1]:8/x.csv", "http://[::1]:8/x.csv"),
    ],
)
def test_an_address_is_that_of_the_file(url, file):
    assert is_url(url)
    assert bare(url) == file


@given(st.text("abc:@/?#.", max_size=12))
def test_no_address_is_shown_with_user_query_or_fragment(rest):
    with suppress(FileFormatError):
        made = bare(f"https://{rest}")
        assert not {"?", "#"} & {*made}
        assert "@" not in urlsplit(made).netloc


@pytest.mark.parametrize(
    ("file", "whole"),
    [
        ("t.csv", True),
        ("s3://a/b?c", True),
        ("https://a.org/t.csv#part", True),
        ("hf://org/repo/b.csv", True),
        ("https://a.org/t.csv?token=x", False),
        ("https://me:word@a.org/t.csv", False),
    ],
)
def test_an_address_may_be_shown_without_what_it_needs(file, whole):
    assert is_whole(file) is whole


def test_paths_are_no_addresses():
    assert not any(map(is_url, ("t.csv", "a/b://c.csv", "/x//y.csv", "C:/t.csv", 3, None)))
