"""The studies that the command line knows: what each reads and takes is read off its function's own parameters."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Self

from weightlab import studies
from weightlab._exact import fraction_or_percent
from weightlab._result import Result, told_of
from weightlab._text import listed
from weightlab.cli.inputs.names import group_named, meant
from weightlab.cli.options.rules import options_from, rule_from, values_from, yes_or_no
from weightlab.data import Leaderboard
from weightlab.exceptions import InputError, UnknownNameError
from weightlab.rules import RULES, Rule, RuleLike, rule
from weightlab.rules.ranking import own_rule_name
from weightlab.studies.question import AVERAGES, VOTENRANK, questions
from weightlab.studies.resampling.missing_scores import FIGURE_2
from weightlab.studies.resampling.task_subsets import COMPARED
from weightlab.studies.rules.dispersion import TABLE_8

STUDIES = {
    "agreement": "How far rules agree: first and last models in common, rank correlations, rank-biased overlap.",
    "bootstrap": "Rank intervals, each model by itself, and pairs that resamples of tasks or instances keep.",
    "discriminative-power": "Ties per rule.",
    "dispersion": "How far the tasks' rankings are apart, and how far from them the rankings by rules are.",
    "effects": "How large differences are: effect sizes, shares won, what could be shown, and what is equivalent.",
    "flips": "Datasets where adding a model swaps two others in mean rank.",
    "irrelevant-models": "How often a model that arrives changes the order of those already there.",
    "manipulation": "How wrong rankings of synthetic scores become when tasks are reversed or rescaled.",
    "metric-cycles": "On which datasets some three metrics make a majority cycle of three models.",
    "missing-scores": "How far rankings move when scores are taken away at random.",
    "rank-sets": "Which ranks are real: sets of ranks that hold for all models together.",
    "task-addition": "Effect of more tasks, added in random orders.",
    "task-removal": "How far rankings on random parts of the tasks are from those on all tasks.",
    "user-ranking": "Rankings for a user to whom groups of tasks matter differently, in three settings.",
}
"""All studies by name, as ``weightlab study --list`` shows them."""
MOVED = {"disagreement": "disagreement", "paired": "paired", "single-changes": "changes"}
"""What may be typed behind ``weightlab study`` for studies that are commands of their own."""
DEFAULTS = {"dispersion": TABLE_8, "manipulation": COMPARED, "missing-scores": FIGURE_2}
DEFAULTS |= dict.fromkeys(("task-addition", "task-removal"), COMPARED)
"""Rules that a study asks where it is given none, unless its parameter says which; the others ask those of a paper."""
BOARD, BOTH, NOTHING, SUITE = "a score table", "a score table or instances", "nothing", "a suite"
"""What a study reads."""
OF_COMMAND = {
    "rules": "--rule",
    "rule": "--rule",
    "rule_a": "--rule",
    "rule_b": "--rule",
    "options": "--option",
    "missing": "--missing",
    "ties": "--ties",
    "n_jobs": "--jobs",
    "repeats": "--repeats",
    "rng": "--seed",
    "time_limit": "--time-limit",
    "progress": "",
    "space": "",
    "arrivals": "",
}
"""Parameters that are options of the command, and what it calls them; all others are settings of a study."""


def _whole(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise InputError(f"got {text!r}, which is not a whole number") from None


def _part(text: str) -> float:
    try:
        return float(fraction_or_percent(text))
    except InputError:
        raise InputError(f"got {text!r}, which is not a number") from None


def _each(read: Callable[[str], Any]) -> Callable[[str], list[Any]]:
    return lambda text: [read(part) for part in text.split(",") if part]


def _weights(text: str) -> dict[str, str]:
    pairs = [part.rpartition(":") for part in text.split(",")]
    if not all(name and colon for name, colon, _ in pairs):
        raise InputError(f"got {text!r}; write NAME:NUMBER,NAME:NUMBER")
    return {name: weight for name, _, weight in pairs}


READS: Mapping[str, Callable[[str], Any]] = {
    "bool": yes_or_no,
    "float": _part,
    "int": _whole,
    "Iterable[Number]": _each(str),
    "Iterable[float]": _each(_part),
    "Iterable[int]": _each(_whole),
    "Iterable[str]": _each(str),
    **dict.fromkeys(("Mapping[str, Number]", "Mapping[str, str]"), _weights),
    "TieBreak": lambda text: None if text == "keep" else text,
}
"""From what is written to what a parameter takes, by its annotation; all else is a text."""


def user_ranking(
    board: Leaderboard,
    rule: RuleLike = "borda",
    *,
    group_weights: Mapping[str, str] | None = None,
    options: Mapping[str, Any] | None = None,
) -> studies.UserRanking:
    """Rank the models for a user who names groups of tasks by parts of their names."""
    if not board.groups:
        raise InputError("the table has no groups; name them in a TOML file, under [groups]")
    weights = {group_named(name, tuple(board.groups)): weight for name, weight in (group_weights or {}).items()}
    return studies.user_ranking(board, rule, group_weights=weights or None, **(options or {}))


@dataclass(frozen=True)
class Study:
    """A study by its name on the command line."""

    name: str

    @property
    def function(self) -> Callable[..., Result]:
        """Of a source and keywords."""
        own = {"changes": "single_changes"}.get(self.name, self.name.replace("-", "_"))
        found: Callable[..., Result] = user_ranking if own == "user_ranking" else getattr(studies, own)
        return found

    @property
    def parameters(self) -> Mapping[str, inspect.Parameter]:
        """What the function takes, its source first if it reads one."""
        return inspect.signature(self.function).parameters

    @property
    def reads(self) -> str:
        """What the source is."""
        first, annotation = next((name, str(one.annotation)) for name, one in self.parameters.items())
        if first in OF_COMMAND:
            return NOTHING
        return SUITE if annotation.startswith("Suite") else BOTH if "Instances" in annotation else BOARD

    @property
    def settings(self) -> dict[str, Callable[[str], Any]]:
        """Options of its own, and how each is read."""
        own = [one for one in list(self.parameters)[self.reads != NOTHING :] if one not in OF_COMMAND]
        kinds = {one: str(self.parameters[one].annotation).partition(" | ")[0] for one in own}
        return {one: READS.get(kind, str) for one, kind in kinds.items()}

    def takes(self, name: str) -> bool:
        """Return whether the function has a parameter of this name."""
        return name in self.parameters

    @property
    def needed(self) -> tuple[str, ...]:
        """Settings that must be given."""
        return tuple(name for name in self.settings if self.parameters[name].default is inspect.Parameter.empty)

    @property
    def rules(self) -> tuple[str, ...]:
        """The names of the default rules, if the function states them."""
        for name in ("rules", "rule"):
            default = self.parameters[name].default if self.takes(name) else None
            if default is not None:
                return (default,) if isinstance(default, str) else tuple(default)
        return tuple(DEFAULTS.get(self.name, VOTENRANK)) if self.takes("rules") else ()


def study_named(name: str) -> Study:
    """Return a study; underscores stand for hyphens.

    Raises
    ------
    UnknownNameError
        If there is none.
    """
    spelt = name.replace("_", "-")
    if spelt not in STUDIES:
        raise UnknownNameError("study", name, tuple(STUDIES), holder="registry")
    return Study(spelt)


@dataclass(frozen=True, kw_only=True)
class StudyCall:
    """A study with its options: rules as they were named, keywords of the function, and options of all rules."""

    study: Study
    rules: tuple[Rule | str, ...]
    settings: Mapping[str, Any]
    rule_options: Mapping[str, Any]

    @classmethod
    def of(cls, study: Study, *, rules: Sequence[str], options: Sequence[str], given: Mapping[str, Any]) -> Self:
        """Return the call that options make; ``given`` are those with a name of their own, None where not given.

        Raises
        ------
        InputError
            If the study has no use for an option, lacks one, or cannot read its value.
        """
        chosen = tuple(_rule(one) for one in rules)
        _ensure_as_many_rules(study, chosen)
        known = {one: value for one, value in given.items() if value is not None}
        if known.get("n_jobs") == 0:
            raise InputError("--jobs must be 1 or more, or negative to leave cores free (-1: all cores); got 0")
        settings = {one: value for one, value in known.items() if study.takes(one)}
        values = {one: str(value) for one, value in known.items() if not study.takes(one)}
        for one, text in values_from(list(options)).items():
            if one in study.settings:
                with told_of(f"--option {one}={text}", InputError):
                    settings[one] = study.settings[one](text)
            else:
                values[one] = text
        for one in study.needed:
            if one not in settings:
                asks = f"the study {study.name} needs --option {one}=..."
                raise InputError(f"{asks}; 'weightlab study {study.name} --list' explains")
        named = [one for one in chosen if isinstance(one, Rule)]
        asked = named if chosen else [rule(one) for one in study.rules]
        if "missing" in settings and any("missing" in one.parameters for one in asked):
            values["missing"] = str(settings["missing"])
        if study.takes("rng"):
            settings.setdefault("rng", 0)
        return cls(study=study, rules=chosen, settings=settings, rule_options=_rule_options(study, values, asked))

    def of_models(self, names: Sequence[str], known: Sequence[str]) -> Self:
        """Return the call with the source's models that the settings of these names refer to."""

        def whole(given: str | Sequence[str]) -> str | list[str]:
            if isinstance(given, str):
                return meant(given, known, "model")
            return [meant(each, known, "model") for each in given]

        found = {one: whole(self.settings[one]) for one in names if one in self.settings}
        return replace(self, settings={**self.settings, **found})

    @property
    def steps(self) -> int | None:
        """Number of draws, where draws are counted."""
        if not self.study.takes("repeats"):
            return None
        return int(self.settings.get("repeats", self.study.parameters["repeats"].default))

    def asked(self, board: Leaderboard) -> list[Rule]:
        """Return the rules for a table, with their options; none if they are incompatible."""
        own = own_rule_name(board) if self.study.name == "rank-sets" else "mean"
        named = self.rules or self.study.rules or [own] * self.study.takes("options")
        with suppress(InputError):
            found = questions(named, options=self.rule_options).values()
            return [one.rule for one in found if one.rule is not None]
        return []

    def results(self, source: Any, progress: Callable[[int], None]) -> Iterator[Result]:
        """Yield the results: one for each rule where the study takes one."""
        shared = dict(self.settings) | ({"options": dict(self.rule_options)} if self.rule_options else {})
        shared |= {"progress": progress} if self.study.takes("progress") else {}
        read, ask = [] if self.study.reads == NOTHING else [source], self.study.function
        if self.study.takes("rule") and self.rules:
            yield from (ask(*read, one, **shared) for one in self.rules)
        elif self.study.takes("rule_a"):
            yield ask(*read, *self.rules, **shared)
        elif self.study.takes("rules") and self.rules:
            yield ask(*read, rules=list(self.rules), **shared)
        else:
            yield ask(*read, **shared)


def _rule(text: str) -> Rule | str:
    """Return a rule of the registry with its options, or the name of an average by group."""
    name = text.replace("-", "_")
    return name if name in AVERAGES else rule_from(text, {})


def _called(study: Study) -> str:
    return f"the study {study.name}" if study.name in STUDIES else study.name


def _ensure_as_many_rules(study: Study, chosen: Sequence[Rule | str]) -> None:
    if study.takes("rule_a"):
        if len(chosen) != 2:
            raise InputError(f"{_called(study)} compares two rules; give --rule twice, not {len(chosen)} times")
    elif chosen and not (study.takes("rules") or study.takes("rule")):
        raise InputError(f"{_called(study)} does not take a rule; leave out --rule")


def _rule_options(study: Study, values: Mapping[str, str], asked: Sequence[Rule]) -> dict[str, Any]:
    """Return options of rules as what the rules take, or raise InputError where neither they nor the study have one."""
    found: dict[str, Any] = {}
    for option, text in values.items():
        having = next((one for one in (*asked, *RULES.values()) if option in one.parameters), None)
        if having is None or not study.takes("options"):
            own = f"; its own options are {listed(study.settings, 9)}" if study.settings else ""
            word = OF_COMMAND.get(option) or f"an option {option!r}"
            raise InputError(f"{_called(study)} has no use for {word}{own}")
        with told_of(f"--option {option}={text}", InputError):
            found |= options_from(having, {option: text})
    return found
