"""Result files of lm-evaluation-harness, from version 0.3 on: one file, or a folder of them."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from weightlab._cures import Cure, Fault, reworded
from weightlab._result import Frozen
from weightlab.exceptions import FileFormatError, InputError
from weightlab.io.evaluations.results import ResultCell, Results, listed_briefly
from weightlab.io.tables.json_table import finite_number, json_file

KIND = "lm-evaluation-harness"
PATTERN = "results*.json"
"""What its files are called since version 0.4; older ones are told by what is in them."""
MARKS = ((b'"results"', b'"config'), (b'"results"', b'"versions"'))
"""What a file of results has in it: only where one of these pairs stands is it worth a closer look."""
NAMES = ("model", "file", "folder", "model_args")
"""What may tell models apart."""
LOADED = ("pretrained", "model")
"""The arguments that say which model was loaded."""
LIGHTEVAL = "config_general"
"""What LightEval, and the fork of the harness behind the first Open LLM Leaderboard, write instead of ``config``."""
NO_METRICS = {"alias", "name", "samples", "sample_len", "sample_count"}
"""What stands among the metrics of a task and is none."""
_STAMP = re.compile(r"_([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}-[0-9]{2}-[0-9]{2}(?:\.[0-9]+)?)\.jsonl?$")


class Run(Frozen, eq=True):
    """One results file.

    Attributes
    ----------
    path : Path
        Where it is.
    model : str
        Whose scores it holds.
    stamp : str
        The time in its name or its date, empty without one; later ones sort behind.
    document : mapping
        All of it.
    """

    path: Path
    model: str
    stamp: str
    document: Mapping[str, Any]

    def part(self, key: str) -> Mapping[str, Any]:
        """Return the object under a key, empty where there is none."""
        value = self.document.get(key)
        return value if isinstance(value, Mapping) else {}

    def of_task(self, key: str, task: str) -> Any:
        """Return what the file says of one task under a key, or None."""
        return self.part(key).get(task)


def read_lm_eval(path: str | os.PathLike[str], *, name: str = "model") -> Results:
    """Read what lm-evaluation-harness wrote: a results file, or a folder with any number of them, at any depth.

    Parameters
    ----------
    path : path
        A results file, or a folder such as its ``--output_path``, whose JSON files are told by what is in them.
    name : {"model", "file", "folder", "model_args"}
        What a model is called: as the file says; after the file, without its extension; after the folder that the file
        is in; or as the file says with the other arguments that it was loaded with, such as ``revision=step1000``.

    Returns
    -------
    Results
        A dataset a task, and a metric a ``metric,filter`` key; the filter ``none`` is left out of the name.
        ``higher_is_better`` is the file's, standard errors too. Rows of groups whose subtasks are all there are
        left out, since they are means of these; the subtasks become groups.

    Raises
    ------
    FileFormatError
        If there is no such file, or one cannot be read, or two runs of a model and task do not tell which is newer.
    InputError
        If models cannot be named so.

    Notes
    -----
    Of several runs of a model on a task the newest counts, by the time in the name of the file or else by the dates in
    the files. Directions are the files' since version 0.4; before, they are asked for, metric by metric. The notes say
    which runs and files were left out, which scores come from a part of the instances (``--limit``), where models were
    asked with different numbers of shots or versions of a task, which models were run with different arguments (a
    revision, say), and which values are no numbers. Files of LightEval have the same form and are read, without their
    ``all``.

    References
    ----------
    EleutherAI, "Language Model Evaluation Harness", versions 0.3 and 0.4.
    """
    if name not in NAMES:
        raise InputError(f"name must be {', '.join(map(repr, NAMES[:-1]))} or {NAMES[-1]!r}; got {name!r}")
    root = Path(path)
    notes: list[str] = []
    runs = _dated(replace(run, model=_named(run, name)) for run in runs_in(root, notes=notes))
    if not runs:
        raise FileFormatError(root, (f"no results of {KIND} are in this folder", *notes))
    cells: list[ResultCell] = []
    wrong: dict[tuple[str, str], list[str]] = {}
    groups: dict[str, tuple[str, ...]] = {}
    found = [(run.model, task, run.stamp, run) for run in runs for task in run.part("results")]
    newest = newest_runs(found, notes, alike=_hold_the_same, remedy=_REMEDY)
    for (_, task), run in newest.items():
        if _is_mean(run, task):
            groups.setdefault(task, tuple(_leaves(run, task)))
        else:
            cells.extend(_cells(run, task, wrong))
    for (metric, task), models in wrong.items():
        notes.append(f"Left out, no number: {metric!r} of {listed_briefly(models)} on {task!r}.")
    notes.extend(_unlike_arguments(runs))
    notes.extend(_partial(newest))
    for key, what in (("n-shot", "shots"), ("versions", "version")):
        notes.extend(_unlike(newest, key, what))
    if groups:
        notes.append(f"Left out as means of their subtasks: {listed_briefly(groups)}.")
    if alone := [task for task in groups if any(cell.dataset == task for cell in cells)]:
        notes.append(f"Without scores of the subtasks for some models, which have the mean: {listed_briefly(alone)}.")
    if not cells:
        raise FileFormatError(root, ("the files hold no score", *dict.fromkeys(notes)))
    groups = {name: tasks for name, tasks in groups.items() if tasks}
    return Results(kind=KIND, cells=tuple(cells), groups=groups, notes=tuple(dict.fromkeys(notes)), names_metrics=True)


def is_lm_eval(document: Any) -> bool:
    """Tell whether a JSON document is a results file: results by task, and what was configured."""
    if not isinstance(document, Mapping) or not isinstance(document.get("results"), Mapping):
        return False
    own = {"configs", "config", "versions"} & set(document)
    return bool(own) and all(isinstance(row, Mapping) for row in document["results"].values())


def runs_in(root: Path, *, deep: bool = True, notes: list[str] | None = None) -> list[Run]:
    """Return the runs in a file, or in a folder (at any depth, or none), in the order of their paths.

    Files of a folder that are called like results and hold none are said in the notes; where none is called so, all
    JSON files that hold none.
    """
    single = not root.is_dir()
    runs: list[Run] = []
    left: list[str] = []
    broken: dict[str, str] = {}
    there = [] if single else (root.rglob("*.json") if deep else root.glob("*.json"))
    paths = [root] if single else sorted(path for path in there if path.is_file())
    called = {path for path in paths if path.match(PATTERN)} or set(paths)
    for path in paths:
        document: Any = None
        try:
            if single or path.match(PATTERN) or has_marks(path):
                document = json_file(path)
        except FileFormatError as error:
            if single or notes is None:
                raise
            broken[str(path.relative_to(root))] = error.faults[0]
            continue
        if is_lm_eval(document):
            runs.append(Run(path=path, model=_model(path, document), stamp=stamp_of(path), document=document))
        elif single:
            raise FileFormatError(root, f"no results file of {KIND}: it needs 'results' by task and 'configs'")
        elif path in called:
            left.append(str(path.relative_to(root)))
    if left and notes is not None:
        notes.append(f"Left out, no results of {KIND}: {listed_briefly(left)}.")
    if broken and notes is not None:
        notes.append(f"Left out, cannot be read ({next(iter(broken.values()))}): {listed_briefly(broken)}.")
    return runs


def has_marks(path: Path) -> bool:
    """Tell whether a file may hold results, from what stands in it; who opens it tells why it cannot be read."""
    try:
        data = path.read_bytes()
    except OSError:
        return True
    return any(all(mark in data for mark in marks) for marks in MARKS)


def _dated(runs: Iterable[Run]) -> list[Run]:
    """Return the runs with their dates for stamps, where not all have a time in their names and all have a date."""
    listed = list(runs)
    dates = [finite_number(run.document.get("date")) for run in listed]
    if all(run.stamp for run in listed) or None in dates:
        return listed
    return [replace(run, stamp=f"{float(date or 0):020.6f}") for run, date in zip(listed, dates, strict=True)]


def stamp_of(path: Path) -> str:
    """Return the time in the name of a file, or nothing."""
    found = _STAMP.search(path.name)
    return found[1] if found else ""


def newest_runs(
    found: list[tuple[str, str, str, Any]],
    notes: list[str],
    *,
    alike: Callable[[Any, Any, str], bool] | None = None,
    remedy: str = "",
) -> dict[tuple[str, str], Any]:
    """Return the newest of each model and task from (model, task, stamp, run), saying which others there are.

    Parameters
    ----------
    found : list of tuples
        Model, task, time and run.
    notes : list of str
        What was left out is said here.
    alike : function
        Whether two runs hold the same on a task: of such copies the first counts. By default none do.
    remedy : str
        What the error goes on to say.

    Raises
    ------
    FileFormatError
        If two that differ have the same time, or none.
    """
    newest: dict[tuple[str, str], tuple[str, Any]] = {}
    said: dict[tuple[str, str], list[str]] = {}
    for model, task, stamp, run in found:
        before = newest.get((model, task))
        if before is None or stamp > before[0] > "":
            newest[model, task] = (stamp, run)
        if before is None:
            continue
        if before[0] != stamp and stamp and before[0]:
            said.setdefault((_OLDER, model), []).append(task)
        elif alike is not None and alike(before[1], run, task):
            said.setdefault((_COPIES, model), []).append(task)
        else:
            told = f"model {model!r} has scores on {task!r} here and in {before[1].path}"
            told = f"{told}, and their names do not tell which is newer{remedy}"
            raise FileFormatError(run.path, reworded(told, remedy))
    notes.extend(form.format(model=repr(model), tasks=listed_briefly(its)) for (form, model), its in said.items())
    return {key: run for key, (_, run) in newest.items()}


_REMEDY = Fault(
    ", nor do dates in them",
    *(Cure("name", way, "to tell two models apart") for way in ("file", "folder", "model_args")),
)
_OLDER = "Several runs of {model} on {tasks}: the newest counts."
_COPIES = "Several files with the same scores of {model} on {tasks}: the first counts."


def _hold_the_same(one: Run, other: Run, task: str) -> bool:
    return bool(one.part("results")[task] == other.part("results")[task])


def _model(path: Path, document: Mapping[str, Any]) -> str:
    """Return the name of the model: as the file says, or else as its folder is called."""
    general = document.get(LIGHTEVAL)
    for named in (document.get("model_name"), general.get("model_name") if isinstance(general, Mapping) else None):
        if isinstance(named, str) and named.strip():
            return named
    arguments = _arguments(document)
    for key in LOADED:
        if isinstance(arguments.get(key), str) and arguments[key]:
            return str(arguments[key])
    return _folder(path)


def _folder(path: Path) -> str:
    return path.resolve().parent.name.replace("__", "/")


def _named(run: Run, name: str) -> str:
    """Return what a model is called."""
    if name == "file":
        return run.path.stem
    if name == "folder":
        return _folder(run.path)
    others = _arguments(run.document).items() if name == "model_args" else ()
    return ",".join([run.model, *(f"{key}={value}" for key, value in others if key not in LOADED)])


def _arguments(document: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what a model was loaded with, by name."""
    config = document.get("config")
    given = config.get("model_args") if isinstance(config, Mapping) else None
    return given if isinstance(given, Mapping) else dict(_pairs(str(given or "")))


def _pairs(text: str) -> Iterator[tuple[str, str]]:
    for part in text.split(","):
        key, _, value = part.partition("=")
        if key.strip():
            yield key.strip(), value.strip()


def _leaves(run: Run, group: str) -> list[str]:
    """Return the tasks in a group and in the groups inside it, each once."""
    leaves: dict[str, None] = {}
    seen: set[str] = set()
    waiting = [group]
    while waiting:
        name = waiting.pop(0)
        members = run.of_task("group_subtasks", name)
        if isinstance(members, list) and members and name not in seen:
            waiting.extend(str(member) for member in members if member != name)
        elif name != group:
            leaves[name] = None
        seen.add(name)
    return list(leaves)


def _is_mean(run: Run, task: str) -> bool:
    """Tell whether a row is the mean of others: of a group whose subtasks are all there, or of LightEval's tasks."""
    if LIGHTEVAL in run.document and (task == "all" or ":_average|" in task):
        return True
    leaves = _leaves(run, task)
    return bool(leaves) and all(leaf in run.part("results") for leaf in leaves)


def _cells(run: Run, task: str, wrong: dict[tuple[str, str], list[str]]) -> Iterator[ResultCell]:
    """Return the scores of a run on a task, and note by metric and task whose are no numbers."""
    row = run.part("results")[task]
    directions = run.of_task("higher_is_better", task)
    for key, value in row.items():
        metric, _, filtered = key.partition(",")
        if not metric.strip() or "_stderr" in metric or metric in NO_METRICS:
            continue
        score = finite_number(value)
        if score is None:
            wrong.setdefault((metric, task), []).append(run.model)
            continue
        error = finite_number(row.get(f"{metric}_stderr,{filtered}" if filtered else f"{metric}_stderr"))
        yield ResultCell(
            dataset=task,
            metric=metric if filtered in ("", "none") else key,
            model=run.model,
            score=score,
            higher_is_better=_truth(directions.get(metric) if isinstance(directions, Mapping) else None),
            error=math.nan if error is None else error,
            file=str(run.path),
        )


def _truth(value: Any) -> bool | None:
    return value if isinstance(value, bool) else None


def _partial(newest: Mapping[tuple[str, str], Run]) -> Iterator[str]:
    """Say which scores come from a part of the instances."""
    parts: dict[str, list[str]] = {}
    for (model, task), run in newest.items():
        counts = run.of_task("n-samples", task)
        limited = run.part("config").get("limit") is not None
        if isinstance(counts, Mapping):
            effective, original = (finite_number(counts.get(key)) for key in ("effective", "original"))
            limited = effective < original if effective and original else limited
        if limited and not _is_mean(run, task):
            parts.setdefault(model, []).append(task)
    for model, tasks in parts.items():
        yield f"From a part of the instances: {model!r} on {listed_briefly(tasks)}."


def _unlike_arguments(runs: Iterable[Run]) -> Iterator[str]:
    """Say of which models there are runs with other arguments: another revision, precision or adapter."""
    told: dict[str, dict[str, None]] = {}
    for run in runs:
        if arguments := run.part("config").get("model_args"):
            told.setdefault(run.model, {})[str(arguments)] = None
    for model, ways in told.items():
        if len(ways) > 1:
            yield f"Different model_args of {model!r}, whose runs count as those of one model: {listed_briefly(ways)}."


def _unlike(newest: Mapping[tuple[str, str], Run], key: str, what: str) -> Iterator[str]:
    """Say on which tasks the models were asked in different ways."""
    asked: dict[str, dict[str, str]] = {}
    for (model, task), run in newest.items():
        value = run.of_task(key, task)
        if value is not None and not _is_mean(run, task):
            asked.setdefault(task, {}).setdefault(str(value), model)
    for task, ways in asked.items():
        if len(ways) > 1:
            told = ", ".join(f"{way} for {model!r}" for way, model in ways.items())
            yield f"Different {what} on {task!r}: {told}."
