"""A unit of work: one document of one kind, and so many alterations of it, all drawn from a seed."""

from __future__ import annotations

import json
import random
from typing import NamedTuple

import weightlab as wl
from tests.fuzz.mutations import altered, scrambled
from tests.fuzz.questions import QUESTIONS, World, case
from tests.fuzz.truth import forget
from tests.fuzz.verdicts import judged
from weightlab.report import Document

KINDS = tuple(QUESTIONS)


class Altered(NamedTuple):
    """A document's text, where it was altered, and the tables that it is compared with, if any."""

    text: str
    where: str
    world: World
    with_table: bool


class Unit:
    """One document and its alterations; ``number`` goes round the kinds."""

    def __init__(self, seed, number, names=KINDS):
        forget()
        self.seed = f"{seed}/{number}"
        self.name = names[number % len(names)]
        self.case, result = case(self.name, self.seed)
        self.document = json.loads(Document(results=(result,)).to_json(table=number // len(names) % 2 == 0))
        kinds = [self.name, random.Random(self.seed).choice(KINDS)]
        self.others = [self._other(name) for name in kinds]
        world = self.case.world
        self.names = [*world.models, *world.tasks, *self.document["results"][0]]

    def _other(self, name):
        return json.loads(Document(results=(case(name, f"{self.seed}/other")[1],)).to_json())

    def altered(self, number):
        """Return the document with one to three changes; or as it is, the table being another."""
        rng = random.Random(f"{self.seed}/{number}")
        with_table, world = rng.random() < 0.8, self.case.world
        draw = rng.random()
        if draw < 0.06:
            return Altered(json.dumps(self.document), "the table", self._edited(rng), with_table=True)
        if draw < 0.10:
            text, where = scrambled(json.dumps(self.document), rng)
            return Altered(text, where, world, with_table)
        document, where = self.document, []
        for _ in range(rng.choice([1, 1, 1, 2, 3])):
            if rng.random() < 0.9 and isinstance(document, dict) and "results" in document:
                others = [one["results"] for one in self.others]
                results, path = altered(document["results"], rng, self.names, others)
                document, path = {**document, "results": results}, ("results", *path)
            else:
                document, path = altered(document, rng, self.names, self.others)
            where.append(".".join("#" if isinstance(step, int) else str(step) for step in path))
        return Altered(json.dumps(document), " and ".join(where), world, with_table)

    def _edited(self, rng):
        world = self.case.world.edited(rng)
        try:
            world.board(), world.suite()
        except wl.InputError:  # such as a model without scores
            return self.case.world
        return world

    def verdict(self, one):
        """Return what became of an alteration."""
        return judged(self.case, one.text, one.world, with_table=one.with_table)
