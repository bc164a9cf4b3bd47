"""What the columns of a wide table are, and which way each counts: by their cells, by arithmetic, by their names."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import pandas as pd

from weightlab._exact import BoolArray, FloatArray
from weightlab._result import Frozen
from weightlab._text import first_few
from weightlab.io.reading.arithmetic import MANY_COLUMNS, find_totals
from weightlab.io.reading.drafts import Draft, measure
from weightlab.io.reading.own_weights import find_own_weights
from weightlab.io.reading.pairs import find_complements, find_copies
from weightlab.io.reading.spelled import taken_apart
from weightlab.io.reading.words import (
    WEAK_TOTALS,
    Hit,
    bare,
    hit,
    is_called,
    lexicon,
    without_mathematics,
    words_of,
)
from weightlab.io.tables.columns import cleaned

TALL, LESS_TALL = 200, 100
"""Above these, values do not look like scores."""
ARROWS = {"↓", "↑", "⬇", "⬆"}
NAMELESS = {"", "index", "Unnamed: 0"}
"""What writers of frames call the numbers of rows."""
FEWEST_OF_RUNS = 3
"""The fewest statistics of the same runs in columns next to each other."""
FEWEST_PARTS = 2
"""Columns that a total has parts in, at least."""
FEW = 8
"""Up to this number of rows, cells alone tell little."""
METRICS = frozenset(
    {
        *("bpb", "bpc", "cer", "crps", "eer", "fid", "logloss", "lpips", "mae", "mape", "mase", "medae", "mse", "msis"),
        *("nll", "nrmse", "perplexity", "ppl", "rmse", "rmsle", "smape", "wer", "wql"),
    }
)
"""Names of metrics where lower is better, which mean nothing else wherever a header has them."""
GOOD = frozenset(
    {
        *("balance", "benefit", "endurance", "gain", "gdp", "income", "life", "lifetime", "output", "profit", "range"),
        *("return", "revenue", "salary", "sales", "saved", "savings", "survival", "uptime", "wage", "wages", "yield"),
    }
)
"""Words for quantities where higher is better, whatever the unit."""
PAID = frozenset({"$", "USD", "€", "£", "¥", "W", "J", "h", "hours"})
"""Units of what is paid or used, but also of what is earned or lasts."""
MACHINE = frozenset({"cpu", "gpu", "processor", "os", "cuda", "hardware", "device", "platform"})
MEMORY = frozenset({"ram", "vram", "memory", "disk"})
FEWEST_OF_MACHINE = 2
"""Words for the parts of a machine, those that may be used or installed, and the fewest columns to describe one."""
SHORT_UNITS = frozenset({"gb", "kb", "mb", "ms", "ns", "s", "sec", "us"})
"""Units behind the name of what is measured, which one of several statistics may lack."""
MEASURES = frozenset({"error", "latency"})
"""Words for what is measured."""
_UNIT = re.compile(
    r"(?:[(\[,]\s*|\s)(ms|s|sec|secs|seconds|min|hours|MB|MiB|GB|GiB|kWh|USD)[)\]]?\s*[↑↓⬆⬇]?$"
    r"|[(\[,]\s*(h|J|W|\$)[)\]]\s*[↑↓⬆⬇]?$|_(ms|us|µs|ns|s|secs?|seconds)(?:$|_)|_([KMG]i?B|[kmg]i?b)$|(\$)"
)
_OF_A_PLACE = re.compile(r"_(us|ns)(?:$|_)")
"""Units that are also parts of names, such as those of countries."""
_SPREAD = re.compile(r"([+-]|[_ ](?:std|sd|se|stderr|std_?err|stdev|ci|ci95|standard_error))$", re.IGNORECASE)
_BOUND = re.compile(
    r"[ _.(](?:ci_?|quantile_?)?(?:(?P<low>lower|low|lo|min|q0?2\.?5|q0?5|p2\.?5|p0?5|025|2\.5%|5%)"
    r"|(?P<high>upper|high|hi|max|q97\.?5|q95|p97\.?5|p95|975|97\.5%|95%))(?:[ _]?(?:ci|bound))?\)?$",
    re.IGNORECASE,
)
"""How the ends of an interval are called."""
_SAID = re.compile(
    r"\b(?:(?P<low>lower|smaller|less|fewer)|higher|larger|greater|more|bigger)(?:\s+is)?\s+better\b"
    r"|(?P<least>\bminimi[sz]e\b)",
    re.IGNORECASE,
)
"""A direction in words."""
_PER = re.compile(
    r"(?:^|[\s(\[])(?:(?P<time>ms|s|sec|secs|seconds|min|h|hours)/(?!max|mean|avg)\w\w+"
    r"|\w+/(?:s|sec|second|min|h|hour))[)\]]?$"
    r"|(?i:(?:^|[\W_])(?:batches|docs|events|examples|frames|[GKM]B|images|imgs?|it|iters|iterations|items|lines"
    r"|messages|msgs|[gmt]?flops|ops|packets|pages|queries|records|reqs?|requests|rows|samples|steps|tok|tokens"
    r"|transactions|txs?|words)_(?:s|sec|second))$"
)
"""A time that something takes, or how much is done in a time."""
_OF_A_TEST = re.compile(r"p ?\(.+\)")
"""How the chance that a test gives for a claim is called."""
_OF_SPREAD = re.compile(r"(?:std|sd|stderr|se)([_ ].+)$", re.IGNORECASE)


def decide_roles(drafts: Sequence[Draft]) -> None:
    """Decide what each column is; what is decided first is part of no later decision.

    Names of spreads come first, then cells (text, constants, places), then arithmetic, then words, which values may
    outvote, and then values alone.
    """
    measure(drafts)
    _spreads(drafts)
    _bounds(drafts)
    _of_runs(drafts)
    _of_tests(drafts)
    _by_cells([one for one in drafts if one.role in {"", "text"}])
    _of_machines(drafts)
    find_totals(drafts)
    find_own_weights(drafts)
    find_complements(drafts)
    rest = [one for one in drafts if one.role == ""]
    roles = ("aggregate", "place", "fact", "count", "spread")
    plain = [one for one in rest if not any(hit(one.name, role) for role in roles)]
    crowd = Crowd(plain)
    for draft in rest:
        _by_word(draft, rest, crowd)
    _shared_words(rest)
    tasks = [one for one in rest if one.role == "task"]
    settled = Crowd([one for one in tasks if one.certainty != "likely"])
    for draft in tasks:
        _by_values(draft, settled)
    _parts_of_ranks(drafts)
    _ranks_of_few(tasks)
    find_copies(drafts)


def _of_tests(drafts: Sequence[Draft]) -> None:
    """Decide that columns such as p(base) hold p-values of a test."""
    for draft in drafts:
        if draft.role == "" and _OF_A_TEST.fullmatch(draft.name) and draft.least >= 0 and draft.most <= 1:
            draft.decide("fact", "certain", "chances of a test")


def _are_numbers_of_rows(draft: Draft) -> bool:
    """Return whether a column counts the rows on, or holds what a frame numbered its rows by before it was sorted."""
    good = draft.good
    counted_on = bool((np.diff(good) == 1).all())
    return len(good) == len(draft.codes) and (
        counted_on or (draft.place == 0 and draft.whole and draft.least >= 0 and len(np.unique(good)) == len(good))
    )


def _by_cells(drafts: Sequence[Draft]) -> None:
    numeric = [one for one in drafts if one.numeric]
    flags = [one for one in numeric if len(one.good) > FEW and set(np.unique(one.good)) == {0, 1}]
    for draft in drafts:
        rows, good = len(draft.codes), draft.good
        if not draft.numeric and not draft.some_numbers:
            draft.decide_text()
        elif len(numeric) > 1 and rows > FEW and 2 * len(good) > max(rows, 2 * FEW) and np.all(good == good[0]):
            told = (
                ("certain", "the same in every row") if len(good) == rows else ("likely", "the same wherever it stands")
            )
            draft.decide("fact", *told)
        elif draft.truths and draft.kinds["number"] and len(good) > 2 and sum(not one.truths for one in numeric) > 1:
            draft.decide("fact", "certain", "true or false")
        elif draft in flags and len(flags) < len(numeric) / 2 and not is_called(draft.name, "success"):
            draft.decide("fact", "likely", "only 0 and 1: a flag?")
        elif len(numeric) > 1 and draft.name in NAMELESS and _are_numbers_of_rows(draft):
            draft.decide("place", "certain", "numbers of the rows")
        elif len(numeric) > 1 and len(good) == rows > 2 and bool((good == np.arange(1, rows + 1)).all()):
            word = hit(draft.name, "place") or hit(draft.name, "fact") or not draft.name
            if word or rows > FEW:
                draft.decide("place", "certain", "1 to n in order")
        elif len(numeric) > 1 and draft.whole and len(good) > 2 and _are_seconds(good):
            named = {*words_of(draft.name)} & {"time", "date", "timestamp", "created", "updated", "at", "epoch", "ts"}
            draft.decide("fact", "certain" if named else "likely", "times of a clock")


def _of_machines(drafts: Sequence[Draft]) -> None:
    """Decide that memory listed with the processor and graphics card of a machine is installed, not used."""
    beside = [one for one in drafts if one.role == "text" and MACHINE & {*words_of(one.name)}]
    for draft in drafts if len(beside) >= FEWEST_OF_MACHINE else ():
        if draft.role == "" and " ".join(words_of(draft.name)) in MEMORY:
            draft.decide("fact", "certain", "of the machine")


def _are_seconds(values: FloatArray) -> bool:
    """Return whether whole numbers are seconds or milliseconds since 1970, between 1990 and 2040."""
    least, most = float(values.min()), float(values.max())
    return any(6.3e8 * unit < least <= most < 2.3e9 * unit for unit in (1, 1000))


def _spreads(drafts: Sequence[Draft]) -> None:
    """Decide which columns are the spread of another, as they are called."""
    names = {one.name: one for one in drafts}
    for draft in drafts:
        base = _SPREAD.sub("", draft.name)
        both = draft.name[-1:] not in {"+", "-"} or {f"{base}+", f"{base}-"} <= names.keys()
        if draft.role == "" and draft.kinds["number"] and base != draft.name and base in names and both:
            draft.decide("error", "certain", f"spread of {base}")
        scored = [f"{word}{draft.name[5:]}" for word in ("score", "mean")] if draft.name.startswith("error_") else []
        if found := next((names[one] for one in scored if one in names), None):
            draft.decide("error", "certain", f"spread of {found.name}")
            found.why = "next to its spread"
        beside = _OF_SPREAD.match(draft.name)
        means = [f"{word}{beside[1]}" for word in ("mean", "avg", "average")] if beside else []
        if found := next((names[one] for one in means if one in names), None):
            draft.decide("error", "certain", f"spread of {found.name}")
            found.why = "next to its spread"


def _of_runs(drafts: Sequence[Draft]) -> None:
    """Decide that of the mean, the best, the worst, ... of the same runs the mean is the score, else the median.

    They are recognised by their names without the statistic: ``acc_mean, acc_min, acc_max`` or nothing.
    """
    known, kinds = lexicon().roles["of runs"], dict[tuple[str, ...], dict[str, Draft]]()
    for draft in drafts:
        words = words_of(draft.name) if draft.role in {"", "error"} and draft.numeric else ()
        said = next((one for one in words if one in known), "")  # "min" is no minute here
        if said:
            stem = tuple(one for one in words if one not in known and one not in SHORT_UNITS)
            kinds.setdefault(stem, {}).setdefault(said, draft)
    for its in kinds.values():
        named = next((one for one in ("mean", "avg", "average", "median") if one in its), None)
        ends = {"min", "max", "minimum", "maximum", "best", "worst"} & its.keys()
        if named is None or not ends or len(its) < FEWEST_OF_RUNS:
            continue
        its[named].why = "next to its spread"
        for word, one in its.items():
            if word != named and one.role == "":
                one.decide("error", "likely", f"the {word} of the runs of {its[named].name}")


def _bounds(drafts: Sequence[Draft]) -> None:
    """Decide which two columns are the bounds of a third, as they are called, and as holds in every row."""
    open_ = [one for one in drafts if one.role == "" and one.numeric]
    ends = {one.name: found for one in open_ if (found := _BOUND.search(one.name)) is not None}
    lower = {_BOUND.sub("", one.name): one for one in open_ if one.name in ends and ends[one.name].lastgroup == "low"}
    upper = {_BOUND.sub("", one.name): one for one in open_ if one.name in ends and ends[one.name].lastgroup == "high"}
    free = {one.name: one for one in open_ if one.name not in ends}
    for stem, low in lower.items():
        high = upper.get(stem)
        near = [free[stem]] if stem in free else [*free.values()][:MANY_COLUMNS]
        score = next((one for one in near if high is not None and _is_between(low, one, high)), None)
        if high is None or score is None:
            continue
        for one in (low, high):
            one.decide("error", "certain", f"a bound of {score.name}")
        score.why = "next to its spread"


def _is_between(low: Draft, one: Draft, high: Draft) -> bool:
    given = ~np.isnan(low.values + one.values + high.values)
    inside = (low.values <= one.values) & (one.values <= high.values)
    return bool(given.sum() > 2 and inside[given].all() and (low.values < high.values)[given].any())


class Usual(Frozen):
    """What is usual among some columns."""

    count: int
    low: float
    high: float
    width: float
    least: float
    typical: float
    tall: int
    fine: tuple[float, float]
    decimals: frozenset[int]


class Crowd:
    """Columns that others are compared with: each with all but itself, or where they are many, with all."""

    def __init__(self, drafts: Sequence[Draft]) -> None:
        self.drafts = [one for one in drafts if len(one.good)]
        self.places = {id(one): at for at, one in enumerate(self.drafts)}
        self.least = np.array([one.least for one in self.drafts])
        self.most = np.array([one.most for one in self.drafts])
        self.typical = np.array([one.typical for one in self.drafts])
        self.decimals = np.array([one.decimals for one in self.drafts])
        self.all = self._usual(np.ones(len(self.drafts), dtype=np.bool_))

    def beside(self, draft: Draft) -> Usual:
        """Return the usual values among the other columns."""
        if id(draft) not in self.places or len(self.drafts) > MANY_COLUMNS:
            return self.all
        mask = np.ones(len(self.drafts), dtype=np.bool_)
        mask[self.places[id(draft)]] = False
        return self._usual(mask)

    def _usual(self, mask: BoolArray) -> Usual:
        least, most, fine = self.least[mask], self.most[mask], mask & (self.decimals > 0)
        if not mask.any():
            nothing = frozenset[int]()
            return Usual(count=0, low=0, high=0, width=0, least=0, typical=0, tall=0, fine=(0, 0), decimals=nothing)
        return Usual(
            count=int(mask.sum()),
            low=float(least.min()),
            high=float(most.max()),
            width=float(np.median(most - least)),
            least=float(np.median(least)),
            typical=float(np.median(self.typical[mask])),
            tall=int((most > LESS_TALL).sum()),
            fine=(float(self.least[fine].min()), float(self.most[fine].max())) if fine.any() else (0, 0),
            decimals=frozenset(self.decimals[mask].tolist()),
        )

    def alike(self, draft: Draft) -> bool:
        """Return whether a column has the range and the decimals of the others, and a tenth of their usual width."""
        usual = self.beside(draft)
        if not usual.count or not len(draft.good):
            return False
        if draft.most - draft.least < 0.1 * usual.width or draft.most < usual.least:
            return False
        margin = 0.25 * (usual.high - usual.low)
        inside = draft.least >= usual.low - margin and draft.most <= usual.high + margin
        return inside and (abs(draft.decimals - max(usual.decimals)) <= 1 or draft.decimals in usual.decimals)


def _by_word(draft: Draft, rest: Sequence[Draft], crowd: Crowd) -> None:
    """Decide by a word in the name; inside a longer name, values like the tasks' outvote it, never a whole header."""
    veto, same, plain = hit(draft.name, "veto"), crowd.alike(draft), crowd.drafts
    place, spread, total = (hit(draft.name, role) for role in ("place", "spread", "aggregate"))
    high = hit(draft.name, "higher")
    if spread and spread.word in {"lower", "upper"}:
        spread = None  # bounds are recognised by the score they bound
    if _SAID.search(draft.name) or (high and high.at == "whole" and not {high.word} & {*lexicon().roles["aggregate"]}):
        _direct(draft, rest, plain)
    elif place and not veto and (not same or place.at in {"whole", "last"}):
        draft.decide("place", "certain" if place.at == "whole" else "likely", f"the word {place.word}")
    elif spread and (not same or spread.at == "whole"):
        draft.decide("error", "certain" if not same else "likely", f"the word {spread.word}")
    elif total and not same and _is_fact(draft, plain, same=same):
        return
    elif total and plain and draft.why != "next to its spread" and _is_total(draft, total, rest, plain):
        # Where parts are there, arithmetic has looked for them; of one column alone nothing is a total.
        tried = len(rest) <= FEWEST_PARTS or (len(draft.good) > FEW and len(plain) > 1)
        sure = total.at == "whole" and total.word not in WEAK_TOTALS and not tried
        draft.decide("aggregate", "certain" if sure else "likely", f"the word {total.word}")
    elif not (_is_fact(draft, plain, same=same) and not ARROWS & set(draft.name)):
        _direct(draft, rest, plain)


def _is_total(draft: Draft, total: Hit, rest: Sequence[Draft], plain: Sequence[Draft]) -> bool:
    """Return whether a word for a total counts: the weak ones only in one column, and near the mean of the others."""
    several = sum((found := hit(one.name, "aggregate")) is not None and found.word == total.word for one in rest) > 1
    if total.word not in WEAK_TOTALS:
        return not (several and total.word == "total") and not _is_measured(draft, rest)
    others = [one for one in plain if one is not draft]
    if several or len(others) < 2:
        return False
    with np.errstate(all="ignore"):
        scaled = [(one.values - one.good.mean()) / (one.good.std() or 1) for one in others]
    given = ~np.isnan(np.column_stack(scaled))
    mean = np.where(given, np.column_stack(scaled), 0).sum(axis=1) / np.maximum(given.sum(axis=1), 1)
    both = given.any(axis=1) & ~np.isnan(draft.values)
    if both.sum() < 4 or np.std(mean[both]) * np.std(draft.values[both]) == 0:
        return False
    return bool(np.corrcoef(mean[both], draft.values[both])[0, 1] > 0.9)


def _is_measured(draft: Draft, rest: Sequence[Draft]) -> bool:
    """Return whether a name says what was measured, and no two columns could be parts of it: a mean of runs.

    ``mean_iou`` beside ``pixel_acc`` is a metric; ``Average WER`` may be the mean of columns of error rates, or of
    columns that are called by their data sets.
    """
    own = _measures(draft.name)
    if not own:
        return False
    roles = ("aggregate", "fact", "count", "place", "spread")
    able = [one for one in rest if one is not draft and not any(hit(one.name, role) for role in roles)]
    return sum(not (held := _measures(one.name)) or bool(own & held) for one in able) < FEWEST_PARTS


def _measures(name: str) -> set[str]:
    """Return the words of a header that say what was measured."""
    unit = _UNIT.search(cleaned(name))
    found = {its.word for role in ("lower", "higher") if (its := hit(name, role)) is not None}
    return found | ({next(filter(None, unit.groups()))} if unit else set())


def _is_fact(draft: Draft, plain: Sequence[Draft], *, same: bool) -> bool:
    """Decide that a column is a fact or count, where its word says so and its values are unlike the tasks'."""
    good = draft.good
    decades = len(good) > 0 and draft.least > 0 and draft.most / draft.least >= 999
    unlike = draft.whole or decades or draft.kinds["not yet"] > 0 or bool((good == -1).any())
    for role in ("fact", "count") if not _PER.search(cleaned(draft.name)) else ():
        if not (found := hit(draft.name, role)) or draft.own_unit:
            continue
        outvoted = role == "count" and same and not draft.whole  # nothing is counted in decimals
        told = unlike or (len(good) >= FEWEST_OF_RUNS and plain not in ([], [draft]))  # two values are like nothing
        if (found.at == "whole" and not outvoted) or (not same and told):
            sure = found.at == "whole" or unlike
            draft.decide("fact", "certain" if sure else "likely", f"the word {found.word}, and its values")
            veto = hit(draft.name, "veto")
            return veto is None or veto.word in found.word  # a learning rate is no rate of success
    return False


def _direct(draft: Draft, rest: Sequence[Draft], plain: Sequence[Draft]) -> None:
    """Decide that a column is a task, and which way it counts."""
    low, high = hit(draft.name, "lower"), hit(draft.name, "higher")
    if _is_said(draft) or _has_unit(draft, low, plain):
        return
    if GOOD & {*words_of(draft.name)}:
        low = None
    if low and low.word.endswith("rate"):
        # A rate of errors keeps its direction whatever other words say; for attacks it depends on whose success it is.
        high = high if high and high.word in low.word else None
    elif low and (hit(draft.name, "veto") or (high and low.at not in {"whole", "last"})):
        low = None
    if low and low.at != "whole" and low.word not in METRICS and _is_subject(draft, low, rest, plain):
        low = None
    if low and _is_of_two_senses(draft, low, plain):
        return
    if low:
        others = len(words_of(bare(draft.name))) - len(words_of(low.word))
        # Error and latency are what a longer name measures, unless its values are those of tasks without such a word;
        # time, cost or failures may be what is saved or lies between.
        apart = others == 1 or (low.word in MEASURES and not Crowd(_without(plain, "lower")).alike(draft))
        sure = low.word in METRICS or (not high and (low.at == "whole" or (low.at == "last" and apart)))
        told = f"the word {low.word}" + (f" against {high.word}" if high else "")
        draft.decide("task", "certain" if sure else "likely", told, lower=True)
    elif high:
        draft.decide("task", "certain", f"the word {high.word}", lower=False)
    elif draft.own_unit:
        used = draft.own_unit.casefold() in SHORT_UNITS
        draft.decide("task", "likely", f"numbers in {draft.own_unit}: which way does it count?", lower=used)
    else:
        draft.decide("task", "assumed", "not declared", lower=False)


def has_unit(name: str) -> bool:
    """Return whether a header ends with the unit of a time or a size."""
    return bool(_UNIT.search(without_mathematics(cleaned(name))))


def _is_said(draft: Draft) -> bool:
    """Decide the direction of a task whose header says it: in words, by an arrow, by a time per thing."""
    if said := _SAID.search(draft.name):
        draft.decide("task", "certain", "the header says so", lower=bool(said["low"] or said["least"]))
    elif len(arrows := ARROWS & set(draft.name)) == 1:
        draft.decide("task", "certain", "an arrow", lower=bool(arrows & {"↓", "⬇"}))
    elif per := _PER.search(cleaned(draft.name)):
        draft.decide("task", "certain", f"the unit {per[0].strip(' ()[]')}", lower=per["time"] is not None)
    return draft.role == "task"


def _has_unit(draft: Draft, low: Hit | None, plain: Sequence[Draft]) -> bool:
    """Decide the direction of a task by the unit in its header or its cells: a time, a size, what is paid or used."""
    unit = _UNIT.search(without_mathematics(cleaned(draft.name)))
    if unit and "per" in words_of(draft.name)[-2:-1] and "per" in words_of(cleaned(draft.name)[: unit.start()]):
        unit = None  # what is done in a time, not a time that something takes
    place = bool(unit and not low and _OF_A_PLACE.match(unit[0]))
    rest = [one for one in plain if not _OF_A_PLACE.search(one.name)] if place else []
    place = bool(rest)
    if place and Crowd(rest).alike(draft):
        unit = None  # en_us beside de_de
    if GOOD & {*words_of(draft.name)} or not (unit or draft.units - {"", "%", "x", "\u00d7"}):
        return False  # of some more is wanted: revenue in dollars, battery life in hours
    named = next(filter(None, unit.groups())) if unit else ", ".join(draft.units)
    sure = not place and (named not in PAID or (low is not None and low.word not in PAID))
    draft.decide("task", "certain" if sure else "likely", f"the unit {named}", lower=True)
    return True


def _without(drafts: Sequence[Draft], role: str) -> list[Draft]:
    return [one for one in drafts if not hit(one.name, role)]


def _is_subject(draft: Draft, low: Hit, rest: Sequence[Draft], plain: Sequence[Draft]) -> bool:
    """Return whether a word is what a task is about (``Memory KV``), or in a name with values like the others'."""
    kin = [
        found.at
        for one in rest
        if one is not draft and (found := hit(one.name, "lower")) is not None and found.word == low.word
    ]
    free = Crowd(_without(plain, "lower"))
    first = low.at == "first" and len(words_of(bare(draft.name))) > 1
    if low.word in lexicon().roles["judged"] and _beside_scores(draft, plain):
        return True
    return bool((first and ("first" in kin or free.alike(draft))) or (not low.at and free.alike(draft)))


def _is_of_two_senses(draft: Draft, low: Hit, plain: Sequence[Draft]) -> bool:
    """Decide of a bias of either sign, and of a header that is a metric's name or that of a data set, as ADE is."""
    if low.word == "bias" and draft.least < 0 < draft.most:
        draft.decide("fact", "likely", "a bias of either sign: neither more nor less is better")
        return True
    if low.at == "whole" and low.word in lexicon().roles["judged"] and _beside_scores(draft, plain):
        told = f"the word {low.word} against values like its neighbours'"
        draft.decide("task", "likely", told, lower=False)
        return True
    return False


def _beside_scores(draft: Draft, plain: Sequence[Draft]) -> bool:
    """Return whether the values of a column are like those of columns that are not called by a metric."""
    return Crowd(_without(_without(plain, "lower"), "higher")).alike(draft)


def _shared_words(rest: Sequence[Draft]) -> None:
    """Make directions certain whose last word ends another header with a certain direction."""
    sure = {
        found.word
        for one in rest
        if one.certainty == "certain"
        and one.lower
        and (found := hit(one.name, "lower"))
        and found.at in {"whole", "last"}
    }
    for draft in rest:
        found = hit(draft.name, "lower") if draft.certainty == "likely" and draft.lower else None
        if found and found.at == "last" and found.word in sure and not hit(draft.name, "higher"):
            draft.certainty = "certain"


def _by_values(draft: Draft, settled: Crowd) -> None:
    """Ask about doubts that values alone raise."""
    good = draft.good
    if not draft.numeric:
        return  # the reader says of each cell what is the matter with it
    _by_odd_cells(draft)
    said = draft.why in {"the header says so", "an arrow"}
    if (
        len(good) > 4 < draft.distinct
        and not said
        and draft.least == 1
        and draft.most <= len(good)
        and _are_ranks(good)
    ):
        draft.decide("task", "likely", "ranks from 1 to n", lower=True)
    if draft.certainty != "assumed" or not len(good):
        return
    usual = settled.beside(draft)
    several = usual.tall >= max(1, usual.count / 4)
    tall = draft.most > TALL or (draft.most > LESS_TALL and several)
    facts, ends = {*lexicon().roles["fact"], *lexicon().roles["count"]}, lexicon().ends - {"km"}
    worded = any(word in facts and word not in ends for word in words_of(draft.name))
    far = usual.count > 1 and usual.typical > 0 and draft.typical > 1000 * usual.typical
    if (worded and tall) or far:
        sure = worded and tall and far
        draft.decide(
            "fact",
            "certain" if sure else "likely",
            "a word of a fact, and its values" if worded else "far above the others",
        )
    elif tall:
        draft.decide("task", "likely", "above 100: which way does it count?", lower=False)
    elif draft.whole and draft.distinct > 3:
        middle = float(np.median(good))
        if any(usual.fine) and not usual.fine[0] <= middle <= usual.fine[1]:
            draft.questions.append("whole numbers beside decimals: a count?")


def _by_odd_cells(draft: Draft) -> None:
    """Ask about cells without the unit of the others, and about what may stand for a missing score."""
    good = draft.good
    if "" in draft.units and (named := draft.units - {"", "%"}):
        draft.questions.append(f"some cells have the unit {', '.join(named)} and some have none")
    if draft.kinds["not yet"]:
        found = [one for one in draft.texts if taken_apart(one).kind == "not yet"]
        draft.questions.append(f"{first_few(map(repr, found), 3)} taken as missing")
        draft.sentinels += found
    if 0 < (good == -1).sum() < len(good) and bool((good[good != -1] > 0).all()):
        draft.questions.append("-1 taken as missing")
        draft.sentinels.append("-1")


def _are_ranks(values: FloatArray, *, dense: bool = False) -> bool:
    """Return whether values are the ranks of themselves, 1 to n: ties share the least or the mean, or count once."""
    held = pd.Series(values)
    ranks = (held.rank(), held.rank(method="min"), *([held.rank(method="dense")] if dense else []))
    return any(bool((one.to_numpy() == values).all()) for one in ranks)


def _ranks_of_few(tasks: Sequence[Draft]) -> None:
    """Decide that all tasks are likely ranks where half of them are 1 to n in some order, the others with ties.

    Grades from 1 to k look like ranks with ties, but are seldom the numbers from 1 to n in some order.
    """
    every = [one for one in tasks if one.role == "task"]
    if len(every) < 2 or not all(len(one.good) > 3 and _are_ranks(one.good, dense=True) for one in every):
        return
    strict = sum(len(np.unique(one.good)) == len(one.good) for one in every)
    for one in every if 2 * strict >= len(every) else ():
        if one.certainty == "assumed":
            one.decide("task", "likely", "ranks from 1 to n", lower=True)


def doubt_parts_of_lower(drafts: Sequence[Draft]) -> None:
    """Decide that the parts of a sum or mean where lower is better likely count the same way."""
    for draft in drafts:
        if draft.total is not None and (low := hit(draft.name, "lower")) and not hit(draft.name, "higher"):
            for one in drafts:
                if one.name in draft.total.parts and one.role == "task" and one.certainty == "assumed":
                    one.decide("task", "likely", f"a part of {draft.name}: {low.word}", lower=True)


def _parts_of_ranks(drafts: Sequence[Draft]) -> None:
    """Decide that the parts of a mean that is called Rank are ranks."""
    for draft in drafts:
        word = hit(draft.name, "place")
        if draft.total is not None and word and word.at == "whole":
            for one in drafts:
                if one.name in draft.total.parts and one.role == "task" and one.certainty == "assumed":
                    one.decide("task", "likely", f"a part of {draft.name}", lower=True)
