"""Options for joint rank intervals, and the table they use."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from weightlab.cli import lazy
from weightlab.cli.options.shared import (
    EXPERT,
    Ends,
    InstanceColumn,
    Level,
    Many,
    ModelColumn,
    opt,
)
from weightlab.cli.options.table import Source
from weightlab.cli.terminal.show import NOTES
from weightlab.exceptions import InputError

if TYPE_CHECKING:
    from weightlab.data import Instances, Leaderboard, Margins, Profile
    from weightlab.lp import WeightSpace
    from weightlab.rules import Ranking
    from weightlab.studies import Effects, RankSets

TEX = ".tex"
"""The extension of a table for a paper."""
METHODS = ("bounded", "nemenyi", "wilcoxon")
SIZES = ("cohen_d", "akinshin_gamma")
PICTURES = ("rank_intervals", "cd", "firmness")


@dataclass(frozen=True, kw_only=True)
class Joint:
    """Level and source of variation of rank sets; each field is an option."""

    level: Level = None
    over: Annotated[
        str | None,
        opt("--over WHAT", "With --level: tasks, votes, groups, new_tasks, instances, both or standard_errors vary."),
    ] = None
    seed: Annotated[int | None, opt("--seed N", "With --level, random seed.", EXPERT, min=0)] = None
    model_column: ModelColumn = None
    instance_column: InstanceColumn = None

    def tested(self, _data: Any, /) -> dict[str, Any]:
        """Return the method that replaces the table's own, and its bounds, as keywords; none here."""
        return {}

    def read(self, source: Source) -> Leaderboard | Profile | Margins | Instances:
        """Read instances where they vary or their columns are named, else what a rule reads."""
        columns = (self.model_column, self.instance_column)
        if self.level is None and any(one is not None for one in (self.over, self.seed, *columns)):
            raise InputError(
                "--over, --seed, --model-column and --instance-column require --level, such as --level 0.95"
            )
        if self.over not in ("instances", "both") and not any(columns):
            return lazy.read_ranked(source)
        if source.file is None:
            raise InputError("this needs an instance-level FILE")
        NOTES.origin["columns"] = dict(zip(("model", "instance"), columns, strict=True))
        return lazy.read_on_instances(source, columns)

    def sets(self, data: Any, found: Ranking, space: WeightSpace | None = None) -> RankSets | None:
        """Return the sets of ranks by the rule of a ranking, None where they are not asked for."""
        if self.level is None:
            return None
        if isinstance(data, lazy.data.Profile):
            raise InputError("--level needs scores on tasks, or votes; this file holds orders")
        grouped = found.preparation.how == "grouped"
        if grouped and (found.rule.name != "mean" or len(set(found.preparation.group_weights.values())) > 1):
            raise InputError("with --groups, --level requires --rule mean and groups of equal weight")
        options: dict[str, Any] = {"over": None if self.over is None else self.over.replace("-", "_"), "space": space}
        options |= {"level": self.level, "rng": self.seed or 0, **self.tested(data)}
        return lazy.studies.rank_sets(data, "macro_average" if grouped else found.rule, **options)


@dataclass(frozen=True, kw_only=True)
class Paper(Joint):
    """Rank sets with what a paper shows of them; each field is an option."""

    method: Annotated[
        str | None, opt("--method METHOD", "With --level: bounded, or a test of average ranks.", EXPERT, known=METHODS)
    ] = None
    between: Annotated[
        Many,
        opt(
            "--between [TASK=]LOW:HIGH",
            "With --method bounded: range of the scores, such as 0:100. Repeatable.",
            EXPERT,
        ),
    ] = None
    equivalent: Annotated[
        float | None, opt("--equivalent DIFFERENCE", "With --level, pairs whose whole interval is within this.", EXPERT)
    ] = None
    effect_size: Annotated[
        str | None, opt("--effect-size MEASURE", "With --level: cohen_d or akinshin_gamma.", EXPERT, known=SIZES)
    ] = None
    plot_kind: Annotated[
        str | None, opt("--plot-kind KIND", "With --plot: rank_intervals, cd or firmness.", EXPERT, known=PICTURES)
    ] = None

    def tested(self, data: Any, /) -> dict[str, Any]:
        """Return the method that replaces the table's own, and its bounds, as keywords."""
        bounds = lazy.bounds_of(self.between, data) if isinstance(data, lazy.data.Leaderboard) else self.between
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

    def effects(self, data: Any, found: RankSets | None, ends: Ends) -> Effects | None:
        """Return effect sizes if they, a margin or a table for a paper are requested."""
        of_paper = found is not None and (ends.output or "").lower().endswith(TEX)
        if found is None or not (self.equivalent is not None or self.effect_size is not None or of_paper):
            return None
        from weightlab.studies.confidence.effects import effects_of

        measure: Any = self.effect_size or "cohen_d"
        return effects_of(found, data, margin=self.equivalent, effect_size=measure)

    def few(self, data: Any, ends: Ends) -> Any:
        """Return the data, or raise InputError, before sets are drawn, if effect sizes allow fewer models."""
        of_paper = self.level is not None and (ends.output or "").lower().endswith(TEX)
        asked = self.equivalent is not None or self.effect_size is not None or of_paper
        if asked and isinstance(data, lazy.data.Leaderboard):
            from weightlab.studies.confidence.effects import refuse_many

            refuse_many(data.models)
        return data


POINT, BARE = Joint(), Paper()
"""The table as it is: nothing varies."""
