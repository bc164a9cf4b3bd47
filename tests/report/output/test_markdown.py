"""Whatever a text holds, Markdown shows it: nothing of it becomes a link, a mention, an image, HTML or a heading."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from weightlab._text import HIDDEN, shown
from weightlab.views.markdown import Names, code, fenced, marked

HOSTILE = [
    "n\n# heading", "t```x", "``", "`", "a|b", "a\\|b", "a\\", "`a|b`", "<script>alert(1)</script>", "@team/x",
    "www.x.y", "http://x.y/z", "mail@x.org", "![i](http://x.y)", "[l](http://x.y)", "<http://x.y>", "# h", "1. one",
    "2024) x", "- item", "+", "==", "---", "> q", "~~~", "$x$", "&lt;", "a  ", "\x1b[31m", "b\u202ec", "#12", "GH-7",
    ":tada:", "deadbeef1", "HTTPS://X.Y", "xmpp:a", "user/repo#3", " ` ", "{{ 7*7 }}", "a`b``c```d", "|", "||", "*a*",
    "_a_", "\\`",
]  # fmt: skip
PIECES = st.sampled_from([*HOSTILE, "of", "beats", " ", ", ", "a", "1", ": ", "'", '"', "(", ")."])
LINKS = re.compile(r"@\w|www\.|://|mailto:|xmpp:|#\d|\bGH-\d|:\w+:", re.IGNORECASE)
READER = MarkdownIt("commonmark", {"html": True}).enable("table").enable("strikethrough")
INLINE = {"text", "code_inline", "softbreak"}
BLOCKS = {"paragraph", "table", "thead", "tbody", "tr", "th", "td", "bullet_list", "list_item", "inline", "fence"}


def kinds_and_texts(markdown):
    """Return the kinds of blocks and of parts of lines in Markdown, its text outside code, and all its text."""
    blocks, parts, outside, every = set(), set(), [], []
    for token in READER.parse(markdown):
        blocks.add(re.sub("_(open|close)$", "", token.type))
        every += [token.content] if token.type == "fence" else []
        for part in token.children or ():
            parts.add(part.type)
            every.append(part.content)
            outside += [part.content] if part.type != "code_inline" else []
    return blocks, parts, " ".join(outside), "".join(every)


@given(st.lists(PIECES, min_size=1).map("".join), st.lists(st.sampled_from(HOSTILE)))
def test_a_line_is_shown_as_it_is_with_every_address_in_code(text, names):
    line = shown(text).strip()
    blocks, parts, outside, every = kinds_and_texts(f"- {marked(text, Names.of(names))}\n")
    assert blocks <= BLOCKS
    assert parts <= INLINE
    assert not LINKS.search(outside)
    assert every == line


@given(st.lists(PIECES, min_size=1).map("".join), st.lists(st.sampled_from(HOSTILE)))
def test_a_cell_is_shown_as_it_is_and_ends_at_its_own_bar(text, names):
    cell = marked(text, Names.of(names))
    blocks, parts, outside, every = kinds_and_texts(f"| a | b |\n| --- | --- |\n| {cell} | end |\n")
    assert blocks <= BLOCKS
    assert "table" in blocks
    assert parts <= INLINE
    assert not LINKS.search(outside)
    assert every == f"ab{shown(text).strip()}end"


@given(st.text())
def test_any_name_stands_in_code_alone(name):
    blocks, parts, outside, every = kinds_and_texts(f"- {marked(name, Names.of([name]))}\n")
    assert blocks <= BLOCKS
    assert parts <= INLINE
    assert set(outside) <= {"|", " "}
    assert every == shown(name).strip()
    assert not any(unicodedata.category(letter) in HIDDEN for letter in every)


@pytest.mark.parametrize("name", [one for one in HOSTILE if re.search(r"\w\W|\W\w", one.strip())])
def test_a_name_in_a_sentence_stands_in_code(name):
    assert (
        marked(f"Of two, {name.strip()} wins.", Names.of([name.strip()]))
        == f"Of two, {code(shown(name.strip()))} wins."
    )


def test_names_that_are_words_or_numbers_stand_in_code_only_alone():
    names = Names.of(["all", "12", "LDA"])
    assert marked("all of 12 beat LDA", names) == "all of 12 beat `LDA`"
    assert [marked(one, names) for one in ("all", "12")] == ["`all`", "`12`"]


@given(st.text(st.sampled_from("`\n# a"), max_size=20))
def test_nothing_in_a_fence_ends_it(text):
    (fence,) = [token for token in READER.parse(fenced(text)) if token.level == 0]
    assert fence.type == "fence"
    assert fence.content == f"{text}\n"
