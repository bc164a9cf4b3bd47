"""A plain string names a task; a group is named by `group`."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import weightlab as wl
from tests.strategies import names
from weightlab.data.frame.declarations import Group, tasks_named
from weightlab.exceptions import UnknownNameError

TASKS = ("CB", "RTE", "BoolQ")
GROUPS = {"nli": ("CB", "RTE"), "BoolQ": ("CB",)}


@pytest.mark.parametrize(
    ("given_names", "meant"),
    [
        ("RTE", ("RTE",)),
        (["BoolQ", "CB", "BoolQ"], ("CB", "BoolQ")),
        (wl.group("nli"), ("CB", "RTE")),
        ("BoolQ", ("BoolQ",)),
        (wl.group("BoolQ"), ("CB",)),
        ({"BoolQ", wl.group("nli")}, TASKS),
        ((name for name in TASKS), TASKS),
        ([], ()),
    ],
    ids=["task", "list", "group", "a task of a group's name", "a group of a task's name", "set", "generator", "none"],
)
def test_tasks_are_meant_once_and_in_board_order(given_names, meant):
    assert tasks_named(given_names, TASKS, GROUPS) == meant


@given(names(), st.data())
def test_tasks_are_found_whatever_their_names(tasks, data):
    chosen = data.draw(st.lists(st.sampled_from(tasks)))
    assert tasks_named(chosen, tasks, {}) == tuple(task for task in tasks if task in chosen)


@pytest.mark.parametrize(
    ("given_names", "kind", "suggestion"),
    [
        ("nli", "task", None),
        (wl.group("CB"), "group", None),
        (wl.group("nil"), "group", "nli"),
        (["rte"], "task", "RTE"),
    ],
)
def test_unknown_names_are_refused(given_names, kind, suggestion):
    with pytest.raises(UnknownNameError) as caught:
        tasks_named(given_names, TASKS, GROUPS)
    assert (caught.value.kind, caught.value.suggestion) == (kind, suggestion)


def test_a_group_is_written_as_on_the_command_line():
    assert str(wl.group("nli")) == "@nli"
    assert wl.group("nli") == Group("nli")
    assert len({wl.group("nli"), Group("nli")}) == 1
