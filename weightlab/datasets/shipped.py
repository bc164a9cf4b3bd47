"""Loading the tables that ship as what the rest of weightlab works on."""

from __future__ import annotations

from importlib.resources import as_file

from weightlab.data import Instances, Leaderboard, Suite
from weightlab.datasets.registry import MEASURED, about, checked, folder
from weightlab.io import read_instances, read_leaderboard, read_suite


def load(name: str) -> Suite:
    """Return a suite that ships: one table, models x metrics, a dataset.

    Parameters
    ----------
    name : str
        One of ``names("suite")``.

    Returns
    -------
    Suite

    Raises
    ------
    UnknownNameError
        If no suite of this name ships.

    Examples
    --------
    >>> import weightlab as wl
    >>> wl.datasets.load("classifiers")
    Suite: 12 datasets, 6 metrics, 16 models
    """
    with as_file(folder() / checked(name, "suite") / "suite.csv") as path:
        return read_suite(path)


def load_leaderboard(name: str) -> Leaderboard:
    """Return a leaderboard that ships: a suite as one table, or a table that a paper prints.

    Parameters
    ----------
    name : str
        One of ``names("leaderboard")``.

    Returns
    -------
    Leaderboard
        With its directions declared. The tasks of a suite are called ``metric/dataset`` and are grouped by what their
        metric speaks of: accuracy, robustness, speed.

    Raises
    ------
    UnknownNameError
        If no leaderboard of this name ships.

    Examples
    --------
    >>> import weightlab as wl
    >>> board = wl.datasets.load_leaderboard("classifiers")
    >>> board
    Leaderboard: 16 models x 72 tasks
    >>> list(board.groups)
    ['accuracy', 'robustness', 'speed']
    >>> wl.datasets.load_leaderboard("votenrank-a1").models
    ('m_A', 'm_B', 'm_C', 'm_D')
    """
    details = about(checked(name, "leaderboard")).details
    if name in MEASURED:
        groups: dict[str, list[str]] = {}
        for metric, described in details["metrics"].items():
            groups.setdefault(described["group"], []).append(metric)
        return load(name).to_leaderboard({group: groups[group] for group in sorted(groups)})
    with as_file(folder() / "papers" / f"{name}.csv") as path:
        return read_leaderboard(path, lower_is_better=details["lower_is_better"])


def load_instances(name: str) -> Instances:
    """Return scores on single instances that ship: one table, models x instances, a task.

    Parameters
    ----------
    name : str
        One of ``names("instances")``.

    Returns
    -------
    Instances
        For ``"classifiers"`` a task is a data set and a score says in how many of the repeats of the cross-validation
        the model classified the instance correctly: divided by the repeats, its mean over the instances is the
        accuracy in the suite, up to the suite's rounding.

    Raises
    ------
    UnknownNameError
        If no instances of this name ship.

    Examples
    --------
    >>> import weightlab as wl
    >>> wl.datasets.load_instances("classifiers").tasks
    ('iris', 'wine', 'breast_cancer')
    """
    with as_file(folder() / checked(name, "instances") / "instances.csv") as path:
        return read_instances(path, model="model", instance="instance")
