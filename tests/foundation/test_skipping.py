"""What a run says of the tests that it skipped."""

from __future__ import annotations

import pytest

from tests.skipping import in_one_line


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
