"""What became of an altered document: refused, still the same, another proof of something true, or a fault of ours."""

from __future__ import annotations

import io
import time
import traceback
from enum import StrEnum
from typing import NamedTuple

import weightlab as wl
from tests.fuzz.questions import QUESTIONS, is_of_votes, source_of
from tests.fuzz.truth import is_true, value_of
from weightlab import checker
from weightlab._result import Proof
from weightlab.report import read_document

KINDS = tuple(QUESTIONS)
UNKNOWN = object()
"""Stands for the source of results of which one is about a table, another about a suite."""
SECONDS = 5
"""Of processor time, which no small document needs."""


class Outcome(StrEnum):
    """What became of a document; those in capitals are faults.

    Where a claim names the solver whose bound it rests on, that bound may be false: verify says so, and cannot know.
    """

    REFUSED = "refused"
    SAME = "the same when read"
    TRUE = "other, and true"
    BELIEVED = "false, a solver's word"
    UNJUDGED = "accepted, not judged"
    FALSE = "FALSE AND ACCEPTED"
    RAISED = "RAISED"
    SLOW = "SLOW"
    HUNG = "HUNG"
    MEMORY = "TOOK MEMORY"
    DISAGREED = "THE CHECKERS DISAGREE"


FAULTS = [one for one in Outcome if one.isupper()]


class Verdict(NamedTuple):
    """An outcome, what says which fault it is, and all that is known of it."""

    outcome: Outcome
    signature: str = ""
    detail: str = ""


def raised(error, where):
    """Return the verdict on an error that no reader of a document may raise."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [one for one in frames if "/weightlab/" in one.filename] or frames
    last = f"{own[-1].filename.rpartition('/weightlab/')[2]}:{own[-1].name}" if own else "?"
    detail = "".join(traceback.format_exception(error))[-4000:]
    return Verdict(Outcome.RAISED, f"{where}: {type(error).__name__} in {last}", detail)


def judged(case, text, world, *, with_table):
    """Return the verdict on the text of a document about the tables of a world."""
    started = time.process_time()
    read = refusal = None
    try:
        read = read_document(io.BytesIO(text.encode("utf-8", "surrogatepass")))
        source = source_for(read, case, world) if with_table else None
        with_table = with_table and source is not UNKNOWN
        read.verify(source if with_table else None)
        _ = [str(one) for one in read.results], read.table()
    except (wl.InputError, wl.ProofError, wl.UnprovedError) as error:
        refusal = error
    except Exception as error:  # noqa: BLE001 - any other is a fault
        return raised(error, "verify" if read is not None else "read")
    of_votes = is_of_votes(case.name)  # which the checker does not read, so that it compares them with nothing
    code, said = independent(text, world, with_table=with_table and not of_votes)
    if isinstance(code, Verdict):
        return code
    seconds = time.process_time() - started
    if seconds > SECONDS:
        return Verdict(Outcome.SLOW, f"{seconds:.0f} seconds")
    agreed = code == 3 or (code == 0) == (refusal is None) or (code == 0 and (of_votes or is_beside(refusal)))
    if not agreed:
        words = f"checker {code}: {said}\nverify: {refusal!r}"
        return Verdict(Outcome.DISAGREED, f"checker {code}, verify {'refuses' if refusal else 'accepts'}", words)
    if refusal is not None:
        return Verdict(Outcome.REFUSED)
    return accepted(case, read, world, with_table=with_table)


def is_beside(refusal):
    """Tell whether a refusal is about rounded rows, numbers beyond what is counted with, or the order of columns."""
    return any(words in str(refusal) for words in ("table: its rows", "cannot be checked", "tasks in another order"))


def source_for(read, case, world):
    """Return what a document is compared with: as at the command line, its results say what the table is read as."""
    kinds = {one.kind for one in read.results}
    if kinds == {case.name.partition(":")[0]} != {"independence"}:
        return source_of(case.name, world)
    found = {name for one in read.results for name in questions_of(one, of_votes=is_of_votes(case.name))}
    sources = {type(one): one for one in (source_of(name, world) for name in sorted(found))}
    return next(iter(sources.values())) if len(sources) == 1 else UNKNOWN


def questions_of(result, *, of_votes):
    """Return the questions that a result may answer, those about votes only where votes are asked about."""
    if result.kind == "independence":
        return ["independence: flips" if result.of_suite else "independence: arrivals"]
    named = [name for name in KINDS if name.partition(":")[0] == result.kind]
    return [name for name in named if is_of_votes(name) == of_votes] or named


def independent(text, world, *, with_table):
    """Return what the checker says: exit code and words; or a verdict where it raises."""
    table, declared = world.csv() if with_table else (None, checker.Declared())
    text = text.encode("utf-8", "surrogatepass").decode("utf-8-sig", "surrogatepass")
    try:
        report = checker.check(text, table, declared)
    except checker.FalseClaimError as error:
        return 1, str(error)
    except checker.WrongInputError as error:
        return 2, str(error)
    except Exception as error:  # noqa: BLE001 - any other is a fault
        return raised(error, "checker"), ""
    return report.code, "\n".join(report.lines)


def accepted(case, read, world, *, with_table):
    """Return the verdict on a document that verify accepts: a false claim in it is a fault."""
    try:
        read_document(io.StringIO(read.to_json(table=True))).verify()
    except Exception as error:  # noqa: BLE001 - what verifies can be sent on
        return raised(error, "sent on")
    same = [one.to_dict() for one in read.results] == [case.ask(case.world).to_dict()]
    if same and (world is case.world or not with_table):
        return Verdict(Outcome.SAME)
    if not with_table:
        return Verdict(Outcome.TRUE)  # about the table that it carries: nothing here says otherwise
    try:
        known = value_of(case.ask(world))
    except wl.WeightlabError as error:
        known = error
    for one in read.results:
        if value_of(one) != known:
            verdict = asked_again(one, source_for(read, case, world), f"said: {one}\nin truth: {known}")
            if verdict.outcome is not Outcome.TRUE:
                return verdict
    return Verdict(Outcome.TRUE)


def asked_again(claim, source, detail):
    """Return the verdict on an accepted claim that is not what was asked at first."""
    try:
        truth = is_true(claim, source)
    except Exception as error:  # noqa: BLE001 - no answer is no proof that it is false
        found = f"{detail}\n{traceback.format_exc()[-2000:]}"
        return Verdict(Outcome.UNJUDGED, f"{claim.kind}: {type(error).__name__}", found)
    outcome = Outcome.UNJUDGED if truth is None else Outcome.TRUE if truth else Outcome.FALSE
    if outcome is Outcome.FALSE and claim.proof is Proof.EXACT_WITNESS and getattr(claim, "solver", None):
        outcome = Outcome.BELIEVED
    return Verdict(outcome, "" if truth else claim.kind, "" if truth else detail)
