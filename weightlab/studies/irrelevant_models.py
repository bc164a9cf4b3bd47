"""How often a model that arrives changes the order of those already there: the experiment of Vote'n'Rank, table 2."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from statistics import NormalDist
from typing import Any, Self, TypeAlias

import numpy as np
import pandas as pd

from weightlab._random import RngLike, seed_of
from weightlab._result import Proof, Result, ensure
from weightlab._typing import AnyArray, IntArray
from weightlab._validate import Faults, counted, truth
from weightlab.data import Leaderboard
from weightlab.data.profile import TieBreak
from weightlab.exceptions import InputError
from weightlab.studies.answers import Answers, ask
from weightlab.studies.order_change import REVERSED, SPLIT, TIED, pair_changes
from weightlab.studies.questions import NO_ANSWER, RulesLike
from weightlab.studies.repeats import checked_count, generator_of, worked
from weightlab.studies.subtables import Levels, levels_among

__all__ = ["IrrelevantModels", "irrelevant_models"]

COUNTS = (
    "additions",
    "unanswered",
    "changed",
    "reversed",
    "first_pair",
    "leader",
    "pairs_reversed",
    "pairs_tied",
    "pairs_split",
)

Arrivals: TypeAlias = tuple[tuple[int, ...], ...]
"""Positions of all models of a board in the order in which they come, draw by draw."""


@dataclass(frozen=True, kw_only=True, eq=False)
class IrrelevantModels(Result, kind="irrelevant_models"):
    """How often an arriving model changes the order of those already there, in each of many orders of arrival.

    Attributes
    ----------
    answers : Answers
        The rankings of the whole board by rule, with the board.
    arrivals : tuple of tuples of str
        In which order the models come, draw by draw.
    counts : ndarray of int
        Draws x rules x the columns of ``draws``. Read-only.
    seed : int or None
        From which the orders of arrival were drawn; None where they were given.
    break_ties : {"alphabetical", "reverse", None}
        How ties of a ranking were broken before it was compared with the next.
    last : bool
        Whether the last model arrives too.
    """

    answers: Answers
    arrivals: tuple[tuple[str, ...], ...] = field(repr=False)
    counts: IntArray = field(repr=False)
    seed: int | None
    break_ties: TieBreak
    last: bool

    def __post_init__(self) -> None:
        """Make the counts read-only."""
        self.counts.setflags(write=False)

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules that were asked."""
        return tuple(self.answers)

    @property
    def left_out(self) -> Mapping[str, str]:
        """Default rules that have no answer on this board, and why."""
        return self.answers.left_out

    @property
    def draws(self) -> pd.DataFrame:
        """One row a draw and rule.

        ``additions`` counts the models that arrive, from the third; ``unanswered`` those at which the rule had no
        answer before or after. Of the others ``changed`` counts those that change the order of any pair already there
        (the figure of Vote'n'Rank, table 2), ``reversed`` those that turn a pair round, ``first_pair`` those that
        change the order of the first two models (what section 3.1 describes), ``leader`` those that change who is best
        of those already there. ``pairs_reversed``, ``pairs_tied`` and ``pairs_split`` count the pairs.
        """
        draws, rules, _ = self.counts.shape
        named = {"draw": np.repeat(np.arange(draws), rules), "rule": list(self.rules) * draws}
        flat = self.counts.reshape(draws * rules, len(COUNTS))
        return pd.DataFrame({**named, **{name: flat[:, place] for place, name in enumerate(COUNTS)}})

    def summary(self) -> pd.DataFrame:
        """Return one row a rule: the mean, the standard deviation and a 95 % interval of the mean of ``changed``.

        ``share`` is that of all additions, over all draws; the last three are means over the draws. The standard
        deviation is that of the draws themselves, as in the paper; the interval is the normal one, cut off at 0.
        """
        rows = {}
        for place, name in enumerate(self.rules):
            of = {column: self.counts[:, place, at].astype(np.float64) for at, column in enumerate(COUNTS)}
            changed = of["changed"]
            answered = of["additions"].sum() - of["unanswered"].sum()
            rows[name] = {
                "mean": changed.mean(),
                "std": changed.std(),
                **_interval(changed),
                "share": changed.sum() / answered if answered else np.nan,
                **{column: of[column].mean() for column in ("reversed", "first_pair", "leader")},
            }
        return pd.DataFrame.from_dict(rows, orient="index")

    @property
    def proof(self) -> Proof:
        """Sampled; where the orders of arrival were given, all but what rules say that need a solver."""
        return Proof.SAMPLED if self.seed is not None else self.answers.proof_of_parts

    def __str__(self) -> str:
        """Say by which rule the order changes most often."""
        table = self.summary()
        most = str(table["share"].fillna(-1).idxmax())
        never = [name for name, mean in table["mean"].items() if mean == 0]
        orders = (
            f"{counted(len(self.arrivals), 'order')} of arrival of {counted(len(self.answers.board.models), 'model')}"
        )
        if len(never) == len(table):
            return f"In {orders} no new model changes the order of those already there, by any rule asked."
        stays = f"; never by {', '.join(map(str, never))}" if never else ""
        return (
            f"In {orders} a new model changes the order of those already there most often by {most}: "
            f"{float(table['share'][most]):.0%} of the time{stays}."
        )

    def verify(self, source: Leaderboard | None = None) -> bool:
        """Ask every rule again at every arrival; given the board, also check that it is the source.

        Returns
        -------
        bool
            True.

        Raises
        ------
        ProofError
            Naming the first draw and rule that is wrong.

        Notes
        -----
        It takes as long as the study on one core; rules that are NP-hard solve their programs again.
        """
        self.answers.verify(source)
        board = self.answers.board
        ensure(self.break_ties in {"alphabetical", "reverse", None}, f"ties are broken by {self.break_ties!r}")
        ensure(self.counts.shape == (len(self.arrivals), len(self.rules), len(COUNTS)), "a draw or a rule is missing")
        arrivals = _positions(board, self.arrivals)
        if self.seed is not None:
            drawn = _drawn(board, self.seed, len(arrivals))
            ensure(arrivals == drawn, f"the orders of arrival are not those of the seed {self.seed}")
        work = _work(self.answers, self.break_ties, last=self.last)
        for draw, order in enumerate(arrivals):
            found = work(order)
            for rule, own, claimed in zip(self.rules, found, self.counts[draw], strict=True):
                same = np.array_equal(own, claimed)
                ensure(same, f"draw {draw}, {rule!r}: the counts are {dict(zip(COUNTS, own.tolist(), strict=True))}")
        return True

    def to_dict(self) -> dict[str, Any]:
        """Return the result ready for JSON, with every draw."""
        return {
            "kind": self.kind,
            "seed": self.seed,
            "break_ties": self.break_ties,
            "last": self.last,
            "arrivals": _listed(self.answers.board, self.arrivals),
            "columns": list(COUNTS),
            "counts": self.counts.tolist(),
            "answers": self.answers.to_dict(),
        }

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Self:
        """Return the result that ``to_dict`` wrote; orders of arrival are written as positions on the board."""
        answers = Answers.from_dict(document["answers"])
        models = answers.board.models
        counts = np.array(document["counts"])
        if document["columns"] != list(COUNTS) or counts.ndim != 3 or counts.dtype.kind != "i":
            raise InputError(f"the counts of a draw are whole numbers: {', '.join(COUNTS)}")
        return cls(
            answers=answers,
            arrivals=tuple(tuple(models[place] for place in order) for order in document["arrivals"]),
            counts=counts,
            seed=None if document["seed"] is None else seed_of(document["seed"]),
            break_ties=document["break_ties"],
            last=truth(document["last"], "last"),
        )


def irrelevant_models(
    board: Leaderboard,
    rules: RulesLike = None,
    *,
    options: Mapping[str, Any] | None = None,
    repeats: int = 50,
    rng: RngLike = None,
    arrivals: Iterable[Sequence[str]] | None = None,
    break_ties: TieBreak = None,
    last: bool = True,
    n_jobs: int = 1,
    progress: Callable[[int], None] | None = None,
) -> IrrelevantModels:
    """Let the models of a board arrive in random orders, and count how often a new one changes the order of the others.

    A rule is independent of irrelevant models if it never happens.

    Parameters
    ----------
    board : Leaderboard
        Three models or more.
    rules : rule, function, iterable or mapping of these, optional
        See `Question`. By default those of Vote'n'Rank, as far as they apply.
    options : mapping, optional
        Options for all rules that have them.
    repeats : int
        How many orders of arrival are drawn.
    rng : int or Generator, optional
        The seed of the draws; the result keeps it.
    arrivals : iterable of sequences of str, optional
        The orders of arrival themselves, each of all models, instead of random ones.
    break_ties : {"alphabetical", "reverse", None}
        Compare the rankings with their ties broken by name, or as weak orders (None). Ties that are broken hide that a
        pair was tied or split.
    last : bool
        Whether the last model arrives too. Vote'n'Rank's own figures leave it out (and break ties by ``"reverse"``).
    n_jobs : int
        Processes, not 0; more than one needs the extra ``weightlab[parallel]``. The result does not depend on it.
    progress : callable, optional
        Called with the number of orders of arrival done since the last call.

    Returns
    -------
    IrrelevantModels
        ``.summary()`` ``.draws`` ``.arrivals`` ``.left_out`` ``.verify()``.

    Raises
    ------
    InputError
        If an option or an order of arrival is wrong, or there are fewer than three models.
    MissingScoresError
        If a rule that is named needs every score and some are missing.

    Notes
    -----
    O(repeats x rules x models) rankings of part of the board. `single_changes` asks exactly, for every model, what its
    coming or going does to the whole board.

    References
    ----------
    Vote'n'Rank, section 3.1 and table 2.

    Examples
    --------
    >>> import weightlab as wl
    >>> board = wl.datasets.load_leaderboard("votenrank-a1")
    >>> found = irrelevant_models(board, ["mean", "borda", "plurality"], repeats=20, rng=0)
    >>> found.summary()["mean"].to_dict()
    {'mean': 0.0, 'borda': 0.0, 'plurality': 1.4}
    """
    answers = ask(board, rules, options=options)
    if len(board.models) < 3:
        raise InputError("three models are needed, for one to arrive where two are; got two")
    if break_ties not in ("alphabetical", "reverse", None):
        raise InputError(f"break_ties must be 'alphabetical', 'reverse' or None; got {break_ties!r}")
    comes_last = truth(last, "last")
    seed = seed_of(rng) if arrivals is None else None
    if seed is None:
        orders = _checked(board, arrivals)
    else:
        orders = _drawn(board, seed, checked_count("repeats", repeats, least=1))
    counts = worked(_work(answers, break_ties, last=comes_last), orders, n_jobs=n_jobs, progress=progress)
    return IrrelevantModels(
        answers=answers,
        arrivals=tuple(tuple(board.models[place] for place in order) for order in orders),
        counts=np.array(counts, dtype=np.int64),
        seed=seed,
        break_ties=break_ties,
        last=comes_last,
    )


def _work(answers: Answers, break_ties: TieBreak, *, last: bool) -> Callable[[tuple[int, ...]], IntArray]:
    """Return the function from an order of arrival to the counts of all rules."""
    board = answers.board
    levels = [levels_among(question, board) for question in answers.questions.values()]
    by_name = sorted(board.models, reverse=break_ties == "reverse")
    name_key = np.array([by_name.index(model) for model in board.models]) if break_ties else None
    return partial(_counted, levels=levels, name_key=name_key, last=last)


def _counted(order: tuple[int, ...], *, levels: Sequence[Levels], name_key: AnyArray | None, last: bool) -> IntArray:
    """Return the counts of all rules (rules x columns) in one order of arrival."""
    return np.array([_of_rule(one, name_key, order if last else order[:-1]) for one in levels], dtype=np.int64)


def _of_rule(levels: Levels, name_key: AnyArray | None, order: tuple[int, ...]) -> list[int]:
    totals = dict.fromkeys(COUNTS, 0)
    before = _compared(levels, name_key, order[:2])
    for count in range(3, len(order) + 1):
        after = _compared(levels, name_key, order[:count])
        totals["additions"] += 1
        if before is None or after is None:
            totals["unanswered"] += 1
        else:
            changes = pair_changes(before, after[:-1])
            totals["changed"] += len(changes) > 0
            totals["reversed"] += changes.count(REVERSED) > 0
            # The first two are at positions 0 and 1: no other pair adds up to 1.
            totals["first_pair"] += bool((changes.first + changes.second == 1).any())
            totals["leader"] += changes.leader
            for kind in (REVERSED, TIED, SPLIT):
                totals[f"pairs_{kind}"] += changes.count(kind)
        before = after
    return [int(totals[name]) for name in COUNTS]


def _compared(levels: Levels, name_key: AnyArray | None, rows: tuple[int, ...]) -> AnyArray | None:
    """Return the places of some models as they are compared, or None where the rule has no answer."""
    try:
        found = levels(rows)
    except NO_ANSWER:
        return None
    if name_key is None:
        return found
    places = np.empty(len(rows), dtype=np.int64)
    places[np.lexsort((name_key[list(rows)], found))] = np.arange(len(rows))
    return places


def _drawn(board: Leaderboard, seed: int, repeats: int) -> Arrivals:
    count = len(board.models)
    return tuple(tuple(generator_of(seed, draw).permutation(count).tolist()) for draw in range(repeats))


def _checked(board: Leaderboard, arrivals: Iterable[Sequence[str]] | None) -> Arrivals:
    """Return given orders of arrival as positions, or raise InputError listing every fault."""
    several = isinstance(arrivals, Iterable) and not isinstance(arrivals, str)
    orders = list(arrivals) if several and arrivals is not None else []
    if not several or not all(isinstance(order, Iterable) for order in orders):
        raise InputError(f"arrivals are several orders, each a list of all models; got {arrivals!r}")
    faults = Faults()
    listed = [[str(model) for model in order] for order in orders]
    for number, order in enumerate(listed):
        if sorted(order) != sorted(board.models):
            faults.add(f"order of arrival {number}: each of the {len(board.models)} models is needed once")
    if not listed:
        faults.add("at least one order of arrival is needed; got none")
    faults.raise_if_any()
    return _positions(board, listed)


def _positions(board: Leaderboard, arrivals: Iterable[Sequence[str]]) -> Arrivals:
    position = {model: place for place, model in enumerate(board.models)}
    found = tuple(tuple(position.get(model, -1) for model in order) for order in arrivals)
    whole = list(range(len(position)))
    ensure(all(sorted(order) == whole for order in found), "an order of arrival is not of the models of the board")
    return found


def _listed(board: Leaderboard, arrivals: Iterable[Sequence[str]]) -> list[list[int]]:
    return [list(order) for order in _positions(board, arrivals)]


def _interval(values: AnyArray) -> dict[str, float]:
    if len(values) < 2:
        return {"low": np.nan, "high": np.nan}
    reach = NormalDist().inv_cdf(0.975) * float(values.std(ddof=1)) / len(values) ** 0.5
    mean = float(values.mean())
    return {"low": max(mean - reach, 0.0), "high": mean + reach}
