"""Print the least versions that pyproject.toml allows, as pins for pip: `numpy==2.0` for `numpy>=2.0`.

Usage: python .ci/lower_bounds.py [EXTRA ...]. Without extras: what weightlab itself requires.
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

LOWER_BOUND = re.compile(r"(?P<name>[\w.-]+(\[[\w,.-]+\])?)>=(?P<version>[\w.]+)")


def pin(requirement: str) -> str:
    """Turn one requirement into its lower bound; every requirement must have one."""
    found = LOWER_BOUND.match(requirement)
    if not found:
        raise SystemExit(f"pyproject.toml: {requirement!r} has no lower bound; write it as 'name>=version'")
    return f"{found['name']}=={found['version']}"


def main(extras: list[str]) -> None:
    """Print the pins, one a line."""
    project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    requirements = [*project["dependencies"]]
    for extra in extras:
        requirements += project["optional-dependencies"][extra]
    print("\n".join(map(pin, requirements)))


if __name__ == "__main__":
    main(sys.argv[1:])
