"""Alter documents of every kind for as long as told: ``python -m tests.fuzz --minutes 60 --jobs 2 --seed 0``.

A run that is started again with the same folder and seed goes on where it was stopped. Whatever is a fault is written
to the folder; ``--replay FOLDER/FILE.json`` tries one again. The exit code is 1 where there was a fault.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import re
import sys
import time
from collections import Counter
from multiprocessing.connection import wait
from pathlib import Path

from tests.fuzz.documents import KINDS, Unit
from tests.fuzz.verdicts import FAULTS, Outcome, Verdict
from tests.fuzz.work import failure, work

HANGING = 60
"""Seconds after which a process is ended that has said nothing."""
EXAMPLES = 3
"""Kept of each fault."""


class Run:
    """Counts and faults so far, kept in a folder."""

    def __init__(self, folder, seed, names):
        self.folder, self.seed, self.names = folder, seed, names
        folder.mkdir(parents=True, exist_ok=True)
        self.file = folder / "state.json"
        state = json.loads(self.file.read_text()) if self.file.exists() else {"seed": seed, "names": list(names)}
        if (state["seed"], state["names"]) != (seed, list(names)):
            sys.exit(f"{folder} holds a run of seed {state['seed']}, or of other kinds; choose another --folder")
        self.done = set(state.get("done", []))
        self.counts = {name: Counter(own) for name, own in state.get("counts", {}).items()}
        self.faults = Counter(state.get("faults", {}))
        self.seconds = state.get("seconds", 0.0)
        self.next = 0

    def take(self):
        """Return the number of the next unit."""
        while self.next in self.done:
            self.next += 1
        self.next += 1
        return self.next - 1

    def add(self, number, name, counts, found):
        """Add what a unit gave."""
        self.done.add(number)
        self.counts.setdefault(name, Counter()).update(counts)
        for one in found:
            key = f"{one['kind']} | {one['outcome']} | {one['signature']}"
            self.faults[key] += 1
            if self.faults[key] <= EXAMPLES:
                name = re.sub(r"[^A-Za-z0-9]+", "-", f"{one['kind']} {one['outcome']} {one['signature']}")[:120]
                path = self.folder / f"{name}-{one['unit']}-{one['alteration']}.json"
                path.write_text(json.dumps(one, indent=1))

    def save(self):
        """Write the state, so that a run may be stopped at any time."""
        state = {"seed": self.seed, "names": list(self.names), "done": sorted(self.done), "counts": self.counts}
        part = self.file.with_suffix(".part")
        part.write_text(json.dumps({**state, "faults": self.faults, "seconds": self.seconds}))
        part.replace(self.file)

    def said(self):
        """Return the counts by kind and outcome."""
        outcomes = list(map(str, Outcome))
        used = [one for one in outcomes if any(own[one] for own in self.counts.values())]
        lines = ["  ".join([f"{'kind':30}", *used])]
        for name, own in sorted(self.counts.items()):
            lines.append("  ".join([f"{name:30}", *(f"{own[one]:{len(one)}}" for one in used)]))
        total = sum(self.counts.values(), Counter())
        lines.append("  ".join([f"{'all':30}", *(f"{total[one]:{len(one)}}" for one in used)]))
        lines.append(f"{sum(total.values()):,} documents in {self.seconds / 60:.1f} minutes.")
        lines += [f"{count:6} {key}" for key, count in self.faults.most_common()]
        return "\n".join(lines)

    @property
    def has_faults(self):
        """Whether there was any fault."""
        return any(own[str(one)] for own in self.counts.values() for one in FAULTS)


class Worker:
    """A process that does one unit after the other."""

    def __init__(self, run):
        self.run = run
        self.pipe, inner = multiprocessing.Pipe()
        context = multiprocessing.get_context("spawn")
        self.process = context.Process(target=work, args=(inner, run.seed, run.names), daemon=True)
        self.process.start()
        inner.close()
        self.give()

    def give(self):
        """Hand it the next unit."""
        self.at, self.since = (self.run.take(), -1), time.monotonic()
        self.pipe.send(self.at[0])

    def ended(self, outcome, signature):
        """Note that the process came to an end, or was brought to it, over an alteration."""
        self.process.kill()
        self.process.join()
        number, one = self.at
        unit = Unit(self.run.seed, number, self.run.names)
        if one >= 0:
            found = failure(unit, number, one, unit.altered(one), Verdict(outcome, signature))
        else:
            found = {
                "kind": unit.name,
                "outcome": str(outcome),
                "signature": signature,
                "unit": number,
                "alteration": 0,
            }
        self.run.add(number, unit.name, {str(outcome): 1}, [found])


def watched(run, minutes, jobs):
    """Keep processes at work until the time is over."""
    started = last = time.monotonic()
    before = run.seconds
    workers = [Worker(run) for _ in range(jobs)]
    while time.monotonic() - started < 60 * minutes:
        ready = wait([one.pipe for one in workers], timeout=1)
        for place, one in enumerate(workers):
            try:
                while one.pipe in ready and one.pipe.poll():
                    what, number, told = one.pipe.recv()
                    one.since = time.monotonic()
                    if what == "done":
                        run.add(number, *told)
                        one.give()
                    else:
                        one.at = number, told
            except (EOFError, ConnectionResetError):
                one.ended(Outcome.RAISED, "the process came to an end")
                workers[place] = Worker(run)
                continue
            if time.monotonic() - one.since > HANGING:
                one.ended(Outcome.HUNG, f"no answer in {HANGING} seconds")
                workers[place] = Worker(run)
        run.seconds = before + time.monotonic() - started
        if time.monotonic() - last > 10:
            last = time.monotonic()
            run.save()
    for one in workers:
        one.process.kill()
    run.save()


def replay(path):
    """Try a fault again and say what became of it."""
    known = json.loads(Path(path).read_text())
    state = json.loads((Path(path).parent / "state.json").read_text())
    unit = Unit(state["seed"], known["unit"], state["names"])
    made = unit.altered(known["alteration"])
    same = "the same document" if made.text[:200_000] == known.get("text") else "another document than before"
    verdict = unit.verdict(made)
    print(f"{unit.name}: {made.where} ({same})\n{verdict.outcome}: {verdict.signature}\n{verdict.detail}")
    return int(verdict.outcome in FAULTS)


def main(listed=None):
    """Run as the arguments say and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--folder", type=Path, default=Path("fuzz_documents"), help="counts and faults")
    parser.add_argument("--kind", action="append", choices=KINDS, help="only this kind; may be repeated")
    parser.add_argument("--replay", metavar="FILE")
    options = parser.parse_args(listed)
    if options.replay:
        return replay(options.replay)
    os.environ["PYTHONHASHSEED"] = "0"  # of the processes: what goes through sets is then the same at every run
    run = Run(options.folder, options.seed, tuple(options.kind or KINDS))
    try:
        watched(run, options.minutes, options.jobs)
    except KeyboardInterrupt:
        run.save()
    print(run.said())
    return int(run.has_faults)


if __name__ == "__main__":
    sys.exit(main())
