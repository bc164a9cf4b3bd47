"""The tree of a group-separable profile: every block cut in two, one part above the other for each voter."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd

from weightlab._text import counted
from weightlab.domains import GroupSeparable
from weightlab.exceptions import InputError
from weightlab.plots.canvas import Axes, canvas, short_names, short_number, shown, width_of
from weightlab.plots.marks import ensure_most, headline, label_beside, marks_frame, note, rows_of, title
from weightlab.plots.ranks.ranks_by_rule import chart_marks, draw_chart
from weightlab.plots.structure.single_peaked import LONGEST_SENTENCE

Block = tuple[int, int]
"""Where a block starts and stops in the first voter's order."""
COLUMNS = ["model", "x", "y", "first_x", "first_y", "second_x", "second_y", "first", "second", "models", "role"]


def separation_tree_marks(result: GroupSeparable, *, most: int | None = 60) -> pd.DataFrame:
    """Return the marks of the tree of blocks or, without one, of the rankings that forbid it.

    Parameters
    ----------
    result : GroupSeparable
        What ``domains.group_separable`` returned.
    most : int, optional
        At most this many leaves are shown: the largest blocks are cut first, and a block that stays whole is one leaf,
        which says so. None cuts all.

    Returns
    -------
    DataFrame
        Where the rankings are group-separable, ``mark`` is ``"leaf"``, ``"cut"``, ``"title"`` or ``"note"``. Leaves:
        ``models`` (a tuple; one name unless the block stays whole), ``x`` (0), ``y`` (place from 0, in the first
        voter's order), ``label``. Cuts: ``models`` (of the block), ``x`` (steps from its deepest leaf) and ``y``,
        those of its parts (``first_x``, ``first_y``, ``second_x``, ``second_y``), the weight of the voters who put
        the first part (as the first voter has them) and the second part on top (``first`` and ``second``, exact),
        ``role`` (``"first"`` if all voters agree, else ``"second"``), ``label`` (the two weights).
        Where they are not, the marks of a chart as ``ranks_marks`` returns them: the models of the witness, a column
        for each of its voters.

    Raises
    ------
    InputError
        If ``most`` is not positive.

    Examples
    --------
    >>> import weightlab as wl
    >>> profile = wl.Profile.from_orders([["a", "b", "c"], ["c", "a", "b"], ["b", "a", "c"]])
    >>> marks = wl.plots.separation_tree_marks(wl.domains.group_separable(profile))
    >>> marks.loc[marks.mark == "cut", ["models", "label"]].values.tolist()
    [[('a', 'b', 'c'), '2 : 1'], [('a', 'b'), '2 : 1']]
    """
    ensure_most(most)
    if result.order is None or result.cuts is None:
        return _witness_marks(result)
    order = result.order
    parts = {(start, stop): (cut, (start, cut), (cut, stop)) for start, cut, stop in result.cuts}
    leaves = sorted(_leaves(len(order), parts, len(order) if most is None else most))
    names = short_names([order[start] for start, _ in leaves])
    marks: list[dict[str, Any]] = []
    spots: dict[Block, tuple[float, float]] = {}
    for place, ((start, stop), name) in enumerate(zip(leaves, names, strict=True)):
        spots[start, stop] = (0.0, float(place))
        label = name if stop - start == 1 else f"{stop - start} models: {name}, ..."
        marks.append({"mark": "leaf", "models": order[start:stop], "x": 0.0, "y": float(place), "label": label})
    cuts = []
    for block in sorted(parts, key=lambda one: one[1] - one[0]):
        _, first, second = parts[block]
        # A block inside a leaf that stays whole has no place.
        if first in spots and second in spots:
            (one_x, one_y), (other_x, other_y) = spots[first], spots[second]
            spots[block] = (max(one_x, other_x) + 1, (one_y + other_y) / 2)
            cuts.append(_cut(result, block, parts[block][0], spots[block], (*spots[first], *spots[second])))
    whole = sum(stop - start > 1 for start, stop in leaves)
    return marks_frame([*reversed(cuts), *marks, *_words(result, len(leaves), whole)], COLUMNS)


def draw_separation_tree(marks: pd.DataFrame, *, ax: Axes | None = None, theme: str = "light") -> Axes:
    """Draw the marks of a tree of blocks.

    Parameters
    ----------
    marks : DataFrame
        As ``separation_tree_marks`` returns them.
    ax : matplotlib Axes, optional
        Where to draw; new axes by default.
    theme : {"light", "dark"}
        The colours.

    Returns
    -------
    matplotlib Axes
    """
    leaves, cuts = rows_of(marks, "leaf"), rows_of(marks, "cut")
    if not leaves:
        return draw_chart(marks, ax=ax, theme=theme)
    names = 0.078 * max(width_of(one.label) for one in leaves)
    levels = max([1.0, *(one.x for one in cuts)])
    size = (names + 1.2 + min(8.0, 0.62 * levels), 1.3 + 0.3 * len(leaves))
    with canvas(ax, size=(max(5.0, size[0]), size[1]), theme=theme, fixed=True) as (axes, look):
        for cut in cuts:
            for x, y in ((cut.first_x, cut.first_y), (cut.second_x, cut.second_y)):
                axes.plot([cut.x, cut.x, x], [cut.y, y, y], color=look.ink, linewidth=1.3, zorder=1)
            _draw_cut(axes, cut, look.colour(cut.role), look.paper, look.ink)
        axes.yaxis.tick_right()
        axes.set_yticks([one.y for one in leaves], [one.label for one in leaves])
        axes.set_xticks([])
        axes.set_xlim(levels + 0.7, -0.05)
        axes.set_ylim(len(leaves) - 0.4, -0.6)
        axes.tick_params(length=0)
        axes.spines[:].set_visible(False)
        headline(axes, marks)
    return axes


def _leaves(size: int, parts: dict[Block, tuple[int, Block, Block]], most: int) -> list[Block]:
    """Return the blocks that are left when the largest is cut as long as there are not more than that."""
    blocks = [(0, size)]
    while len(blocks) < most:
        largest = max(blocks, key=lambda one: (one[1] - one[0], -one[0]))
        if largest not in parts:
            break
        blocks.remove(largest)
        blocks += parts[largest][1:]
    return blocks


def _cut(
    result: GroupSeparable, block: Block, cut: int, spot: tuple[float, float], ends: tuple[float, float, float, float]
) -> dict[str, Any]:
    """Return the mark of a cut, with the weight of the voters on either side."""
    order, profile = result.order or (), result.profile
    place = {model: column for column, model in enumerate(profile.models)}
    on_top = profile.ranks[:, place[order[block[0]]]] < profile.ranks[:, place[order[cut]]]
    first = sum((w for w, above in zip(profile.weights, on_top, strict=True) if above), Fraction(0))
    second = sum(profile.weights, Fraction(0)) - first
    return {
        "mark": "cut", "models": order[block[0] : block[1]], "x": spot[0], "y": spot[1],
        "first_x": ends[0], "first_y": ends[1], "second_x": ends[2], "second_y": ends[3],
        "first": first, "second": second, "role": "first" if np.all(on_top) else "second",
        "label": f"{short_number(first)} : {short_number(second)}",
    }  # fmt: skip


def _words(result: GroupSeparable, leaves: int, whole: int) -> Iterator[dict[str, Any]]:
    voters = counted(len(result.profile.voters), "voter")
    yield title(f"The rankings are group-separable: {counted(len(result.profile.models), 'model')}, {voters}")
    yield note(
        "At each cut: the weight of the voters who put the upper branch on top, and of those who put the lower one "
        "there. Filled: all voters agree."
    )
    if whole:
        stay = "1 block stays" if whole == 1 else f"{whole} blocks stay"
        yield note(f"{stay} whole, so that there are {leaves} leaves.")


def _witness_marks(result: GroupSeparable) -> pd.DataFrame:
    """Return the chart of the voters and models that no two blocks fit."""
    witness = result.witness
    if witness is None:
        raise InputError("the result has neither a tree nor a witness")
    kept: Sequence[str] = [place[0] for place in witness.orders[0]]
    sentence = shown(str(witness))
    words = [title(f"Not group-separable: {counted(len(witness.voters), 'voter')} and {len(kept)} models")]
    words += [note(f"Witness: {sentence}.")] if len(sentence) <= LONGEST_SENTENCE else []
    words.append(note("No cut of these models in two is an upper and a lower part for each of these voters."))
    return chart_marks(dict(zip(witness.voters, witness.orders, strict=True)), kept, words)


def _draw_cut(ax: Axes, cut: Any, colour: str, paper: str, ink: str) -> None:
    """Draw the point of a cut, filled where all voters agree, and write the two weights on its outer side."""
    agreed = cut.role == "first"
    ax.plot(
        [cut.x], [cut.y], marker="o" if agreed else "D", markersize=7, zorder=3,
        markerfacecolor=colour if agreed else paper, markeredgecolor=colour, markeredgewidth=1.6,
    )  # fmt: skip
    behind = {"facecolor": paper, "edgecolor": "none", "pad": 0.6}
    label_beside(ax, cut.label, cut.x, cut.y, away=-8, ha="right", color=ink, bbox=behind, zorder=2, in_layout=True)
