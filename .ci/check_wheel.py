"""Check that a wheel holds every file of the package and nothing else: python .ci/check_wheel.py WHEEL."""

from __future__ import annotations

import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).parent.parent


def main(wheel: str) -> None:
    """Compare the files of the wheel with those of the sources, or stop with what differs."""
    with zipfile.ZipFile(wheel) as opened:
        packed = {name for name in opened.namelist() if ".dist-info/" not in name}
    sources = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "weightlab").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    if packed != sources:
        sys.exit(f"only in the sources: {sorted(sources - packed)}; only in the wheel: {sorted(packed - sources)}")
    print(f"{Path(wheel).name} holds the {len(packed)} files of the package")


if __name__ == "__main__":
    main(sys.argv[1])
