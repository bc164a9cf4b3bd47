"""Leads: by how much each task puts one model ahead of another, by rules that add up over tasks; weights are free."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from weightlab._exact import AnyArray, exact_products
from weightlab.data.frame.arrays import OfModels


class Leads(OfModels):
    """The rows of every question about weights: `Signs` are those of majorities, `Points` those of linear rules.

    With weights w that sum to 1, a model with the rows G leads its rivals by ``G w / unit``.
    """

    tasks: tuple[str, ...]

    @property
    def unit(self) -> int:
        """What the whole numbers of the rows are divided by."""
        return 1

    def over_all(self, position: int) -> AnyArray:
        """Return by how much a model leads every model, itself included, on each task (models x tasks)."""
        raise NotImplementedError

    def matrix(self, model: str) -> AnyArray:
        """Return G_m, by how much a model leads its rivals on each task (rivals x tasks, rivals in board order)."""
        position = self.position(model)
        leads = self.over_all(position)
        return np.concatenate([leads[:position], leads[position + 1 :]])

    def ahead(self, weights: Sequence[int]) -> AnyArray:
        """Return who is ahead of whom under weights in proportion: 1, 0 or -1 (models x models)."""
        signs = [np.sign(exact_products(self.over_all(row), weights)) for row in range(len(self.models))]
        return np.array(signs, dtype=np.int8)
