"""The package root: what it names, what it imports, what it says of itself."""

from __future__ import annotations

import ast
import importlib
import inspect
import re
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

import weightlab

ROOT = Path(weightlab.__file__).parent
PARTS = [name for name in weightlab.__all__ if (ROOT / name).is_dir()]
HEAVY = {"highspy", "networkx", "numpy", "pandas", "pulp", "rich", "scipy", "typer"}


def in_fresh_python(code):
    """Return what ``code`` prints in an interpreter of its own."""
    return subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.strip()


@pytest.mark.parametrize("name", weightlab.__all__)
def test_every_advertised_name_resolves_and_is_listed(name):
    assert getattr(weightlab, name) is not None
    assert name in dir(weightlab)


def test_what_type_checkers_see_is_what_there_is():
    tree = ast.parse((ROOT / "__init__.py").read_text(encoding="utf-8"))
    guarded = next(node for node in tree.body if isinstance(node, ast.If))
    lines = [node for node in guarded.body if isinstance(node, ast.ImportFrom) and node.module != "typing"]
    seen = {alias.name: node.module for node in lines for alias in node.names}
    assert all(alias.asname == alias.name for node in lines for alias in node.names)
    assert sorted(seen) == weightlab.__all__
    for name, home in seen.items():
        assert getattr(weightlab, name) is getattr(importlib.import_module(home), name)


def test_every_part_names_what_it_imports_and_no_room_of_its_own():
    for part in PARTS:
        module = importlib.import_module(f"weightlab.{part}")
        assert module.__all__ == sorted(set(module.__all__))
        assert not any(inspect.ismodule(getattr(module, name)) or name.startswith("_") for name in module.__all__)


def test_names_are_advertised_once():
    assert len(set(weightlab.__all__)) == len(weightlab.__all__)


def test_every_error_can_be_caught_by_its_name_at_the_root():
    raised = {
        name
        for name, value in vars(importlib.import_module("weightlab.exceptions")).items()
        if inspect.isclass(value) and issubclass(value, Exception)
    }
    assert raised <= set(weightlab.__all__)


def test_importing_weightlab_imports_no_other_package():
    code = "import sys, weightlab; print(*sorted({name.partition('.')[0] for name in sys.modules}))"
    assert HEAVY.isdisjoint(in_fresh_python(code).split())


def test_importing_weightlab_imports_no_part_of_it_either():
    code = "import sys, weightlab; print(*sorted(name for name in sys.modules if name.startswith('weightlab.')))"
    assert in_fresh_python(code) == "weightlab._exports weightlab._frames weightlab._pictures weightlab._version"


def test_a_process_that_works_on_studies_loads_no_graphs_matrices_or_solvers_before_it_needs_them():
    code = "import sys, weightlab.studies; print(*{'networkx', 'scipy', 'highspy', 'joblib'} & {*sys.modules})"
    assert not in_fresh_python(code)


def test_a_subpackage_is_an_attribute_without_an_import_of_its_own():
    assert in_fresh_python("import weightlab as wl; print(wl.data.__name__)") == "weightlab.data"


def test_an_unknown_attribute_is_refused_by_name():
    with pytest.raises(AttributeError, match=r"^module 'weightlab' has no attribute 'leaderboard'$"):
        _ = weightlab.leaderboard


def test_the_version_is_written_once():
    assert weightlab.__version__ == metadata.version("weightlab")


def test_the_package_says_that_it_is_typed():
    assert (ROOT / "py.typed").is_file()


def required_by(extra):
    marker = f"; extra == '{extra}'"
    lines = [line.replace('"', "'") for line in metadata.requires("weightlab")]
    return {line.removesuffix(marker) for line in lines if line.endswith(marker)}


def test_the_extra_all_is_everything_a_user_can_need():
    extras = ("plot", "parquet", "parallel", "excel", "frames", "yaml")
    assert required_by("all") == set().union(*map(required_by, extras))


def test_the_tests_of_a_plain_install_need_no_extra_of_a_user():
    assert required_by("test").isdisjoint(required_by("all"))


def test_classifiers_name_every_python_from_the_least_on():
    project = tomllib.loads((ROOT.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    mark = "Programming Language :: Python :: 3."
    minors = [int(one.removeprefix(mark)) for one in project["classifiers"] if one.startswith(mark)]
    assert project["requires-python"] == f">=3.{minors[0]}"
    assert minors == [*range(minors[0], minors[0] + len(minors))]


def test_the_changelog_has_a_section_of_the_version_or_of_what_becomes_it():
    changelog = (ROOT.parent / "CHANGELOG.md").read_text(encoding="utf-8")
    version = re.escape(weightlab.__version__)
    assert re.search(rf"\n## \[{version}\] - \d{{4}}-\d\d-\d\d\n|\nWhat becomes {version}, ", changelog)


def test_the_citation_names_the_same_version():
    citation = (ROOT.parent / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {weightlab.__version__}\n" in citation


def public_functions():
    """Return the public functions of all parts, and the methods of their classes, by name."""
    found = {}
    for part in PARTS:
        module = importlib.import_module(f"weightlab.{part}")
        for name in module.__all__:
            one = getattr(module, name)
            members = vars(one).items() if inspect.isclass(one) else [("", one)]
            for inner, member in members:
                function = getattr(member, "__func__", member)
                if inspect.isfunction(function) and not inner.startswith("_"):
                    found[f"{part}.{name}.{inner}".rstrip(".")] = function
    return found


def test_every_parameter_of_a_public_function_may_be_given_by_keyword():
    places = {
        name: [one.name for one in inspect.signature(function).parameters.values() if one.kind is one.POSITIONAL_ONLY]
        for name, function in public_functions().items()
    }
    assert len(places) > 300
    assert {name: those for name, those in places.items() if those} == {}
