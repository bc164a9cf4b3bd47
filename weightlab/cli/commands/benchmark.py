"""``weightlab audit``, ``smallest`` and ``sweep``: is a benchmark well behaved, and which of its tasks suffice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

from weightlab.cli import lazy
from weightlab.cli.options.shared import EXPERT, HERE, Ends, Jobs, Many, Missing, Views, completing, opt, own_rule
from weightlab.cli.options.table import Source
from weightlab.cli.options.weights import ANY_WEIGHTS, Conditions
from weightlab.cli.terminal.answered import ensure_apart
from weightlab.cli.terminal.show import Bar, note
from weightlab.exceptions import InputError, UnprovedError

if TYPE_CHECKING:
    from weightlab.data import Leaderboard

PATIENCE = 5.0
"""Seconds for each search that is not asked for by name, unless another limit is given."""
BREAKINGS = {"autocompletion": completing("alphabetical", "reverse", "keep")}
DROPS: Any = ("datasets", "models", "metrics")


def audit(
    source: Source,
    metrics: Annotated[Many, opt("--metrics NAMES", "Only these metrics, as with --tasks. Repeatable.")] = None,
    break_ties: Annotated[
        str, opt("--break-ties HOW", "Order of tied models: alphabetical, reverse, or keep ties.", **BREAKINGS)
    ] = "alphabetical",
    repair: Annotated[
        Many, opt("--repair GOAL", "Find the smallest repair that achieves this property. Repeatable.")
    ] = None,
    quick: Annotated[bool, opt("--quick", "Do not look for what to drop.")] = False,
    ends: Ends = HERE,
) -> Views:
    """Say whether a suite's rankings are well behaved, dataset by dataset and all together, with a witness for each.

    Examples
    --------
    weightlab audit helm_long.csv
    weightlab audit helm_long.csv --complete --metrics accuracy,robustness,fairness
    weightlab audit
    weightlab audit helm_long.csv --repair single_peaked --json > audit.json
    """
    from weightlab.studies.structure.repair import goal_test
    from weightlab.views.audit import audit_view, left_out_notes

    for goal in repair or ():
        goal_test(goal)
    goals = [
        (goal, drop) for goal in dict.fromkeys(repair or ()) for drop in DROPS if (goal, drop) != ("acyclic", "metrics")
    ]
    how = lazy.breaking(break_ties)
    suite = lazy.read_long(source, narrowed=False)
    options: dict[str, Any] = {
        "models": lazy.chosen_names(source.models, suite.models, "model"),
        "metrics": lazy.chosen_names([*(source.tasks or ()), *(metrics or ())], suite.metrics, "metric"),
        "time_limit": PATIENCE if ends.time_limit is None else ends.time_limit,
    }
    with Bar("Auditing", len(suite.datasets)) as bar:
        found = lazy.studies.audit(
            suite, break_ties=how, repair=not quick, progress=lambda _: bar.advance(1), **options
        )
    repairs, unproved = [], None
    for goal, drop in goals:
        try:
            repairs.append(found.repair(goal, drop=drop, time_limit=ends.time_limit))
        except UnprovedError as error:
            unproved = unproved or error
    for text in left_out_notes(found):
        note(text)
    if found.unrepaired and ends.time_limit is None:
        note(f"Searches that took more than {PATIENCE:g} s were left off; --time-limit 60 gives each more.")
    yield audit_view(found, repairs, full=ends.every)
    if unproved is not None:
        raise unproved


def smallest(
    source: Source,
    what: Annotated[str, opt("--what WHAT", "Result to preserve: winner, top or order.")] = "winner",
    k: Annotated[int, opt("-k N", "Size of the top, with --what top.")] = 10,
    weighted: Annotated[str, opt("--weighted WHICH", "Weights of the chosen tasks: free, today or equal.")] = "free",
    rule: Annotated[
        str | None, opt("--rule -r RULE", "mean, majority or a scoring rule such as borda [default: the table's own].")
    ] = None,
    margin: Annotated[str, opt("--margin SHARE", "Least lead, of the range of today's means.", EXPERT)] = "1/100",
    break_ties: Annotated[
        str | None, opt("--break-ties HOW", "alphabetical or reverse; else ties are kept.", EXPERT)
    ] = None,
    sets: Annotated[int, opt("--sets N", "Number of smallest sets to find.", EXPERT)] = 1,
    cost: Annotated[str | None, opt("--cost FILE", "Costs (task,cost): find the cheapest set of tasks.")] = None,
    tolerance: Annotated[int, opt("--tolerance N", "With --what top or order: N of the models may fail.", EXPERT)] = 0,
    missing: Missing = None,
    conditions: Conditions = ANY_WEIGHTS,
    ends: Ends = HERE,
) -> Views:
    """Find the fewest tasks under which the winner, the top k or the whole order stays what it is today.

    Examples
    --------
    weightlab smallest superglue.csv --complete --what top -k 3
    weightlab smallest superglue.csv --complete --what order --rule majority --weighted equal
    weightlab smallest
    weightlab smallest superglue.csv --complete --what top -k 3 --tolerance 1
    weightlab smallest superglue.csv --complete --json > proof.json
    """
    board = lazy.read_table(source, gaps_are_ties=rule == "majority")
    given: dict[str, Any] = {"keep": what, "k": k, "weights": weighted, "break_ties": break_ties, "margin": margin}
    given |= {"rule": rule or own_rule(board), "tolerance": tolerance, "most": sets, "time_limit": ends.time_limit}
    given |= {"cost": None if cost is None else lazy.read_costs(cost, board)}

    def ask(one: Leaderboard) -> Any:
        return lazy.lp.smallest_benchmark(one, space=conditions.space(one), **given)

    if missing is None:
        yield lazy.view_of(lazy.of_whole(ask, board)[0])
    else:
        given["missing"] = missing
        yield lazy.view_of(ask(board))


def sweep(
    source: Source,
    sets: Annotated[Many, opt("--models [SET=]NAMES", "A set of models, comma-separated. Repeatable.")] = None,
    metrics: Annotated[Many, opt("--metrics [SET=]NAMES", "A set of metrics, comma-separated. Repeatable.")] = None,
    size: Annotated[int | None, opt("--size N", "Size of random model sets.")] = None,
    count: Annotated[int, opt("--count N", "Number of random model sets.")] = 10,
    seed: Annotated[int, opt("--seed N", "Random seed of the sets.", EXPERT)] = 0,
    break_ties: Annotated[
        Many, opt("--break-ties HOW", "Order of tied models: alphabetical, reverse, or keep. Repeatable.", **BREAKINGS)
    ] = None,
    asked: Annotated[Many, opt("--property NAME", "Property to test, such as single_crossing. Repeatable.")] = None,
    partial: Annotated[str | None, opt("--partial FILE", "Checkpoint file, resumed if it exists.", EXPERT)] = None,
    jobs: Jobs = 1,
    ends: Ends = HERE,
) -> Views:
    """Ask whether a suite is well behaved for each of many sets of models and metrics.

    Examples
    --------
    weightlab sweep --size 5 --count 20 --seed 0
    weightlab sweep helm_long.csv --models large="OPT (175B),GLM (130B)" --metrics accuracy,robustness
    weightlab sweep helm_long.csv --size 7 --count 5000 --partial cells.jsonl --jobs -1 --output cells.csv
    """
    from weightlab.studies.grid.sweep import PAPER

    ensure_apart({"--output": ends.output, "--partial": partial, "--plot": ends.plot}, source.file, source.config)
    suite = lazy.read_long(source)
    model_sets, metric_sets = _sets(sets or [], suite.models, "model"), _sets(metrics or [], suite.metrics, "metric")
    if size is not None:
        drawn = lazy.studies.random_model_sets(suite, size=size, count=count, rng=seed)
        twice = [name for name in drawn if name in (model_sets or {})]
        if twice:
            raise InputError(f"--models: the set {twice[0]!r} has the name of one drawn at random; give it another")
        model_sets = {**(model_sets or {}), **drawn}
    breakings = list(dict.fromkeys(lazy.breaking(how) for how in break_ties or ["alphabetical"]))
    options: dict[str, Any] = {"model_sets": model_sets, "metric_sets": metric_sets, "break_ties": breakings}
    cells = len(model_sets or "1") * len(metric_sets or "1") * len(breakings)
    with Bar("Sweeping", cells) as bar:
        options |= {"properties": asked or PAPER, "n_jobs": jobs, "partial": partial, "progress": bar.advance}
        found = lazy.studies.sweep(suite, **options)
    table = lazy.Table.of_frame(found.summary(), "Sets of models and metrics")
    yield lazy.View(
        headline=str(found), blocks=[table], results=[found], picture=found, files=lazy.frame_files(found.table)
    )


def _sets(given: Sequence[str], known: Sequence[str], kind: str) -> dict[str, tuple[str, ...]] | None:
    """Return the sets that ``[SET=]NAMES`` options describe; a set without a name is called by its members."""
    sets = {}
    for text in given:
        name, separator, members = text.partition("=")
        # A '=' after the first comma, or inside a name that there is, belongs to a name.
        first = text.partition(",")[0]
        unnamed = not separator or "=" not in first or text in known or first in known
        label, listed = (text, text) if unnamed else (name, members)
        if label in sets:
            raise InputError(f"--{kind}s: the set {label!r} is given twice")
        sets[label] = lazy.chosen_names([listed], known, kind) or ()
    return sets or None
