"""What was asked for besides weights, in words: bounds of scores, prices and limits, so that no answer hides them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from weightlab._text import in_words

__all__ = ["MOST", "asked"]

MOST = 6
"""So many names, or different wishes, are listed; the rest is counted."""


def asked(heading: str, wishes: Sequence[Mapping[str, str]], names: int, everything: str) -> str:
    """Return a sentence such as `` Bounds: 0 to 1 for every missing score.``, empty where nothing was asked for.

    Parameters
    ----------
    heading : str
        Its first word.
    wishes : sequence of mappings from name to text
        What was asked for, by the name that it is about; equal wishes are said once.
    names : int
        How many names there are.
    everything : str
        What all of them are called.
    """
    said: dict[str, list[str]] = {}
    for one in wishes:
        for name, text in one.items():
            said.setdefault(text, []).append(name)
    parts = [f"{text} for {everything if len(who) == names else in_words(who, MOST)}" for text, who in said.items()]
    if len(parts) > MOST:
        parts = [*parts[:MOST], f"{len(parts) - MOST} more"]
    return f" {heading}: {'; '.join(parts)}." if parts else ""
