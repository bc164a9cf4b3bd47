"""The least to drop from a whole suite so that every dataset is well behaved."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Literal, TypeAlias, get_args

import pandas as pd

from weightlab._exact import places_of
from weightlab._result import Proof, Result, ensure, ensure_same_names
from weightlab._solver import SolverIfAny
from weightlab._text import counted, without
from weightlab._validate import one_of
from weightlab.data import Profile, Suite, as_tables
from weightlab.data.frame.named_tables import first_appearances
from weightlab.domains.nearly_structured.hitting import ensure_fewest
from weightlab.domains.nearly_structured.search import DeletionSearch, restricted_to
from weightlab.domains.nearly_structured.threes import as_bits, forbidden_few, shown_by
from weightlab.domains.registry import HEREDITARY, Obstruction, domain_words, obstruction_of
from weightlab.domains.result import Claim, check_profile, check_source, distinct, ensure_distinct
from weightlab.exceptions import InputError, UnknownNameError
from weightlab.studies.structure import across_datasets
from weightlab.studies.structure.dataset import as_suite, boards_of, chosen, ensure_same_datasets

Droppable: TypeAlias = Literal["models", "metrics", "datasets"]
"""What may be left out of a suite."""
ACYCLIC = "acyclic"
"""The goal that the majority relation is acyclic; the other goals are domains."""
IN_JOINT: Mapping[across_datasets.Part, Literal["models", "voters"]] = {"models": "models", "metrics": "voters"}
"""What the parts of a suite are in its joint profile."""


class Repair(Result, kind="repair", table_of=as_tables):
    """The fewest models, metrics or datasets without which every dataset reaches a goal.

    Attributes
    ----------
    goal : str
        A domain, or ``"acyclic"``: the majority relation is acyclic.
    drop : {"models", "metrics", "datasets"}
        What may be left out, everywhere at once.
    dropped : tuple of str
        As few as possible.
    models, metrics : tuple of str
        The subject: on each dataset the models that have a score on each of these metrics present there.
    profiles : dict from str to Profile
        The rankings of each dataset that has two such models.
    obstructions : tuple of witnesses
        Forbidden sub-profiles, each of which has to lose one thing. Models or voters are named with the number of
        their dataset (counted from 0) before them where they are dataset's own; for datasets, one for each that fails.
    exact : bool
        Whether the minimum is re-checked by a search, or rests on the solver.
    solver : Solver, or an empty text
        Whose integer program found it; empty without one.
    """

    goal: str
    drop: Droppable
    dropped: tuple[str, ...]
    models: tuple[str, ...]
    metrics: tuple[str, ...]
    profiles: Mapping[str, Profile]
    obstructions: tuple[Obstruction | across_datasets.DatasetCycle, ...]
    exact: bool
    solver: SolverIfAny

    @property
    def proofs(self) -> Mapping[str, Proof]:
        """What is claimed, and how much of each claim ``verify`` re-checks."""
        fewest = Proof.EXACT if self.exact else Proof.EXACT_WITNESS
        return {"what is kept": Proof.EXACT, f"no smaller set of {self.drop} is enough": fewest}

    @property
    def reasons(self) -> dict[str, tuple[str, ...]]:
        """For each dataset in the proof, its forbidden sub-profiles: the models, or metrics, in each."""
        listed = tuple(self.profiles)
        found: dict[str, tuple[str, ...]] = {}
        for one in self.obstructions:
            if self.drop == "metrics":
                dataset, named = listed[across_datasets.number_of(one.models[0])], one.voters
            else:
                dataset, named = listed[across_datasets.number_of(one.voters[0])], one.models
            found[dataset] = (*found.get(dataset, ()), ", ".join(named))
        return found

    def __str__(self) -> str:
        """Say what to drop."""
        every = counted(len(self.profiles), "dataset")
        rankings = f"the rankings are {domain_words(self.goal)}"
        state = "the majority relation is acyclic" if self.goal == ACYCLIC else rankings
        if not self.dropped:
            return f"On all of {every} {state} as they are."
        what = counted(len(self.dropped), self.drop[:-1])
        rests = "" if self.exact else f", according to {self.solver}"
        return f"Without {what} ({', '.join(self.dropped)}) on all of {every} {state}; this number is minimal{rests}."

    def to_frame(self) -> pd.DataFrame:
        """Return the dropped items, and the forbidden sub-profiles of each dataset that make the drop necessary."""
        rows = [("dropped", ", ".join(self.dropped)), *((dataset, "; ".join(w)) for dataset, w in self.reasons.items())]
        return pd.DataFrame([text for _, text in rows], index=[head for head, _ in rows], columns=["value"])

    def verify(self, source: Suite | Mapping[str, Profile] | None = None) -> bool:
        """Re-check that what stays reaches the goal, and that fewer would not do.

        Parameters
        ----------
        source : Suite, or mapping from dataset to Profile, optional
            The suite, whose ties the rankings must break, or the rankings themselves.

        Raises
        ------
        ProofError
            Naming the first thing that does not hold.
        """
        ensure(self.drop in {"models", "metrics", "datasets"}, f"there is no dropping of {self.drop!r}")
        ensure(len(set(self.dropped)) == len(self.dropped), "something is dropped twice")
        ensure((self.goal, self.drop) != (ACYCLIC, "metrics"), "a cycle may appear when a metric goes")
        ensure(self.exact == (not self.solver), "a solver is named exactly where its word is needed")
        for listed in (self.models, self.metrics):
            ensure(len(set(listed)) == len(listed), "a model or a metric is named twice")
        for dataset, profile in self.profiles.items():
            check_profile(profile)
            asked = set(profile.models) <= set(self.models) and set(profile.voters) <= set(self.metrics)
            ensure(asked, f"the rankings on {dataset!r} are of models or metrics that were not asked about")
        if isinstance(source, Mapping):
            ensure_same_datasets(self.profiles, source)
        elif source is not None:
            self._check_suite(as_suite(source))
        if self.drop == "datasets":
            self._check_datasets()
        else:
            self._check_parts(self.drop)
        return True

    def _check_suite(self, suite: Suite) -> None:
        ensure(set(self.models) <= set(suite.models), "the source lacks a model of the result")
        ensure(set(self.metrics) <= set(suite.metrics), "the source lacks a metric of the result")
        asked = chosen(suite, self.models, self.metrics)
        ensure(not asked.weightless, f"in the source these have weight 0: {', '.join(asked.weightless)}")
        boards = {dataset: one.board for dataset, one in boards_of(suite, asked).items() if one.board is not None}
        ensure_same_names("datasets", list(self.profiles), list(boards))
        for dataset, board in boards.items():
            check_source(self.profiles[dataset], (), board.rankings(), breakings=True)

    def _check_datasets(self) -> None:
        test = goal_test(self.goal)
        joint = across_datasets.joint_profile(self.profiles, "models")
        failing = tuple(dataset for dataset, profile in self.profiles.items() if not test(profile).holds)
        ensure(self.dropped == failing, f"the datasets that fail are {failing}, not {self.dropped}")
        ensure(self.exact and not self.solver, "which datasets fail needs no solver")
        self._check_obstructions(joint, "models")
        ensure(tuple(self.reasons) == failing, "each dataset that fails needs a reason")

    def _check_obstructions(self, joint: Profile, drop: across_datasets.Part) -> None:
        """Raise ProofError unless each forbidden sub-profile is one dataset's and fails the goal by itself."""
        test = goal_test(self.goal)
        ensure_distinct("an obstruction", self.obstructions)
        for one in self.obstructions:
            one.check(joint)
            numbers = {across_datasets.number_of(name) for name in (one.voters if drop == "models" else one.models)}
            ensure(len(numbers) == 1, "a forbidden sub-profile spans several datasets")
            if self.goal == ACYCLIC:
                # A domain is inherited by some of the voters; that majorities make no cycle is not.
                every = {voter for voter in joint.voters if across_datasets.number_of(voter) in numbers}
                ensure(every == set(one.voters), f"{one} is a cycle of some metrics of a dataset, not of all")
            ensure(not test(joint.select(models=one.models, voters=one.voters)).holds, f"{one} is not forbidden")

    def _check_parts(self, drop: across_datasets.Part) -> None:
        test, joint = goal_test(self.goal), across_datasets.joint_profile(self.profiles, drop)
        things = joint.models if drop == "models" else joint.voters
        ensure(set(self.dropped) <= set(things), f"{self.dropped} cannot be dropped")
        kept = restricted_to(joint, IN_JOINT[drop], without(things, self.dropped))
        for part in across_datasets.parts_of(kept, drop):
            ensure(test(part).holds, f"without {self.dropped} a dataset does not reach the goal {self.goal!r}")
        self._check_obstructions(joint, drop)
        if self.exact:
            named = [one.models if drop == "models" else one.voters for one in self.obstructions]
            ensure_fewest(things, named, len(self.dropped))


def least_repair(
    profiles: Mapping[str, Profile],
    goal: str,
    *,
    drop: Droppable = "models",
    models: Sequence[str] | None = None,
    metrics: Sequence[str] | None = None,
    time_limit: float | None = None,
) -> Repair:
    """Find the fewest models, metrics or datasets to drop so that every dataset reaches a goal.

    Parameters
    ----------
    profiles : mapping from dataset to Profile
        The rankings of each dataset: of all its models by all its metrics.
    goal : str
        ``"acyclic"`` (the majority relation is acyclic), or a domain: ``"single_peaked"``, ``"single_caved"``,
        ``"group_separable"``, ``"single_crossing"``, ``"value_restricted"``, ``"condorcet_domain"``.
    drop : {"models", "metrics", "datasets"}
        What may be left out; a model or metric is left out everywhere. ``"acyclic"`` does not apply to metrics, since a
        majority relation may become cyclic when a metric goes.
    models, metrics : sequence of str, optional
        The subject; by default all that is ranked and all that rank anywhere.
    time_limit : float, optional
        Seconds for the search.

    Returns
    -------
    Repair

    Raises
    ------
    InputError
        If there is no such goal, or it does not apply to metrics.
    TimeLimitError
        If time ran out.

    Notes
    -----
    NP-hard for models and metrics in general; solved as ``domains.nearest`` does, over the forbidden sub-profiles of
    all datasets at once. For datasets the answer is those that fail: each has to go by itself.
    """
    one_of("drop", drop, get_args(Droppable))
    if goal == ACYCLIC and drop == "metrics":
        raise InputError("dropping a metric may make a cycle as well as break it: ask 'acyclic' of models or datasets")
    test = goal_test(goal)
    asked: dict[str, Any] = {
        "goal": goal,
        "drop": drop,
        "models": tuple(first_appearances(one.models for one in profiles.values()) if models is None else models),
        "metrics": tuple(first_appearances(one.voters for one in profiles.values()) if metrics is None else metrics),
        "profiles": dict(profiles),
    }
    if drop == "datasets":
        return _failing(asked, test)
    joint = across_datasets.joint_profile(profiles, drop)
    pool = _pool(joint, goal) if drop == "models" else {}
    dropping = DeletionSearch(
        joint, across_datasets.joint_test(test, drop), IN_JOINT[drop], shown=pool, time_limit=time_limit
    )
    least = dropping.fewest()
    return Repair(
        **asked,
        dropped=dropping.named(least.selection),
        obstructions=distinct(map(dropping.witness, least.proved)),
        exact=not least.solver,
        solver=least.solver,
    ).verified()


def _failing(asked: Mapping[str, Any], test: Callable[[Profile], Claim]) -> Repair:
    profiles: Mapping[str, Profile] = asked["profiles"]
    joint = across_datasets.joint_profile(profiles, "models")
    numbered: dict[str, Obstruction | None] = {}
    for dataset, part in zip(profiles, across_datasets.parts_of(joint, "models"), strict=True):
        claim = test(part)
        if not claim.holds:
            numbered[dataset] = obstruction_of(claim)
    return Repair(
        **asked,
        dropped=tuple(numbered),
        obstructions=tuple(one for one in numbered.values() if one is not None),
        exact=True,
        solver="",
    )


def _pool(joint: Profile, goal: str) -> dict[int, Callable[[], Obstruction]]:
    """Return the sets of three models, as bits of the joint profile, that some dataset may not keep, and why."""
    place = {model: position for position, model in enumerate(joint.models)}
    found: dict[int, Callable[[], Obstruction]] = {}
    shown: Mapping[int, Callable[[], Obstruction]]
    for part in across_datasets.parts_of(joint, "models"):
        if goal == ACYCLIC:
            cycles = across_datasets.three_cycles(part)
            shown = {one: partial(shown_by, across_datasets.acyclic, part, [*places_of(one)]) for one in cycles}
        else:
            shown = forbidden_few(part, goal, "models")
        found |= {as_bits(place[part.models[one]] for one in places_of(bits)): show for bits, show in shown.items()}
    return found


def goal_test(goal: str) -> Callable[[Profile], Claim]:
    """Return the test of a goal of repairs, or raise InputError."""
    if goal != ACYCLIC and goal not in HEREDITARY:
        raise UnknownNameError("goal", goal, (ACYCLIC, *HEREDITARY), holder="list of goals")
    return across_datasets.acyclic if goal == ACYCLIC else HEREDITARY[goal]
