"""Orders of least disagreement: Kemeny, Slater, and the linear ordering program."""

from __future__ import annotations
