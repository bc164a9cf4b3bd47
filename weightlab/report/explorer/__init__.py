"""The weight explorer: sliders for the weights of a board, and what they make of it, live in a page."""

from weightlab.report.explorer.explorer import DATA_ID, Part, bare_page, explorer_part, payload

__all__ = ["DATA_ID", "Part", "bare_page", "explorer_part", "payload"]
