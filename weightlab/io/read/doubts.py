"""What a table's names suggest that was not declared: rows that are datasets, columns that are no scores."""

from __future__ import annotations

import re
from collections.abc import Sequence

from weightlab._text import first_few
from weightlab._validate import counted
from weightlab.exceptions import warn_caller
from weightlab.io.evaluations.results import ResultsWarning
from weightlab.io.tables.declarations import Settings

_MADE_OF_OTHERS = re.compile(
    r"(?:#|no\.|rank(?:ing)?|mean|average|avg\.?)(?:[ _-]?(?:score|rank|all|overall|\(.*\)))?[^\w()]*", re.IGNORECASE
)
"""Names such as ``#``, ``Rank (Borda)``, ``Avg.``, ``Mean (Task)``, but not ``mean absolute error``."""
_ERRORS = re.compile(r"(?<![^ _-])(?:standard[ _-]?error|std[ _-]?err(?:or)?)s?(?![^ _-])", re.IGNORECASE)
"""What stands as a word of its own in ``standard_error`` and ``lc_std_err``."""
_OF_DATASETS = {"dataset", "datasets", "data set", "task", "tasks", "benchmark", "problem"}
_DATASETS = frozenset(
    re.findall(
        r"\w+",
        """adult airlines albert amazonemployeeaccess apsfailure australian bankmarketing bloodtransfusion car christine
    cnae9 connect4 covertype creditg dilbert dionis fabert fashionmnist guillermo guiellermo helena higgs jannis jasmine
    junglechess kc1 kddcup09appetency krvskp mfeatfactors miniboone nomao numerai286 phoneme riccardo robert segment
    shuttle sylvine vehicle volkert iris wine mnist cifar10 cifar100 imagenet svhn squad boolq cola mrpc rte wnli qnli
    mnli sst2 stsb qqp copa cb wic multirc hellaswag winogrande arceasy arcchallenge mmlu gsm8k truthfulqa piqa
    humaneval mbpp ifeval bbh gpqa musr triviaqa naturalquestions auslan arabicdigits cmusubject16 ecg ecg200 ecg5000
    japanesevowels libras netflow pems pendigits uwave wafer gunpoint coffee adiac etth ettm etth1 ettm1 electricity
    traffic weather dominick""",
    )
)
"""Known datasets by their names in small letters, without signs."""


def warn_of_doubts(first: str, models: Sequence[str], tasks: Sequence[str], declared: Settings) -> None:
    """Warn, of what was not declared, where rows look like datasets, and of columns that look like no scores.

    Parameters
    ----------
    first : str
        What the column of the models is called.
    models, tasks : sequences of str
        Rows and columns as they are read.
    declared : Settings
        Where ``transpose`` is declared, true or false, rows are what it says; a column that ``keep`` names, or a
        weight or direction, counts knowingly.
    """
    known = [model for model in models if re.sub(r"[\W_]", "", model).casefold() in _DATASETS]
    long = any(task.strip().casefold() in {"metric", "model"} for task in tasks)
    named = first.strip().casefold() in _OF_DATASETS and not long
    told: list[str] = []
    if "transpose" not in declared.values and (named or len(known) * (not long) > max(1, len(models) // 5)):
        some = first_few(map(repr, known if len(known) > 1 else models), 3)
        told.append(
            f"Rows are models here, and theirs look like names of datasets ({some}): transpose=True turns the table "
            "around, and 'transpose = false' in a TOML file says that they are models."
        )
    knowingly = ("keep", "lower_is_better", "higher_is_better", "weights")
    aware = {name for keyword in knowingly for name in declared.listed(keyword)}
    left = [task for task in tasks if task not in aware]
    doubts = [("Made of other columns", _MADE_OF_OTHERS.fullmatch)]
    doubts += [] if declared.values.get("standard_errors") is False else [("Standard errors", _ERRORS.search)]
    for what, found in doubts:
        if made := [task for task in left if found(task.strip())]:
            idle = f"weights={dict.fromkeys(made, 0)} takes the vote away"
            remedy = f"drop={made} leaves out what is no score of its own, keep={made} says that all are meant"
            places = [place for place in range(1, len(tasks)) if tasks[place] in made and tasks[place - 1] not in made]
            if beside := {tasks[place - 1]: tasks[place] for place in places}:
                remedy += f", or declare standard_errors={beside}" if what == "Standard errors" else ""
            counts = f"count as {counted(len(made), 'task')}" if len(made) > 1 else "counts as a task"
            told.append(
                f"{what}, to judge by the name, {first_few(map(repr, made), 9)} {counts}: "
                f"{idle if declared.values.get('transpose') else remedy}."
            )
    if told:
        warn_caller(ResultsWarning("\n".join(told)))
