"""The linear program itself, as a PuLP problem to read, extend and solve elsewhere."""

from __future__ import annotations

from typing import Any

from weightlab.data.convert import SignsLike
from weightlab.lp.certificates.lp_rows import RivalRows, margin_program
from weightlab.lp.space.space import WeightSpace, signs_and_space


def problem(board: SignsLike, model: str, *, space: WeightSpace | None = None) -> Any:
    """Return the program behind `prospect` as a PuLP problem: minimise -t subject to G_m w - t >= 0.

    Parameters
    ----------
    board : Leaderboard, Profile or Signs
        The table.
    model : str
        Whom the question is about.
    space : WeightSpace, optional
        Allowed weights; each of its rows becomes a constraint.

    Returns
    -------
    pulp.LpProblem
        A variable per task, one for the margin, a constraint per rival: print it, write it with ``writeLP`` or
        ``writeMPS``, add constraints or another objective, solve it with any solver PuLP knows. Variables are called
        ``w1_CoLA`` and constraints ``r3_T5``: a number, since file formats forbid most of what names may hold,
        and what is legible of the name. ``column_labels`` and ``row_labels`` map them to the names as given. The
        objective is the negative of the margin, to minimise: PuLP's MPS files do not say that a program maximises.

    Raises
    ------
    UnknownNameError
        If there is no such model.

    Notes
    -----
    Building it takes some 30 ms for 199 rivals and 50 tasks, ten times the solution: it is the readable face of the
    formulation that `prospect` solves, not its hot path.

    Examples
    --------
    >>> import weightlab as wl
    >>> board = wl.Leaderboard({"x": {"a": 2, "b": 1}, "y": {"a": 1, "b": 2}})
    >>> program = wl.lp.problem(board, "a")
    >>> sorted(program.row_labels.values())
    ['b', 'weights sum to 1']
    """
    from weightlab._solver.pulp_model import to_pulp  # noqa: PLC0415 - PuLP takes a while to import

    signs, allowed = signs_and_space(board, space)
    rivals = signs.rivals(model)
    program = margin_program(allowed.tasks, allowed.rows, allowed.auxiliaries)
    width = len(program.columns)
    duels = RivalRows(signs.matrix(model), rivals, width=width, margin_column=width - 1)
    return to_pulp(program.with_rows(duels.rows(range(len(rivals)))), column_prefix="w", row_prefix="r")
