"""Run the command line as ``python -m weightlab``."""

from __future__ import annotations

from weightlab.cli import main

if __name__ == "__main__":
    main()
