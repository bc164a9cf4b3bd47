"""What results have in common is written once, and comes back as it was."""

from __future__ import annotations

import json
from string import ascii_letters, digits

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import strategies as mine
from weightlab.exceptions import InputError
from weightlab.report.output import document as document_module
from weightlab.report.output.document import LONG, harmless_json, packed, restore_parts, share_parts, unpacked

LEAVES = st.none() | st.booleans() | st.integers(-2, 2) | st.floats(allow_nan=False) | st.sampled_from("ab$")
TREES = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(["$", "$$", "a", "b"]), inner, max_size=3)
    ),
    max_leaves=12,
)


@mine.FEWER
@given(st.lists(TREES, max_size=4), st.sampled_from([0, 5, 12]))
def test_documents_come_back_as_they_were(documents, long):
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(document_module, "LONG", long)
        mark, parts, left = share_parts(documents)
    texts = [json.loads(json.dumps(one)) for one in (parts, left)]
    found = [restore_parts(one, mark, texts[0]) for one in texts[1]]
    # As JSON: 1, 1.0 and true are equal in Python.
    assert json.dumps(found) == json.dumps(documents)


def test_what_is_long_and_comes_again_is_written_once_however_deep_it_stands():
    table = {"scores": [[place, place + 1] for place in range(LONG)]}
    mark, parts, left = share_parts([{"data": table, "a": 1}, {"inner": [{"data": dict(table)}]}])
    assert (mark, parts) == ("$", [table])
    assert left == [{"data": {"$": 0}, "a": 1}, {"inner": [{"data": {"$": 0}}]}]
    assert share_parts([{"$": 1}, {"data": table}])[:2] == ("$$", [])


def test_what_is_the_same_only_for_python_is_not_the_same():
    documents = [[1] * LONG, [True] * LONG, [1.0] * LONG]
    assert share_parts(documents)[1] == []
    assert share_parts([{"a": {"x": one, "y": documents[0]}} for one in (0.0, -0.0)])[1] == [documents[0]]


@pytest.mark.parametrize("place", [1, -1, True, "0", None])
def test_a_reference_to_nothing_is_refused(place):
    with pytest.raises(InputError, match="common part"):
        restore_parts([{"$": place}], "$", [1])


def test_a_reference_has_nothing_beside_it():
    with pytest.raises(InputError, match="has nothing beside"):
        restore_parts({"$": 0, "a": 1}, "$", [1])


def test_a_pack_is_a_text_of_json_that_ends_no_element_and_comes_back():
    table = ["</script><!--\u2028"] * LONG
    text = packed({"results": [{"a": table}, {"b": table}]}, {"asked": 1}, harmless_json(table[:1]))
    assert not set(text[1:-1]) - set(ascii_letters + digits + "+/=")
    head, *rest = unpacked(text)
    assert json.loads(head) == {"count": 2, "parts": {"count": 1, "mark": "$"}}
    assert list(map(json.loads, rest)) == [table, {"a": {"$": 0}}, {"b": {"$": 0}}, {"asked": 1}, table[:1]]
    assert not set("".join(rest)) & {"<", ">", "&", "\u2028"}
