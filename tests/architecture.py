"""What the architecture forbids, as functions from sources to sentences; each returns the violations it finds.

A source tree is a mapping from a module's dotted name to its text, so a test can hand over an invented one.
"""

from __future__ import annotations

import ast
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import networkx as nx

Sources = Mapping[str, str]

# A part may import only from parts on lines above its own. Parts on one line are strangers, except those on the
# first: they are single files, and together one part. The last line holds the two doors of the package.
LAYERS = (
    (
        *("exceptions", "_validate", "_result", "_exact", "_version", "_text", "_cures"),
        *("_frames", "_pictures", "_files", "_exports", "checker"),
    ),
    ("data", "_solver"),
    ("lp", "graph", "domains", "io"),
    ("rules", "datasets"),
    ("studies",),
    ("plots",),
    ("views",),
    ("report",),
    ("cli",),
    ("__init__", "__main__"),
)
# The file that re-checks proofs without the package: it must run where weightlab is not installed.
ALONE = "checker"
LEVELS = {part: level for level, parts in enumerate(LAYERS) for part in parts}

# Who may import what; every other part goes through these.
KEEPERS = {
    "highspy": {"_solver"},
    "pulp": {"_solver"},
    "matplotlib": {"plots"},
    "jinja2": {"report"},
    "typer": {"cli"},
    "click": {"cli"},
    "rich": {"cli"},
}
ENUMERATORS = {"itertools", "more_itertools", "toolz", "cytoolz"}
INSTALLED_ALWAYS = {"highspy", "jinja2", "markupsafe", "networkx", "numpy", "pandas", "pulp", "rich", "scipy", "typer"}
DRAWERS_OF_EVERYTHING = {"util", "utils", "helper", "helpers", "misc", "common", "base", "tools", "stuff"}
# Metaphors and participles that once named modules: no index of the field lists them, so nobody finds what they hold.
REFUSED_NAMES = set(Path(__file__).with_name("refused_names.txt").read_text(encoding="utf-8").split())
COLLECTIONS = {"dict", "frozenset", "list", "set", "sorted", "tuple"}
MOST_MODULES_OF_A_FOLDER = 15
MOST_LINES_OF_A_FUNCTION = 40


@dataclass(frozen=True, kw_only=True)
class Import:
    """One imported module, where it is written, and whether it is imported with its file or later."""

    module: str
    names: tuple[str, ...]
    line: int
    late: bool


def part_of(module: str) -> str:
    """Return the part of the package that a module belongs to: ``weightlab.lp.space.space`` is of ``lp``."""
    _, _, rest = module.partition(".")
    return rest.partition(".")[0] or "__init__"


@cache
def imports_of(module: str, source: str, *, is_package: bool = False) -> tuple[Import, ...]:
    """Return every import of a module: also those inside functions and those for type checkers only."""
    nodes = nodes_of(source)
    late = {
        node
        for outer in nodes
        if isinstance(outer, (ast.FunctionDef, ast.AsyncFunctionDef)) or _is_for_type_checkers(outer)
        for node in ast.walk(outer)
    }
    found = []
    for node in nodes:
        if isinstance(node, ast.Import):
            found += [Import(module=alias.name, names=(), line=node.lineno, late=node in late) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = tuple(alias.name for alias in node.names)
            home = _absolute(module, node, is_package=is_package)
            found.append(Import(module=home, names=names, line=node.lineno, late=node in late))
    return tuple(found)


def modules_meant(one: Import, sources: Sources) -> set[str]:
    """Return the modules that an import reaches: ``from a.b import c`` is ``a.b.c`` where that is a module."""
    inner = {f"{one.module}.{name}" for name in one.names if f"{one.module}.{name}" in sources}
    outer = {one.module} if one.module in sources and len(inner) < max(len(one.names), 1) else set()
    return inner | outer


def looking_up(sources: Sources) -> list[str]:
    """Find imports from a part on the same line or on a line below."""
    found = []
    for module, one in _all_imports(sources):
        part = part_of(module)
        for target in sorted(_targets(one)):
            other = part_of(target)
            if other == part or "__init__" in (part, other) or {part, other} - set(LEVELS):
                continue
            lower = LEVELS[other] < LEVELS[part] or LEVELS[other] == LEVELS[part] == 0
            if not lower:
                found.append(f"{module}:{one.line} imports {target}, and {part} may not look at {other}")
    return found


def not_alone(sources: Sources) -> list[str]:
    """Find what the file that stands alone imports beyond the standard library, and who but ``cli`` imports it."""
    found = []
    for module, one in _all_imports(sources):
        if part_of(module) == ALONE and one.module.partition(".")[0] not in sys.stdlib_module_names:
            found.append(f"{module}:{one.line} imports {one.module}, and {ALONE} stands alone")
        if any(part_of(target) == ALONE for target in _targets(one)) and part_of(module) not in {ALONE, "cli"}:
            found.append(f"{module}:{one.line} imports {ALONE}, which only the command line may")
    return found


def of_no_layer(sources: Sources) -> list[str]:
    """Find modules of a part that no layer lists."""
    return [f"{module} is of no layer" for module in sources if part_of(module) not in LEVELS]


def through_the_root(sources: Sources) -> list[str]:
    """Find imports of the package root inside the package, the usual beginning of import cycles; parts may be named."""
    return [
        f"{module}:{one.line} imports from the package root; import from the module that holds the name"
        for module, one in _all_imports(sources)
        if one.module == "weightlab" and part_of(module) != "__init__"
        if not one.names or not {f"weightlab.{name}" for name in one.names} <= sources.keys()
    ]


def by_name_at_run_time(sources: Sources) -> list[str]:
    """Find imports that this checker cannot see, but for the names that a package says it has."""
    found = []
    for module, nodes in _all_nodes(sources):
        for node in nodes:
            called = _called(node)
            if called in {"import_module", "__import__"} and part_of(module) != "_exports":
                found.append(f"{module}:{node.lineno} imports by a name that is known only at run time")
    return found


def in_cycles(sources: Sources) -> list[str]:
    """Find modules that import one another in a cycle; late imports count, since they only hide it."""
    graph = nx.DiGraph()
    for module, one in _all_imports(sources):
        if part_of(module) != "__init__":
            graph.add_edges_from((module, target) for target in modules_meant(one, sources))
    cycles = (sorted(cycle) for cycle in nx.strongly_connected_components(graph) if len(cycle) > 1)
    return [f"{', '.join(cycle)} import one another in a cycle" for cycle in cycles]


def rooms_in_cycles(sources: Sources) -> list[str]:
    """Find folders of ``io`` that import one another in a cycle, even where no two modules do."""
    graph = nx.DiGraph()
    for module, one in _all_imports(sources):
        for target in modules_meant(one, sources):
            rooms = [name.split(".")[:3] for name in (module, target) if part_of(name) == "io" and name.count(".") > 2]
            if len(rooms) == 2 and rooms[0] != rooms[1]:
                graph.add_edge(*map(".".join, rooms))
    cycles = (sorted(cycle) for cycle in nx.strongly_connected_components(graph) if len(cycle) > 1)
    return [f"folders {', '.join(cycle)} import one another in a cycle" for cycle in cycles]


def out_of_keeping(sources: Sources) -> list[str]:
    """Find packages imported outside the one part that knows them."""
    return [
        f"{module}:{one.line} imports {one.module}, which only {', '.join(sorted(KEEPERS[package]))} may"
        for module, one in _all_imports(sources)
        if (package := one.module.partition(".")[0]) in KEEPERS and part_of(module) not in KEEPERS[package]
    ]


def enumerating(sources: Sources) -> list[str]:
    """Find itertools and its like: an algorithm of this package does not enumerate."""
    found = [
        f"{module}:{one.line} imports {one.module}"
        for module, one in _all_imports(sources)
        if one.module.partition(".")[0] in ENUMERATORS or ENUMERATORS.intersection(one.names)
    ]
    for module, nodes in _all_nodes(sources):
        reached = [node for node in nodes if isinstance(node, ast.Attribute) and node.attr in ENUMERATORS]
        found.extend(f"{module}:{node.lineno} reaches {node.attr} through another module" for node in reached)
    return found


def optional_but_early(sources: Sources) -> list[str]:
    """Find packages that a plain install lacks and that are imported before they are needed."""
    return [
        f"{module}:{one.line} imports {one.module} with its file; a plain install has no such package"
        for module, one in _all_imports(sources)
        if not one.late
        and (package := one.module.partition(".")[0]) != "weightlab"
        and package not in INSTALLED_ALWAYS
        and package not in sys.stdlib_module_names
    ]


def named_for_nothing(sources: Sources) -> list[str]:
    """Find modules whose name says nothing about what they hold."""
    return [
        f"{module} is named for nothing that it holds"
        for module in sources
        if {name.strip("_") for name in module.split(".")} & DRAWERS_OF_EVERYTHING
    ]


def printing(sources: Sources) -> list[str]:
    """Find output written anywhere but in the command line, and the program that stands alone: all else returns."""
    found = []
    for module, nodes in _all_nodes(sources):
        if part_of(module) in {"cli", ALONE}:
            continue
        for node in nodes:
            writes = isinstance(node, ast.Attribute) and node.attr in {"stdout", "stderr"} and _is_sys(node.value)
            if writes or _called(node) == "print":
                found.append(f"{module}:{node.lineno} writes to the terminal")
    return found


def named_by_metaphor(sources: Sources) -> list[str]:
    """Find modules under a name of the stored list: a term of the field, or the public function, names a module."""
    return [f"{module} has a refused name" for module in sources if module.rpartition(".")[2] in REFUSED_NAMES]


def crowded(sources: Sources) -> list[str]:
    """Find folders with more modules than a reader takes in at a glance."""
    counts = Counter(module.rpartition(".")[0] for module in sources if not _is_package(module, sources))
    return [
        f"{folder} holds {count} modules; past {MOST_MODULES_OF_A_FOLDER} it has two rooms"
        for folder, count in counts.items()
        if count > MOST_MODULES_OF_A_FOLDER
    ]


def named_twice(sources: Sources) -> list[str]:
    """Find modules of one part that share their last name: in a list of open files they cannot be told apart."""
    homes: dict[tuple[str, str], list[str]] = {}
    for module in sources:
        if not _is_package(module, sources):
            homes.setdefault((part_of(module), module.rpartition(".")[2]), []).append(module)
    return [f"{' and '.join(modules)} have the same name" for modules in homes.values() if len(modules) > 1]


def too_long(sources: Sources) -> list[str]:
    """Find functions that are longer than one idea."""
    found = []
    for module, source in sources.items():
        for node in nodes_of(source):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                length = _lines_of_body(node)
                if length > MOST_LINES_OF_A_FUNCTION:
                    found.append(f"{module}:{node.lineno} {node.name} has {length} lines")
    return found


def rebuilding(sources: Sources) -> list[str]:
    """Find conditions of comprehensions that make the same collection anew for every element: quadratic time."""
    return [
        f"{module}:{test.lineno} makes {ast.unparse(test)} for every element"
        for module, nodes in _all_nodes(sources)
        for node in nodes
        if isinstance(node, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp)
        for test in _tests_of(node)
        if not any(_names_in(test) & _names_in(one.target) for one in node.generators)
    ]


def _tests_of(node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp) -> Iterator[ast.Call]:
    """Yield the calls that make what the conditions look an element up in."""
    for condition in (one for generator in node.generators for one in generator.ifs):
        for part in ast.walk(condition):
            for looked_up in part.comparators if isinstance(part, ast.Compare) else ():
                if isinstance(looked_up, ast.Call) and _called(looked_up) in COLLECTIONS:
                    yield looked_up


def _names_in(node: ast.AST) -> set[str]:
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}


def _all_nodes(sources: Sources) -> Iterator[tuple[str, tuple[ast.AST, ...]]]:
    for module, source in sources.items():
        yield module, nodes_of(source)


@cache
def nodes_of(source: str) -> tuple[ast.AST, ...]:
    """Return all nodes of a source: every law looks at them."""
    return tuple(ast.walk(ast.parse(source)))


def _all_imports(sources: Sources) -> Iterator[tuple[str, Import]]:
    for module, source in sources.items():
        for one in imports_of(module, source, is_package=_is_package(module, sources)):
            yield module, one


def _is_package(module: str, sources: Sources) -> bool:
    return module in _packages(frozenset(sources))


@cache
def _packages(modules: frozenset[str]) -> frozenset[str]:
    """Return every module that holds others, however deep."""
    return frozenset(above for module in modules for above in _above(module))


def _above(module: str) -> Iterator[str]:
    while module:
        module = module.rpartition(".")[0]
        yield module


def _targets(one: Import) -> set[str]:
    """Return what an import names within the package, with ``from weightlab import lp`` read as ``weightlab.lp``."""
    if one.module == "weightlab":
        return {f"weightlab.{name}" for name in one.names}
    return {one.module} if one.module.startswith("weightlab.") else set()


def _absolute(module: str, node: ast.ImportFrom, *, is_package: bool) -> str:
    if not node.level:
        return node.module or ""
    above = node.level - 1 if is_package else node.level
    package = ".".join(module.split(".")[: -above or None])
    return f"{package}.{node.module}" if node.module else package


def _is_for_type_checkers(node: ast.AST) -> bool:
    if not isinstance(node, ast.If):
        return False
    test = node.test
    return (test.id if isinstance(test, ast.Name) else getattr(test, "attr", "")) == "TYPE_CHECKING"


def _called(node: ast.AST) -> str | None:
    if not isinstance(node, ast.Call):
        return None
    return node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", None)


def _is_sys(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and node.id == "sys"


def _lines_of_body(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    body = node.body[1:] if ast.get_docstring(node) is not None else node.body
    return (body[-1].end_lineno or 0) - body[0].lineno + 1 if body else 0
