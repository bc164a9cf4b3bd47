"""The layers of the package, and what none of its files may do."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import pytest

import weightlab
from tests import architecture

ROOT = Path(weightlab.__file__).parent
TESTS = Path(__file__).parent


def read_sources(folder):
    """Return the text of every module below a folder under its dotted name."""
    named = {}
    for path in sorted(folder.rglob("*.py")):
        parts = path.relative_to(folder.parent).with_suffix("").parts
        named[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path.read_text(encoding="utf-8")
    return named


SOURCES = read_sources(ROOT)
# The laws of the package, each with invented sources that break it in every way it can be broken.
LAWS = {
    architecture.looking_up: [
        {"weightlab.data.signs": "from weightlab.lp import prospect"},
        {"weightlab.lp.prospect": "import weightlab.graph.smith"},
        {"weightlab.domains.axis": "from weightlab.lp.problem import Problem"},
        {"weightlab.io.table": "def f():\n    from weightlab.rules import rank"},
        {"weightlab.lp": "if TYPE_CHECKING:\n    from weightlab.cli import main"},
        {"weightlab.data.board": "from weightlab._solver import solve"},
        {"weightlab._exact": "from weightlab import data"},
        {"weightlab.exceptions": "from .data import Leaderboard", "weightlab": ""},
        {"weightlab.lp.space": "from ..io import read", "weightlab.lp": ""},
        {"weightlab.rules.borda": "from weightlab.datasets import load"},
    ],
    architecture.of_no_layer: [{"weightlab.extras.thing": ""}, {"weightlab.more": ""}],
    architecture.not_alone: [
        {"weightlab.checker": "from weightlab._exact import fraction"},
        {"weightlab.checker": "import numpy"},
        {"weightlab.lp.prospect": "from weightlab import checker"},
    ],
    architecture.through_the_root: [
        {"weightlab.lp.prospect": "import weightlab"},
        {"weightlab.lp.prospect": "import weightlab as wl"},
        {"weightlab.cli.win": "from weightlab import prospect", "weightlab.lp": ""},
    ],
    architecture.by_name_at_run_time: [
        {"weightlab.lp": "import importlib\nimportlib.import_module('weightlab.cli')"},
        {"weightlab.lp": "__import__('weightlab.cli')"},
    ],
    architecture.in_cycles: [
        {"weightlab.lp.a": "from weightlab.lp.b import f", "weightlab.lp.b": "from weightlab.lp.a import g"},
        {"weightlab.lp": "from weightlab.lp.a import f", "weightlab.lp.a": "from weightlab.lp import g"},
        {"weightlab.lp.a": "from weightlab.lp import b", "weightlab.lp.b": "def f():\n    import weightlab.lp.a"},
        {
            "weightlab.lp.a": "from .b import f",
            "weightlab.lp.b": "from .c import f",
            "weightlab.lp.c": "if TYPE_CHECKING:\n    from .a import f",
        },
    ],
    architecture.rooms_in_cycles: [
        {
            "weightlab.io.tables.sheet": "from weightlab.io.evaluations.results import f",
            "weightlab.io.evaluations.results": "",
            "weightlab.io.evaluations.detect": "from weightlab.io.tables.delimited import g",
            "weightlab.io.tables.delimited": "",
        },
    ],
    architecture.out_of_keeping: [
        {"weightlab.lp.prospect": "import highspy"},
        {"weightlab.lp.problem": "def f():\n    from pulp import LpProblem"},
        {"weightlab.report.page": "import matplotlib.pyplot as plt"},
        {"weightlab.studies.audit": "from rich.progress import track"},
    ],
    architecture.enumerating: [
        {"weightlab.domains.axis": "from itertools import permutations"},
        {"weightlab.domains.axis": "import itertools as it"},
        {"weightlab.domains.axis": "from networkx.utils.misc import itertools"},
        {"weightlab.domains.axis": "import random\nrandom.itertools.permutations"},
    ],
    architecture.optional_but_early: [
        {"weightlab.io.parquet": "import pyarrow"},
        {"weightlab.studies.sweep": "from joblib import Parallel"},
    ],
    architecture.named_for_nothing: [
        {"weightlab.lp.utils": ""},
        {"weightlab._base": ""},
        {"weightlab.graph.helpers.paths": ""},
    ],
    architecture.printing: [
        {"weightlab.lp.prospect": "print('done')"},
        {"weightlab.lp.prospect": "import sys\nsys.stdout.write('done')"},
    ],
    architecture.named_by_metaphor: [{"weightlab.lp.improvement.ladder": ""}, {"weightlab.domains.peeling": ""}],
    architecture.crowded: [
        {f"weightlab.lp.module_{number}": "" for number in range(16)},
        {f"weightlab.lp.pairwise.module_{number}": "" for number in range(16)},
        {f"weightlab.module_{number}": "" for number in range(16)},
    ],
    architecture.named_twice: [
        {"weightlab.lp.ranks.bounds": "", "weightlab.lp.bounds": ""},
        {"weightlab.lp.ranks.bounds": "", "weightlab.lp.pairwise.bounds": "", "weightlab.lp.ranks": ""},
    ],
    architecture.rebuilding: [
        {"weightlab.lp.prospect": "[one for one in names if one not in set(others)]"},
        {"weightlab.lp.prospect": "sum(x for row in rows for x in row if good(x) and x in frozenset(best))"},
    ],
    architecture.too_long: [
        {"weightlab.lp.prospect": "def f():\n" + "    x = 1\n" * 41},
        {"weightlab.lp.prospect": "class C:\n    def f(self):\n        'Text.'\n" + "        x = 1\n" * 41},
    ],
}
CASES = [(law, broken) for law, examples in LAWS.items() for broken in examples]
LAWFUL = {
    "weightlab": "if TYPE_CHECKING:\n    from weightlab import lp as lp",
    "weightlab._exports": "import_module(name)",
    "weightlab.__main__": "from weightlab.cli import main",
    "weightlab._exact": "from weightlab.exceptions import ProofError\nfrom fractions import Fraction",
    "weightlab.data": "from weightlab.data.signs import Signs",
    "weightlab.data.signs": "import numpy as np\nfrom weightlab._exact import solve\nfrom .points import Points",
    "weightlab.data.points": "def f():\n    import joblib\n    return joblib",
    "weightlab._solver.highs": "import highspy\nimport pulp",
    "weightlab.lp.prospect": "def f():\n    '''Text.''' \n" + "    x = 1\n" * 40,
    "weightlab.cli.show": "import rich\nprint('done')",
    "weightlab.cli.win": "known = set(names)\n[x for row in rows for x in row if x in set(row) and x not in known]",
    "weightlab.graph": "",
    "weightlab.graph.paths": "",
    "weightlab.graph.kemeny": "",
    "weightlab.graph.kemeny.kemeny": "",
    **{f"weightlab.lp.ranks.module_{number}": "" for number in range(15)},
    **{f"weightlab.lp.pairwise.other_{number}": "" for number in range(15)},
}


def by_name(value):
    return value.__name__ if callable(value) else None


@pytest.mark.parametrize("law", LAWS, ids=by_name)
def test_the_package_keeps_the_law(law):
    assert law(SOURCES) == []


@pytest.mark.parametrize(("law", "broken"), CASES, ids=by_name)
def test_a_breach_is_seen(law, broken):
    assert law(broken)


@pytest.mark.parametrize("law", LAWS, ids=by_name)
def test_lawful_sources_pass(law):
    assert law(LAWFUL) == []


def test_the_whole_package_is_read():
    assert {"weightlab", "weightlab.__main__", "weightlab.exceptions"} <= set(SOURCES)
    assert len(SOURCES) == len(list(ROOT.rglob("*.py")))


def test_a_breach_in_a_real_file_is_seen_and_named():
    spoilt = {**SOURCES, "weightlab.exceptions": "from weightlab.cli import main"}
    assert architecture.looking_up(spoilt) == [
        "weightlab.exceptions:1 imports weightlab.cli, and exceptions may not look at cli"
    ]


def test_folders_of_tests_are_as_small():
    assert architecture.crowded(read_sources(TESTS)) == []


def map_of_the_house():
    text = (TESTS.parent / "CONTRIBUTING.md").read_text(encoding="utf-8")
    return text.partition("## The map of the house")[2].partition("\n## ")[0]


def test_the_map_of_the_house_names_every_room():
    rooms = {
        f"{folder.relative_to(ROOT).as_posix()}/"
        for folder in ROOT.rglob("*")
        if any(one.name != "__init__.py" for one in folder.glob("*.py"))
    }
    named = set(re.findall(r"`([a-z_/]+/)`", map_of_the_house()))
    assert named - rooms <= {"lp/", "report/", "studies/"}
    assert rooms - named - {"lp/", "report/", "studies/", "cli/"} == set()


def test_the_map_of_the_house_leads_to_files_that_are_there():
    files = re.findall(r"`([a-z_/]+\.py)`", map_of_the_house())
    assert len(files) > 40
    assert [file for file in files if not (ROOT / file).is_file()] == []


def test_no_room_has_the_name_of_a_public_function():
    # Python binds a folder that is imported to its name in the part, where the function of that name should be.
    rooms = {folder.relative_to(ROOT).as_posix().replace("/", ".") for folder in ROOT.rglob("*") if folder.is_dir()}
    parts = [name for name in weightlab.__all__ if (ROOT / name).is_dir()]
    public = {f"{part}.{name}" for part in parts for name in import_module(f"weightlab.{part}").__all__}
    assert len(public) > 300
    assert rooms & public == set()
