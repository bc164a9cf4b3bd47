"""A page as a browser's parser sees it: elements with their attributes, and texts."""

from __future__ import annotations

import base64
import re
import zlib
from html.parser import HTMLParser

from weightlab.report.output.document import PACK, lines_in_page

VOID = {"meta", "img", "source", "br", "hr", "input", "link", "wbr", "col", "area", "base", "embed", "param", "track"}


class Element:
    def __init__(self, tag, attributes, parent):
        self.tag, self.attributes, self.parent = tag, dict(attributes), parent
        self.children, self.texts = [], []

    @property
    def text(self):
        """The text of the element and all within it, in order."""
        return "".join(one if isinstance(one, str) else one.text for one in self.texts)

    def all(self, *tags):
        """Every element below with one of these tags, in order; all of them without tags."""
        for child in self.children:
            if not tags or child.tag in tags:
                yield child
            yield from child.all(*tags)


class _Builder(HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.root = self.now = Element("#root", [], None)

    def handle_starttag(self, tag, attrs):
        assert len(dict(attrs)) == len(attrs), f"<{tag}> has an attribute twice: {attrs}"
        made = Element(tag, attrs, self.now)
        self.now.children.append(made)
        self.now.texts.append(made)
        if tag not in VOID:
            self.now = made

    def handle_endtag(self, tag):
        assert self.now.tag == tag, f"</{tag}> ends <{self.now.tag}>"
        self.now = self.now.parent

    def handle_data(self, data):
        self.now.texts.append(data)


def read(page):
    """Return the root of a page; an element that is not ended, or ends another one, is an error."""
    builder = _Builder()
    builder.feed(page)
    builder.close()
    assert builder.now is builder.root, f"<{builder.now.tag}> is not ended"
    return builder.root


PACKED = re.compile(f'(?<=<script type="application/json" id="{PACK}">).*?(?=</script>)')
"""What a page holds deflated."""


def holding(page, lines):
    """Return a page that holds these lines of JSON, deflated anew."""
    text = base64.b64encode(zlib.compress("\n".join(lines).encode())).decode()
    return PACKED.sub(f'"{text}"', page)


def with_line(page, place, pattern, instead):
    """Return a page with a change made to one of its lines of JSON."""
    lines = lines_in_page(page)
    changed = re.sub(pattern, lambda _: instead, lines[place], count=1)
    assert changed != lines[place]
    lines[place] = changed
    return holding(page, lines)
