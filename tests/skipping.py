"""One line that says how many tests were skipped and what they lack."""

from __future__ import annotations

from collections import Counter

# A word of the reasons for skipping, and what is lacking then: the first word found decides.
LACKS = {
    "WEIGHTLAB_DATA": "WEIGHTLAB_DATA (public score tables)",
    "WEIGHTLAB_REPRODUCE": "WEIGHTLAB_REPRODUCE=all (takes minutes)",
    "matplotlib": "matplotlib (extra 'plot')",
    "pyarrow": "pyarrow (extra 'parquet')",
    "openpyxl": "openpyxl (extra 'excel')",
    "yaml": "PyYAML (extra 'yaml')",
    "lxml": "lxml (to read HTML)",
    "narwhals": "narwhals (extra 'frames')",
    "polars": "polars (extra 'peers')",
    "joblib": "joblib (extra 'parallel')",
    "dask": "dask (extra 'parallel')",
    "playwright": "playwright (extra 'browser')",
    "Chromium": "Chromium",
    "weightlab[peers]": "second opinions (extra 'peers')",
    "extra 'peers'": "second opinions (extra 'peers')",
    "prefsampling": "second opinions (extra 'peers')",
    "preflibtools": "second opinions (extra 'peers')",
    "pref_voting": "second opinions (extra 'peers')",
    "sphinx": "sphinx (extra 'docs')",
    "weightlab[docs]": "sphinx (extra 'docs')",
    "scikit-learn": "scikit-learn (extra 'dev')",
    "hatchling": "hatchling (extra 'dev')",
}


def in_one_line(reasons):
    """Return how many tests were skipped, and for want of what, most first."""
    why = Counter(
        next((f"without {lack}" for word, lack in LACKS.items() if word in reason), f"({reason})") for reason in reasons
    )
    return f"{why.total()} skipped: " + ", ".join(f"{many} {reason}" for reason, many in why.most_common())
