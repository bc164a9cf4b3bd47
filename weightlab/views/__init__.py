"""Answers as people read them: each described once, and rendered as HTML, Markdown, LaTeX and tables."""

from typing import TYPE_CHECKING

from weightlab._exports import name_later as _name_later

if TYPE_CHECKING:
    from weightlab.views import order as order
    from weightlab.views import pairs as pairs
    from weightlab.views import verdicts as verdicts
    from weightlab.views import weights as weights

_name_later(globals())
