"""``weightlab study``, the papers' experiments by name, and those of everyday questions as commands of their own."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from weightlab._text import shown
from weightlab.cli import lazy
from weightlab.cli.options.shared import (
    EXPERT,
    HERE,
    Ends,
    InstanceColumn,
    Jobs,
    Level,
    Many,
    Missing,
    ModelColumn,
    RuleOptions,
    Ties,
    Views,
    opt,
    rules,
)
from weightlab.cli.options.table import Source, model_option
from weightlab.cli.options.table import models as of_table
from weightlab.cli.terminal.answered import put_text
from weightlab.cli.terminal.show import NOTES, Bar
from weightlab.exceptions import InputError

if TYPE_CHECKING:
    import pandas as pd

    from weightlab._result import Result
    from weightlab.cli.inputs.known_studies import Study, StudyCall
    from weightlab.views.view import View

Rules = Annotated[
    Many, opt("--rule -r RULE", "A rule, as in borda or borda:ties=max. Repeatable.", autocompletion=rules)
]
Repeats = Annotated[int | None, opt("--repeats N", "Number of random draws.")]
Seed = Annotated[int | None, opt("--seed N", "Random seed, 0 by default.", EXPERT, min=0)]
ASKS = {"rules": "several rules", "rule": "each rule by itself", "rule_a": "two rules"}


def names(incomplete: str) -> list[str]:
    """Return the names of studies that begin so."""
    from weightlab.cli.inputs.known_studies import STUDIES

    return [name for name in STUDIES if name.startswith(incomplete)]


def study(
    source: Source,
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="Which study; --list names them.", autocompletion=names)
    ] = None,
    listing: Annotated[bool, opt("--list", "List the studies; with NAME, the options of that one.")] = False,
    rules: Rules = None,
    ties: Ties = None,
    missing: Missing = None,
    options: Annotated[
        Many, opt("--option NAME=VALUE", "An option of the study, or of all rules that have it. Repeatable.")
    ] = None,
    repeats: Repeats = None,
    seed: Seed = None,
    model_column: ModelColumn = None,
    instance_column: InstanceColumn = None,
    jobs: Annotated[int | None, opt("--jobs -j N", "Number of processes; -1 for all cores.", EXPERT)] = None,
    ends: Ends = HERE,
) -> Views:
    """Run an experiment of the papers on a table of your own; --output FILE.csv has every draw.

    Examples
    --------
    weightlab study --list
    weightlab study bootstrap superglue.csv --complete --rule borda --rule mean --repeats 500 --jobs -1
    weightlab study agreement superglue.csv --complete --option reference=mean
    weightlab study bootstrap answers.csv --model-column system --instance-column question
    weightlab study flips helm_long.csv --option by=accuracy
    weightlab study irrelevant-models superglue.csv --complete --json > proof.json
    """
    from weightlab.cli.inputs.known_studies import MOVED, StudyCall, study_named
    from weightlab.cli.inputs.moved import moved

    if name is not None and (new := MOVED.get(name.replace("_", "-"))):
        raise InputError(moved(name, new, NOTES.call))
    if listing:
        yield from _listed(name, as_json=ends.as_json)
        return
    if name is None:
        raise InputError("name a study; 'weightlab study --list' lists them")
    chosen = study_named(name)
    given = {"ties": ties, "missing": missing, "time_limit": ends.time_limit}
    given |= {"repeats": repeats, "rng": seed, "n_jobs": jobs}
    call = StudyCall.of(chosen, rules=rules or [], options=options or [], given=given)
    if ends.plot is not None:
        _ensure_drawable(chosen, len(call.rules) if chosen.takes("rule") else 1)
    NOTES.origin["command"] = f"study {chosen.name}"
    yield from _views(call, source, columns=(model_column, instance_column))


def paired(
    source: Source,
    model: Annotated[Many, model_option("One of the two models; say it twice.")] = None,
    level: Level = None,
    over: Annotated[str | None, opt("--over WHAT", "groups: compare whole groups of tasks.")] = None,
    repeats: Repeats = None,
    seed: Seed = None,
    model_column: ModelColumn = None,
    instance_column: InstanceColumn = None,
    ends: Ends = HERE,
) -> Views:
    """Test whether one model is better than another, on the same tasks or the same instances of one task.

    Examples
    --------
    weightlab paired -m SVC -m MLP --tasks @accuracy
    weightlab paired superglue.csv --model T5 --model NEZHA-Plus
    weightlab paired answers.csv --model-column system --instance-column question -m x -m yy
    """
    del ends
    named = model or []
    if len(named) != 2:
        raise InputError(f"two models are compared: give --model twice; got {len(named)}")
    given = {"model": named[0], "rival": named[1], "over": over, "level": level, "repeats": repeats, "rng": seed}
    yield from _everyday("paired", source, given, ("model", "rival"), columns=(model_column, instance_column))


def disagreement(
    source: Source,
    rules: Rules = None,
    ties: Ties = None,
    missing: Missing = None,
    options: Annotated[
        Many,
        opt("--option NAME=VALUE", "norm=linf, reconcile=no for pairs alone, or an option of both rules. Repeatable."),
    ] = None,
    ends: Ends = HERE,
) -> Views:
    """Find the pairs of models on which two rules disagree, and the least change of weights that reconciles them.

    Examples
    --------
    weightlab disagreement --rule mean --rule borda --tasks @accuracy
    weightlab disagreement superglue.csv --complete --rule mean --rule copeland
    """
    given = {"ties": ties, "missing": missing, "time_limit": ends.time_limit}
    unsettled = False
    for view in _everyday("disagreement", source, given, rules=rules or (), options=options or ()):
        found: list[Any] = list(view.results)
        unsettled = any(one.reconciled is not None and one.reconciled.unsettled for one in found)
        yield view
    if unsettled:
        raise typer.Exit(3)


def changes(
    source: Source,
    rules: Rules = None,
    ranked: Annotated[
        Many,
        opt("--ranked NAME", "Rank this model, and add each other by itself. Repeatable.", autocompletion=of_table),
    ] = None,
    ties: Ties = None,
    missing: Missing = None,
    options: RuleOptions = None,
    jobs: Jobs = 1,
    ends: Ends = HERE,
) -> Views:
    """Take each model away by itself, and count the pairs of others whose order changes by each of several rules.

    Examples
    --------
    weightlab changes superglue.csv --complete
    weightlab changes superglue.csv --complete --rule borda --ranked T5 --ranked NEZHA-Plus
    weightlab changes --tasks @accuracy --rule mean --rule borda
    """
    del ends
    given: dict[str, Any] = {"ties": ties, "missing": missing, "models": ranked, "n_jobs": jobs}
    yield from _everyday("changes", source, given, ("models",), rules=rules or (), options=options or ())


def _everyday(
    name: str,
    source: Source,
    given: Mapping[str, Any],
    models: Sequence[str] = (),
    *,
    rules: Sequence[str] = (),
    options: Sequence[str] = (),
    columns: tuple[str | None, str | None] = (None, None),
) -> Iterator[View]:
    from weightlab.cli.inputs.known_studies import Study, StudyCall

    call = StudyCall.of(Study(name), rules=rules, options=options, given=given)
    yield from _views(call, source, columns=columns, models=models)


def _views(
    call: StudyCall, source: Source, *, columns: tuple[str | None, str | None], models: Sequence[str] = ()
) -> Iterator[View]:
    """Yield what a study says of a source; ``models`` are settings that name models."""
    from weightlab.cli.options.rules import note_gaps, note_left_out

    read: Any = _read(call.study.reads, source, columns)
    if models:
        call = call.of_models(models, read.models)
    if isinstance(read, lazy.data.Leaderboard):
        note_gaps(read, *call.asked(read))

    def ask(data: Any) -> list[Result]:
        with Bar(call.study.name if call.study.takes("progress") else "", call.steps) as bar:
            return list(call.results(data, bar.advance))

    found, _ = lazy.of_whole(ask, read)
    for place, one in enumerate(found):
        table = lazy.Table.of_frame(one.summary(), one.kind.replace("_", " ").capitalize())
        files = dict.fromkeys((".csv", ".tsv"), str) if place else lazy.frame_files(lambda: _draws(found))
        yield lazy.View(headline=str(one), blocks=[table], results=[one], picture=one, files=files)
    for one in found:
        note_left_out(getattr(one, "left_out", {}))


def _read(reads: str, source: Source, columns: tuple[str | None, str | None]) -> Any:
    """Read what a study is about."""
    from weightlab.cli.inputs.known_studies import BOTH, NOTHING, SUITE

    named = any(one is not None for one in columns)
    if reads == NOTHING:
        if source.file is not None or named:
            raise InputError("this study reads nothing: it draws its scores; leave out FILE")
        return None
    if named and reads != BOTH:
        raise InputError(f"--model-column and --instance-column are of instances; this study reads {reads}")
    if named:
        if source.file is None:
            raise InputError("this needs an instance-level FILE")
        if source.complete:
            raise InputError("--complete applies to a score table or a suite; use --missing for instances")
        NOTES.origin["columns"] = dict(zip(("model", "instance"), columns, strict=True))
        return lazy.read_on_instances(source, columns)
    return lazy.read_long(source) if reads == SUITE else lazy.read_table(source, gaps_are_ties=False)


def _ensure_drawable(chosen: Study, count: int) -> None:
    """Check that there is a picture of what a study returns, and that there is one result."""
    from weightlab.cli.inputs.known_studies import STUDIES, Study
    from weightlab.plots import PICTURES

    takes = {one.__name__ for picture in PICTURES.values() for one in picture.types}
    # Annotations are text: what they name need not be there when the program runs.
    able = [one for one in STUDIES if str(Study(one).function.__annotations__["return"]).rpartition(".")[2] in takes]
    if chosen.name not in able:
        raise InputError(f"--plot: the study {chosen.name} has no picture; there are pictures of {', '.join(able)}")
    if count > 1:
        raise InputError(f"--plot: {count} rules are {count} pictures; ask for one rule at a time")


def _draws(found: Sequence[Any]) -> pd.DataFrame:
    """Return every draw of the results as one table; of a result without draws the summary."""
    import pandas as pd

    from weightlab.views.view import with_index

    frames: list[pd.DataFrame] = []
    for one in found:
        frame = one.draws if hasattr(one, "draws") else with_index(one.summary())
        if len(found) > 1:  # studies that ask one rule after the other
            by = one.basic.rule if isinstance(one, lazy.studies.UserRanking) else one.question.name
            frame = frame.assign(rule=str(by))
        frames.append(frame)
    whole: pd.DataFrame = pd.concat(frames, ignore_index=True)
    return whole


def _listed(name: str | None, *, as_json: bool) -> Iterator[View]:
    """Yield the studies that there are, or what one of them takes."""
    from weightlab.cli.inputs.known_studies import STUDIES, Study, study_named

    chosen = [Study(one) for one in STUDIES] if name is None else [study_named(name)]
    if as_json:
        entries = [
            {"name": one.name, "reads": one.reads, "answers": STUDIES[one.name], **_lists(one)} for one in chosen
        ]
        put_text(f"{json.dumps(entries, ensure_ascii=False, indent=1)}\n")
    elif name is None:
        rows = [(one.name, one.reads, STUDIES[one.name]) for one in chosen]
        yield lazy.View(blocks=[lazy.Table(["study", "reads", "answers"], rows, (), "Studies", None)])
    else:
        told = (f"{chosen[0].name}: {STUDIES[chosen[0].name]}", f"Reads {chosen[0].reads}.")
        lines = list(_option_rows(chosen[0]))
        yield lazy.View(headline=told, blocks=[lazy.Table(["option", "value"], lines, (), "Options", None)])


def _option_rows(known: Study) -> Iterator[tuple[str, str]]:
    asks = next((words for parameter, words in ASKS.items() if known.takes(parameter)), None)
    if asks is not None:
        rules_ = ", ".join(known.rules)
        yield "--rule", f"{asks}; by default {rules_}" if rules_ else f"{asks}; must be given"
    yield from ((f"--option {one}=", _default(known, one)) for one in known.settings)
    if known.takes("repeats"):
        yield "--repeats", _default(known, "repeats")


def _default(known: Study, name: str) -> str:
    if name in known.needed:
        return "must be given"
    default = known.parameters[name].default
    if default is None:
        return "by default as the study says"
    return f"by default {','.join(map(shown, default)) if isinstance(default, tuple) else shown(default)}"


def _lists(known: Study) -> dict[str, list[str]]:
    return {"options": [*known.settings], "needed": [*known.needed], "rules": [*known.rules]}
