"""What the coming or going of each single model does to the order of the others: exactly, with every flip."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from typing import Any, Self

import pandas as pd

from weightlab._result import Proof, Result, ensure, to_json
from weightlab._typing import AnyArray
from weightlab._validate import Faults, counted, named_subset
from weightlab.data import Leaderboard
from weightlab.studies.answers import Answers, ask, checked_board
from weightlab.studies.boards import board_from_json, board_to_json, ensure_same_board
from weightlab.studies.order_change import REVERSED, SPLIT, TIED, pair_changes
from weightlab.studies.order_flip import Change, LeaderChange, OrderFlip
from weightlab.studies.questions import NO_ANSWER, Question, RulesLike
from weightlab.studies.repeats import worked
from weightlab.studies.subtables import Levels, levels_among, part_of

__all__ = ["SingleChanges", "single_changes"]


@dataclass(frozen=True, kw_only=True, eq=False)
class SingleChanges(Result, kind="single_changes"):
    """All pairs whose order changes when one model comes or goes.

    Attributes
    ----------
    board : Leaderboard
        All models that there are.
    answers : Answers
        The rankings by rule of the models that are ranked.
    flips : tuple of OrderFlip
        Every one: by rule, then by model in board order.
    leaders : tuple of LeaderChange
        Every change of who is best of the models that stay.
    unanswered : tuple of (str, str)
        Rules and models at whose coming or going the rule has no answer.
    """

    board: Leaderboard = field(repr=False)
    answers: Answers
    flips: tuple[OrderFlip, ...]
    leaders: tuple[LeaderChange, ...]
    unanswered: tuple[tuple[str, str], ...]

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules that were asked."""
        return tuple(self.answers)

    @property
    def left_out(self) -> Mapping[str, str]:
        """Default rules that have no answer, and why."""
        return self.answers.left_out

    @property
    def ranked(self) -> tuple[str, ...]:
        """The models that are ranked, of which each is removed; each of the others is added."""
        return self.answers.board.models

    @property
    def changes(self) -> dict[str, Change]:
        """What happens to each model that comes or goes."""
        return _changes(self.board, self.ranked)

    def table(self) -> pd.DataFrame:
        """Return one row a flip: rule, change, model, first, second, before, after, kind."""
        rows = [{**asdict(flip), "kind": flip.kind} for flip in self.flips]
        return pd.DataFrame(rows, columns=[*OrderFlip.__dataclass_fields__, "kind"])

    def summary(self) -> pd.DataFrame:
        """Return one row a rule: how many models come or go, how many of them change what, and how many pairs.

        ``changed`` counts the models that change the order of any pair, ``reversed`` those that turn one round,
        ``leader`` those that change who is best of the others; then the pairs that they reverse, tie and split.
        """
        rows = {}
        for rule in self.rules:
            flips = [flip for flip in self.flips if flip.rule == rule]
            rows[rule] = {
                "changes": len(self.changes) - sum(one == rule for one, _ in self.unanswered),
                "changed": len({flip.model for flip in flips}),
                "reversed": len({flip.model for flip in flips if flip.kind == REVERSED}),
                "leader": sum(one.rule == rule for one in self.leaders),
                **{f"pairs_{kind}": sum(flip.kind == kind for flip in flips) for kind in (REVERSED, TIED, SPLIT)},
            }
        return pd.DataFrame.from_dict(rows, orient="index")

    @property
    def proof(self) -> Proof:
        """How much of the claim ``verify`` re-checks: all but that of rules that need a solver."""
        return self.answers.proof_of_parts

    def __str__(self) -> str:
        """Say by which rules the coming or going of one model changes the order of others."""
        table = self.summary()
        changing = {str(rule): int(row["changed"]) for rule, row in table.iterrows() if row["changed"]}
        count = len(self.changes)
        if not count:
            return "Of two models neither can come or go and leave a pair whose order could change."
        if not changing:
            return (
                f"Whichever one of {counted(count, 'model')} comes or goes, no rule asked orders the others otherwise."
            )
        listed = ", ".join(f"{number} by {rule}" for rule, number in changing.items())
        none = len(table) - len(changing)
        others = f"; none by {counted(none, 'other rule')}" if none else ""
        one_by_one = f"Of {counted(count, 'model')} that come or go one at a time"
        return f"{one_by_one}, these change the order of the others: {listed}{others}."

    def verify(self, source: Leaderboard | None = None) -> bool:
        """Rank every part of the board again, each from its own table; given the board, check that it is the source.

        Returns
        -------
        bool
            True.

        Raises
        ------
        ProofError
            Naming the rule and the model at which something else happens.

        Notes
        -----
        Rules that are NP-hard solve their programs again.
        """
        if source is not None:
            ensure_same_board(self.board, source)
        ensure(set(self.ranked) <= set(self.board.models), "a model is ranked that is not on the board")
        ensure_same_board(self.answers.board, _part(self.board, self.ranked))
        self.answers.verify()
        readers = {name: _afresh(question, self.board) for name, question in self.answers.questions.items()}
        own = _found(self.board, self.answers, [_asked(self.board, self.answers, readers)(m) for m in self.changes])
        for part in ("unanswered", "leaders", "flips"):
            claimed, fact = getattr(self, part), own[part]
            wrong = next((one for one in (*fact, *claimed) if (one in fact) != (one in claimed)), None)
            ensure(wrong is None, f"{part}: {wrong} is {'missing' if wrong in fact else 'claimed, and is not so'}")
            ensure(claimed == fact, f"{part}: they are not in their order, or one is there twice")
        return True

    def to_dict(self) -> dict[str, Any]:
        """Return the result ready for JSON."""
        return {
            "kind": self.kind,
            "flips": [asdict(flip) for flip in self.flips],
            "leaders": [to_json(asdict(one)) for one in self.leaders],
            "unanswered": [list(one) for one in self.unanswered],
            "board": board_to_json(self.board),
            "answers": self.answers.to_dict(),
        }

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Self:
        """Return the result that ``to_dict`` wrote."""
        return cls(
            board=board_from_json(document["board"]),
            answers=Answers.from_dict(document["answers"]),
            flips=tuple(OrderFlip.from_dict(one) for one in document["flips"]),
            leaders=tuple(LeaderChange.from_dict(one) for one in document["leaders"]),
            unanswered=tuple((str(rule), str(model)) for rule, model in document["unanswered"]),
        )


def single_changes(
    board: Leaderboard,
    rules: RulesLike = None,
    *,
    options: Mapping[str, Any] | None = None,
    models: Iterable[str] | None = None,
    n_jobs: int = 1,
    progress: Callable[[int], None] | None = None,
) -> SingleChanges:
    """Let each model come or go by itself, and list every pair of the others whose order is another then.

    Ranked models are removed one at a time; all others are added one at a time.

    Parameters
    ----------
    board : Leaderboard
        All models that there are.
    rules : rule, function, iterable or mapping of these, optional
        See `Question`. By default those of Vote'n'Rank, as far as they apply.
    options : mapping, optional
        Options for all rules that have them.
    models : iterable of str, optional
        The models that are ranked; all by default, and then none can be added.
    n_jobs : int
        Processes, not 0; more than one needs the extra ``weightlab[parallel]``.
    progress : callable, optional
        Called with the number of models done since the last call.

    Returns
    -------
    SingleChanges
        ``.flips`` (each a witness) ``.table()`` ``.leaders`` ``.summary()`` ``.left_out`` ``.verify()``.

    Raises
    ------
    InputError
        If an option is wrong, a model is unknown, or fewer than two models are ranked.
    MissingScoresError
        If a rule that is named needs every score and some are missing.

    Notes
    -----
    O(rules x models) rankings, O(models^2) pairs each. A model that is removed takes part in no pair; to add it to the
    rest again does the contrary, so that with all models ranked the flips are also those of all additions of a last
    model. By ``mean_rank`` reversals at additions are the flips of Beyond Arrow, which `flips` counts for whole suites.

    References
    ----------
    Vote'n'Rank, appendix A.2; Gordienko et al., Beyond Arrow, section 3 and appendix A.6.

    Examples
    --------
    >>> import weightlab as wl
    >>> scores = {"x": {"a": 9, "b": 8, "c": 7}, "y": {"a": 5, "b": 7, "c": 6}}
    >>> found = single_changes(wl.Leaderboard(scores, weights={"x": 3, "y": 2}), ["mean", "borda"])
    >>> print(found.flips[0])
    By borda b is ahead of a; once c is removed, it is behind a.
    """
    ranked = checked_board(board).models if models is None else _named(checked_board(board), models)
    answers = ask(_part(board, ranked), rules, options=options)
    changes = _changes(board, ranked)
    readers = {name: levels_among(question, board) for name, question in answers.questions.items()}
    found = worked(_asked(board, answers, readers), list(changes), n_jobs=n_jobs, progress=progress)
    return SingleChanges(board=board, answers=answers, **_found(board, answers, found))


@dataclass(frozen=True, kw_only=True)
class _Seen:
    """What one model does by one rule."""

    flips: tuple[OrderFlip, ...]
    leader: LeaderChange | None


def _changes(board: Leaderboard, ranked: Sequence[str]) -> dict[str, Change]:
    """Return what happens to each model; of two models none is removed, for one alone is no ranking."""
    removed = set(ranked) if len(ranked) > 2 else set()
    return {
        model: "removed" if model in removed else "added"
        for model in board.models
        if model in removed or model not in ranked
    }


def _of_model(
    model: str, *, positions: Mapping[str, int], answers: Answers, readers: Mapping[str, Levels]
) -> dict[str, _Seen | None]:
    """Return what the coming or going of a model does by each rule; None where the rule has no answer."""
    ranked = answers.board.models
    stay = tuple(one for one in ranked if one != model)
    change: Change = "added" if model not in ranked else "removed"
    there = (*stay, model) if change == "added" else stay
    seen: dict[str, _Seen | None] = {}
    for rule, levels in readers.items():
        try:
            after = levels([positions[one] for one in there])[: len(stay)]
        except NO_ANSWER:
            seen[rule] = None
            continue
        seen[rule] = _seen(answers[rule].levels(stay), after, stay, {"rule": rule, "change": change, "model": model})
    return seen


def _seen(before: AnyArray, after: AnyArray, stay: tuple[str, ...], named: dict[str, Any]) -> _Seen:
    """Return what differs between two rankings of the models that stay."""
    changed = pair_changes(before, after)
    pairs = zip(*(getattr(changed, part).tolist() for part in ("first", "second", "before", "after")), strict=True)
    flips = tuple(OrderFlip(**named, first=stay[i], second=stay[j], before=was, after=now) for i, j, was, now in pairs)
    best, now_best = (
        tuple(one for one, level in zip(stay, levels.tolist(), strict=True) if level == levels.min())
        for levels in (before, after)
    )
    return _Seen(flips=flips, leader=LeaderChange(**named, before=best, after=now_best) if changed.leader else None)


def _asked(
    board: Leaderboard, answers: Answers, readers: Mapping[str, Levels]
) -> Callable[[str], dict[str, _Seen | None]]:
    positions = {model: place for place, model in enumerate(board.models)}
    return partial(_of_model, positions=positions, answers=answers, readers=readers)


def _found(board: Leaderboard, answers: Answers, seen: Sequence[Mapping[str, _Seen | None]]) -> dict[str, Any]:
    """Return what was seen as the parts of a result: by rule, then by model."""
    models = list(_changes(board, answers.board.models))
    every = [(rule, model, one[rule]) for rule in answers for model, one in zip(models, seen, strict=True)]
    return {
        "flips": tuple(flip for _, _, one in every if one is not None for flip in one.flips),
        "leaders": tuple(one.leader for _, _, one in every if one is not None and one.leader is not None),
        "unanswered": tuple((rule, model) for rule, model, one in every if one is None),
    }


def _afresh(question: Question, board: Leaderboard) -> Levels:
    """Return the function that makes the table of some models and asks the question about it, with nothing kept."""
    return lambda rows: question.answer(part_of(board, rows)).levels([board.models[row] for row in rows])


def _part(board: Leaderboard, models: Sequence[str]) -> Leaderboard:
    position = {model: place for place, model in enumerate(board.models)}
    return part_of(board, [position[model] for model in models])


def _named(board: Leaderboard, models: Iterable[str]) -> tuple[str, ...]:
    """Return the models that are ranked, in board order, or raise InputError."""
    faults = Faults()
    named = set(named_subset(models, board.models, "model", faults, holder="leaderboard"))
    if not faults and len(named) < 2:
        faults.add(f"two models are needed to rank; got {counted(len(named), 'model')}")
    faults.raise_if_any()
    return tuple(model for model in board.models if model in named)
