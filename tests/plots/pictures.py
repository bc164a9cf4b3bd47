"""What every picture must do, whatever it shows."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

from hypothesis import settings

import weightlab as wl

FEW = settings(max_examples=max(1, settings.default.max_examples * 3 // 20))
"""Marks are frames, which are slow to make."""

AWKWARD = ["$x_1$", "<script>alert(1)</script>", "模型", "🦊", "bell\a", "نموذج", "long " * 40, "a_b^c", "\\frac{1}{2}"]
"""Names that drawing must not break on, nor read as anything but text."""

SVG = "{http://www.w3.org/2000/svg}"


def texts(svg):
    """Return the texts of an SVG, which must be well-formed and hold no script."""
    root = ET.fromstring(svg)  # noqa: S314 (made here)
    assert not list(root.iter(f"{SVG}script"))
    return ["".join(one.itertext()) for one in root.iter(f"{SVG}text")]


def colours(png):
    """Return how many colours an image has: a blank one has 1."""
    import io

    import numpy as np
    from matplotlib import image

    pixels = image.imread(io.BytesIO(png), format="png")
    return len(np.unique(pixels.reshape(-1, pixels.shape[-1]), axis=0))


def assert_is_drawn(thing, kind, *, names=(), **options):
    """Assert that a picture is made in both themes and all formats, the same twice, not blank, with these names."""
    light, dark = (wl.plots.rendered(thing, "svg", kind=kind, theme=theme, **options) for theme in ("light", "dark"))
    assert light == wl.plots.rendered(thing, "svg", kind=kind, **options)
    for svg in (light, dark):
        shown = " ".join(texts(svg))
        assert [name for name in names if name not in shown] == []
        assert not re.search(rb"<dc:date>|<cc:Agent|matplotlib.org", svg)
    assert colours(wl.plots.rendered(thing, "png", kind=kind, dpi=50, **options)) > 4
    assert wl.plots.rendered(thing, "pdf", kind=kind, **options).startswith(b"%PDF")
