"""Options for joint rank intervals, and the table they use."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, Any

import typer

from weightlab._text import level_text, shown
from weightlab.cli.inputs.bounds import bounds_of
from weightlab.cli.inputs.study_source import read_on_instances
from weightlab.cli.inputs.tables import read_ranked
from weightlab.cli.options import shared
from weightlab.cli.options.table import Source
from weightlab.cli.terminal.documents import ensure_apart, put_text
from weightlab.data import Instances, Leaderboard, Margins, Profile
from weightlab.exceptions import InputError
from weightlab.lp import WeightSpace
from weightlab.rules import Ranking
from weightlab.studies import Effects, RankSets, rank_sets
from weightlab.studies.confidence.effects import SYMBOLS, effects_of, refuse_many
from weightlab.studies.confidence.letters import READABLE
from weightlab.studies.confidence.rank_sets import ASKED

TEX = ".tex"
"""The extension of a table for a paper."""
PICTURES = ("rank_intervals", "cd", "firmness")
"""Pictures of rank sets."""


@dataclass(frozen=True, kw_only=True)
class RankSetOptions:
    """Level and source of variation of rank sets; each field is an option."""

    level: Annotated[
        float | None, shared.level_option(help="Tell ranks that hold for all models together, such as at 95%.")
    ] = None
    over: Annotated[
        str | None,
        typer.Option(
            "--over",
            metavar="WHAT",
            help="With --level, what varies: tasks (votes of votes), groups, instances, both or standard_errors.",
        ),
    ] = None
    seed: Annotated[
        int | None, typer.Option("--seed", metavar="N", min=0, help="With --level, seed of the draws, 0 by default.")
    ] = None
    model_column: shared.ModelColumn = None
    instance_column: shared.InstanceColumn = None

    def tested(self, _data: Any, /) -> dict[str, Any]:
        """Return the method that is asked for instead of the table's own, and its bounds, as keywords; none here."""
        return {}

    @property
    def columns(self) -> tuple[str | None, str | None]:
        """The columns of models and of instances, where they are named."""
        return self.model_column, self.instance_column

    def read(self, source: Source) -> Leaderboard | Profile | Margins | Instances:
        """Read instances where they vary or their columns are named, else what a rule reads."""
        if self.level is None and any(one is not None for one in (self.over, self.seed, *self.columns)):
            raise InputError(
                "--over, --seed, --model-column and --instance-column require --level, such as --level 0.95"
            )
        if self.over in ("instances", "both") or any(self.columns):
            if source.file is None:
                raise InputError("this needs an instance-level FILE")
            return read_on_instances(source, self.columns)
        return read_ranked(source)

    def origin(self, source: Source, data: object) -> dict[str, Any]:
        """Return how the table was read, as a document says it."""
        named = {"columns": dict(zip(("model", "instance"), self.columns, strict=True))}
        return source.options() | (named if isinstance(data, Instances) else {})

    def sets(
        self, data: Leaderboard | Profile | Margins | Instances, found: Ranking, space: WeightSpace | None = None
    ) -> RankSets | None:
        """Return the sets of ranks by the rule of a ranking, None where they are not asked for."""
        if self.level is None:
            return None
        if isinstance(data, Profile):
            raise InputError("--level needs scores on tasks, or votes; this file holds orders")
        grouped = found.preparation.how == "grouped"
        if grouped and (found.rule.name != "mean" or len(set(found.preparation.group_weights.values())) > 1):
            raise InputError("with --groups, --level requires --rule mean and groups of equal weight")
        asked = "macro_average" if grouped else found.rule
        over: Any = None if self.over is None else self.over.replace("-", "_")
        return rank_sets(data, asked, over=over, level=self.level, rng=self.seed or 0, space=space, **self.tested(data))


@dataclass(frozen=True, kw_only=True)
class PaperOptions(RankSetOptions):
    """Rank sets with what a paper shows of them; each field is an option."""

    method: Annotated[
        str | None,
        typer.Option(
            "--method",
            metavar="METHOD",
            help="With --level: bounded (sure on few tasks, and wide), or a test of average ranks: nemenyi (after "
            "Friedman) or wilcoxon (with Holm).",
            callback=shared.one_of("--method", ASKED),
            autocompletion=shared.words(*ASKED),
        ),
    ] = None
    between: Annotated[
        list[str] | None,
        typer.Option(
            "--between",
            metavar="[TASK=]LOW:HIGH",
            help="With --method bounded, by the mean: range of the scores, such as 0:100, or of a task. Repeatable.",
        ),
    ] = None
    equivalent: Annotated[
        float | None,
        typer.Option(
            "--equivalent",
            metavar="DIFFERENCE",
            help="With --level, pairs whose whole interval is within this, in the rule's points or score a task.",
        ),
    ] = None
    effect_size: Annotated[
        str | None,
        typer.Option(
            "--effect-size",
            metavar="MEASURE",
            help="With --level, effect sizes: cohen_d (the default of tables for papers) or akinshin_gamma.",
            callback=shared.one_of("--effect-size", tuple(SYMBOLS)),
            autocompletion=shared.words(*SYMBOLS),
        ),
    ] = None
    plot_kind: Annotated[
        str | None,
        typer.Option(
            "--plot-kind",
            metavar="KIND",
            help="With --plot: firmness (of first place); with --level rank_intervals, the default, or cd, a "
            "critical-difference diagram.",
            callback=shared.one_of("--plot-kind", PICTURES),
            autocompletion=shared.words(*PICTURES),
        ),
    ] = None

    def tested(self, data: Any, /) -> dict[str, Any]:
        """Return the method that is asked for instead of the table's own, and its bounds, as keywords."""
        bounds = bounds_of(self.between, data) if isinstance(data, Leaderboard) else self.between
        return {"method": self.method, "bounds": bounds}

    def ensure(self, plot: str | None) -> None:
        """Raise InputError for an option without the one that it belongs to."""
        if self.level is None and any((self.method, self.between, self.equivalent is not None, self.effect_size)):
            raise InputError(
                "--method, --between, --equivalent and --effect-size require --level, such as --level 0.95"
            )
        if self.equivalent is not None and not self.equivalent > 0:
            raise InputError(f"--equivalent must be a number above 0; got {self.equivalent:g}")
        if self.plot_kind is not None and (plot is None or (self.level is None and self.plot_kind != "firmness")):
            raise InputError("--plot-kind requires --plot FILE and, for rank intervals, --level, such as 95%")

    def of_paper(self, ends: shared.Ends) -> bool:
        """Return whether a table for a paper is to be written."""
        return ends.output is not None and ends.output.lower().endswith(TEX)

    def few(self, data: Any, ends: shared.Ends) -> Any:
        """Return the data, or raise InputError, before sets are drawn, where effect sizes are not of so many models."""
        asked = self.equivalent is not None or self.effect_size is not None or self.of_paper(ends)
        if asked and isinstance(data, Leaderboard):
            refuse_many(data.models)
        return data

    def effects(
        self, data: object, found: RankSets | None, source: Source, ends: shared.Ends
    ) -> tuple[Effects | None, shared.Ends]:
        """Return effect sizes where they, a margin or LaTeX are asked for, which is written, and the other ends.

        Raises
        ------
        InputError
            If LaTeX is to be written and no level is given, or what varies is not the tasks.
        """
        of_paper = self.of_paper(ends)
        if of_paper and found is None:
            raise InputError(f"--output {ends.output!r}: a table for a paper needs --level, such as --level 95%")
        if found is None or (self.equivalent is None and self.effect_size is None and not of_paper):
            return None, ends
        measure: Any = self.effect_size or "cohen_d"
        sizes = effects_of(found, data, margin=self.equivalent, effect_size=measure)
        if of_paper:
            ensure_apart({"--output": ends.output}, source.file, source.config)
            put_text(sizes.to_latex(), ends.output)
            ends = replace(ends, output=None)
        return sizes, ends


POINT, BARE = RankSetOptions(), PaperOptions()
"""The table as it is: nothing varies."""


def set_cells(found: RankSets | None, model: str) -> tuple[str, ...]:
    """Return a model's set of ranks and its letters, as a table shows them; none where there are no sets."""
    if found is None:
        return ()
    low, high = found.rank_sets.get(model, ("", ""))
    letters = [str(found.classes.get(model, ""))] if _readable(found) else []
    return (str(low) if low == high else f"{low} to {high}", *letters)


def set_headings(found: RankSets | None) -> tuple[str, ...]:
    """Return the heading of those cells."""
    return () if found is None else (f"rank at {level_text(found.level)}", *(["letters"] if _readable(found) else []))


def set_lines(found: RankSets | None) -> tuple[str, ...]:
    """Return rank sets as sentences."""
    letters = " Models that share a letter are not separated."
    return () if found is None else (f"{shown(found)}{letters if _readable(found) else ''}",)


def _readable(found: RankSets) -> bool:
    return bool(found.classes.str.len().max() <= READABLE)
