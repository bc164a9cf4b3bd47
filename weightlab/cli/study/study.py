"""``weightlab study``: the experiments of the papers, by name."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Annotated, Any, Self, cast

import pandas as pd
import typer

from weightlab._files import write_whole
from weightlab._result import Frozen, Result, told_of
from weightlab._text import listed, shown
from weightlab.cli.inputs.gaps import of_whole
from weightlab.cli.inputs.names import meant
from weightlab.cli.inputs.study_source import read_source
from weightlab.cli.options import shared
from weightlab.cli.options.plot import NO_PICTURE, Picture
from weightlab.cli.options.rules import note_gaps, note_left_out, options_from, rule_from, values_from
from weightlab.cli.options.study_registry import MOVED, STUDIES, Study, StudyInput, study_named
from weightlab.cli.options.table import Source
from weightlab.cli.study.moved import moved
from weightlab.cli.terminal.documents import ensure_apart, put_document
from weightlab.cli.terminal.show import NOTES, Bar, say, table
from weightlab.data import Leaderboard
from weightlab.exceptions import InputError
from weightlab.report.text.result_tables import frame_rows, with_index
from weightlab.rules import RULES, Rule, rule
from weightlab.rules.ranking import own_rule_name
from weightlab.studies import UserRanking, rank_sets
from weightlab.studies.question import AVERAGES, questions


def study(
    source: Source,
    name: Annotated[
        str | None,
        typer.Argument(metavar="NAME", help="Which study; --list names them.", autocompletion=shared.studies),
    ] = None,
    listing: Annotated[
        bool, typer.Option("--list", help="List the studies; with NAME, the options of that one.")
    ] = False,
    rules: Annotated[
        list[str] | None,
        shared.rule_option(help="A rule, as in borda or borda:ties=max; repeatable.", autocompletion=shared.rules),
    ] = None,
    ties: shared.Ties = None,
    missing: shared.Missing = None,
    options: Annotated[
        list[str] | None,
        typer.Option(
            "--option", metavar="NAME=VALUE", help="An option of the study, or of all rules that have it; repeatable."
        ),
    ] = None,
    repeats: Annotated[int | None, typer.Option("--repeats", metavar="N", help="Number of random draws.")] = None,
    seed: Annotated[
        int | None, typer.Option("--seed", metavar="N", min=0, help="Seed of the draws, 0 by default.")
    ] = None,
    model_column: shared.ModelColumn = None,
    instance_column: shared.InstanceColumn = None,
    csv: Annotated[
        str | None,
        typer.Option("--csv", metavar="FILE", help="Write every draw (or the summary) as a table; '-' prints it."),
    ] = None,
    picture: Picture = NO_PICTURE,
    jobs: Annotated[
        int | None, typer.Option("--jobs", "-j", metavar="N", help="Processes, 1 by default; -1 for all cores.")
    ] = None,
    ends: shared.Ends = shared.HERE,
) -> None:
    """Run an experiment of the papers on a table of your own.

    Examples
    --------
    weightlab study --list
    weightlab study agreement superglue.csv --complete --option reference=mean
    weightlab study bootstrap superglue.csv --complete --rule borda --rule mean --repeats 500 --jobs -1
    weightlab study bootstrap answers.csv --model-column system --instance-column question
    weightlab study flips helm_long.csv --option by=accuracy
    weightlab study irrelevant-models superglue.csv --complete --json > proof.json
    """
    if name is not None and (new := MOVED.get(name.replace("_", "-"))):
        raise InputError(moved(name, new, NOTES.call))
    if listing:
        print_list(name, as_json=ends.as_json)
        return
    if name is None:
        raise InputError("name a study; 'weightlab study --list' lists them")
    title, chosen = study_named(name)
    given = {"ties": ties, "missing": missing, "time_limit": ends.time_limit}
    drawn = {"repeats": repeats, "rng": seed, "n_jobs": jobs}
    call = StudyCall.of(title, chosen, rules=rules or [], options=options or [], given={**given, **drawn})
    picture.ensure_drawable(title, {one: known.function for one, known in STUDIES.items()}, len(list(call.keywords())))
    answer(f"study {title}", call, source, ends, picture=picture, csv=csv, columns=(model_column, instance_column))


def answer(
    command: str,
    call: StudyCall,
    source: Source,
    ends: shared.Ends,
    *,
    picture: Picture = NO_PICTURE,
    csv: str | None = None,
    columns: tuple[str | None, str | None] = (None, None),
    models: Sequence[str] = (),
) -> tuple[Result, ...]:
    """Ask a study of a source, and show, write and return what it says; ``models`` are settings that name models."""
    if ends.as_json and csv == "-":
        raise InputError("--json and --csv - would both print on standard output; write one of them to a file")
    written = {"--csv": csv, "--output": ends.output}
    ensure_apart(written, source.file, source.config)
    picture.ensure(source, written)
    read, origin = read_source(call.study.reads, source, columns=columns)
    if models:
        call = call.of_models(models, cast("Any", read).models)
    if isinstance(read, Leaderboard):
        note_gaps(read, *call.asked(read))
    found, whole, _ = of_whole(partial(_results, call, silent=ends.as_json), cast("Any", read), source)
    origin = origin if whole is read else origin | {"complete": True}
    if csv is not None and csv != "-":
        write_whole((csv, csv_of(found)))
    printed = put_document(command, found, source, ends, origin=origin)
    if csv == "-":
        NOTES.aside()
        sys.stdout.write(csv_of(found))
    elif not printed:
        print_results(found)
    picture.save(found[0])
    for one in found:
        note_left_out(getattr(one, "left_out", {}))
    return found


# From the options of a command to the call of a function of `weightlab.studies`.

WORDS = {
    "missing": "--missing",
    "n_jobs": "--jobs",
    "repeats": "--repeats",
    "rng": "--seed",
    "ties": "--ties",
    "time_limit": "--time-limit",
}
"""How the command line calls what a study may have no use for."""


class StudyCall(Frozen, eq=True):
    """A study with its options.

    Attributes
    ----------
    name : str
        Of the study.
    study : Study
        The study.
    rules : tuple of Rule or str
        As they were named, averages by group as names; none for those of the study.
    settings : dict from str to object
        Keywords of the function, except the rules.
    rule_options : dict from str to object
        For all rules that have them.
    """

    name: str
    study: Study
    rules: tuple[Rule | str, ...]
    settings: Mapping[str, Any]
    rule_options: Mapping[str, Any]

    @classmethod
    def of(
        cls, name: str, study: Study, *, rules: Sequence[str], options: Sequence[str], given: Mapping[str, Any]
    ) -> Self:
        """Return the call that options make; ``given`` are those with a name of their own, None where not given.

        Raises
        ------
        InputError
            If the study has no use for an option, lacks one, or cannot read its value.
        """
        chosen = tuple(_rule(one) for one in rules)
        _ensure_as_many_rules(name, study, chosen)
        known = {one: value for one, value in given.items() if value is not None}
        if known.get("n_jobs") == 0:
            raise InputError("--jobs must be 1 or more, or negative to leave cores free (-1: all cores); got 0")
        settings = {one: value for one, value in known.items() if study.takes(one)}
        values = {one: str(value) for one, value in known.items() if not study.takes(one)}
        for one, text in values_from(list(options)).items():
            if one in study.settings:
                with told_of(f"--option {one}={text}", InputError):
                    settings[one] = study.settings[one](text)
            else:
                values[one] = text
        _ensure_complete(name, study, settings)
        named = [one for one in chosen if isinstance(one, Rule)]
        asked = named if chosen else [rule(one) for one in study.default_rules]
        if "missing" in settings and any("missing" in one.parameters for one in asked):
            values["missing"] = str(settings["missing"])
        if study.takes("rng"):
            settings.setdefault("rng", 0)
        own = _rule_options(name, study, values, asked)
        return cls(name=name, study=study, rules=chosen, settings=settings, rule_options=own)

    def of_models(self, names: Sequence[str], known: Sequence[str]) -> Self:
        """Return the call with the models that are meant by settings of these names, of those of the source."""
        named = {one: self.settings[one] for one in names if one in self.settings}
        whole = {
            one: meant(given, known, "model")
            if isinstance(given, str)
            else [meant(each, known, "model") for each in given]
            for one, given in named.items()
        }
        return replace(self, settings={**self.settings, **whole})

    @property
    def steps(self) -> int | None:
        """Number of draws, where draws are counted."""
        if not self.study.takes("repeats"):
            return None
        return int(self.settings.get("repeats", self.study.parameters["repeats"].default))

    def asked(self, board: Leaderboard) -> list[Rule]:
        """Return the rules for a table, with their options; none if they are incompatible."""
        own = own_rule_name(board) if self.study.function is rank_sets else "mean"
        named = self.rules or self.study.default_rules or [own] * self.study.takes("options")
        with suppress(InputError):
            found = questions(named, options=self.rule_options).values()
            return [one.rule for one in found if one.rule is not None]
        return []

    def keywords(self) -> Iterator[dict[str, Any]]:
        """Yield the keywords of each call: one for each rule where the study takes one."""
        shared = dict(self.settings)
        if self.rule_options:
            shared["options"] = dict(self.rule_options)
        if self.study.takes("rule") and self.rules:
            yield from ({**shared, "rule": one} for one in self.rules)
        elif self.study.takes("rule_a"):
            yield {**shared, "rule_a": self.rules[0], "rule_b": self.rules[1]}
        elif self.study.takes("rules") and self.rules:
            yield {**shared, "rules": list(self.rules)}
        else:
            yield shared


def _results(call: StudyCall, source: Any, *, silent: bool) -> tuple[Result, ...]:
    """Return the result of the study, with a progress bar on a terminal."""
    found = []
    for keywords in call.keywords():
        if not call.study.takes("progress"):
            found.append(_result(call.study, source, keywords))
            continue
        with Bar(call.name, call.steps, silent=silent) as bar:
            found.append(_result(call.study, source, {**keywords, "progress": bar.advance}))
    return tuple(found)


def _result(study: Study, source: Any, keywords: dict[str, Any]) -> Result:
    """Call the function: the source and single rules in places, the rest by name."""
    places = [keywords.pop(name) for name in ("rule", "rule_a", "rule_b") if name in keywords]
    read = [] if study.reads is StudyInput.NOTHING else [source]
    found: Result = study.function(*read, *places, **keywords)
    return found


def _rule(text: str) -> Rule | str:
    """Return a rule of the registry with its options, or the name of an average by group."""
    name = text.replace("-", "_")
    return name if name in AVERAGES else rule_from(text, {})


def _called(name: str) -> str:
    return f"the study {name}" if name in STUDIES else name


def _ensure_as_many_rules(name: str, study: Study, chosen: Sequence[Rule | str]) -> None:
    if study.takes("rule_a"):
        if len(chosen) != 2:
            raise InputError(f"{_called(name)} compares two rules; give --rule twice, not {len(chosen)} times")
    elif chosen and not (study.takes("rules") or study.takes("rule")):
        raise InputError(f"{_called(name)} does not take a rule; leave out --rule")


def _ensure_complete(name: str, study: Study, settings: Mapping[str, Any]) -> None:
    for one in study.needed:
        if one not in settings:
            raise InputError(f"the study {name} needs --option {one}=...; 'weightlab study {name} --list' explains")


def _rule_options(name: str, study: Study, values: Mapping[str, str], asked: Sequence[Rule]) -> dict[str, Any]:
    """Return options of rules as what the rules take, or raise InputError where neither they nor the study have one."""
    found: dict[str, Any] = {}
    for option, text in values.items():
        having = next((one for one in (*asked, *RULES.values()) if option in one.parameters), None)
        if having is None or not study.takes("options"):
            own = f"; its own options are {listed(study.settings, 9)}" if study.settings else ""
            word = WORDS.get(option, f"an option {option!r}")
            raise InputError(f"{_called(name)} has no use for {word}{own}")
        with told_of(f"--option {option}={text}", InputError):
            found |= options_from(having, {option: text})
    return found


# What ``weightlab study`` prints: results, tables of draws, and the list of studies.


LONG = 30
"""Rows of a summary shown; a file can have all."""
ASKS = {"rules": "several rules", "rule": "each rule by itself", "rule_a": "two rules"}


def print_results(found: Sequence[Result]) -> None:
    """Print a sentence and the summary of each result."""
    for place, one in enumerate(found):
        say(*([""] if place else []), shown(one))
        headings, rows, right = frame_rows(one.summary())
        if rows:
            say("", table(headings, rows[:LONG], right=right))
        if len(rows) > LONG:
            say(f"and {len(rows) - LONG} more rows")


def csv_of(found: Sequence[Result]) -> str:
    """Return every draw of the results as one table; of a result without draws the summary."""
    frames = []
    for one in found:
        frame = one.draws if hasattr(one, "draws") else with_index(one.summary())
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
        NOTES.aside()
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
