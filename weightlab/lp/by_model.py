"""Results about all models: mappings from a model's name to its own result, in board order."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from typing import Generic, TypeVar

from weightlab.exceptions import UnknownNameError

One = TypeVar("One")


class ByModel(Generic[One]):
    """Base of results about all models: ``found["T5"]`` is one model's result."""

    @property
    @abstractmethod
    def models(self) -> tuple[str, ...]:
        """All models, in board order."""

    @abstractmethod
    def _one(self, position: int) -> One:
        """Return the result of the model at a position."""

    def __getitem__(self, model: str) -> One:
        """Return one model's result.

        Raises
        ------
        UnknownNameError
            If there is no such model.
        """
        if model not in self.models:
            raise UnknownNameError("model", model, self.models)
        return self._one(self.models.index(model))

    def __len__(self) -> int:
        """Return the number of models."""
        return len(self.models)

    def __iter__(self) -> Iterator[str]:
        """Go through the models' names, in board order."""
        return iter(self.models)
