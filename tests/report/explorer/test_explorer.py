"""The explorer as a part of a page: what it is told, what it is made of, and what it must never hold."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from fractions import Fraction
from html.parser import HTMLParser
from importlib.resources import files

import pytest
from hypothesis import given

import weightlab as wl
from tests import strategies as mine
from tests.brute_force import scores, sign
from weightlab.exceptions import InputError
from weightlab.report.explorer import DATA_ID, bare_page, explorer_part, payload
from weightlab.report.output.document import harmless_json

FOLDER = files("weightlab.report.explorer")
SOURCES = sorted(one.name for one in FOLDER.iterdir() if one.name.endswith((".js", ".css", ".jinja")))
FORBIDDEN = (
    *("innerHTML", "outerHTML", "insertAdjacentHTML", "createContextualFragment", "DOMParser", "document.write"),
    *("eval(", "Function(", "import(", "fetch(", "XMLHttpRequest", "http:", "https:", "@import", "url(h"),
    *("style=", ".cssText", 'setAttribute("style"', "onclick"),
)
PLACES_OR_SCORES = {"mean", "mean_win_rate", "mean_rank", "borda", "plurality", "veto", "dowdall"}
BOARD = wl.Leaderboard({"x": {"a": 2, "b": 1, "c": 0}, "y": {"a": 1, "b": 2, "c": 0}})


class Elements(HTMLParser):
    """The elements of a page with their attributes."""

    def __init__(self, text):
        super().__init__()
        self.found = []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.found.append((tag, dict(attributes)))


@mine.FEWER
@given(mine.boards(tolerant=True))
def test_the_payload_holds_every_score_and_weight_exactly(board):
    told = payload(board)
    assert told["models"] == list(board.models)
    for task, exact in zip(told["tasks"], scores(board).values(), strict=True):
        texts = zip(board.models, task["scores"], strict=True)
        assert {model: Fraction(text) for model, text in texts if text is not None} == exact
        assert Fraction(task["weight"]) == board.weights[task["name"]]
        assert task["lower"] == (task["name"] in board.lower_is_better)


@mine.FEWER
@given(mine.boards(tolerant=True))
def test_the_payload_tells_who_leads_whom(board):
    for task in payload(board)["tasks"]:
        if task["tolerant"] is not None:
            assert task["name"] in {*board.tolerance, *board.relative_tolerance}
            continue
        for one, place in zip(board.models, task["places"], strict=True):
            for other, second in zip(board.models, task["places"], strict=True):
                expected = 0 if None in {place, second} else (place > second) - (place < second)
                assert expected == sign(board, one, other, task["name"])


@mine.FEWER
@given(mine.boards())
def test_the_payload_holds_proofs_of_its_verdicts(board):
    told = payload(board)
    assert [one["rule"] for one in told["ways"]][-1] == "majority"
    for way in told["ways"][:-1]:
        ranked = [board.models[row] for row in way["models"]]
        proved = wl.lp.prospects(board.select(models=ranked), rule=way["rule"]).verdicts
        assert [one["verdict"] for one in way["prospects"]] == [str(proved[model]) for model in ranked]
    for model, one in zip(board.models, told["ways"][-1]["prospects"], strict=True):
        signs = board.signs().of(model)
        shares = dict.fromkeys(board.tasks, Fraction(0))
        shares |= {board.tasks[task]: Fraction(share) for task, share in one["weights"]}
        leads = [sum(int(row[task]) * shares[task] for task in board.tasks) for _, row in signs.iterrows()]
        assert sum(shares.values()) == 1
        assert min(leads) >= Fraction(one["lower"])
        blockers = {board.models[rival]: Fraction(share) for rival, share in one["blockers"]}
        assert sum(blockers.values()) == 1
        for task in board.tasks:
            assert sum(share * int(signs.loc[rival, task]) for rival, share in blockers.items()) <= Fraction(
                one["upper"]
            )
        assert one["verdict"] == str(wl.lp.prospect(board, model).verdict)


@mine.FEWER
@given(mine.boards(tolerant=True))
def test_a_rule_is_offered_or_withheld_with_a_reason(board):
    told = payload(board)
    labels = [*(one["label"] for one in told["rules"]), *(one["label"] for one in told["withheld"])]
    assert len(set(labels)) == len(labels) == 13
    assert len({one["id"] for one in told["rules"]}) == len(told["rules"])
    tolerant = bool(board.tolerance or board.relative_tolerance)
    assert bool(told["withheld"]) == tolerant
    for one in told["rules"]:
        assert ("missing" in one["options"]) == (bool(board.missing_cells) and one["name"] in PLACES_OR_SCORES)


def test_what_is_proved_already_is_not_proved_again_and_must_be_of_the_board():
    proved = wl.lp.prospects(BOARD)
    assert payload(BOARD, proved=[proved]) == payload(BOARD)
    with pytest.raises(InputError, match="another table"):
        payload(BOARD.select(models=["a", "b"]), proved=[proved])
    narrow = wl.lp.prospects(BOARD, space=wl.lp.WeightSpace(BOARD.tasks).at_most("x", "1/2"))
    with pytest.raises(InputError, match="without conditions"):
        payload(BOARD, proved=[narrow])


def test_tables_of_other_names_have_other_fingerprints():
    other = wl.Leaderboard({"x": {"a": 2, "b": 1, "d": 0}, "y": {"a": 1, "b": 2, "d": 0}})
    assert payload(BOARD)["fingerprint"] != payload(other)["fingerprint"]
    assert payload(BOARD)["fingerprint"] == payload(wl.Leaderboard(BOARD.scores + 1))["fingerprint"]


@mine.FEWER
@given(mine.boards())
def test_the_data_is_the_payload_and_ends_no_element(board):
    data = explorer_part(board).data
    assert json.loads(data) == payload(board)
    assert not set(data) & {"<", ">", "&", "\u2028", "\u2029"}


@given(mine.ANY_NAME)
def test_any_text_survives_as_json_in_a_page(name):
    text = harmless_json([name, "</script><!--", "\u2028"])
    assert json.loads(text) == [name, "</script><!--", "\u2028"]
    assert text.isascii()


def test_the_policy_of_the_bare_page_admits_its_own_style_and_script_only():
    part = explorer_part(BOARD)
    page = Elements(bare_page(part, title="<title>"))
    policy = next(one["content"] for tag, one in page.found if one.get("http-equiv") == "Content-Security-Policy")
    hashes = re.findall(r"'(sha256-[^']+)'", policy)
    expected = [hashlib.sha256(text.encode()).digest() for text in (part.script, part.css)]
    assert hashes == ["sha256-" + base64.b64encode(one).decode() for one in expected]
    assert policy.startswith("default-src 'none';")
    assert "unsafe" not in policy
    scripts = [one for tag, one in page.found if tag == "script"]
    assert scripts == [{"type": "application/json", "id": DATA_ID}, {}]


def test_the_markup_has_no_handlers_no_styles_and_nothing_to_load():
    for tag, attributes in Elements(bare_page(explorer_part(BOARD))).found:
        assert not [name for name in attributes if name.startswith("on") or name in {"style", "src", "srcset"}], tag
        assert tag != "link"


@pytest.mark.parametrize("source", SOURCES)
def test_text_never_becomes_markup_or_code_and_nothing_is_asked_of_the_network(source):
    # The namespace of SVG is a name that looks like an address.
    text = (FOLDER / source).read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
    assert [word for word in FORBIDDEN if word in text] == []


@pytest.mark.parametrize("source", SOURCES)
def test_a_file_of_the_page_holds_one_idea_too(source):
    assert len((FOLDER / source).read_text(encoding="utf-8").splitlines()) <= 400
