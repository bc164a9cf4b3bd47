"""The studies that ``weightlab study`` knows: one entry each, the rest is read off the function's own parameters."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import field
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from weightlab import studies
from weightlab._exact import fraction_or_percent
from weightlab._result import Frozen, Result
from weightlab.cli.inputs.names import group_named
from weightlab.cli.options.rules import yes_or_no
from weightlab.data import Leaderboard
from weightlab.exceptions import InputError, UnknownNameError
from weightlab.rules import RuleLike
from weightlab.studies.question import VOTENRANK
from weightlab.studies.resampling.missing_scores import FIGURE_2
from weightlab.studies.resampling.task_subsets import COMPARED
from weightlab.studies.rules.dispersion import TABLE_8


class StudyInput(StrEnum):
    """What a study is about."""

    BOARD = "a score table"
    BOARD_OR_INSTANCES = "a score table or instances"
    INSTANCES = "instances"
    NOTHING = "nothing"
    SUITE = "a suite"

    @property
    def instances(self) -> bool:
        """Whether scores on single instances can be read."""
        return self in {StudyInput.INSTANCES, StudyInput.BOARD_OR_INSTANCES}


Setting = Callable[[str], Any]
"""From what is written after ``NAME=`` to what the study takes."""


class Study(Frozen, eq=True):
    """A study as the command line knows it.

    Attributes
    ----------
    function : callable
        Of a source and keywords; returns a `Result`. A parameter ``rules`` takes several rules at once, ``rule`` one
        after the other, ``rule_a`` and ``rule_b`` two; ``options`` are those of rules. Parameters ``repeats``, ``rng``,
        ``n_jobs``, ``progress``, ``missing`` and ``time_limit`` are options of the command.
    about : str
        One line; of a command of its own empty, as that says it.
    reads : StudyInput
        What the source is.
    settings : dict from str to callable
        Options of its own, and how each is read.
    rules : tuple of str
        Those that the function asks where it is given none, unless its parameter says which.
    """

    function: Callable[..., Result]
    about: str = ""
    reads: StudyInput = StudyInput.BOARD
    settings: Mapping[str, Setting] = field(default_factory=dict)
    rules: tuple[str, ...] = VOTENRANK

    @property
    def parameters(self) -> Mapping[str, inspect.Parameter]:
        """What the function takes besides the source."""
        return inspect.signature(self.function).parameters

    def takes(self, name: str) -> bool:
        """Return whether the function has a parameter of this name."""
        return name in self.parameters

    @property
    def needed(self) -> tuple[str, ...]:
        """Settings that must be given."""
        return tuple(name for name in self.settings if self.parameters[name].default is inspect.Parameter.empty)

    @property
    def default_rules(self) -> tuple[str, ...]:
        """The names of the rules that are asked where none are given, as far as the function says them."""
        for name in ("rules", "rule"):
            default = self.parameters[name].default if self.takes(name) else None
            if isinstance(default, str):
                return (default,)
            if default is not None:
                return tuple(default)
        return self.rules if self.takes("rules") else ()


def study_named(name: str) -> tuple[str, Study]:
    """Return a study with its name; underscores stand for hyphens.

    Raises
    ------
    UnknownNameError
        If there is none.
    """
    spelt = name.replace("_", "-")
    if spelt not in STUDIES:
        raise UnknownNameError("study", name, tuple(STUDIES), holder="registry")
    return spelt, STUDIES[spelt]


def _whole(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise InputError(f"got {text!r}, which is not a whole number") from None


def _real(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise InputError(f"got {text!r}, which is not a number") from None


def _level(text: str) -> float:
    return float(fraction_or_percent(text))


def _wholes(text: str) -> list[int]:
    return [_whole(part) for part in text.split(",")]


def _reals(text: str) -> list[float]:
    return [_real(part) for part in text.split(",")]


def _names(text: str) -> list[str]:
    return [part for part in text.split(",") if part]


def _tie_break(text: str) -> str | None:
    return None if text == "keep" else text


def _weights(text: str) -> dict[str, str]:
    pairs = [part.rpartition(":") for part in text.split(",")]
    if not all(name and colon for name, colon, _ in pairs):
        raise InputError(f"got {text!r}; write NAME:NUMBER,NAME:NUMBER")
    return {name: weight for name, _, weight in pairs}


def _user_ranking(
    board: Leaderboard,
    rule: RuleLike = "borda",
    *,
    group_weights: Mapping[str, str] | None = None,
    options: Mapping[str, Any] | None = None,
) -> studies.UserRanking:
    if not board.groups:
        raise InputError("the table has no groups; name them in a TOML file, under [groups]")
    weights = {group_named(name, tuple(board.groups)): weight for name, weight in (group_weights or {}).items()}
    return studies.user_ranking(board, rule, group_weights=weights or None, **(options or {}))


STUDIES: Mapping[str, Study] = MappingProxyType(
    {
        "agreement": Study(
            about="How far rules agree: first and last models in common, rank correlations, rank-biased overlap.",
            function=studies.agreement,
            settings={"reference": str, "top": _wholes, "last": _wholes, "persistence": _real, "overlap_ties": str},
        ),
        "bootstrap": Study(
            about="Rank intervals, each model by itself, and pairs that resamples of tasks or instances keep.",
            function=studies.bootstrap,
            reads=StudyInput.BOARD_OR_INSTANCES,
            settings={"over": str, "how": str, "level": _level},
        ),
        "discriminative-power": Study(
            about="Ties per rule.",
            function=studies.discriminative_power,
            settings={"decimals": _whole},
        ),
        "dispersion": Study(
            about="How far the tasks' rankings are apart, and how far from them the rankings by rules are.",
            function=studies.dispersion,
            reads=StudyInput.BOARD_OR_INSTANCES,
            settings={"tie_penalty": str},
            rules=TABLE_8,
        ),
        "effects": Study(
            about="How large differences are: effect sizes, shares won, what could be shown, and what is equivalent.",
            function=studies.effects,
            settings={
                "level": _level,
                "method": str,
                "power": _level,
                "margin": _real,
                "reference": str,
                "effect_size": str,
                "models": _names,
            },
        ),
        "flips": Study(
            about="Datasets where adding a model swaps two others in mean rank.",
            function=studies.flips,
            reads=StudyInput.SUITE,
            settings={"by": str, "metrics": _names, "top": _whole},
        ),
        "irrelevant-models": Study(
            about="How often a model that arrives changes the order of those already there.",
            function=studies.irrelevant_models,
            settings={"break_ties": _tie_break, "last": yes_or_no},
        ),
        "manipulation": Study(
            about="How wrong rankings of synthetic scores become when tasks are reversed or rescaled.",
            function=studies.manipulation,
            reads=StudyInput.NOTHING,
            settings={
                "reversed_tasks": _wholes,
                "factors": _names,
                "rescaled": _whole,
                "dispersions": _reals,
                "models": _whole,
                "tasks": _whole,
                "instances": _whole,
            },
            rules=COMPARED,
        ),
        "metric-cycles": Study(
            about="On which datasets some three metrics make a majority cycle of three models.",
            function=studies.metric_cycles,
            reads=StudyInput.SUITE,
            settings={"metrics": _names, "tolerance": str},
        ),
        "missing-scores": Study(
            about="How far rankings move when scores are taken away at random.",
            function=studies.missing_scores,
            settings={"counts": _wholes, "top": _whole},
            rules=FIGURE_2,
        ),
        "rank-sets": Study(
            about="Which ranks are real: sets of ranks that hold for all models together.",
            function=studies.rank_sets,
            reads=StudyInput.BOARD_OR_INSTANCES,
            settings={"over": str, "level": _level, "method": str, "bounds": str, "models": _names},
        ),
        "task-addition": Study(
            about="Effect of more tasks, added in random orders.",
            function=studies.task_addition,
            reads=StudyInput.BOARD_OR_INSTANCES,
            settings={"sizes": _wholes, "how": str, "top": _whole},
            rules=COMPARED,
        ),
        "task-removal": Study(
            about="How far rankings on random parts of the tasks are from those on all tasks.",
            function=studies.task_removal,
            reads=StudyInput.BOARD_OR_INSTANCES,
            settings={"sizes": _wholes, "how": str, "top": _whole},
            rules=COMPARED,
        ),
        "user-ranking": Study(
            about="Rankings for a user to whom groups of tasks matter differently, in three settings.",
            function=_user_ranking,
            settings={"group_weights": _weights},
        ),
    }
)
"""All studies by name, as ``weightlab study --list`` shows them."""
EVERYDAY: Mapping[str, Study] = MappingProxyType(
    {
        "disagreement": Study(
            function=studies.disagreement,
            settings={"norm": str, "reconcile": yes_or_no},
        ),
        "paired": Study(
            function=studies.paired,
            reads=StudyInput.BOARD_OR_INSTANCES,
            settings={"model": str, "rival": str, "over": str, "level": _level},
        ),
        "changes": Study(
            function=studies.single_changes,
            settings={"models": _names},
        ),
    }
)
"""Studies of everyday questions, each a command of its own by this name."""
MOVED = {"disagreement": "disagreement", "paired": "paired", "single-changes": "changes"}
"""What may be typed behind ``weightlab study`` for each of them."""
