"""Maps of winners: the triangle of three weights, divided exactly into who wins where."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Annotated, Any

import pandas as pd

from weightlab._exact import common_denominator
from weightlab._record import Codec, exact_series, read_items, read_numbers, to_json
from weightlab._result import Result, ensure
from weightlab._text import first_few, percent
from weightlab._typing import WeightsLike
from weightlab.data.convert import SignsLike, as_table
from weightlab.data.frame.declarations import Group, TasksLike
from weightlab.data.leaderboard import Leaderboard
from weightlab.data.signs import Signs
from weightlab.lp.certificates.primal import check_table
from weightlab.lp.geometry.double_description import inner_product
from weightlab.lp.geometry.polygons import Line, Polygon, area, inner_point, intersection, is_convex
from weightlab.lp.geometry.winner_map_cells import (
    Area,
    AreaKind,
    allowed_part,
    areas_of,
    check_corners,
    check_groups,
    contains,
    corner_text,
    corners_of,
    flat_areas,
    kind_of,
    lines_of,
    region_of,
    unbeaten_at,
)
from weightlab.lp.space.condition_text import conditions_sentence
from weightlab.lp.space.conditions import ZERO
from weightlab.lp.space.space import WeightSpace, shares_of, signs_and_space


@dataclass(frozen=True, kw_only=True)
class Standing:
    """Who wins at one point of the map.

    Attributes
    ----------
    winner : str or None
        The model that beats every rival.
    unbeaten : tuple of str
        The models that lose no duel.
    areas : tuple of int
        Positions of the areas that hold the point, on their borders too.
    """

    winner: str | None
    unbeaten: tuple[str, ...]
    areas: tuple[int, ...]


class WinnerMap(Result, kind="map_of_winners"):
    """The triangle of three weights, divided into areas by who wins there.

    Attributes
    ----------
    signs : Signs
        Of all models.
    corners : DataFrame of Fraction, tasks x 3
        How each corner spreads its weight over the tasks; columns sum to 1.
    space : WeightSpace
        The weights that were allowed.
    areas : tuple of Area
        Polygons that fill what is allowed of the triangle: winners and ties in board order, then areas without any
        unbeaten model; then the segments and points where further models are unbeaten.
    """

    signs: Signs
    corners: Annotated[pd.DataFrame, Codec(corners_to_json, corners_from_json, ("signs.tasks",))]
    space: WeightSpace
    areas: tuple[Area, ...]

    @cached_property
    def allowed(self) -> Polygon:
        """The part of the triangle that the space allows."""
        return allowed_part(self.corners, self.space)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the three corners."""
        return tuple(map(str, self.corners.columns))

    @property
    def models(self) -> tuple[str, ...]:
        """All models, in board order."""
        return self.signs.models

    @cached_property
    def lines(self) -> tuple[tuple[Line, ...], ...]:
        """For each model its leads over all models at the three corners, as integers up to a common scale."""
        return lines_of(self.signs, self.corners)

    @cached_property
    def shares(self) -> pd.Series:
        """The exact share of the allowed weights under which each model beats every rival."""
        winning = [one for one in self.areas if one.kind is AreaKind.WINNER]
        won = {
            model: sum((self.share_of(one) for one in winning if model in one.models), ZERO) for model in self.models
        }
        return exact_series(list(won.values()), self.models, "share")

    @property
    def tied(self) -> Fraction:
        """Share of the allowed weights under which some models are unbeaten and none beats all."""
        return self._share_of_kind(AreaKind.TIE)

    @property
    def cyclic(self) -> Fraction:
        """Share of the allowed weights under which every model loses to another."""
        return self._share_of_kind(AreaKind.NONE)

    def share_of(self, one: Area) -> Fraction:
        """Return an area's share of the allowed weights; its own ``share`` is that of the whole triangle."""
        return one.share / area(self.allowed)

    def _share_of_kind(self, kind: AreaKind) -> Fraction:
        return sum((self.share_of(one) for one in self.areas if one.kind is kind), ZERO)

    def at(self, weights: WeightsLike) -> Standing:
        """Return who wins at a weighting of the three corners, borders decided exactly.

        Parameters
        ----------
        weights : mapping, Series or sequence
            One for each corner, not negative; scaled to sum to 1.

        Raises
        ------
        InputError, UnknownNameError
            If a corner has no weight or is not known, or a weight is no number or negative.
        """
        shares = shares_of(weights, self.names)
        point = tuple(common_denominator([shares[name] for name in self.names])[0])
        unbeaten, winner = unbeaten_at(self.lines, point)
        held = tuple(place for place, one in enumerate(self.areas) if contains(one.corners, point))
        return Standing(
            winner=None if winner is None else self.models[winner],
            unbeaten=tuple(self.models[one] for one in unbeaten),
            areas=held,
        )

    def __str__(self) -> str:
        """Say the shares in one sentence."""
        ordered = self.shares.sort_values(ascending=False)
        won = [f"{model} {percent(share)}" for model, share in ordered.items() if share]
        parts = [first_few(won, 6) or "no model"]
        parts += [f"ties on {percent(self.tied)}"] if self.tied else []
        parts += [f"no model is undefeated on {percent(self.cyclic)}"] if self.cyclic else []
        which = "the allowed" if self.space.conditions else "all"
        corners = ", ".join(corner_text(name, self.corners[name]) for name in self.names)
        said = f"Shares of {which} weights of {corners}: won by {'; '.join(parts)}."
        return said + conditions_sentence(self.space)

    def summary(self) -> pd.DataFrame:
        """Return one row an area: kind, unbeaten models, shape, number of vertices, share and centre as floats."""
        rows = [
            (
                str(one.kind),
                ", ".join(one.models),
                one.shape,
                len(one.corners),
                float(self.share_of(one)),
                *map(float, one.centre),
            )
            for one in self.areas
        ]
        columns = ["kind", "models", "shape", "vertices", "share", *(f"centre: {name}" for name in self.names)]
        return pd.DataFrame(rows, columns=columns)

    def verify(self, source: SignsLike | None = None) -> bool:
        """Re-check that the areas are right all over and fill what is allowed of the triangle, in exact arithmetic.

        The polygons must be convex and their shares sum to that of the allowed part; no two of the same models may
        overlap. At a point inside each the unbeaten models are counted anew, these must be unbeaten at every vertex
        (hence all over it), and the part of the triangle in which any other model is unbeaten must leave it untouched.

        Raises
        ------
        ProofError
            Naming the first area that fails.
        """
        check_table(self.signs, self.space, source)
        if source is not None:
            check_groups(self.corners, source.groups if isinstance(source, Leaderboard) else {})
        check_corners(self.corners, self.signs)
        regions = [region_of(lines, self.allowed) for lines in self.lines]
        polygons = [one for one in self.areas if len(one.corners) > 2]
        for number, one in enumerate(polygons, start=1):
            ensure(is_convex(one.corners), f"area {number} is no convex polygon")
            ensure(
                all(contains(self.allowed, corner) for corner in one.corners), f"area {number} leaves what is allowed"
            )
            self._check_area(one, regions, f"area {number}")
        total = sum((one.share for one in polygons), ZERO)
        whole = area(self.allowed)
        ensure(total == whole, f"the shares of the areas sum to {total}, not to {whole}")
        # Areas of different models cannot overlap: a model unbeaten all over one was shown to have no region in the
        # other.
        for place, one in enumerate(polygons):
            for other in polygons[:place]:
                apart = one.models != other.models or not area(intersection(one.corners, other.corners))
                ensure(apart, f"two areas of {', '.join(one.models) or 'no model'} overlap")
        flat = [(one.kind, one.models, one.corners) for one in self.areas if len(one.corners) < 3]
        expected = [(one.kind, one.models, one.corners) for one in flat_areas(self.models, regions)]
        ensure(flat == expected, "the segments and points where models are unbeaten are others")
        ensure(list(self.areas) == [*polygons, *self.areas[len(polygons) :]], "segments and points come last")
        return True

    def _check_area(self, one: Area, regions: Sequence[Polygon], name: str) -> None:
        met, winner = unbeaten_at(self.lines, inner_point(one.corners))
        # A segment or point where a further model is unbeaten may run through the very point that was looked at.
        unbeaten = [place for place in met if len(regions[place]) > 2]
        found = tuple(self.models[place] for place in unbeaten)
        ensure(found == one.models, f"inside {name} the unbeaten models are {found}, not {one.models}")
        ensure(kind_of(unbeaten, winner) is one.kind, f"{name} is no area of kind {one.kind}")
        for place, region in enumerate(regions):
            if place in unbeaten:
                lines = self.lines[place]
                safe = all(inner_product(line, corner) >= 0 for line in lines for corner in one.corners)
                ensure(safe, f"{self.models[place]!r} is beaten in a part of {name}")
            else:
                away = len(region) < 3 or not area(intersection(one.corners, region))
                ensure(away, f"{self.models[place]!r} is unbeaten in a part of {name}")


def map_of_winners(
    board: SignsLike,
    tasks: Sequence[str | Group] | None = None,
    *,
    groups: Mapping[str, TasksLike | WeightsLike] | None = None,
    space: WeightSpace | None = None,
) -> WinnerMap:
    """Divide the triangle of the weights of three tasks, or three groups of tasks, exactly into who wins where.

    Parameters
    ----------
    board : Leaderboard, Profile or Signs
        The table; its weights play no part. Missing scores count as ties.
    tasks : sequence of three, optional
        Tasks, or groups of the leaderboard (``wl.group("nli")``), which spread their weight equally over their tasks.
        Not needed when the table has three tasks. All other tasks weigh nothing.
    groups : mapping from three names, optional
        Instead of ``tasks``: to each name its tasks, which weigh the same, or a mapping (or Series) from tasks to the
        proportions in which they share the weight of the group. Groups may overlap.
    space : WeightSpace, optional
        Allowed weights of all the tasks; what its conditions leave of the triangle is divided, and shares are of that.

    Returns
    -------
    WinnerMap
        ``.areas`` (convex polygons with exact vertices), ``.shares``, ``.cyclic``, ``.at(weights)``.

    Raises
    ------
    InputError
        If there are not three corners, a group has no task or weight, or conditions leave no area of the triangle.
    UnknownNameError
        If a task or group is not known.

    Notes
    -----
    A duel is tied along a line, so a model is unbeaten on a convex polygon, cut out of the triangle by its duels:
    O(n^2) clippings for n models. What no such polygon covers is where every model loses to another; it need not be
    convex and is given as convex polygons. Ties on open sets (twins) are areas of their own.

    References
    ----------
    Rofin et al., Vote'n'Rank, 2023, section 3.2; Sutherland and Hodgman, 1974 (clipping).

    Examples
    --------
    >>> import weightlab as wl
    >>> rows = {"a": [3, 1, 2], "b": [2, 3, 1], "c": [1, 2, 3]}
    >>> import pandas as pd
    >>> board = wl.Leaderboard(pd.DataFrame(rows, index=["x", "y", "z"]).T)
    >>> print(wl.lp.map_of_winners(board))
    Shares of all weights of x, y, z: won by a 25%, b 25%, c 25%; no model is undefeated on 25%.
    """
    board = as_table(board)
    signs, weights = signs_and_space(board, space)
    corners = corners_of(board, signs, tasks, groups)
    allowed, lines = allowed_part(corners, weights), lines_of(signs, corners)
    regions = [region_of(one, allowed) for one in lines]
    return WinnerMap(
        signs=signs,
        corners=corners,
        space=weights,
        areas=(*areas_of(signs.models, lines, regions, allowed), *flat_areas(signs.models, regions)),
    ).verified()


def corners_to_json(corners: pd.DataFrame) -> dict[str, Any]:
    """Return the corners of a map ready for JSON, without the tasks that weigh nothing there."""
    return {str(name): to_json({task: one for task, one in corners[name].items() if one}) for name in corners.columns}


def corners_from_json(document: Any, what: str, tasks: Sequence[str]) -> pd.DataFrame:
    """Return the corners that ``corners_to_json`` wrote, tasks x corners."""
    columns = {}
    for name, weights in read_items(document, what):
        shares = dict.fromkeys(tasks, Fraction(0)) | read_numbers(weights, f"corner {name!r}")
        columns[name] = exact_series(list(shares.values()), tasks, name)
    return pd.DataFrame(columns, index=list(tasks), dtype=object)
