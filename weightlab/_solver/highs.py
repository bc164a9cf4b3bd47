"""HiGHS, the solver weightlab uses by default: one open instance a program."""

from __future__ import annotations

import math
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

import highspy
import numpy as np
from highspy import HighsModelStatus, HighsStatus
from highspy._core import _Highs, cb  # highspy.Highs adds a modelling layer that costs more than a small solve
from numpy.typing import NDArray

from weightlab._solver.program import Formulation, Rows, Sense, float_rows
from weightlab._solver.solution import Basis, Place, Solution, Status
from weightlab.exceptions import SolverError

_OPTIONS = {
    "output_flag": False,
    "threads": 1,  # the same answer on every machine, and no threads spinning while the caller's own work
    "primal_feasibility_tolerance": 1e-9,
    "dual_feasibility_tolerance": 1e-9,
    "mip_feasibility_tolerance": 1e-9,
    "mip_rel_gap": 0.0,
    "small_matrix_value": 1e-12,  # by default coefficients below 1e-9 are dropped
}
# A smaller linear program is solved within milliseconds: presolving it and looking out for Ctrl-C after every
# iteration cost more than they save (measured on 60 x 100 sign matrices: 4.4 ms against 2.5 ms).
_SMALL_ENTRIES = 20_000
_SMALL_SIDES = 1_000
_DENSE = 3  # times as many entries as there are numbers other than 0, or fewer
_INTERRUPTS = (
    cb.HighsCallbackType.kCallbackSimplexInterrupt,
    cb.HighsCallbackType.kCallbackIpmInterrupt,
    cb.HighsCallbackType.kCallbackMipInterrupt,
)
_STATUSES = {
    HighsModelStatus.kOptimal: Status.OPTIMAL,
    HighsModelStatus.kModelEmpty: Status.OPTIMAL,
    HighsModelStatus.kInfeasible: Status.INFEASIBLE,
    HighsModelStatus.kUnbounded: Status.UNBOUNDED,
    HighsModelStatus.kTimeLimit: Status.TIME_LIMIT,
}
_PLACES = {
    highspy.HighsBasisStatus.kLower: Place.LOWER,
    highspy.HighsBasisStatus.kBasic: Place.BASIC,
    highspy.HighsBasisStatus.kUpper: Place.UPPER,
    highspy.HighsBasisStatus.kZero: Place.FREE,
    highspy.HighsBasisStatus.kNonbasic: Place.FREE,
}
_FEASIBLE = 2  # HiGHS' kSolutionStatusFeasible


class Program:
    """A formulation opened in HiGHS: solved, given further rows, and solved again from where it stood.

    Parameters
    ----------
    formulation : Formulation
        What to solve.
    relaxed : bool
        Forget integrality until ``make_integral`` is called.

    Notes
    -----
    Not to be shared between threads.
    """

    precision = 1e-8

    def __init__(self, formulation: Formulation, *, relaxed: bool = False) -> None:
        self._highs = _instance(formulation)
        self.replace(formulation, relaxed=relaxed)

    def close(self) -> None:
        """Leave the instance, without its model, to the next program of this thread; this one serves no more."""
        self._highs.clearModel()
        _IDLE.instances.append(self._highs)
        del self._highs

    def replace(self, formulation: Formulation, *, relaxed: bool = False) -> None:
        """Forget the program, its rows and its basis, and take another: cheaper than to open one more."""
        self._formulation = formulation
        self._added: list[Rows] = []
        self._integral = formulation.is_integer_program and not relaxed
        self._scales: list[NDArray[np.float64]] = []
        self._costs = formulation.float_objective
        self._pass_model()

    @property
    def formulation(self) -> Formulation:
        """The formulation with every row added so far."""
        if self._added:
            self._formulation = self._formulation.with_rows(Rows.join(*self._added))
            self._added = []
        return self._formulation

    def _pass_model(self) -> None:
        formulation = self._formulation
        matrix, floats = formulation.rows.matrix, float_rows(formulation.rows)
        integrality = formulation.integral if self._integral else (False,) * len(formulation.columns)
        status = self._highs.passModel(
            len(formulation.columns),
            len(formulation.rows),
            len(floats.values),
            2,  # entries row by row
            -1 if formulation.sense is Sense.MAXIMISE else 1,
            0.0,
            formulation.float_objective,
            formulation.float_lower,
            formulation.float_upper,
            floats.lower,
            floats.upper,
            matrix.starts[:-1].astype(np.int32),
            matrix.indices,
            floats.values,
            np.array(integrality, dtype=np.int32),
        )
        if status == HighsStatus.kError:
            raise SolverError(f"HiGHS refuses the program {formulation.name!r}: a number is too large for it")
        self._scales.append(floats.scales)

    def add_rows(self, rows: Rows) -> None:
        """Add rows; the next ``solve`` starts from the last basis."""
        if not len(rows):
            return
        matrix, floats = rows.matrix, float_rows(rows)
        status = self._highs.addRows(
            len(rows),
            floats.lower,
            floats.upper,
            len(floats.values),
            matrix.starts[:-1].astype(np.int32),
            matrix.indices,
            floats.values,
        )
        if status == HighsStatus.kError:
            raise SolverError(f"HiGHS refuses rows added to {self._formulation.name!r}: a number is too large for it")
        self._scales.append(floats.scales)
        self._added.append(rows)

    def confine(self, lower: NDArray[np.float64], upper: NDArray[np.float64]) -> None:
        """Give all columns other bounds than the formulation has; the next ``solve`` starts from the last basis."""
        self._highs.changeColsBounds(len(lower), np.arange(len(lower), dtype=np.int32), lower, upper)

    def aim(self, costs: NDArray[np.float64]) -> None:
        """Give all columns other costs than the formulation has; the next ``solve`` starts from the last basis."""
        self._highs.changeColsCost(len(costs), np.arange(len(costs), dtype=np.int32), costs)
        self._costs = costs

    def make_integral(self) -> None:
        """Demand the integrality that a relaxed program has forgotten."""
        integral = self._formulation.integral
        if not any(integral) or self._integral:
            return
        columns = np.arange(len(integral), dtype=np.int32)
        self._highs.changeColsIntegrality(len(columns), columns, np.array(integral, dtype=np.uint8))
        self._integral = True

    def solve(self, time_limit: float | None = None) -> Solution:
        """Solve the program as it is now.

        Parameters
        ----------
        time_limit : float or None
            Seconds for this call.

        Raises
        ------
        KeyboardInterrupt
            After Ctrl-C, when HiGHS has stopped; the program stays usable.
        """
        highs = self._highs
        large = (
            self._integral or highs.getNumNz() > _SMALL_ENTRIES or highs.getNumRow() + highs.getNumCol() > _SMALL_SIDES
        )
        # Of a dense matrix, such as one of signs, presolve removes next to nothing, and takes longer than solving.
        dense = highs.getNumNz() > highs.getNumRow() * highs.getNumCol() / _DENSE
        highs.setOptionValue("presolve", "choose" if self._integral or (large and not dense) else "off")
        highs.setOptionValue("time_limit", self._clock_at(time_limit))
        # Values of the objective are a step apart, so a gap below one step already leaves no room for a better one.
        if self._integral:
            step = self._formulation.objective_step
            highs.setOptionValue("mip_abs_gap", 0.9 * float(step) if step is not None else 1e-9)
        status = self._run(watch=large)
        return self._solution(status)

    def _clock_at(self, time_limit: float | None) -> float:
        """Return the limit in HiGHS' terms: for linear programs its clock runs on from solve to solve."""
        if time_limit is None:
            return float(highspy.kHighsInf)
        return max(0.0, time_limit) + (0.0 if self._integral else self._highs.getRunTime())

    def _run(self, *, watch: bool) -> Status:
        highs = self._highs
        if not watch:
            return self._run_once()
        with deferred_interruption() as pressed:

            def stop_when_pressed(_type: Any, _message: str, _out: Any, answer: Any, _data: Any) -> None:
                if pressed():
                    answer.user_interrupt = True

            highs.setCallback(stop_when_pressed, None)
            for kind in _INTERRUPTS:
                highs.startCallback(kind)
            try:
                return self._run_once()
            finally:
                highs.setCallback(None, None)

    def _run_once(self) -> Status:
        highs = self._highs
        if highs.run() == HighsStatus.kError and highs.getModelStatus() == HighsModelStatus.kNotset:
            # Somebody else in this process has used HiGHS with another number of threads, which it does not change.
            highs.setOptionValue("threads", 0)
            highs.run()
        # Presolve may stop at "unbounded or infeasible"; the simplex method without presolve tells which. For integer
        # programs it is left open, as the error that ``integer_optimum`` raises says.
        if highs.getModelStatus() == HighsModelStatus.kUnboundedOrInfeasible:
            if self._integral:
                return Status.UNBOUNDED
            highs.setOptionValue("presolve", "off")
            highs.run()
        return _STATUSES.get(highs.getModelStatus(), Status.FAILED)

    def _solution(self, status: Status) -> Solution:
        highs = self._highs
        info = highs.getInfo()
        if info.primal_solution_status != _FEASIBLE or status not in (Status.OPTIMAL, Status.TIME_LIMIT):
            bound = info.mip_dual_bound if self._integral and status is Status.TIME_LIMIT else math.nan
            return Solution(status=status, bound=bound)
        found = highs.getSolution()
        x = np.array(found.col_value)
        value = float(self._costs @ x)
        if self._integral:
            return Solution(status=status, value=value, x=x, bound=info.mip_dual_bound)
        if status is not Status.OPTIMAL:
            return Solution(status=status, value=value, x=x)
        return Solution(
            status=status,
            value=value,
            x=x,
            # The solver saw each row times its scale, so its dual belongs to the scaled row.
            duals=np.array(found.row_dual) * np.concatenate(self._scales),
            reduced_costs=np.array(found.col_dual),
            bound=value,
        )

    def basis(self) -> Basis | None:
        """Return the basis of the last linear program solved; None when it ended without one."""
        basis = self._highs.getBasis()
        if not basis.valid:
            return None
        return Basis(
            columns=tuple([_PLACES[place] for place in basis.col_status]),
            rows=tuple([_PLACES[place] for place in basis.row_status]),
        )


class _Idle(threading.local):
    """Instances that closed programs of a thread have left: to make one takes longer than to solve a small program."""

    def __init__(self) -> None:
        self.instances: list[_Highs] = []


_IDLE = _Idle()


def _instance(formulation: Formulation) -> _Highs:
    highs = _IDLE.instances.pop() if _IDLE.instances else _Highs()
    for name, value in _OPTIONS.items():
        if highs.setOptionValue(name, value) != HighsStatus.kOk:
            raise SolverError(f"HiGHS does not know the option {name!r} (solving {formulation.name!r})")
    return highs


# Ctrl-C while a solver runs: noted at once, answered when the solver has stopped.


@contextmanager
def deferred_interruption() -> Iterator[Callable[[], bool]]:
    """Hold back Ctrl-C until the block ends, and yield a function that says whether it was pressed.

    An exception raised inside a callback would unwind through the solver's own frames and leave it broken. So the
    signal is noted, the callback asks the solver to stop, and the handler that was in place (by default it raises
    ``KeyboardInterrupt``) runs when the solver has returned.

    Signals reach the main thread alone; in any other thread nothing is held back.
    """
    handler = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(handler):
        yield lambda: False
        return
    pressed: list[tuple[int, FrameType | None]] = []
    signal.signal(signal.SIGINT, lambda number, frame: pressed.append((number, frame)))
    try:
        yield lambda: bool(pressed)
    finally:
        signal.signal(signal.SIGINT, handler)
        if pressed:
            handler(*pressed[0])
