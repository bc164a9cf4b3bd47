"""How far the tasks' rankings are apart, from pairs of tasks drawn until the mean is known well enough."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from fractions import Fraction
from typing import Any, Self, get_args

import numpy as np
import pandas as pd

from weightlab._random import seed_of
from weightlab._result import Proof, Result, ensure, fractions_to_json, read_fraction
from weightlab._typing import FloatArray, IntArray, Number
from weightlab._validate import counted
from weightlab.data import Instances, Leaderboard, Profile
from weightlab.exceptions import InputError
from weightlab.rules.entry import Missing
from weightlab.studies.dispersion import ranked_board, task_profile
from weightlab.studies.kendall_costs import checked_penalty, distance, pairs_of
from weightlab.studies.repeats import checked_count, generator_of
from weightlab.studies.stopping import Bound, Stop, stop_at

__all__ = ["StoppedDispersion", "stopped_dispersion"]

BATCH = 1024
"""So many pairs of tasks are drawn before the bounds are looked at; what is drawn past the stop is not kept."""


@dataclass(frozen=True, kw_only=True, eq=False)
class StoppedDispersion(Result, kind="stopped_dispersion"):
    """An estimate of the mean distance of two tasks, with bounds that hold at the given confidence.

    Attributes
    ----------
    tasks : tuple of str
        The tasks that are drawn.
    model_pairs : int
        How many pairs of models there are: the greatest distance.
    bound : {"bernstein", "hoeffding"}
        Whose inequality stopped the drawing.
    error : float
        The relative error asked for.
    confidence : float
        The chance that the bounds hold.
    most : int
        At most so many draws were allowed.
    tie_penalty : Fraction
        What a pair costs that one order ties and the other does not.
    missing : str
        What became of missing scores.
    seed : int
        Batch ``i`` of draws is made from the child ``i`` of this seed.
    first, second : ndarray of int
        Positions of the tasks of each draw.
    distances : tuple of Fraction
        The distance of the two tasks of each draw.
    """

    tasks: tuple[str, ...]
    model_pairs: int
    bound: Bound
    error: float
    confidence: float
    most: int
    tie_penalty: Fraction
    missing: Missing
    seed: int
    first: IntArray = field(repr=False)
    second: IntArray = field(repr=False)
    distances: tuple[Fraction, ...] = field(repr=False)

    @property
    def stop(self) -> Stop:
        """Where the drawing stopped, in shares of all pairs of models."""
        shares = np.array([float(one) for one in self.distances]) / self.model_pairs
        return stop_at(shares, self.bound, error=self.error, failure=1 - self.confidence)

    @property
    def estimate(self) -> float:
        """The estimated mean distance of two tasks."""
        return self.stop.estimate * self.model_pairs

    @property
    def draws(self) -> pd.DataFrame:
        """One row a draw: the two tasks and their distance."""
        names = np.array(self.tasks, dtype=object)
        return pd.DataFrame({"first": names[self.first], "second": names[self.second], "distance": self.distances})

    @property
    def proof(self) -> Proof:
        """An estimate from random draws."""
        return Proof.SAMPLED

    def __str__(self) -> str:
        """Say the estimate and how sure it is."""
        stop, sure = self.stop, f"at {100 * self.confidence:g} % confidence"
        drawn = counted(stop.draws, "draw")
        low, high = stop.low * self.model_pairs, stop.high * self.model_pairs
        if not stop.reached:
            return (
                f"After {drawn} the mean distance of two tasks is known only to be between {low:.4g} and {high:.4g} "
                f"({sure}); the relative error of {self.error:g} needs more."
            )
        return (
            f"Two tasks order {self.estimate:.4g} of {counted(self.model_pairs, 'pair')} differently on average, "
            f"within {100 * self.error:g} % {sure}: {drawn} until the {self.bound.capitalize()} bound stopped them."
        )

    def summary(self) -> pd.DataFrame:
        """Return one row: the estimate, its bounds, the draws."""
        stop = self.stop
        row = {"distance": self.estimate, "low": stop.low * self.model_pairs, "high": stop.high * self.model_pairs}
        return pd.DataFrame([{**row, "draws": stop.draws, "reached": stop.reached}], index=[self.bound])

    def verify(self, source: Leaderboard | Instances | None = None) -> bool:
        """Check that the drawing stopped where the bounds say; given the source, draw and measure everything again.

        Raises
        ------
        ProofError
            Naming the first thing that does not hold.
        """
        count = len(self.distances)
        ensure(len(self.first) == len(self.second) == count > 0, "there are not two tasks and a distance a draw")
        ensure(all(0 <= one <= self.model_pairs for one in self.distances), "a distance is beyond the number of pairs")
        ensure(self.stop.draws == count, f"the {self.bound} bound stops after {self.stop.draws} draws, not {count}")
        ensure(self.stop.reached or count == self.most, "the drawing ended before the bound stopped it")
        if source is not None:
            sampler = _Sampler(task_profile(ranked_board(source), self.missing), self.tie_penalty, self.seed)
            ensure(sampler.profile.voters == self.tasks, "the tasks are not those of the source")
            ensure(pairs_of(sampler.profile.models) == self.model_pairs, "the source has another number of models")
            sampler.draw(count)
            ensure(np.array_equal(sampler.first[:count], self.first), "the first tasks drawn are others")
            ensure(np.array_equal(sampler.second[:count], self.second), "the second tasks drawn are others")
            ensure(tuple(sampler.distances[:count]) == self.distances, "the distances are others in the source")
        return True

    def to_dict(self) -> dict[str, Any]:
        """Return the draws ready for JSON."""
        return {
            "kind": self.kind,
            "tasks": list(self.tasks),
            "model_pairs": self.model_pairs,
            "bound": self.bound,
            "error": self.error,
            "confidence": self.confidence,
            "most": self.most,
            "tie_penalty": fractions_to_json([self.tie_penalty])[0],
            "missing": self.missing,
            "seed": self.seed,
            "first": self.first.tolist(),
            "second": self.second.tolist(),
            "distances": fractions_to_json(self.distances),
            "stop": asdict(self.stop),
        }

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Self:
        """Return the result that ``to_dict`` wrote.

        Raises
        ------
        ProofError
            If the drawing stopped elsewhere than it says.
        """
        made = cls(
            tasks=tuple(map(str, document["tasks"])),
            model_pairs=checked_count("model_pairs", document["model_pairs"], least=1),
            bound=_checked_bound(document["bound"]),
            error=_within("error", document["error"]),
            confidence=_within("confidence", document["confidence"]),
            most=checked_count("most", document["most"], least=1),
            tie_penalty=checked_penalty(document["tie_penalty"]),
            missing=str(document["missing"]),
            seed=checked_count("seed", document["seed"], least=0),
            first=_places(document["first"]),
            second=_places(document["second"]),
            distances=tuple(read_fraction(one, "a distance") for one in document["distances"]),
        )
        ensure(made.distances, "there is no draw")
        _ensure_stop(asdict(made.stop), document["stop"])
        return made


def stopped_dispersion(
    source: Leaderboard | Instances,
    *,
    bound: Bound = "bernstein",
    error: float = 0.1,
    confidence: float = 0.95,
    most: int = 100_000,
    tie_penalty: Number = "1/2",
    missing: Missing = "error",
    rng: int | np.random.Generator | None = None,
) -> StoppedDispersion:
    """Estimate how far two tasks' rankings are apart on average, drawing pairs of tasks until that is known.

    Parameters
    ----------
    source : Leaderboard or Instances
        As for `dispersion`; tasks are drawn with replacement, with probabilities as their weights.
    bound : {"bernstein", "hoeffding"}
        The inequality that says when to stop.
    error : float
        Relative: stop when the estimate is within this share of the mean. The paper names none.
    confidence : float
        The chance that it is. The paper names none.
    most : int
        Draw at most so many pairs; the bounds at that point are returned, and ``.stop.reached`` is False. Tasks that
        all agree need that: no relative error of 0 is reached.
    tie_penalty, missing
        As for `dispersion`.
    rng : int, Generator or None
        The seed.

    Returns
    -------
    StoppedDispersion
        ``.estimate`` ``.stop`` ``.draws`` ``.summary()`` ``.verify()``.

    Raises
    ------
    MissingScoresError
        If scores are missing and may not be.
    InputError
        If an option is wrong.

    Notes
    -----
    O(models^2) for each different pair of tasks that is drawn. `dispersion` gives the exact value in
    O(models^2 x tasks), which is nearly always less work: the estimate is for reproducing appendix C.

    References
    ----------
    Colombo et al., "What are the best systems?", appendix C.2; Mnih, Szepesvári and Audibert, "Empirical Bernstein
    stopping", ICML 2008; Domingo, Gavaldà and Watanabe, "Adaptive sampling methods", 2002, for Hoeffding's bound.

    Examples
    --------
    >>> import weightlab as wl
    >>> board = wl.Leaderboard({"x": {"a": 3, "b": 2, "c": 1}, "y": {"a": 1, "b": 2, "c": 3}})
    >>> found = stopped_dispersion(board, bound="hoeffding", error=0.2, rng=0)
    >>> abs(found.estimate - 1.5) <= 0.2 * 1.5
    True
    """
    _checked_bound(bound)
    error, failure = _within("error", error), 1 - _within("confidence", confidence)
    checked_count("most", most, least=1)
    penalty, seed = checked_penalty(tie_penalty), seed_of(rng)
    profile = task_profile(ranked_board(source), missing)
    sampler = _Sampler(profile, penalty, seed)
    pairs = pairs_of(profile.models)
    stop, wanted = None, BATCH
    while stop is None or (not stop.reached and stop.draws < most):
        sampler.draw(min(wanted, most))
        stop = stop_at(sampler.shares(min(wanted, most)) / pairs, bound, error=error, failure=failure)
        wanted *= 2
    return StoppedDispersion(
        tasks=profile.voters,
        model_pairs=pairs,
        bound=bound,
        error=error,
        confidence=confidence,
        most=most,
        tie_penalty=penalty,
        missing=missing,
        seed=seed,
        first=sampler.first[: stop.draws],
        second=sampler.second[: stop.draws],
        distances=tuple(sampler.distances[: stop.draws]),
    )


class _Sampler:
    """Pairs of tasks, drawn by weight in batches, and their distances, each worked out once."""

    def __init__(self, profile: Profile, penalty: Fraction, seed: int) -> None:
        self.profile, self.penalty, self.seed = profile, penalty, seed
        self.first, self.second = np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
        self.distances: list[Fraction] = []
        self._known: dict[tuple[int, int], Fraction] = {}
        weights = np.array([float(weight) for weight in profile.weights])
        self._chances = weights / weights.sum()

    def draw(self, count: int) -> None:
        """Draw until there are so many pairs at least."""
        while len(self.distances) < count:
            rng = generator_of(self.seed, len(self.distances) // BATCH)
            drawn = rng.choice(len(self._chances), size=(2, BATCH), p=self._chances)
            self.first, self.second = np.append(self.first, drawn[0]), np.append(self.second, drawn[1])
            self.distances.extend(self._distance(*sorted(pair)) for pair in drawn.T.tolist())

    def shares(self, count: int) -> FloatArray:
        """Return the first so many distances as floats."""
        return np.array([float(one) for one in self.distances[:count]])

    def _distance(self, one: int, other: int) -> Fraction:
        if (one, other) not in self._known:
            ranks = self.profile.ranks
            self._known[one, other] = distance(ranks[one], ranks[other], self.penalty)
        return self._known[one, other]


def _ensure_stop(own: Mapping[str, Any], claimed: Any) -> None:
    """Raise ProofError unless the drawing stopped where it says; last digits of floats differ between machines."""
    same = isinstance(claimed, Mapping) and set(claimed) == set(own)
    for name, value in own.items() if same else ():
        if isinstance(value, float):
            same &= isinstance(claimed[name], float | int) and math.isclose(value, claimed[name], rel_tol=1e-9)
        else:
            same &= type(claimed[name]) is type(value) and claimed[name] == value
    ensure(same, f"the drawing stopped at {dict(own)}, not at {claimed}")


def _places(listed: Any) -> IntArray:
    places = np.array(listed)
    if places.ndim != 1 or places.dtype.kind != "i":
        raise InputError("the tasks of the draws are written as positions")
    return places


def _checked_bound(bound: Any) -> Bound:
    if bound not in get_args(Bound):
        raise InputError(f"bound must be 'bernstein' or 'hoeffding'; got {bound!r}")
    known: Bound = bound
    return known


def _within(name: str, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 1:
        raise InputError(f"{name} must be between 0 and 1; got {value!r}")
    return float(value)
