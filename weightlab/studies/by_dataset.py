"""What was found dataset by dataset, by the dataset's name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Generic, TypeVar

from weightlab.exceptions import UnknownNameError

__all__ = ["ByDataset"]

Found = TypeVar("Found")


class ByDataset(Generic[Found]):
    """Base of the results that hold something for each dataset of a suite."""

    datasets: Mapping[str, Found]

    def __getitem__(self, dataset: str) -> Found:
        """Return what was found on one dataset, or raise UnknownNameError."""
        if dataset not in self.datasets:
            raise UnknownNameError("dataset", dataset, tuple(self.datasets), holder="study")
        return self.datasets[dataset]
