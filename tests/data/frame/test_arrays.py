"""Arrays of the data classes cannot be changed, by whatever way one gets at them."""

from __future__ import annotations

import copy
import pickle
from dataclasses import dataclass

import numpy as np
import pytest

from weightlab.data.frame.arrays import FrozenArrays


@dataclass(frozen=True, kw_only=True, eq=False)
class Held(FrozenArrays):
    array: np.ndarray
    name: str = "held"


def pickled(held):
    return pickle.loads(pickle.dumps(held))  # noqa: S301 (our own pickle)


@pytest.mark.parametrize("way", [lambda held: held, pickled, copy.copy, copy.deepcopy])
def test_arrays_are_read_only(way):
    held = way(Held(array=np.arange(3)))
    assert held.array.tolist() == [0, 1, 2]
    assert held.name == "held"
    with pytest.raises(ValueError, match="read-only"):
        held.array[0] = 5


def test_an_array_is_taken_over_without_a_copy():
    array = np.arange(3)
    assert Held(array=array).array is array


def test_a_view_of_memory_that_others_may_write_is_copied():
    memory = np.arange(4)
    held = Held(array=memory[:2])
    memory[0] = 5
    assert held.array.tolist() == [0, 1]


def test_memory_that_others_lend_is_copied():
    lent = bytearray(b"\x00\x01")
    held = Held(array=np.frombuffer(lent, dtype=np.uint8))
    lent[0] = 5
    assert held.array.tolist() == [0, 1]


def test_a_view_of_memory_that_nobody_may_write_is_kept():
    memory = np.arange(4)
    memory.setflags(write=False)
    assert Held(array=memory[:2]).array.base is memory
