"""``weightlab paired``, ``disagreement`` and ``changes``: studies of everyday questions, as commands of their own."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

import typer

from weightlab.cli.options import shared
from weightlab.cli.options.plot import NO_PICTURE, Picture
from weightlab.cli.options.study_registry import EVERYDAY
from weightlab.cli.options.table import Source, model_option
from weightlab.cli.options.table import models as of_table
from weightlab.cli.study.study import StudyCall, answer
from weightlab.exceptions import InputError

Csv: TypeAlias = Annotated[
    str | None, typer.Option("--csv", metavar="FILE", help="Write the rows as a table; '-' prints it.")
]
Options: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--option", metavar="NAME=VALUE", help="An option of all rules that have it, such as k=3; repeatable."
    ),
]


def paired(
    source: Source,
    model: Annotated[list[str] | None, model_option(help="One of the two models; say it twice.")] = None,
    level: Annotated[float | None, shared.level_option(help="Of the interval, 95% by default.")] = None,
    over: Annotated[
        str | None, typer.Option("--over", metavar="WHAT", help="groups: compare whole groups of tasks.")
    ] = None,
    repeats: Annotated[
        int | None, typer.Option("--repeats", metavar="N", help="At most N random flips; 10,000 by default.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option("--seed", metavar="N", min=0, help="Seed of the flips, 0 by default.")
    ] = None,
    model_column: shared.ModelColumn = None,
    instance_column: shared.InstanceColumn = None,
    csv: Csv = None,
    ends: shared.Ends = shared.HERE,
) -> None:
    """Test whether one model is better than another, on the same tasks or the same instances of one task.

    Examples
    --------
    weightlab paired -m SVC -m MLP --tasks @accuracy
    weightlab paired superglue.csv --model T5 --model NEZHA-Plus
    weightlab paired answers.csv --model-column system --instance-column question -m x -m yy
    """
    named = model or []
    if len(named) != 2:
        raise InputError(f"two models are compared: give --model twice; got {len(named)}")
    given = {"model": named[0], "rival": named[1], "over": over, "level": level, "repeats": repeats, "rng": seed}
    call = StudyCall.of("paired", EVERYDAY["paired"], rules=(), options=(), given=given)
    columns = (model_column, instance_column)
    answer("paired", call, source, ends, csv=csv, columns=columns, models=("model", "rival"))


def disagreement(
    source: Source,
    rules: Annotated[
        list[str] | None,
        shared.rule_option(
            help="One of the two rules, as in borda or borda:ties=max; say it twice.", autocompletion=shared.rules
        ),
    ] = None,
    ties: shared.Ties = None,
    missing: shared.Missing = None,
    options: Annotated[
        list[str] | None,
        typer.Option(
            "--option",
            metavar="NAME=VALUE",
            help="norm=linf for the largest change of a weight, reconcile=no for pairs alone, or an option of both "
            "rules; repeatable.",
        ),
    ] = None,
    csv: Csv = None,
    picture: Picture = NO_PICTURE,
    ends: shared.Ends = shared.HERE,
) -> None:
    """Find the pairs of models on which two rules disagree, and the least change of weights that reconciles them.

    Examples
    --------
    weightlab disagreement --rule mean --rule borda --tasks @accuracy
    weightlab disagreement superglue.csv --complete --rule mean --rule copeland
    """
    given = {"ties": ties, "missing": missing, "time_limit": ends.time_limit}
    study = EVERYDAY["disagreement"]
    call = StudyCall.of("disagreement", study, rules=rules or [], options=options or [], given=given)
    found: Any = answer("disagreement", call, source, ends, picture=picture, csv=csv)
    if any(one.reconciled is not None and one.reconciled.unsettled for one in found):
        raise typer.Exit(3)


def changes(
    source: Source,
    rules: Annotated[
        list[str] | None,
        shared.rule_option(help="A rule, as in borda or borda:ties=max; repeatable.", autocompletion=shared.rules),
    ] = None,
    ranked: Annotated[
        list[str] | None,
        typer.Option(
            "--ranked",
            metavar="NAME",
            help="Rank this model, and add by itself each that is not named; repeatable.",
            autocompletion=of_table,
        ),
    ] = None,
    ties: shared.Ties = None,
    missing: shared.Missing = None,
    options: Options = None,
    csv: Csv = None,
    jobs: shared.Jobs = 1,
    ends: shared.Ends = shared.HERE,
) -> None:
    """Take each model away by itself, and count the pairs of others whose order changes by each of several rules.

    Examples
    --------
    weightlab changes --tasks @accuracy --rule mean --rule borda
    weightlab changes superglue.csv --complete
    weightlab changes superglue.csv --complete --rule borda --ranked T5 --ranked NEZHA-Plus
    """
    given: dict[str, Any] = {"ties": ties, "missing": missing, "models": ranked, "n_jobs": jobs}
    call = StudyCall.of("changes", EVERYDAY["changes"], rules=rules or [], options=options or [], given=given)
    answer("changes", call, source, ends, csv=csv, models=("models",))
