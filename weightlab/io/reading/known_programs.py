"""Tables whose columns are known by name: what searches and trackers of experiments export."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

from weightlab._result import Frozen
from weightlab.io.reading.propose import peeked
from weightlab.io.reading.words import hit
from weightlab.io.tables.columns import plain_name
from weightlab.io.tables.sheet import Block, Decided, Sheet


class Export(Frozen):
    """What a program writes.

    Attributes
    ----------
    name : str
        The program.
    tells : tuple of str
        The columns that tell a table of it, as patterns.
    keys : tuple of str
        The columns that may name its rows, the best first.
    roles : tuple of (pattern, role, why)
        What other columns are; the first pattern counts. Where higher is better the role is ``"higher"``.
    kept : tuple of str
        The only columns that are read; all if empty.
    settings_behind : str
        The column after which settings come before the metrics: all up to the last of a known name are settings, as
        far as none is called as a metric is.
    """

    name: str
    tells: tuple[str, ...]
    keys: tuple[str, ...] = ()
    roles: tuple[tuple[str, str, str], ...] = ()
    kept: tuple[str, ...] = ()
    settings_behind: str = ""


SETTING, OF_RUN = "a setting of the run", "of the run, no score"
KNOWN_SETTINGS = (
    r"(?i)(.*[._])?(lr|learning[ _]?rate|.*batch[ _]?size|(n_|num_|max_)?(epochs?|estimators|iter(ations)?|layers|"
    r"steps|trials|depth|neighbors|leaf_nodes|features)|(random_)?(seed|state)|alpha|l1_ratio|(reg_)?lambda|momentum|dropout(_rate)?|"
    r"weight[ _]?decay|hidden_(size|dim|units)|(col)?subsample.*|colsample.*|min_(samples|child)_.*|warmup.*|penalty|"
    r"kernel)"
)
"""Names of settings that a page lists among the metrics, without saying which is which."""
EXPORTS = (
    Export(
        name="scikit-learn",
        tells=("params", "mean_test_.*", "rank_test_.*"),
        keys=("params",),
        roles=(
            (r"split\d+_(test|train)_.*", "aggregate", "a part of the mean over splits"),
            ("mean_test_.*", "higher", "scikit-learn's scores are higher where better"),
            ("std_.*", "error", "a spread over splits"),
            ("rank_test_.*", "aggregate", "a rank"),
            ("mean_(fit|score)_time|mean_train_.*|n_resources|iter", "fact", OF_RUN),
            ("param_.*", "fact", SETTING),
        ),
    ),
    Export(
        name="MLflow",
        tells=("run_id", r"metrics\..*"),
        keys=("tags.mlflow.runName", "run_id"),
        roles=((r"params\..*", "fact", SETTING), (r"(?!metrics\.).*", "text", OF_RUN)),
    ),
    Export(
        name="MLflow",
        tells=("Run ID", "Source Type", "Status"),
        keys=("Name", "Run ID"),
        roles=(
            ("Start Time|Duration|Run ID|Name|Source Type|Source Name|User|Status", "text", OF_RUN),
            (KNOWN_SETTINGS, "fact", SETTING),
        ),
        settings_behind="Status",
    ),
    Export(
        name="Weights & Biases",
        tells=("Name", "State", "Runtime|_runtime", "_step|_timestamp|Sweep|Created"),
        keys=("Name", "ID"),
        roles=(
            (r"config\..*", "fact", SETTING),
            ("_.*|Runtime|ID|Name|State|Notes|User|Tags|Created|Sweep|Group|Job Type|Hostname|GPU.*", "text", OF_RUN),
            (KNOWN_SETTINGS, "fact", SETTING),
        ),
        settings_behind="Sweep",
    ),
    Export(
        name="Inspect",
        tells=("eval_id", "task_name", "model", "score_headline_value"),
        kept=("task_name", "model", "score_headline_value"),
    ),
)


def of_a_program(sheet: Sheet) -> Sheet:
    """Return a sheet with the roles of its columns decided, where a known program writes such sheets."""
    named = [plain_name(name) for name in sheet.header]
    found = next((one for one in EXPORTS if all(_has(named, pattern) for pattern in one.tells)), None)
    if found is None or sheet.decided or len({*named}) < len(named):
        return sheet
    remarks = (*sheet.remarks, f"columns as {found.name} writes them")
    if found.kept:
        return replace(_only(sheet, [named.index(one) for one in found.kept]), remarks=remarks)
    sheet, cells = peeked(sheet)
    key = next((one for one in found.keys if one in named and _tells_apart(cells[named.index(one)])), "")
    settings = _settings(named, found)
    decided: dict[str, Decided] = {}
    for name in sheet.header:
        role, why = next(((role, why) for form, role, why in found.roles if re.fullmatch(form, name)), ("", ""))
        if plain_name(name) in settings:
            role, why = "fact", SETTING
        if name == key:
            role, why = "key", "names the models"
        if role:
            lower = False if role == "higher" else None
            kind = "task" if role == "higher" else role
            decided[name] = Decided(lower=lower, certainty="certain", why=why, role=kind)
    return replace(sheet, decided=decided, remarks=remarks)


def _settings(names: Sequence[str], found: Export) -> Sequence[str]:
    """Return the columns up to the last one named like a setting, where settings come before the metrics.

    Both stand in alphabetical order: what follows that setting is one, too, up to where a name goes back in it.
    """
    first = names.index(found.settings_behind) + 1 if found.settings_behind in names else len(names)
    hits = ((at, hit(names[at], way)) for at in range(first, len(names)) for way in ("higher", "lower"))
    end = next((at for at, word in hits if word is not None and word.at != "first"), len(names))
    last = max((at for at in range(first, end) if re.fullmatch(KNOWN_SETTINGS, names[at])), default=None)
    if last is None:
        return ()
    backs = (at for at in range(last + 1, min(end + 1, len(names))) if names[at].casefold() < names[at - 1].casefold())
    return names[first : next(backs, last + 1)]


def _has(names: Collection[str], pattern: str) -> bool:
    return any(re.fullmatch(pattern, name) for name in names)


def _tells_apart(cells: Sequence[Any]) -> bool:
    given = [str(one) for one in cells if one is not None and str(one).strip()]
    return len({*given}) == len(cells)


def _only(sheet: Sheet, places: Sequence[int]) -> Sheet:
    """Return a sheet of some of its columns."""

    def some(block: Block) -> Block:
        return Block(rows=block.rows, columns=[block.columns[at] for at in places])

    return replace(sheet, header=tuple(sheet.header[at] for at in places), blocks=map(some, sheet.blocks))
