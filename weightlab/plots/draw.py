"""Draw anything: one call for all tables and results, one for files."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

import pandas as pd

from weightlab import lp, studies
from weightlab._files import write_whole
from weightlab.data import Leaderboard, Margins, Profile
from weightlab.domains import GroupSeparable, SinglePeaked, TukeyDepth
from weightlab.exceptions import InputError, UnknownNameError
from weightlab.plots.canvas import Axes, needed, own_axes, rendered_figure
from weightlab.plots.majority.majority_graph import draw_majority_graph, majority_graph_marks
from weightlab.plots.majority.margins import draw_margins, margins_marks
from weightlab.plots.ranks.agreement import agreement_marks, draw_agreement
from weightlab.plots.ranks.critical_difference import cd_marks, draw_cd
from weightlab.plots.ranks.disagreement import disagreement_marks, draw_disagreement
from weightlab.plots.ranks.dispersion import dispersion_marks, draw_dispersion
from weightlab.plots.ranks.mean_spans import draw_mean_spans, mean_spans_marks
from weightlab.plots.ranks.rank_intervals import draw_rank_intervals, rank_intervals_marks
from weightlab.plots.ranks.ranking import draw_ranking, ranking_marks
from weightlab.plots.ranks.ranks_by_rule import draw_ranks, ranks_marks
from weightlab.plots.ranks.robustness import draw_robustness, robustness_marks
from weightlab.plots.structure.audit import audit_marks, draw_audit
from weightlab.plots.structure.depths import depths_marks, draw_depths
from weightlab.plots.structure.separation_tree import draw_separation_tree, separation_tree_marks
from weightlab.plots.structure.single_peaked import draw_single_peaked, single_peaked_marks
from weightlab.plots.structure.sweep import draw_sweep, sweep_marks
from weightlab.plots.weights.fewest import draw_fewest, fewest_marks
from weightlab.plots.weights.firmness import draw_firmness, firmness_marks
from weightlab.plots.weights.stability import draw_stability, stability_marks
from weightlab.plots.weights.verdicts import draw_verdicts, verdicts_marks
from weightlab.plots.weights.weight_ranges import draw_weight_ranges, weight_ranges_marks
from weightlab.plots.weights.winner_map import draw_winner_map, winner_map_marks
from weightlab.plots.weights.winning_shares import draw_winning_shares, winning_shares_marks
from weightlab.plots.weights.winning_weights import draw_winning_weights, winning_weights_marks
from weightlab.rules import Comparison, Ranking, TwoStepRanking


def marks(thing: Any, kind: str | None = None, **options: Any) -> pd.DataFrame:
    """Return the contents of a picture as a table, one row per mark; it needs no matplotlib.

    Parameters
    ----------
    thing : Leaderboard, Profile, Margins or a result
        What is to be drawn.
    kind : str, optional
        Which picture, one of ``PICTURES``; the first that can be drawn of such a thing by default.
    **options
        Options of the picture, such as ``most=20``.

    Returns
    -------
    DataFrame
        ``mark`` is the kind of mark; the other columns are described with the picture's own function.

    Raises
    ------
    UnknownNameError
        If there is no picture of that kind.
    InputError
        If it cannot be drawn of this.

    Examples
    --------
    >>> import weightlab as wl
    >>> board = wl.Leaderboard({"x": {"a": 1, "b": 2}, "y": {"a": 1, "b": 3}})
    >>> wl.plots.marks(board, "margins")["mark"].value_counts().to_dict()
    {'cell': 4, 'model': 2, 'title': 1, 'note': 1}
    """
    return picture_of(thing, kind).marks(thing, **options)


def draw(
    thing: Any,
    *,
    kind: str | None = None,
    ax: Axes | None = None,
    theme: str = "light",
    width: float | None = None,
    **options: Any,
) -> Axes:
    """Draw a table or a result.

    Parameters
    ----------
    thing : Leaderboard, Profile, Margins or a result
        What is to be drawn.
    kind : str, optional
        Which picture, one of ``PICTURES``; the first that can be drawn of such a thing by default.
    ax : matplotlib Axes, optional
        Where to draw; by default axes of a new figure, ``draw(...).figure``, which a notebook shows.
    theme : {"light", "dark"}
        The colours.
    width : float, optional
        Inches of the new figure, such as 3.3 for a column of a paper; by default, and where there is a column for each
        model, as wide as the picture needs.
    **options
        Options of the picture, such as ``most=20``.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    UnknownNameError
        If there is no picture of that kind, or no such theme.
    InputError
        If it cannot be drawn of this, or matplotlib is not installed.
    """
    picture = picture_of(thing, kind)
    needed()
    made = own_axes(width, theme) if ax is None and width is not None else ax
    drawn: Axes = picture.draw(picture.marks(thing, **options), ax=made, theme=theme)
    return drawn


def rendered(
    thing: Any, suffix: str = "svg", *, kind: str | None = None, theme: str = "light", dpi: float = 150, **options: Any
) -> bytes:
    """Return a picture as the bytes of a file, the same at each run.

    Parameters
    ----------
    thing : Leaderboard, Profile, Margins or a result, or matplotlib Axes
        What is to be drawn, or what is already.
    suffix : {"svg", "png", "pdf"}
        The format.
    kind, theme, **options
        As for ``draw``.
    dpi : float
        Dots per inch of a PNG.

    Raises
    ------
    InputError
        As ``draw``, and if the format is not known.
    """
    needed()
    from matplotlib.axes import Axes as Drawn  # noqa: PLC0415 (an extra)

    ax = thing if isinstance(thing, Drawn) else draw(thing, kind=kind, theme=theme, **options)
    figure = ax.get_figure(root=True)
    if figure is None:
        raise InputError("these axes are on no figure any more")
    return rendered_figure(figure, suffix=suffix, dpi=dpi)


def save(
    thing: Any,
    path: str | os.PathLike[str],
    *,
    kind: str | None = None,
    theme: str = "light",
    dpi: float = 150,
    **options: Any,
) -> Path:
    """Write a picture to a file, the same bytes at each run.

    Parameters
    ----------
    thing : Leaderboard, Profile, Margins or a result, or matplotlib Axes
        What is to be drawn, or what is already.
    path : path
        Where to; its suffix says the format: ``.png``, ``.svg`` or ``.pdf``.
    kind, theme, **options
        As for ``draw``.
    dpi : float
        Dots per inch of a PNG.

    Returns
    -------
    Path
        The file.

    Raises
    ------
    InputError
        As ``draw``, and if the suffix is not known.
    OSError
        If the file cannot be written.
    """
    target = Path(path)
    made = rendered(thing, target.suffix.lower().removeprefix("."), kind=kind, theme=theme, dpi=dpi, **options)
    write_whole((target, [made]))
    return target


# The pictures there are: what each can be drawn of, its marks, and how they are drawn.


@dataclass(frozen=True)
class Picture:
    """One kind of picture.

    Attributes
    ----------
    about : str
        What it shows, in a few words.
    takes : type or union of types
        What it can be drawn of.
    marks : callable
        ``marks(thing, **options)`` returns what is drawn as a DataFrame, one row a mark.
    draw : callable
        ``draw(marks, ax=None, theme="light")`` draws them and returns the axes.
    """

    about: str
    takes: Any
    marks: Callable[..., pd.DataFrame]
    draw: Callable[..., Any]

    @property
    def kind(self) -> str:
        """What it is called: as the function that makes its marks, without ``_marks``."""
        return self.marks.__name__.removesuffix("_marks")

    @property
    def types(self) -> tuple[type, ...]:
        """The types that it can be drawn of."""
        return get_args(self.takes) or (self.takes,)


_TABLE: Any = Leaderboard | Profile | Margins
_WEIGHTS_CHANGED = lp.Stability | lp.BrokenCycle
_FEW = lp.LiftCounts | lp.FewestDrops | lp.SmallestBenchmark | lp.Shortlist
_TABLES_CHANGED = studies.OmittedScores | studies.TaskSubsets | studies.Manipulation

# The first picture that takes a type is the one that is drawn of it where no kind is named.
PICTURES: dict[str, Picture] = {
    one.kind: one
    for one in (
        Picture("who beats whom, in layers", _TABLE, majority_graph_marks, draw_majority_graph),
        Picture("heat map of the margins of every head-to-head", _TABLE, margins_marks, draw_margins),
        Picture("who can win head-to-head, how often, how near", lp.Prospects, verdicts_marks, draw_verdicts),
        Picture(
            "weights under which a model wins head-to-head",
            lp.Prospect | lp.Scenario,
            winning_weights_marks,
            draw_winning_weights,
        ),
        Picture("how often each model wins head-to-head", lp.WinningShares, winning_shares_marks, draw_winning_shares),
        Picture("how much each task may weigh", lp.WeightRanges, weight_ranges_marks, draw_weight_ranges),
        Picture(
            "who wins head-to-head where in the triangle of three weights",
            lp.WinnerMap,
            winner_map_marks,
            draw_winner_map,
        ),
        Picture("which weights change before the winner does", _WEIGHTS_CHANGED, stability_marks, draw_stability),
        Picture("how few lifts, drops, tasks or models suffice", _FEW, fewest_marks, draw_fewest),
        Picture("how firm first place is", studies.Card | studies.LeaveOneOut, firmness_marks, draw_firmness),
        Picture("means while scores are missing", lp.Settlement, mean_spans_marks, draw_mean_spans),
        Picture(
            "ranks with their intervals",
            studies.RankSets | studies.Bootstrap,
            rank_intervals_marks,
            draw_rank_intervals,
        ),
        Picture(
            "average ranks on a line, with bars over models that are not separated", studies.RankSets, cd_marks, draw_cd
        ),
        Picture("rankings of tables that lack something", _TABLES_CHANGED, robustness_marks, draw_robustness),
        Picture("on what share of the datasets each property holds", studies.Sweep, sweep_marks, draw_sweep),
        Picture("which dataset has which property", studies.Audit, audit_marks, draw_audit),
        Picture("ranks of the models by each rule", Comparison | _TABLE, ranks_marks, draw_ranks),
        Picture("how far rules agree, as a heat map", studies.Agreement, agreement_marks, draw_agreement),
        Picture("on which models two rules disagree", studies.Disagreement, disagreement_marks, draw_disagreement),
        Picture("how far rankings are from those of the tasks", studies.Dispersion, dispersion_marks, draw_dispersion),
        Picture("rank curves along an axis", SinglePeaked, single_peaked_marks, draw_single_peaked),
        Picture("how deep each relation lies among all", TukeyDepth, depths_marks, draw_depths),
        Picture("blocks of a profile", GroupSeparable, separation_tree_marks, draw_separation_tree),
        Picture("ranks and scores by one rule", Ranking | TwoStepRanking, ranking_marks, draw_ranking),
    )
}
"""Pictures by kind."""


def pictures_of(thing: Any) -> tuple[str, ...]:
    """Return the kinds of picture that can be drawn of a table or a result, the usual one first."""
    return tuple(kind for kind, picture in PICTURES.items() if isinstance(thing, picture.takes))


def picture_of(thing: Any, kind: str | None = None) -> Picture:
    """Return the picture of that kind, or the usual one of such a table or result.

    Raises
    ------
    UnknownNameError
        If there is no picture of that kind.
    InputError
        If it cannot be drawn of this, or nothing can.
    """
    if kind is not None and kind not in PICTURES:
        raise UnknownNameError("picture", kind, tuple(PICTURES), holder="registry")
    able = pictures_of(thing)
    if not able:
        drawn = sorted({one.__name__ for picture in PICTURES.values() for one in picture.types})
        raise InputError(f"there is no picture of a {type(thing).__name__}; there are pictures of {', '.join(drawn)}")
    if kind is not None and kind not in able:
        raise InputError(f"picture {kind!r} cannot be drawn of a {type(thing).__name__}, only {', '.join(able)}")
    return PICTURES[able[0] if kind is None else kind]
