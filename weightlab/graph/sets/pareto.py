"""The Pareto front: models that no other model matches everywhere and beats somewhere, layer by layer."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from weightlab._exact import AnyArray, BoolArray
from weightlab._result import Result, ensure
from weightlab._text import counted, first_few
from weightlab.data.convert import SignsLike, Unlisted, as_listed, as_signs, ensure_listed
from weightlab.data.signs import Signs
from weightlab.graph.majority_graph import names_where


class ParetoFront(Result, kind="pareto_front"):
    """The models that no other model dominates, and what dominates the others.

    Attributes
    ----------
    layers : tuple of tuple of str
        The front first; then the models that would be the front without it, and so on. In board order.
    dominated_by : mapping from model to model
        For each model behind the front one of the layer before that dominates it.
    signs : Signs
        The places of the scores that the claim is about.
    """

    derived = ("models",)

    layers: tuple[tuple[str, ...], ...]
    dominated_by: Mapping[str, str]
    signs: Signs

    @property
    def models(self) -> tuple[str, ...]:
        """The models on the front, in board order."""
        return self.layers[0] if self.layers else ()

    def __str__(self) -> str:
        """Return the sentence that counts and names the models on the front."""
        count, every = len(self.models), len(self.signs.models)
        on = f"{count} of {counted(every, 'model')} {'is' if count == 1 else 'are'} on the Pareto front"
        return f"{on} (no other model is as good on every task and better on one): {first_few(self.models, 10)}."

    def to_frame(self) -> pd.DataFrame:
        """Return each model's layer, 1 for the front, and a model that dominates it."""
        placed = [(model, place) for place, layer in enumerate(self.layers, start=1) for model in layer]
        rows = [(place, self.dominated_by.get(model, "")) for model, place in placed]
        return pd.DataFrame(rows, index=[model for model, _ in placed], columns=["layer", "dominated_by"])

    def verify(self, source: SignsLike | None = None) -> bool:
        """Re-check the claim; given the source, also that the places are that source's.

        Returns
        -------
        bool
            True.

        Raises
        ------
        ProofError
            Naming the first thing that does not hold.
        """
        if source is not None:
            ensure_listed(lambda listed: self.signs.ensure_same(as_signs(listed), places=True), source)
        models, leading = self.signs.models, self.signs.places.leading
        placed = [model for layer in self.layers for model in layer]
        ensure(sorted(placed) == sorted(models), "the layers do not hold each model once")
        ensure(all(self.layers), "a layer is empty")
        position = {model: row for row, model in enumerate(models)}
        ensure(set(self.dominated_by) == set(placed[len(self.models) :]), "the models behind the front are others")
        before = {model: above for above, layer in zip(self.layers, self.layers[1:], strict=False) for model in layer}
        for model, other in self.dominated_by.items():
            ensure(other in before[model], f"{other!r} is not in the layer before that of {model!r}")
            ensure(dominators(leading, position[model])[position[other]], f"{other!r} does not dominate {model!r}")
        # Domination is transitive, so a dominator from a later layer would bring one of the model's own layer with it:
        # looking inside each layer is enough.
        for layer in self.layers:
            rows = np.array([position[model] for model in layer], dtype=np.intp)
            for place, model in enumerate(layer):
                above = np.flatnonzero(dominators(leading[rows], place))
                ensure(not len(above), f"{[layer[one] for one in above[:1]]} of its own layer dominates {model!r}")
        return True


def pareto_front(source: SignsLike, *, unlisted: Unlisted | None = None) -> ParetoFront:
    """Return the models that no other model dominates, and the layers behind them.

    A model *dominates* another if it is at least as good on every task on which the other has a score, and better on
    one of them. Weights play no part, nor do score tolerances: a lead below them is a lead.

    Parameters
    ----------
    source : Leaderboard, Profile or Signs
        A model without a score on a task cannot dominate one that has a score there.
    unlisted : {"last", "unknown"}, optional
        Models that a voter leaves out are behind all that it ranks, or unknown, as missing scores are.

    Returns
    -------
    ParetoFront
        ``.models``, ``.layers``, ``.dominated_by``, ``.verify()``. Models with equal scores are on one layer.

    Notes
    -----
    Every model that wins under some weights is on the front; not every model on the front wins under some. O(n^2 m)
    comparisons for n models and m tasks, in small integers.

    References
    ----------
    The layers are the fronts of N. Srinivas and K. Deb, "Multiobjective optimization using nondominated sorting in
    genetic algorithms", Evolutionary Computation 2 (1994).

    Examples
    --------
    >>> import weightlab as wl
    >>> board = wl.Leaderboard({"speed": {"a": 3, "b": 2, "c": 1}, "quality": {"a": 1, "b": 2, "c": 2}})
    >>> front = pareto_front(board)
    >>> front.models, dict(front.dominated_by)
    (('a', 'b'), {'c': 'b'})
    """
    signs = as_signs(as_listed(source, unlisted))
    leading, models = signs.places.leading, signs.models
    above = [np.flatnonzero(dominators(leading, row)) for row in range(len(models))]
    # Whoever dominates a model has fewer dominators than it, by transitivity: in this order all of a model's
    # dominators have their layer before it gets its own.
    layer = np.zeros(len(models), dtype=np.intp)
    dominated_by: dict[int, int] = {}
    for row in sorted(range(len(models)), key=lambda one: len(above[one])):
        if len(above[row]):
            lowest = above[row][np.argmax(layer[above[row]])]
            layer[row], dominated_by[row] = layer[lowest] + 1, int(lowest)
    return ParetoFront(
        layers=tuple(names_where(models, layer == place) for place in range(int(layer.max(initial=0)) + 1)),
        dominated_by={models[row]: models[dominated_by[row]] for row in sorted(dominated_by)},
        signs=signs,
    )


def dominators(leading: AnyArray, row: int) -> BoolArray:
    """Return which rows dominate a row of places (rows x tasks, -1 where a score is missing)."""
    own = leading[row]
    found: BoolArray = (leading >= own).all(axis=1)
    candidates = np.flatnonzero(found)
    found[candidates] = ((leading[candidates] > own) & (own >= 0)).any(axis=1)
    return found
