"""One task file of MTEB, in any layout that MTEB wrote: its task, and its main scores by split and subset."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from pathlib import Path
from typing import Any

from weightlab._exact import fraction
from weightlab.io.evaluations.engine import AwkwardFileError
from weightlab.io.tables.exact_numbers import number

META = "model_meta.json"
METRIC = "main_score"
EXPERIMENTS = "experiments"
"""The folder below a revision in which MTEB keeps runs with other arguments, a folder each."""
MAIN_OF_TASK = {
    "BSARDRetrieval": "recall_at_100",
    "Cmnli": "max_accuracy",
    "LEMBNeedleRetrieval": "ndcg_at_1",
    "LEMBPasskeyRetrieval": "ndcg_at_1",
    "Ocnli": "max_accuracy",
}
MAIN_OF_KIND = ("p-MRR", "ndcg_at_10", "v_measure", "map", "cosine_spearman", "max_ap")
"""Which metric files of MTEB 1.0 to 1.10 without ``main_score`` are ranked by: that of the task, or of its kind.

Checked against later files of the same tasks, which say their main score.
"""
SIMILARITIES = ("cos_sim", "dot", "euclidean", "manhattan", "max")


@dataclass(frozen=True, kw_only=True, slots=True)
class Row:
    """One entry of a split.

    Attributes
    ----------
    subset : str
        Its name.
    languages : tuple of str or None
        None where the file does not say.
    score : float, Fraction or None
        The decimal in the file, exactly; None where there is no finite number.
    metric : str
        Under which name the score stands.
    """

    subset: str
    languages: tuple[str, ...] | None
    score: float | Fraction | None
    metric: str


@dataclass(frozen=True, kw_only=True, slots=True)
class TaskFile:
    """What a file of one task says.

    Attributes
    ----------
    task : str
        Its name.
    splits : mapping from str to Any
        What is under each split, as it stands in the JSON.
    old : bool
        Whether the splits stand at the top, as MTEB 1.0 to 1.10 wrote them.
    when : tuple
        Grows with the version of MTEB and the date of the run, as far as they are known.
    """

    task: str
    splits: Mapping[str, Any]
    old: bool
    when: tuple[tuple[int, ...], float]

    def rows(self, split: str) -> Iterator[Row]:
        """Give the entries of a split; what is no entry is left out."""
        inside = self.splits[split]
        if not self.old:
            yield from (_row(one) for one in inside if isinstance(one, dict)) if isinstance(inside, list) else ()
            return
        whole = _old_row(self.task, "default", inside)
        if whole.metric:
            yield whole
            return
        yield from (_old_row(self.task, subset, one) for subset, one in inside.items() if isinstance(one, dict))


def task_file(path: Path) -> TaskFile:
    """Read a task file.

    Raises
    ------
    AwkwardFileError
        If it is none, or cannot be read in one way only.
    """
    document = _document(path)
    task = document.get("task_name", document.get("mteb_dataset_name"))
    scores, old = document.get("scores"), "mteb_dataset_name" in document and "scores" not in document
    if old:
        scores = {key: value for key, value in document.items() if isinstance(value, dict)}
    if not isinstance(task, str) or not isinstance(scores, dict):
        raise AwkwardFileError("other JSON than results on a task")
    return TaskFile(
        task=_text(task),
        splits=scores,
        old=old,
        when=(_version(document.get("mteb_version")), _date(document.get("date"))),
    )


def model_of(folder: Path) -> tuple[str, str]:
    """Return the model and the revision of the files in a folder: as its ``model_meta.json`` says, or else by its path.

    A run in ``<revision>/experiments/<arguments>`` is a model of its own, named after its arguments.

    Raises
    ------
    AwkwardFileError
        If a folder's name is no text.
    """
    folder = folder.resolve()
    whole = folder.parent.parent if folder.parent.name == EXPERIMENTS else folder
    try:
        said = _document(next((place for place in (folder / META, whole / META) if place.is_file()), whole))
        name, revision = (_text(its) if isinstance(its, str) else "" for its in map(said.get, ("name", "revision")))
    except AwkwardFileError:
        name = revision = ""
    variant = "" if whole == folder else f" ({folder.name})"
    return _text((name or whole.parent.name.replace("__", "/")) + variant), _text(revision or whole.name)


def _document(path: Path) -> dict[str, Any]:
    try:
        document = _DECODER.decode(path.read_bytes().decode("utf-8-sig"))
    except OSError:
        raise AwkwardFileError("files that cannot be opened") from None
    except RecursionError:
        raise AwkwardFileError("JSON that is too deeply nested") from None
    except ValueError:
        raise AwkwardFileError("not JSON") from None
    return document if isinstance(document, dict) else {}


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs) and any(value != made[key] for key, value in pairs):
        raise AwkwardFileError("a JSON key twice in one object, with different values")
    if not all(map(str.isascii, made)):
        for key in made:
            _text(key)
    return made


# A number becomes bytes, which nothing else in JSON does: its decimal stays as it is written, at the speed of C.
_DECODER = json.JSONDecoder(
    parse_float=str.encode, parse_int=str.encode, parse_constant=str.encode, object_pairs_hook=_object
)


def _text(name: str) -> str:
    """Return a name that any text can hold."""
    if not name.isascii():
        try:
            name.encode()
        except UnicodeEncodeError:
            raise AwkwardFileError("names with half a surrogate pair, which stands for no character") from None
    return name


def _number(value: Any) -> float | Fraction | None:
    """Return the number that stands in a file, or None where there is none, or none within the range of doubles."""
    if not isinstance(value, bytes):
        return None
    try:
        found = number(value.decode("ascii"))
        return found if math.isfinite(found) else None
    except (ValueError, OverflowError):
        return None


def _row(entry: Mapping[str, Any]) -> Row:
    subset, spoken = entry.get("hf_subset", "default"), entry.get("languages")
    listed = tuple(one for one in spoken if isinstance(one, str)) if isinstance(spoken, list) else ()
    return Row(
        subset=_text(subset) if isinstance(subset, str) else "default",
        languages=listed or None,
        score=_number(entry.get(METRIC)),
        metric=METRIC,
    )


def _old_row(task: str, subset: str, entry: Mapping[str, Any]) -> Row:
    """Return an entry as MTEB 1.0 to 1.10 wrote it; its metric is empty where none is known."""
    found: dict[str, Any] = dict(entry)
    cosine = entry.get("cos_sim")
    if isinstance(cosine, dict) and "spearman" in cosine:
        found["cosine_spearman"] = cosine["spearman"]
    for metric in ("ap", "accuracy"):
        values = [one[metric] for one in map(entry.get, SIMILARITIES) if isinstance(one, dict) and metric in one]
        known = [value for value in values if _number(value) is not None]
        if known:
            found[f"max_{metric}"] = max(known, key=lambda value: fraction(_number(value)))
    of_kind = (*MAIN_OF_KIND, "f1" if {"precision", "recall"} <= found.keys() else "accuracy")
    metric = next((key for key in (METRIC, MAIN_OF_TASK.get(task), *of_kind) if key in found), "") or ""
    return Row(subset=subset, languages=None, score=_number(found.get(metric)), metric=metric)


def _version(text: Any) -> tuple[int, ...]:
    numbers = re.match(r"[0-9]{1,6}(\.[0-9]{1,6})*", text) if isinstance(text, str) else None
    return tuple(map(int, numbers[0].split("."))) if numbers else ()


def _date(value: Any) -> float:
    """Return the seconds of a date, given as such or as text; 0 where it is not known."""
    if isinstance(value, str):
        try:
            return datetime.fromisoformat(value).timestamp()
        except (ValueError, OverflowError):
            return 0.0
    return float(_number(value) or 0)
