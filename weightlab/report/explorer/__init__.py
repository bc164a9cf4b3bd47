"""The weight explorer: sliders for the weights of a board, and what they make of it, live in a page."""

from __future__ import annotations

from weightlab.report.explorer.part import DATA_ID, Part, bare_page, explorer_part
from weightlab.report.explorer.payload import payload

__all__ = ["DATA_ID", "Part", "bare_page", "explorer_part", "payload"]
