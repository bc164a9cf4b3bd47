"""Branch trees: against every integer point, and forged, on both checks."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest
from hypothesis import given, settings

import weightlab as wl
from tests.dice import DICE
from weightlab import checker
from weightlab._solver import branch_tree as trees
from weightlab._solver.branch_tree import BranchTree, IntegerRows, Leaf, Split, branch_tree


def a_program(between):
    """Return a cover of at most 8 columns with costs, and its optimum by trying all points."""
    width, height = between(1, 8), between(1, 9)
    matrix = np.array([[between(0, 3) for _ in range(width)] for _ in range(height)], dtype=object)
    least = [min(between(1, 4), sum(row)) for row in matrix.tolist()]
    program = IntegerRows.binary(matrix, least, [between(1, 3) for _ in range(width)])
    points = [np.array(one, dtype=object) for one in itertools.product((0, 1), repeat=width)]
    return program, min(int(program.costs @ one) for one in points if (matrix @ one >= program.least).all())


def passes(tree, program, claim):
    """Return whether both checks take a tree, which they must alike."""
    found = []
    box = (program.lower.tolist(), program.upper.tolist())
    parts = program.matrix.tolist(), program.least.tolist(), program.costs.tolist(), box
    for check in (
        lambda: tree.check(program, claim),
        lambda: checker.check_tree(checker.Part(tree.to_dict(), "tree"), *parts, claim),
    ):
        try:
            check()
            found.append(True)
        except (wl.ProofError, checker.FalseClaimError):
            found.append(False)
    assert found[0] == found[1]
    return found[0]


@settings(max_examples=30)
@given(DICE)
def test_a_tree_shows_the_optimum_and_no_more(dice):
    program, optimum = a_program(dice.between)
    tree = branch_tree(program, optimum)
    assert passes(BranchTree.from_dict(tree.to_dict()), program, optimum)
    assert not passes(tree, program, optimum + 1)
    assert branch_tree(program, optimum + 1) is None


def test_rows_of_long_numbers_have_trees_too():
    rng = random.Random(6)  # noqa: S311 - programs, no secrets
    for size in (10**9, 10**18, 10**60):
        for _ in range(5):
            matrix = np.array([[rng.randint(1, size) for _ in range(9)] for _ in range(4)], dtype=object)
            least = [sum(row) // 2 for row in matrix.tolist()]
            points = [np.array(one, dtype=object) for one in itertools.product((0, 1), repeat=9)]
            program = IntegerRows.binary(matrix, least)
            optimum = min(int(one.sum()) for one in points if (matrix @ one >= program.least).all())
            assert passes(branch_tree(program, optimum), program, optimum)
            assert branch_tree(program, optimum + 1) is None
            with_room = IntegerRows.binary(np.vstack([matrix, np.full((1, 9), -size)]), [*least, size * (1 - optimum)])
            assert passes(branch_tree(with_room, 99), with_room, 99)


def test_forged_trees_are_refused():
    rng = random.Random(5)  # noqa: S311 - trees, no secrets
    for _ in range(30):
        program, optimum = a_program(rng.randint)
        tree = branch_tree(program, optimum)
        for _ in range(20):
            nodes, place = list(tree.nodes), rng.randrange(len(tree.nodes))
            node, way, claim = nodes[place], rng.randrange(5), optimum
            if way == 0:
                nodes.pop(place)
            elif way == 1:
                nodes.insert(place, rng.choice(nodes))
            elif way == 2 and isinstance(node, Leaf):
                nodes[place] = Leaf(rows=(0,), multipliers=(-1,), over=node.over)
            elif way == 3 and isinstance(node, Leaf):
                nodes[place] = Leaf(rows=(99,), multipliers=(1,), over=node.over)
            else:
                rows = tuple(range(len(program.least)))
                nodes = [Leaf(rows=rows, multipliers=tuple(rng.randint(0, 5) for _ in rows), over=rng.randint(0, 3))]
                claim = optimum + 1
            assert not passes(BranchTree(nodes=tuple(nodes)), program, claim)


@pytest.mark.parametrize("node", [Split(column=9, at=0), Split(column=0, at=1), Split(column=0, at=-1)])
def test_a_node_splits_its_box(node):
    program = IntegerRows.binary(np.array([[1]]), [1])
    leaf = Leaf(rows=(0,), multipliers=(1,), over=1)
    assert not passes(BranchTree(nodes=(node, leaf, leaf)), program, 1)


def test_a_tree_with_too_many_nodes_is_none(monkeypatch):
    odd = np.array([[(one & other).bit_count() % 2 for one in range(1, 16)] for other in range(1, 16)])
    program = IntegerRows.binary(odd, [1] * 15)
    assert branch_tree(program, 4) is not None
    assert branch_tree(program, 4, time_limit=0) is None
    monkeypatch.setattr(trees, "MOST_NODES", 5)
    assert branch_tree(program, 4) is None
