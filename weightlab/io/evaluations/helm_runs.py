"""Run folders of HELM: which model and scenario each is of, and which of several settings of a pair count."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeAlias, TypeGuard

from weightlab._cures import at
from weightlab._result import Frozen
from weightlab.exceptions import FileFormatError
from weightlab.io.evaluations.results import listed_briefly
from weightlab.io.tables.json_table import json_file
from weightlab.io.tables.sheet import FileFaults

SPEC = "run_spec.json"
STATS = "stats.json"
PER_INSTANCE = "per_instance_stats.json"
FoldersLike: TypeAlias = str | os.PathLike[str] | Iterable[str | os.PathLike[str]]
"""A folder, or several."""
ASKED = ("method", "max_train_instances", "num_train_trials", "max_eval_instances", "temperature")
"""What in the adapter makes the scores of two models hard to compare."""


class HelmRun(Frozen, eq=True):
    """One run folder.

    Attributes
    ----------
    folder : Path
        Where it is.
    spec : mapping
        The run spec.
    model, scenario, dataset : str
        Whose scores it holds, and on what; a dataset is a scenario with its arguments.
    """

    folder: Path
    spec: Mapping[str, Any]
    model: str
    scenario: str
    dataset: str

    @property
    def adapter(self) -> Mapping[str, Any]:
        """How the model was asked."""
        return self.spec["adapter_spec"]  # type: ignore[no-any-return]

    @property
    def setting(self) -> str:
        """What was asked and how, apart from the model: equal texts for equal settings."""
        asked = {key: self.spec.get(key) for key in ("scenario_spec", "data_augmenter_spec")}
        adapter = {key: value for key, value in self.adapter.items() if key != "model"}
        return json.dumps({**asked, "adapter_spec": adapter}, sort_keys=True)

    @property
    def whole_setting(self) -> str:
        """Return all of the spec, apart from the model and where it ran."""
        adapter = {key: value for key, value in self.adapter.items() if key not in ("model", "model_deployment")}
        return json.dumps({**self.spec, "adapter_spec": adapter}, sort_keys=True)


def helm_runs(path: FoldersLike, needed: str) -> tuple[list[HelmRun], FileFaults]:
    """Return the runs in some folders, at any depth, in the order of their paths, with the list for faults.

    Parameters
    ----------
    path : path or iterable of paths
        Where to look.
    needed : str
        The file of scores without which a run says nothing: ``stats.json``, for instance.

    Raises
    ------
    FileFormatError
        If there is no run, a folder has scores and no spec, or a spec cannot be read or says no model or scenario.
    """
    roots = [Path(path)] if isinstance(path, str | os.PathLike) else [Path(one) for one in path]
    faults = FileFaults(", ".join(map(str, roots)) or "no folder")
    found: dict[Path, None] = {}
    for root in roots:
        if not root.is_dir():
            raise FileFormatError(root, "there is no such folder")
        for file in (*root.rglob(SPEC), *root.rglob(needed)):
            found[file.parent] = None
    runs = [run for folder in sorted(found) for run in _runs_of(folder, faults)]
    if not runs and not faults:
        faults.add(f"no run of HELM ({SPEC} and {needed}) is in it")
    faults.raise_here()
    return runs, faults


def document(path: Path, faults: FileFaults) -> Any:
    """Return the JSON document in a file; None where it cannot be read, which is noted."""
    try:
        made = json_file(path)
    except FileFormatError as error:
        for fault in error.faults:
            faults.add(at(path, fault))
        return None
    return "null" if made is None else made


def kept_runs(
    runs: Iterable[HelmRun],
    notes: list[str],
    *,
    setting: Callable[[HelmRun], str] = lambda run: run.setting,
    count: Callable[[HelmRun], int] = lambda _: 1,
) -> dict[tuple[str, str], list[HelmRun]]:
    """Return for each dataset and model the runs of its most frequent setting, saying what else there is.

    Parameters
    ----------
    runs : iterable of HelmRun
        In the order in which the first of settings that are as frequent as each other counts.
    notes : list of str
        What was chosen or averaged is said here.
    setting : function from HelmRun to str
        What runs have in common that are repeats of each other.
    count : function from HelmRun to int
        How often a run counts.
    """
    pairs: dict[tuple[str, str], dict[str, list[HelmRun]]] = {}
    for run in runs:
        pairs.setdefault((run.dataset, run.model), {}).setdefault(setting(run), []).append(run)
    kept: dict[tuple[str, str], list[HelmRun]] = {}
    said: dict[tuple[str, str], list[str]] = {}
    for (dataset, model), settings in pairs.items():
        counts = {key: sum(map(count, its)) for key, its in settings.items()}
        first = max(counts, key=counts.__getitem__)
        kept[dataset, model] = settings[first]
        if sum(value == counts[first] for value in counts.values()) > 1:
            said.setdefault(("As frequent", model), []).append(dataset)
        elif len(settings) > 1:
            said.setdefault(("Several", model), []).append(dataset)
        if len(settings[first]) > 1:
            said.setdefault(("Mean", model), []).append(dataset)
    notes.extend(
        _SAID[what].format(model=repr(model), datasets=listed_briefly(its)) for (what, model), its in said.items()
    )
    return kept


_SAID = {
    "As frequent": "Several settings of {model} on {datasets}, as frequent as each other: the first folder's counts.",
    "Several": "Several settings of {model} on {datasets}: the most frequent counts.",
    "Mean": "Mean over several runs of one setting: {model} on {datasets}.",
}


def unlike(kept: Mapping[tuple[str, str], list[HelmRun]]) -> Iterator[str]:
    """Say on which datasets the models were asked in different ways."""
    asked: dict[tuple[str, str], dict[str, str]] = {}
    for (dataset, model), runs in kept.items():
        for key in ASKED:
            value = runs[0].adapter.get(key)
            if value is not None:
                asked.setdefault((key, dataset), {}).setdefault(str(value), model)
    alike: dict[tuple[str, tuple[tuple[str, str], ...]], list[str]] = {}
    for (key, dataset), ways in asked.items():
        if len(ways) > 1:
            alike.setdefault((key, tuple(ways.items())), []).append(dataset)
    for (key, listed), datasets in alike.items():
        told = ", ".join(f"{way} for {model!r}" for way, model in listed)
        yield f"Different {key} on {listed_briefly(datasets)}: {told}."


def _runs_of(folder: Path, faults: FileFaults) -> Iterator[HelmRun]:
    """Return the run in a folder, if what is in it can be read; note what cannot."""
    path = folder / SPEC
    if not path.is_file():
        faults.add(f"{folder}: scores without {SPEC} beside them, which would say of which model and scenario they are")
        return
    spec = document(path, faults)
    if isinstance(spec, Mapping) and isinstance(spec.get("run_spec"), Mapping):
        spec = spec["run_spec"]
    said = spec if isinstance(spec, Mapping) else {}
    scenario, adapter = (_part(said, key) for key in ("scenario_spec", "adapter_spec"))
    name, model = scenario.get("class_name"), adapter.get("model") or adapter.get("model_deployment")
    if _is_name(name) and _is_name(model):
        called = _scenario(name)
        dataset = _dataset(called, scenario.get("args"))
        yield HelmRun(folder=folder, spec=said, model=model, scenario=called, dataset=dataset)
    elif spec is not None:
        faults.add(f"{path}: a run spec needs scenario_spec.class_name, and adapter_spec.model or model_deployment")


def _part(spec: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    part = spec.get(key)
    return part if isinstance(part, Mapping) else {}


def _is_name(value: Any) -> TypeGuard[str]:
    return isinstance(value, str) and bool(value.strip())


def _scenario(class_name: str) -> str:
    """Return ``mmlu`` for ``helm.benchmark.scenarios.mmlu_scenario.MMLUScenario``.

    A module that holds several scenarios is told with the class: ``commonsense.HellaSwag``.
    """
    *_, module, name = ("", *class_name.split("."))
    module, name = re.sub(r"_scenarios?$", "", module), name.removesuffix("Scenario") or name
    if module.replace("_", "").casefold() == name.replace("_", "").casefold():
        return module
    return f"{module}.{name}" if module else name


def _dataset(scenario: str, arguments: Any) -> str:
    """Return the scenario with its arguments; of the subject the value alone, first."""
    given = dict(arguments) if isinstance(arguments, Mapping) else {}
    subject = given.pop("subject", None)
    parts = [] if subject is None else [_text(subject)]
    parts += [f"{key}={_text(given[key])}" for key in sorted(given) if given[key] is not None]
    return f"{scenario}:{','.join(parts)}" if parts else scenario


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, sort_keys=True, ensure_ascii=False)
