"""Rules side by side: what each says about the same table, and how far they agree."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

import pandas as pd

from weightlab._cures import reworded
from weightlab._exact import as_float
from weightlab._result import Proof, Result, ensure
from weightlab._text import counted, in_words, quoted
from weightlab.data import Leaderboard, Margins, as_table
from weightlab.exceptions import InputError, UnknownNameError, UnprovedError
from weightlab.rules.inputs import Needs, Preparation, Source, has_gaps, is_score
from weightlab.rules.ranking import RankedSource, Ranking, ensure_same_source, own_rule_name, prepared_rank, rank
from weightlab.rules.refusal import NO_ANSWER, UNTAKEN, Refusal, check_refusals, reasons, refusal
from weightlab.rules.registry import COMPARED, RULES, USUAL, RuleLike
from weightlab.rules.registry import rule as registered
from weightlab.rules.similarity.rank_correlation import tau_matrix, top_agreement


class Comparison(Result, kind="comparison"):
    """Rankings of the same models by several rules.

    Attributes
    ----------
    source : Leaderboard, Profile or Margins
        What all of them rank.
    rankings : dict from str to Ranking
        By rule, with any options that are set.
    refusals : tuple of Refusal
        Rules that have no answer on this table, and why.
    """

    derived: ClassVar[tuple[str, ...]] = ("winners",)

    rankings: Mapping[str, Ranking]
    refusals: tuple[Refusal, ...] = ()
    source: RankedSource

    def __post_init__(self) -> None:
        """Raise InputError unless there is a ranking."""
        if not self.rankings:
            raise InputError("a comparison has at least one ranking")

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules that have an answer."""
        return tuple(self.rankings)

    @property
    def left_out(self) -> dict[str, str]:
        """Why rules have no answer on this table, by rule."""
        return reasons(self.refusals)

    @property
    def models(self) -> tuple[str, ...]:
        """The models in board order."""
        return self.source.models

    @property
    def ranks(self) -> pd.DataFrame:
        """Ranks from 1, models x rules; models in the order of the first rule."""
        first = next(iter(self.rankings.values()))
        return pd.DataFrame({name: one.ranks for name, one in self.rankings.items()}).reindex(list(first.scores.index))

    @property
    def scores(self) -> pd.DataFrame:
        """Scores as floats (infinite beyond every float), models x rules; models in the order of the first rule."""
        columns = {name: one.scores.map(as_float) for name, one in self.rankings.items()}
        return pd.DataFrame(columns).reindex(self.ranks.index)

    @property
    def winners(self) -> pd.Series:
        """Who wins by each rule: tuples of names, by rule."""
        return pd.Series({name: one.winners for name, one in self.rankings.items()}, dtype=object, name="winners")

    @property
    def agreement(self) -> pd.DataFrame:
        """Kendall's tau-b between all pairs of rules, rules x rules; NaN where one ties all models."""
        names = list(self.rankings)
        return pd.DataFrame(tau_matrix([one.places for one in self.rankings.values()]), index=names, columns=names)

    def top(self, k: int, *, baseline: str | None = None, last: bool = False) -> pd.Series:
        """Return the share of the first (or last) k models that each rule has in common with one of them.

        Parameters
        ----------
        k : int
            How many models.
        baseline : str, optional
            The rule to compare with: the first one by default.
        last : bool
            Compare the last k instead.

        References
        ----------
        Vote'n'Rank, table 1.
        """
        name = next(iter(self.rankings)) if baseline is None else baseline
        if name not in self.rankings:
            raise UnknownNameError("rule", name, tuple(self.rankings), holder="comparison")
        base = self.rankings[name].places
        shares = {one: top_agreement(base, ranking.places, k, last=last) for one, ranking in self.rankings.items()}
        return pd.Series(shares, dtype=object, name=f"{'last' if last else 'top'}-{k}")

    @property
    def tied(self) -> pd.Series:
        """How many models each rule ranks tied with one above them: models minus distinct places, by rule.

        References
        ----------
        Vote'n'Rank, table 2, "discriminative power".
        """
        counts = {name: len(one.models) - len(one.places) for name, one in self.rankings.items()}
        return pd.Series(counts, dtype="int64", name="tied")

    @property
    def proofs(self) -> Mapping[str, Proof]:
        """The rankings, and how much of each ``verify`` re-checks."""
        return {name: one.proof for name, one in self.rankings.items()}

    def __str__(self) -> str:
        """Return the sentence that counts the winners."""
        winners: dict[tuple[str, ...], int] = {}
        for one in self.rankings.values():
            winners[one.winners] = winners.get(one.winners, 0) + 1
        listed = sorted(winners.items(), key=lambda pair: -pair[1])
        shown = "; ".join(f"{in_words([quoted(one) for one in names], 3)} by {count}" for names, count in listed[:4])
        more = f"; {counted(len(listed) - 4, 'more outcome')}" if len(listed) > 4 else ""
        count = len(self.refusals)
        left = f" {counted(count, 'rule')} {'has' if count == 1 else 'have'} no answer." if count else ""
        rules = counted(len(self.rankings), "rule")
        return f"{rules} on {counted(len(self.models), 'model')}, winners: {shown}{more}.{left}"

    def to_frame(self) -> pd.DataFrame:
        """Return the ranks, models x rules, in the order of the first rule."""
        return self.ranks

    def verify(self, source: Source | None = None) -> bool:
        """Re-check every ranking, and why rules have none; given the source, also that each was read from it.

        Refusals because the time limit passed, for rules that are NP-hard, are not re-checked.

        Raises
        ------
        ProofError
            Naming the first thing that does not hold.
        """
        ensure_same_source(self.source, source)
        for name, one in self.rankings.items():
            ensure(name == str(one.rule), f"the ranking of {name!r} is by {str(one.rule)!r}")
            ensure(one.models == self.models, f"{name!r} ranks other models than {next(iter(self.rankings))!r}")
            ensure(one.preparation.how == "none", f"{name!r} does not rank the table itself")
            one.verify(self.source)
        check_refusals(self.refusals, self.rankings, lambda rule: prepared_rank(self.source, Preparation.none(), rule))
        return True


def compared_rules(source: object, count: int | None = COMPARED) -> tuple[str, ...]:
    """Return the rules compared by default: a table's own first, then the usual ones that read it."""
    first = [own_rule_name(source)] if isinstance(source, Leaderboard) else []
    able = dict.fromkeys((*first, *USUAL, *RULES))
    return tuple(name for name in able if RULES[name].needs is Needs.MARGINS or not isinstance(source, Margins))[:count]


def compare(
    source: Source, rules: Iterable[RuleLike] | None = None, *, time_limit: float | None = 10, **options: Any
) -> Comparison:
    """Rank the models of a table by several rules.

    Parameters
    ----------
    source : Leaderboard, Profile or Margins
        What the rules read.
    rules : iterable of str or Rule, optional
        By default eight: the table's own (`Leaderboard.rule`), then usual ones. ``wl.rules.RULES`` are all of them.
    time_limit : float, optional
        Seconds for each solution of a rule that is NP-hard.
    **options
        Options for all rules that have them, such as ``missing="median"``, ``missing=0``, ``unlisted="last"``,
        ``ties="max"`` or ``gamma=0.95``; what is set on a rule itself stays.

    Returns
    -------
    Comparison
        ``.ranks`` ``.scores`` ``.winners`` ``.agreement`` (Kendall's tau-b) ``.top(k)`` ``.tied`` ``.left_out``.

    Raises
    ------
    InputError
        If no rule has an answer, an option is one that none of them has, or a value is one that a rule does not know.
    UnprovedError
        If no rule has an answer, and some only because a proof is missing; ``known`` is that of such a rule if it is
        alone.

    Notes
    -----
    Rules that have no answer are left out, with the reason: an option that must be given is not, scores are missing, or
    ``missing=`` is given and the rule cannot take it, no Condorcet winner or Bradley-Terry estimate exists, or nothing
    was proved within the rule's time limit.

    References
    ----------
    Vote'n'Rank, tables 1, 3, 4 and 9-11.

    Examples
    --------
    >>> import weightlab as wl
    >>> board = wl.Leaderboard({"x": {"a": 9, "b": 8, "c": 1}, "y": {"a": 1, "b": 5, "c": 2}})
    >>> comparison = compare(board, ["mean", "borda", "plurality"])
    >>> comparison.winners.to_dict()
    {'mean': ('b',), 'borda': ('b',), 'plurality': ('a', 'b')}
    """
    source = as_table(source)
    chosen = [registered(one) for one in (compared_rules(source) if rules is None else rules)]
    given = {"time_limit": time_limit, **options}
    for name in options:
        if name != "missing" and not any(name in one.parameters for one in chosen):
            raise InputError(f"none of the rules has an option {name!r}")
    rankings: dict[str, Ranking] = {}
    refusals: list[Refusal] = []
    unproved: list[UnprovedError] = []
    faults: list[str] = []
    for one in chosen:
        own = {name: value for name, value in given.items() if one.takes(name, value) and name not in one.options}
        asked = one.using(**own)
        if (
            "missing" in options
            and not is_score(options["missing"])
            and "missing" not in one.parameters
            and has_gaps(source)
        ):
            refusals.append(Refusal(rule=asked, reason=UNTAKEN))
            continue
        try:
            rankings[str(asked)] = rank(source, asked)
        except NO_ANSWER as error:
            refusals.append(refusal(asked, error))
            faults += error.faults
            unproved += [error] if isinstance(error, UnprovedError) else []
    if not rankings:
        listed = "; ".join(f"{name}: {reason}" for name, reason in reasons(refusals).items())
        message = reworded(f"no rule has an answer ({listed})", *faults)
        if unproved:
            raise UnprovedError(message, known=unproved[0].known if len(unproved) == 1 else None)
        raise InputError(message)
    read = next(iter(rankings.values())).source
    return Comparison(rankings=rankings, refusals=tuple(refusals), source=read)
