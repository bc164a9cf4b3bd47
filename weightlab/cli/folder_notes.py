"""What result files leave out or make doubtful, said on standard error."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager

from weightlab.cli.show import note, shown_lines
from weightlab.io import ResultsWarning

__all__ = ["notes_of_folders"]


@contextmanager
def notes_of_folders(*, quiet: bool) -> Iterator[None]:
    """Turn the warnings of readers of result files into notes, or into nothing; other warnings stay what they are.

    Notes come before an error, too: what was left out is often why nothing can be answered.
    """
    caught: list[warnings.WarningMessage] = []
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", ResultsWarning)
            yield
    finally:
        _tell(caught, quiet=quiet)


def _tell(caught: list[warnings.WarningMessage], *, quiet: bool) -> None:
    for warning in caught:
        if not issubclass(warning.category, ResultsWarning):
            warnings.warn_explicit(warning.message, warning.category, warning.filename, warning.lineno)
        elif not quiet:
            note(shown_lines(str(warning.message)))
