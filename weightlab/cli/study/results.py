"""What ``weightlab study`` prints: results, tables of draws, and the list of studies."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from weightlab._result import Result
from weightlab._text import shown
from weightlab.cli.options.study_registry import STUDIES, Study, study_named
from weightlab.cli.terminal.show import say, table
from weightlab.studies import UserRanking

LONG = 30
"""So many rows of a summary are shown; a file can have all."""
ASKS = {"rules": "several rules", "rule": "each rule by itself", "rule_a": "two rules"}


def print_results(found: Sequence[Result]) -> None:
    """Print a sentence and the summary of each result."""
    for place, one in enumerate(found):
        say(*([""] if place else []), shown(one))
        frame = _with_index(one.summary())
        if frame.empty:
            continue
        say("")
        cells = [[_cell(value) for value in row] for row in frame.head(LONG).itertuples(index=False)]
        numbers = [place for place, name in enumerate(frame.columns) if _is_number(frame[name])]
        say(table([shown(name).replace("_", " ") for name in frame.columns], cells, right=numbers))
        if len(frame) > LONG:
            say(f"and {len(frame) - LONG} more rows")


def csv_of(found: Sequence[Result]) -> str:
    """Return every draw of the results as one table; of a result without draws the summary."""
    frames = []
    for one in found:
        frame = one.draws if hasattr(one, "draws") else _with_index(one.summary())
        frames.append(frame if len(found) == 1 else frame.assign(rule=_rule_of(one)))
    return str(pd.concat(frames, ignore_index=True).to_csv(index=False, lineterminator="\n"))


def _rule_of(one: Any) -> str:
    """Return the rule that one of several results is by: of studies that ask one rule after the other."""
    return str(one.basic.rule) if isinstance(one, UserRanking) else str(one.question.name)


def print_list(name: str | None, *, as_json: bool) -> None:
    """Print the studies that there are, or what one of them takes."""
    chosen = dict(STUDIES) if name is None else dict([study_named(name)])
    if as_json:
        entries = [{"name": one, **_entry(known)} for one, known in chosen.items()]
        print(json.dumps(entries, ensure_ascii=False, indent=1))
    elif name is None:
        rows = [(one, str(known.reads), known.about) for one, known in chosen.items()]
        say(table(["study", "reads", "answers"], rows))
    else:
        for one, known in chosen.items():
            _print_study(one, known)


def _print_study(name: str, known: Study) -> None:
    say(f"{name}: {known.about}", f"Reads {known.reads}.")
    lines = [(f"--option {one}=", _default(known, one)) for one in known.settings]
    asks = next((words for parameter, words in ASKS.items() if known.takes(parameter)), None)
    if asks is not None:
        rules = ", ".join(known.default_rules) or "must be given"
        lines.insert(0, ("--rule", f"{asks}; by default {rules}" if known.default_rules else f"{asks}; {rules}"))
    if known.takes("repeats"):
        lines.append(("--repeats", _default(known, "repeats")))
    if lines:
        say("", table(["option", "value"], lines))


def _default(known: Study, name: str) -> str:
    if name in known.needed:
        return "must be given"
    default = known.parameters[name].default
    if default is None:
        return "by default as the study says"
    return f"by default {','.join(map(shown, default)) if isinstance(default, tuple) else shown(default)}"


def _entry(known: Study) -> dict[str, Any]:
    return {
        "reads": str(known.reads),
        "answers": known.about,
        "options": list(known.settings),
        "needed": list(known.needed),
        "rules": list(known.default_rules),
    }


def _with_index(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a table whose index, unless it only counts, is its first column."""
    if isinstance(frame.index, pd.RangeIndex):
        return frame
    if isinstance(frame.index, pd.MultiIndex):
        return frame.reset_index()
    named: pd.DataFrame = frame.rename_axis("" if frame.index.name is None else str(frame.index.name)).reset_index()
    return named


def _is_number(column: pd.Series) -> bool:
    return bool(pd.api.types.is_numeric_dtype(column)) and not pd.api.types.is_bool_dtype(column)


def _cell(value: Any) -> str:
    """Return a value as a table shows it; no number that is not 0 is shown as 0."""
    if value is None or value is pd.NA:
        return ""
    if isinstance(value, bool | np.bool_):
        return "yes" if value else "no"
    if not isinstance(value, float):
        return shown(value)
    if math.isnan(value):
        return ""
    if value and abs(value) < 0.0005:
        return f"{value:.1e}"
    text = f"{value:.3f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
