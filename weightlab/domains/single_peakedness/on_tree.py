"""Single-peaked on a tree of the models: each voter's ranking falls along every path that leads away from the peak."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from weightlab._result import Record, ensure
from weightlab._text import first_few
from weightlab.data import Profile
from weightlab.data.convert import ProfileLike
from weightlab.domains.result import Claim, Guarantee, profile_fields
from weightlab.exceptions import InputError


class StuckLeaf(Record):
    """A model that would have to be a leaf of the tree, but can hang on no other model.

    Attributes
    ----------
    peeled : tuple of (str, str)
        Models that must be leaves once those before them are gone, and a voter who ranks each last of what is left.
    leaf : str
        The model that must be a leaf of the rest, too.
    last_for : str
        The voter who ranks it last of the rest.
    refused : tuple of (str, str)
        Each other model of the rest, and a voter for whom the leaf cannot hang on it: one who ranks it below the
        leaf, or ranks the leaf first and it not second.
    """

    peeled: tuple[tuple[str, str], ...]
    leaf: str
    last_for: str
    refused: tuple[tuple[str, str], ...]

    def __str__(self) -> str:
        """Name the model."""
        gone = f" once {first_few(model for model, _ in self.peeled)} are gone" if self.peeled else ""
        return f"{self.leaf} is last for {self.last_for}{gone}, so it must be a leaf, but it fits on no other model"

    def check(self, profile: Profile) -> None:
        """Raise ProofError unless the models are last in turn and the leaf fits nowhere."""
        rest = list(profile.models)
        place = {model: position for position, model in enumerate(profile.models)}
        for model, voter in (*self.peeled, (self.leaf, self.last_for)):
            ensure(voter in profile.voters and model in rest, f"{model!r} or {voter!r} is not there")
            row = profile.ranks[profile.voters.index(voter)]
            ensure(max(rest, key=lambda one: int(row[place[one]])) == model, f"{voter!r} does not rank {model!r} last")
            rest.remove(model)
        ensure(rest, f"{self.leaf!r} is the only model that is left")
        ensure(sorted(rest) == sorted(model for model, _ in self.refused), "a model of the rest is left out")
        for model, voter in self.refused:
            ensure(voter in profile.voters, f"{voter!r} is no voter")
            row = profile.ranks[profile.voters.index(voter)]
            best = min(rest, key=lambda one: int(row[place[one]]))
            first = row[place[self.leaf]] < row[place[best]]
            refuses = best != model if first else row[place[model]] > row[place[self.leaf]]
            ensure(refuses, f"{self.leaf!r} can hang on {model!r} for voter {voter!r}")


class SinglePeakedOnTree(Claim, kind="single_peaked_on_tree"):
    """Whether there is a tree of the models on which each voter's ranking falls along every path from the peak.

    Attributes
    ----------
    edges : tuple of (str, str) or None
        The edges of such a tree.
    witness : StuckLeaf or None
        If there is none, where its construction stops.
    """

    takes_ties: ClassVar[bool] = False

    edges: tuple[tuple[str, str], ...] | None
    witness: StuckLeaf | None

    def _implied(self) -> Guarantee:
        strict = (("strict orders of all models", self.profile.is_strict),)
        return Guarantee(strict="", weak="", theorem="Demange 1982", hypotheses=strict, undefeated=True)

    def __str__(self) -> str:
        """Say on which tree, or why on none."""
        if self.edges is None:
            return f"Not single-peaked on any tree: {self.witness}."
        edges = ", ".join(f"{one} - {other}" for one, other in self.edges) or "one model"
        return f"The rankings are single-peaked on the tree {edges}."

    def check(self) -> None:
        """Raise ProofError unless the edges are a tree that fits every voter, or the witness stands."""
        ensure((self.edges is None) != self.holds, "a tree is what the answer yes consists of")
        ensure((self.witness is None) == self.holds, "a witness is what the answer no rests on")
        if self.witness is not None:
            self.witness.check(self.profile)
        models, edges = self.profile.models, self.edges or ()
        place = {model: position for position, model in enumerate(models)}
        inside = all(one in place and other in place and one != other for one, other in edges)
        ensure(inside, "an edge leads out of the models, or back to where it begins")
        ensure(self.witness or len(edges) == len(models) - 1, "the edges are no tree of all models")
        ends = np.array([[place[one], place[other]] for one, other in edges], dtype=np.intp).reshape(-1, 2)
        # Each edge makes its worse end "one with a better neighbour". There is an edge for each model but one, so all
        # ends being different means exactly one better neighbour for each model but the peak; and then the edges are a
        # tree, as the best model of a cycle is the worse end of none of its edges.
        for voter, row in zip(self.profile.voters, self.profile.ranks, strict=True):
            worse = np.where(row[ends[:, 0]] > row[ends[:, 1]], ends[:, 0], ends[:, 1])
            ensure(len(np.unique(worse)) == len(worse), f"the tree does not fit voter {voter!r}")


def single_peaked_on_tree(source: ProfileLike) -> SinglePeakedOnTree:
    """Test whether the rankings are single-peaked on some tree of the models.

    *Single-peaked on a tree*: for each voter, along every path of the tree that leads away from the voter's best
    model, each model is worse than the one before.

    Parameters
    ----------
    source : Profile or Leaderboard
        Strict rankings of all models by every voter. Voters of weight 0 are left out and named.

    Returns
    -------
    SinglePeakedOnTree
        True when it holds, with the tree; else with the model at which any tree fails.

    Raises
    ------
    InputError
        If there are ties, or a voter leaves models out.

    Notes
    -----
    Whoever is last for some voter must be a leaf. It can hang on any model that each voter prefers to it (for a voter
    who puts it first: on the second best), and the choice does not matter. O(models^2 x voters). An axis is a tree that
    is a path; a tree leaves more room and guarantees less: a model that loses no head-to-head, but not transitivity.

    References
    ----------
    Trick, "Recognizing single-peaked preferences on a tree", Mathematical Social Sciences 17 (1989). Demange,
    "Single-peaked orders on a tree", Mathematical Social Sciences 3 (1982).

    Examples
    --------
    >>> import weightlab as wl
    >>> star = wl.Profile.from_orders([["c", "x", "y", "z"], ["c", "y", "z", "x"], ["c", "z", "x", "y"]])
    >>> print(wl.domains.single_peaked_on_tree(star))
    The rankings are single-peaked on the tree x - c, y - c, z - c.
    """
    profile, given = profile_fields(source, "single-peakedness on a tree")
    if not profile.models:
        raise InputError("a profile without models has no tree")
    grown = _grown(profile)
    edges, witness = (None, grown) if isinstance(grown, StuckLeaf) else (grown, None)
    return SinglePeakedOnTree(**given, holds=witness is None, edges=edges, witness=witness).checked()


def _grown(profile: Profile) -> tuple[tuple[str, str], ...] | StuckLeaf:
    """Return the edges of a tree, leaf by leaf, or where that has to stop."""
    ranks = profile.ranks
    rest = np.ones(len(profile.models), dtype=np.bool_)
    peeled: list[tuple[str, str]] = []
    edges: list[tuple[str, str]] = []
    while rest.sum() > 1:
        # Some voter ranks it last of the rest: on any path through it that voter would see a valley, so it is a leaf.
        last = np.where(rest, ranks, -1).argmax(axis=1)
        leaf = int(last.min())
        voter = int((last == leaf).argmax())
        rest[leaf] = False
        # A leaf can hang on any model above it; or, when it is itself first, only on the best of the rest.
        best = np.where(rest, ranks, ranks.shape[1] + 1).min(axis=1)
        fits = ranks <= np.maximum(ranks[:, leaf], best)[:, None]
        holders = np.flatnonzero(fits.all(axis=0) & rest)
        name, last_for = profile.models[leaf], profile.voters[voter]
        if len(holders) == 0:
            refused = tuple(
                (profile.models[int(model)], profile.voters[int((~fits[:, model]).argmax())])
                for model in np.flatnonzero(rest)
            )
            return StuckLeaf(peeled=tuple(peeled), leaf=name, last_for=last_for, refused=refused)
        peeled.append((name, last_for))
        # Any holder works (Trick 1989), so there is no backtracking.
        edges.append((name, profile.models[int(holders[0])]))
    return tuple(edges)
