"""Sphinx settings: Markdown pages, docstrings in numpydoc shape, and no reference left unresolved."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from pygments.lexers.special import TextLexer

from weightlab import __version__
from weightlab.report.browser import table_page

if TYPE_CHECKING:
    from sphinx.application import Sphinx

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

project = "weightlab"
author = "The weightlab developers"
copyright = "2026, the weightlab developers"  # noqa: A001 (the name that Sphinx reads)
release = __version__
version = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx.ext.mathjax", "manual", "schemas"]
exclude_patterns = ["_build", "_ext", "files"]
source_suffix = {".md": "markdown"}

man_pages = [("reference/command-line", "weightlab", "proofs about benchmark score tables", author, 1)]

html_theme = "furo"
html_title = f"weightlab {release}"
html_show_sourcelink = False
html_static_path = ["_static"]
html_css_files = ["console.css"]

myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3

autodoc_member_order = "bysource"
autodoc_typehints = "none"  # docstrings give the types, in words
autodoc_default_options = {"members": True}
napoleon_numpy_docstring = True
napoleon_google_docstring = False
napoleon_use_param = False
napoleon_use_rtype = False
napoleon_use_ivar = False

# Every name of weightlab that a page or a signature refers to must be documented. Types of other packages and words
# in the type column of a docstring are left as text, since inventories of other projects are not fetched.
nitpicky = True
nitpick_ignore_regex = [
    (r"py:(class|obj|data|exc)", r"(?!weightlab\.(?!_)).*"),
    (r"py:(func|meth|mod|attr)", r"(highspy|matplotlib|networkx|numpy|pandas|pulp|scipy)\..*"),
]


def setup(app: Sphinx) -> None:
    """Let blocks be called csv, as editors and forges know them, and write the page that the how-to offers."""
    app.add_lexer("csv", TextLexer)  # Pygments has none of that name
    (Path(__file__).parent / "how-to" / "weightlab.html").write_text(table_page(), encoding="utf-8")
