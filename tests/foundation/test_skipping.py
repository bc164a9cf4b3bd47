"""What a run says of the tests that it skipped."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from tests.architecture import nodes_of
from tests.skipping import in_one_line

ROOT = Path(__file__).parent.parent
HAD = {"fcntl", "pandas", "referencing", "scipy.optimize"}
"""What every installation has, or has with what is asked for before; locks of files are the system's."""
EXTRAS = re.compile(
    r"dask|hatchling|joblib|jsonschema|lxml|matplotlib|narwhals|openpyxl|playwright|polars|pyarrow|sklearn"
)


def test_one_line_counts_what_is_lacking():
    reasons = [
        "could not import 'matplotlib': No module named 'matplotlib'",
        "WEIGHTLAB_DATA is not set: it names the folder of public score tables (see CONTRIBUTING.md)",
        "all other blocks hold; line 42 needs WEIGHTLAB_DATA",
        "needs bash",
    ]
    said = "4 skipped: 2 without WEIGHTLAB_DATA (public score tables), 1 without matplotlib (extra 'plot')"
    assert in_one_line(reasons) == f"{said}, 1 (needs bash)"


@pytest.mark.parametrize("package", ["preflibtools.properties", "pref_voting"])
def test_all_peers_are_one_extra(package):
    assert in_one_line([f"could not import '{package}'"]) == "1 skipped: 1 without second opinions (extra 'peers')"


def asked_for():
    """Yield where a test asks for a package, the package, and the reason it is skipped for without."""
    for path in sorted(ROOT.rglob("*.py")):
        for one in nodes_of(path.read_text(encoding="utf-8")):
            if isinstance(one, ast.Call) and ast.unparse(one.func) == "pytest.importorskip":
                package = one.args[0].value if isinstance(one.args[0], ast.Constant) else None
                given = [more.value for more in one.keywords if more.arg == "reason"]
                said = "".join(
                    str(part.value) for one in given for part in ast.walk(one) if isinstance(part, ast.Constant)
                )
                reason = said or f"could not import {package!r}"
                yield path.relative_to(ROOT).as_posix(), package, reason


def test_every_package_that_a_test_asks_for_is_counted_by_its_name():
    asked = list(asked_for())
    assert len(asked) > 60
    assert [one for one in asked if one[1] not in HAD and "skipped: 1 without" not in in_one_line([one[2]])] == []


def test_every_test_that_imports_an_extra_asks_for_it_first():
    asking = {path for path, _, _ in asked_for()} | {"plots/pictures.py"}  # whose users ask
    for path in sorted(ROOT.rglob("*.py")):
        for one in nodes_of(path.read_text(encoding="utf-8")):
            named = [alias.name for alias in one.names] if isinstance(one, ast.Import) else []
            named += [one.module or ""] if isinstance(one, ast.ImportFrom) else []
            if any(EXTRAS.match(name) for name in named):
                assert path.relative_to(ROOT).as_posix() in asking, f"{path}: {named}"
