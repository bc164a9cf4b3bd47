"""What a model must improve, in words: whom to pass, or tie, on which task, and the scores that does it with."""

from __future__ import annotations

from fractions import Fraction

from weightlab._text import counted, rounded, shown
from weightlab.data.frame.cells import exact_text
from weightlab.lp import FewestLifts, MeanUpset, Upset
from weightlab.lp.improvement.costs import Improvement
from weightlab.lp.improvement.upsets import where_it_wins
from weightlab.views.view import Table, View
from weightlab.views.words import Rows, names_in_words, quoted_name

STEPS = 2
"""Steps of a plan shown; the rest is counted."""
TOPS = (1, 100)
"""What scores that are shares, or percentages, can be at most."""
DIGITS = 7
"""Scores of more characters are rounded: a source with more digits holds floats, not readings."""


def plan_words(plan: Upset | MeanUpset | FewestLifts) -> str:
    """Return the changes by task, as ``pass bo on RTE (91.2 to 91.4)``; of long plans the first steps."""
    if isinstance(plan, Upset):
        return _passing_words(plan)
    if isinstance(plan, FewestLifts):
        tasks = plan.tasks or ()
        more = f" ({counted(len(tasks), 'task')})" if len(tasks) > STEPS else ""
        return f"reach the best score on {names_in_words(tasks, STEPS)}{more}" if tasks else "nothing"
    ends = plan.to_frame()
    verbs = ["lower" if task in plan.table.lower_is_better else "raise" for task in ends.index]
    steps = [
        f"{verb} {quoted_name(str(task))} from {short_score(old)} to {short_score(new)}"
        for verb, task, old, new in zip(verbs, ends.index, ends["from"], ends["to"], strict=True)
    ]
    more = f", ... ({counted(len(steps), 'task')})" if len(steps) > STEPS else ""
    level = f", to tie with {names_in_words(plan.level, 1)}" if plan.level and steps else ""
    return f"{', '.join(steps[:STEPS])}{more}{level}" or "nothing"


def short_score(score: Fraction) -> str:
    """Return a score as written, or rounded where it is long."""
    text = exact_text(score)
    return rounded(score, 3) if len(text) > DIGITS else text


def _passing_words(upset: Upset) -> str:
    """Return whom to pass, or tie, on which task."""
    steps: dict[str, list[Improvement]] = {}
    for one in upset.improvements:
        steps.setdefault(f"{_verb(one)} {names_in_words(targets(upset, one), 2)}", []).append(one)
    if not steps:
        return "nothing"
    if len(upset.improvements) <= STEPS:
        parts = [(does, one) for does, some in steps.items() for one in some]
        return ", ".join(f"{does} on {quoted_name(one.task)} ({scores_words(one)})" for does, one in parts)
    told = [f"{does} on {names_in_words((one.task for one in some), 2)}" for does, some in steps.items()]
    more = ", ..." if len(told) > STEPS else ""
    return f"{', '.join(told[:STEPS])}{more} ({counted(len(upset.improvements), 'task')})"


def targets(upset: Upset, one: Improvement) -> list[str]:
    """Return the best of the rivals tied on a task or, without ties, of those passed there."""
    table, some = upset.table, one.tied or one.passed
    scores = table.cells.column(table.tasks.index(one.task))
    own = {rival: scores[table.models.index(rival)] for rival in some}
    known = [score for score in own.values() if score is not None]
    best = (min if one.task in table.lower_is_better else max)(known, default=None)
    return [rival for rival, score in own.items() if score == best]


def _verb(one: Improvement) -> str:
    return "tie" if one.tied else "pass"


def scores_words(one: Improvement) -> str:
    """Return the scores before and after with the digits of the source; what they round to where they are floats."""
    old, new = exact_text(one.old), exact_text(one.new)
    if max(len(old), len(new)) > DIGITS:
        old, new = rounded(one.old, 3), rounded(one.new, 3)
    return f"both at {new}" if old == new else f"{old} to {new}"


def improvement_rows(upset: Upset) -> Rows:
    """Return one row per task: the task, whom to pass or tie, and the scores."""
    rows = [
        (shown(one.task), f"{_verb(one)} {names_in_words(targets(upset, one))}", scores_words(one))
        for one in upset.improvements
    ]
    return ["task", "do", "score"], rows, ()


def beyond_words(upset: Upset) -> list[str]:
    """Return the sentences on scores above 1, or 100, where all scores of the task are shares, or percentages."""
    told = []
    for one in upset.improvements:
        scores = [score for score in upset.table.cells.column(upset.table.tasks.index(one.task)) if score is not None]
        top = next((top for top in TOPS if max(map(abs, scores)) <= top), None)
        if top is not None and one.new > top:
            told.append(
                f"{quoted_name(one.task)} would have to exceed {top}; if it cannot, pass --between {one.task}=0:{top}."
            )
    return told


def improvement_view(found: Upset) -> View:
    """Return the view of the improvements that a model needs to win head-to-head, task by task."""
    if not found.cost:
        return View(headline=shown(found), results=[found])
    if found.cost_unit == "score":
        how, less = f"improving its scores by {short_score(found.cost)} in all", "no smaller sum is enough"
    else:
        how, less = f"changing {counted(int(found.cost), 'result')} against rivals", "no fewer are enough"
    rests = f"that {less} relies on the bound of {found.solver}" if found.solver else less
    conditions = found.space.conditions_sentence if found.space is not None else ""
    where, many = where_it_wins(found.table, found.space), counted(len(found.improvements), "task")
    told = shown(f"{found.model} wins {where} by {how}, on {many}; {rests}.{conditions}")
    table = Table(*improvement_rows(found), caption="Improvements", most=None)
    return View(headline=told, blocks=[table, tuple(beyond_words(found))], results=[found])
