"""The registry of rules."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping
from dataclasses import field, replace
from enum import StrEnum
from functools import lru_cache, partial
from types import MappingProxyType
from typing import Annotated, Any, TypeAlias

import pandas as pd

from weightlab._cures import Cure, Fault
from weightlab._exact import fraction
from weightlab._result import Codec, Frozen, part, read_items, refuse_others, to_json, told_of
from weightlab.exceptions import InputError, UnknownNameError, nearest_name
from weightlab.graph import KemenyRanking, RankedPairsRanking, SchulzeRanking, SlaterRanking, SplitCycleRanking
from weightlab.rules.inputs import WAYS, Data, InapplicableError, Needs, as_declared, is_score, rule_data
from weightlab.rules.outcome import Outcome
from weightlab.rules.pairwise import majority_rules as majority
from weightlab.rules.scoring import elimination, means, positional
from weightlab.rules.scoring.bradley_terry import bradley_terry

# A rule: its name, its function, what it reads, what its scores count, where it is defined and what it satisfies.


class Rule(Frozen):
    """A rule with the options it is to be used with.

    Attributes
    ----------
    name : str
        As in the registry.
    function : callable
        From what the rule reads, and its options as keywords, to an `Outcome`.
    needs : Needs
        What it reads: the scores, the places on each task, or the head-to-head margins.
    counts : str
        What a score of the rule counts; of one that gives an order, the models behind.
    source : str
        Where the rule is defined.
    properties : mapping from Property to Claim
        What is known about it, with these options.
    exceptions : mapping from (str, object) to mapping from Property to Claim
        What else is known where an option is set to a value.
    lower_is_better : bool
        Whether the lower score goes first.
    read : callable, optional
        From the result that proves an order, and the options as keywords, to the outcome, where running the rule again
        would not check it. Refuses a result that another rule made, or this one with other options.
    options : mapping
        Options that are set; the others have their defaults.
    """

    name: str
    function: Callable[..., Outcome]
    needs: Needs
    counts: str = "models behind"
    source: str
    properties: Mapping[Property, Claim] = field(default_factory=dict)
    exceptions: Mapping[tuple[str, Any], Mapping[Property, Claim]] = field(default_factory=dict)
    lower_is_better: bool = False
    read: Callable[..., Outcome] | None = None
    options: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        """Return the name, with the options that are set."""
        listed = ", ".join(f"{name}={value}" for name, value in self.options.items() if name != "time_limit")
        return f"{self.name}({listed})" if listed else self.name

    @property
    def parameters(self) -> dict[str, Any]:
        """Options that the rule takes, with their defaults; ``inspect.Parameter.empty`` where one must be given."""
        return {**_keywords(self.function), **({} if self.needs is Needs.SCORES else {"unlisted": None})}

    def takes(self, option: str, value: Any) -> bool:
        """Return whether the rule has an option; every rule takes a score for missing ones."""
        return option in self.parameters or (option == "missing" and is_score(value))

    @property
    def own_options(self) -> dict[str, Any]:
        """The options that are its function's, once its data are read as the others say."""
        own = {name: value for name, value in self.options.items() if name in _keywords(self.function)}
        return own if not is_score(own.get("missing", "error")) else {**own, "missing": "error"}

    @property
    def fills(self) -> bool:
        """Whether something stands for missing scores or unlisted models in what the rule reads."""
        missing = self.options.get("missing", "error")
        return missing == "median" or is_score(missing) or self.options.get("unlisted") == "last"

    def data_of(self, source: Any) -> Data:
        """Return the input of the rule from a source, by its options for missing scores and unlisted models.

        Raises
        ------
        InapplicableError
            If the source does not hold it.
        """
        return rule_data(self.declared(source), self.needs, missing=self.own_options.get("missing", "error"))

    def declared(self, source: Any) -> Any:
        """Return a source with missing scores replaced and unlisted models last, as far as the options say so."""
        missing, unlisted = self.options.get("missing", "error"), self.options.get("unlisted")
        return as_declared(source, self.needs, missing=missing, unlisted=unlisted)

    @property
    def lacking(self) -> tuple[str, ...]:
        """Options that must be given and are not."""
        empty = inspect.Parameter.empty
        return tuple(name for name, default in self.parameters.items() if default is empty and name not in self.options)

    def using(self, **options: Any) -> Rule:
        """Return the rule with more options set.

        Raises
        ------
        InputError
            If it has no option of that name.
        """
        known = self.parameters
        if "missing" not in known and options.get("missing") == options.get("unlisted") == "last":
            del options["missing"]  # both options mean the same
        for name, value in options.items():
            if name == "missing" and (is_score(value) or name not in known):
                self._check_missing(value)
            elif name not in known:
                nearest = nearest_name(name, tuple(known))
                hint = f" (did you mean {nearest!r}?)" if nearest else ""
                has = f"it has {', '.join(map(repr, known))}" if known else "it has none"
                raise InputError(f"the rule {self.name!r} has no option {name!r}; {has}{hint}")
        known_now = dict(self.properties)
        for (name, value), claimed in self.exceptions.items():
            known_now |= claimed if name in options and options[name] == value else {}
        if is_score(options.get("missing", "error")):
            options["missing"] = fraction(options["missing"])
        return replace(self, options={**self.options, **options}, properties=known_now)

    def _check_missing(self, value: Any) -> None:
        """Raise InputError unless this is a score, which every rule takes, or "error"."""
        if not is_score(value) and value != "error":
            told = f"to the rule {self.name!r} a missing score is a tie: it has no option missing={value!r}"
            raise InputError(Fault(told, Cure("unlisted", "last", "to rank models last where they have no score")))
        with told_of(f"missing must be {', '.join(map(repr, WAYS))} or a score", InputError):
            fraction("0" if value == "error" else value)

    def apply(self, data: Any) -> Outcome:
        """Return the result of the rule on its input.

        Raises
        ------
        InapplicableError
            If an option that must be given is not.
        """
        if self.lacking:
            raise InapplicableError(f"the rule {self.name!r} needs the option {' and '.join(self.lacking)}")
        return self.function(data, **self.own_options)


@lru_cache(maxsize=256)
def _keywords(function: Callable[..., Outcome]) -> Mapping[str, Any]:
    """Return the keyword-only parameters of a function with their defaults."""
    listed = inspect.signature(function).parameters.values()
    return {one.name: one.default for one in listed if one.kind is inspect.Parameter.KEYWORD_ONLY}


# Which of the eight properties of Vote'n'Rank, table 8, each rule has, and where that is shown.


class Property(StrEnum):
    """A property of a rule on complete tables without ties inside a task, all tasks weighing the same.

    Where a rule has no answer it ranks no models, and none wins: so it has no property that demands a ranking or a
    winner there.
    """

    TRANSITIVITY = "transitivity"
    """The rule ranks all models in a weak order."""

    ANONYMITY = "anonymity"
    """Exchanging two tasks changes nothing."""

    UNANIMITY = "unanimity"
    """A model that another one leads on every task neither stands above that one nor wins."""

    INDEPENDENCE = "independence"
    """How two models are ranked does not change when a third one leaves the table."""

    MONOTONICITY = "monotonicity"
    """A winner that rises on a task, all else the same, still wins."""

    MAJORITY = "majority"
    """A model that is first on more than half of the tasks wins alone."""

    CONDORCET_WINNER = "condorcet winner"
    """A model that wins every head-to-head wins alone."""

    CONDORCET_LOSER = "condorcet loser"
    """A model that loses every head-to-head does not win."""


LETTERS = MappingProxyType(dict(zip("TAUIMJWL", Property, strict=True)))
"""One letter a property, in the order of table 8."""


class Claim(Frozen, eq=True):
    """Whether a rule has a property, and where that is shown.

    Attributes
    ----------
    holds : bool or None
        None where that depends on an option that must be given.
    source : str
        A publication, or the reason in a line.
    """

    holds: bool | None
    source: str


def claims(
    letters: str, source: str, *, notes: Mapping[str, str] | None = None, unasked: str = ""
) -> dict[Property, Claim]:
    """Return the claims about a rule from the letters of the properties that it has.

    Parameters
    ----------
    letters : str
        Of T(ransitivity), A(nonymity), U(nanimity), I(ndependence), M(onotonicity), (ma)J(ority), (condorcet) W(inner)
        and (condorcet) L(oser).
    source : str
        Where this is shown, for properties without a note.
    notes : mapping from letter to str, optional
        Sources of single claims.
    unasked : str
        Letters of properties that depend on an option that must be given.
    """
    own = notes or {}
    return {
        name: Claim(holds=None if letter in unasked else letter in letters, source=own.get(letter, source))
        for letter, name in LETTERS.items()
    }


# The registry of rules.


RuleLike: TypeAlias = str | Rule
"""A rule, or the name of one."""
VOTENRANK = "Rofin et al., 'Vote'n'Rank', EACL 2023"
TABLE_8 = f"{VOTENRANK}, table 8"
ARROW = "Arrow, 'Social Choice and Individual Values', 1951: no ordinal rule with T, U and without a dictator has it"
PARADOXES = "Felsenthal, 'Review of paradoxes', in Felsenthal and Machover, 'Electoral Systems', 2012"
CONDORCET_RULES = "Fishburn, 'Condorcet social choice functions', SIAM Journal on Applied Mathematics 33 (1977)"
SCORING = "Fishburn, 'The Theory of Social Choice', 1973, on scoring rules"
BY_SCORE = "each model's mean grows with its own scores and takes no notice of other models or of places"


def _rule(needs: Needs, function: Callable[..., Outcome], **about: Any) -> Rule:
    """Return a rule that is called as its function."""
    return Rule(name=function.__name__, function=function, needs=needs, **about)


_of_scores, _of_places, _of_margins = (partial(_rule, needs) for needs in (Needs.SCORES, Needs.PLACES, Needs.MARGINS))
MEANS = (
    _of_scores(
        means.mean, counts="mean score", source=f"{VOTENRANK}, section 3.1", properties=claims("TAUIM", BY_SCORE)
    ),
    _of_scores(
        means.geometric_mean,
        counts="geometric mean of the scores",
        source=f"Shavrina and Malykh, 'How not to lie with a benchmark', 2021; {VOTENRANK}, section 3.1",
        properties=claims("TAUIM", BY_SCORE),
    ),
    _of_scores(
        means.harmonic_mean,
        counts="harmonic mean of the scores",
        source="Shavrina and Malykh, 'How not to lie with a benchmark', 2021",
        properties=claims("TAUIM", BY_SCORE),
    ),
    _of_scores(
        means.median,
        counts="median score",
        source="the weighted median; halfway between two scores where half of the weight lies on either side",
        properties=claims("TAUIM", BY_SCORE),
    ),
    _of_scores(
        means.optimality_gap,
        counts="mean amount by which scores fail to reach gamma",
        source=f"Agarwal et al., 'Deep reinforcement learning at the edge of the statistical precipice', NeurIPS 2021; "
        f"{VOTENRANK}, section 3.1",
        properties=claims("TAIM", BY_SCORE, notes={"U": "scores beyond gamma tie, whichever model leads"}),
        lower_is_better=True,
    ),
    _of_scores(
        means.z_score,
        counts="mean score in standard deviations of each task",
        source="standard scores over the models of the table, population standard deviation",
        properties=claims(
            "TAU",
            "a mean, of scores rescaled by what the other models score",
            notes={"M": "a winner that rises far widens the standard deviation and so narrows its own lead"},
        ),
    ),
    _of_places(
        means.mean_win_rate,
        counts="mean share of rivals led",
        source="Liang et al., 'Holistic evaluation of language models', TMLR 2023",
        properties=claims("TAUML", "on complete tables the Borda score divided by the number of rivals and tasks"),
    ),
    _of_places(
        means.mean_rank,
        counts="mean rank",
        source="Demšar, 'Statistical comparisons of classifiers over multiple data sets', JMLR 7 (2006)",
        properties=claims("TAUML", "on complete tables the number of models minus the Borda score a task"),
        lower_is_better=True,
    ),
)
POSITIONAL = (
    _of_places(
        positional.plurality,
        counts="weight of first places",
        source=f"{VOTENRANK}, section 2.2.1",
        properties=claims("TAUMJ", TABLE_8, notes={"I": ARROW}),
    ),
    _of_places(
        positional.veto,
        counts="weight of places other than the last",
        source="the scoring vector (1, ..., 1, 0)",
        properties=claims("TAM", SCORING, notes={"U": "a model that is never last ties with those above it"}),
    ),
    _of_places(
        positional.borda,
        counts="points",
        source=f"{VOTENRANK}, section 2.2.1",
        properties=claims("TAUML", TABLE_8, notes={"I": ARROW}),
    ),
    _of_places(
        positional.dowdall,
        counts="points",
        source=f"{VOTENRANK}, section 2.2.1",
        properties=claims("TAUM", f"{TABLE_8}, which counts five properties: four hold", notes={"I": ARROW}),
    ),
    _of_places(
        positional.k_approval,
        counts="weight of the first k places",
        source="the scoring vector of k ones",
        properties=claims("TAM", SCORING, notes={"U": "two models among the first k tie, whichever leads (k > 1)"}),
    ),
    _of_places(
        positional.scoring,
        counts="points",
        source="Young, 'Social choice scoring functions', SIAM Journal on Applied Mathematics 28 (1975)",
        properties=claims("TAM", SCORING, notes=dict.fromkeys("UIJL", "depends on the scoring vector"), unasked="UIJL"),
    ),
)
ELIMINATION = (
    _of_places(
        elimination.threshold,
        source=f"{VOTENRANK}, section 2.2.2",
        properties=claims("TAUM", TABLE_8, notes={"I": ARROW}),
    ),
    _of_places(
        elimination.baldwin,
        source=f"Baldwin, 'The technique of the Nanson preferential majority system of election', 1926; "
        f"{VOTENRANK}, section 2.2.2",
        properties=claims("TAUJWL", TABLE_8, notes={"I": ARROW}),
    ),
    _of_places(
        elimination.nanson,
        source="Nanson, 'Methods of election', 1882; Niou, 'A note on Nanson's rule', Public Choice 54 (1987)",
        properties=claims("TAUJWL", PARADOXES, notes={"I": ARROW}),
    ),
    _of_places(
        elimination.instant_runoff,
        source="Hare's rule, with all models of the fewest first places leaving together",
        properties=claims(
            "TAUJ", PARADOXES, notes={"I": ARROW, "L": "only through a tie of all models that are left, never alone"}
        ),
    ),
    _of_places(
        elimination.coombs,
        source="Coombs, 'A Theory of Data', 1964; Grofman and Feld, Electoral Studies 23 (2004)",
        properties=claims(
            "TAUJ",
            PARADOXES,
            notes={
                "I": ARROW,
                "J": "by the majority stop",
                "L": "only through a tie of all models that are left, never alone",
            },
        ),
        exceptions={
            ("majority_stop", False): {
                Property.MAJORITY: Claim(
                    holds=False, source="a model first on most tasks may be last on more of the rest than any other"
                )
            }
        },
    ),
)
UNANIMOUS = "a unanimous majority is the strongest there is, and unanimous majorities form no cycle"
MAJORITY = (
    _of_margins(
        majority.condorcet,
        source=f"{VOTENRANK}, section 2.2.3",
        properties=claims(
            "AUMJWL",
            f"{VOTENRANK}, appendix A.2: by definition",
            notes={"T": "there may be no Condorcet winner", "I": "there may be one once a third model leaves"},
        ),
    ),
    _of_margins(
        majority.copeland,
        counts="head-to-heads won minus lost",
        source=f"{VOTENRANK}, section 2.2.3",
        properties=claims("TAUMJWL", TABLE_8, notes={"I": ARROW}),
    ),
    _of_margins(
        majority.minimax,
        counts="worst defeat, negative",
        source=f"{VOTENRANK}, section 2.2.3",
        properties=claims("TAUMJW", TABLE_8, notes={"I": ARROW}),
    ),
    _of_margins(
        majority.schulze,
        source="Schulze, Social Choice and Welfare 36 (2011)",
        properties=claims("TAUMJWL", "Schulze, Social Choice and Welfare 36 (2011), section 4", notes={"I": ARROW}),
        read=partial(majority.read_witness, SchulzeRanking),
    ),
    _of_margins(
        majority.split_cycle,
        source="Holliday and Pacuit, 'Split Cycle', Public Choice 197 (2023)",
        properties=claims("TAUMJWL", "Holliday and Pacuit, Public Choice 197 (2023)", notes={"I": ARROW}),
        read=partial(majority.read_witness, SplitCycleRanking),
    ),
    _of_margins(
        majority.ranked_pairs,
        source="Tideman, 'Independence of clones as a criterion for voting rules', Social Choice and Welfare 4 (1987)",
        properties=claims("TAUMJWL", "Tideman, Social Choice and Welfare 4 (1987)", notes={"I": ARROW, "U": UNANIMOUS}),
        read=partial(majority.read_witness, RankedPairsRanking),
    ),
    _of_margins(
        bradley_terry,
        counts="strength",
        source="Zermelo, 1929; Bradley and Terry, Biometrika 39 (1952); Ford, American Mathematical Monthly 64 (1957)",
        properties=claims(
            "AUL",
            "where the strengths exist it ranks complete tables as Borda does",
            notes={
                "T": "the strengths need not exist",
                "M": "they may cease to exist when a winner rises, and win every head-to-head on every task",
            },
        ),
    ),
)
OPTIMAL = (
    _of_margins(
        majority.kemeny,
        source="Kemeny, 'Mathematics without numbers', Daedalus 88 (1959); Colombo et al., section 3.1",
        properties=claims("TAUMJWL", f"{CONDORCET_RULES}; {PARADOXES}", notes={"I": ARROW}),
        read=partial(majority.read_witness, KemenyRanking),
    ),
    _of_margins(
        majority.slater,
        source="Slater, 'Inconsistencies in a schedule of paired comparisons', Biometrika 48 (1961)",
        properties=claims(
            "TAUMJWL",
            "Laslier, 'Tournament Solutions and Majority Voting', 1997",
            notes={"I": ARROW, "U": "a model that leads another on every task beats all that this one beats"},
        ),
        read=partial(majority.read_witness, SlaterRanking),
    ),
)
RULES: MappingProxyType[str, Rule] = MappingProxyType(
    {one.name: one for one in (*MEANS, *POSITIONAL, *ELIMINATION, *MAJORITY, *OPTIMAL)}
)
"""All rules by name."""
USUAL = (
    "mean",
    "median",
    "mean_rank",
    "borda",
    "copeland",
    "minimax",
    "schulze",
    "kemeny",
    "bradley_terry",
    "ranked_pairs",
)
"""Rules that people ask for: they come first among those that can read a table."""
COMPARED = 8
"""Number of rules compared by default."""


def rule(name: RuleLike, **options: Any) -> Rule:
    """Return a rule of the registry, with options set.

    Parameters
    ----------
    name : str or Rule
        Such as ``"borda"``; in capitals or not; hyphens and blanks may stand for underscores.
    **options
        As the rule takes them, such as ``ties="max"``.

    Raises
    ------
    UnknownNameError
        If there is no such rule.
    InputError
        If the rule has no such option.

    Examples
    --------
    >>> print(rule("borda", ties="max"))
    borda(ties=max)
    """
    if isinstance(name, Rule):
        return name.using(**options)
    found = RULES.get(str(name).casefold().replace("-", "_").replace(" ", "_"))
    if found is None:
        raise UnknownNameError("rule", name, tuple(RULES), holder="registry")
    return found.using(**options)


def rule_to_json(rule: Rule) -> dict[str, Any]:
    """Return a rule ready for JSON: its name and the options that are set."""
    return {"name": rule.name, "options": to_json(dict(rule.options))}


def read_rule(value: Any, what: str) -> Rule:
    """Return the rule of the registry that ``rule_to_json`` wrote, or raise InputError."""
    options = dict(read_items(part(value, "options", what), f"options of {what}"))
    limit = options.get("time_limit")
    if limit is not None and (type(limit) not in (int, float) or not 0 <= limit < math.inf):
        raise InputError(f"time_limit of {what}: seconds, 0 or more, are needed; got {str(limit)[:60]!r}")
    refuse_others(value, ("name", "options"), what)
    return rule(part(value, "name", what), **options)


AnyRule: TypeAlias = Annotated[Rule, Codec(rule_to_json, read_rule)]
"""A rule with its options, in a record."""


def properties() -> pd.DataFrame:
    """Return which rule, with its usual options, has which property; None where one that must be given decides.

    Returns
    -------
    DataFrame
        Rules x the eight properties of Vote'n'Rank, table 8; ``RULES[name].properties`` has the sources.

    Examples
    --------
    >>> bool(properties().loc["copeland", "condorcet winner"])
    True
    """
    table = {name: {str(one): claim.holds for one, claim in known.properties.items()} for name, known in RULES.items()}
    return pd.DataFrame.from_dict(table, orient="index", columns=[str(one) for one in Property]).astype(object)
