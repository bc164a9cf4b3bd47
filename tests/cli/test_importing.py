"""Who imports weightlab keeps Ctrl-C, the hooks and the settings of Python."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

STATE = """
import gc, os, signal, sys, threading, warnings

def state():
    handlers = [(number, signal.getsignal(number)) for number in sorted(signal.valid_signals())]
    hooks = [sys.excepthook, sys.unraisablehook, sys.displayhook, sys.gettrace(), threading.excepthook]
    streams = [sys.stdin, sys.stdout, sys.stderr]
    settings = [gc.get_threshold(), sys.getrecursionlimit(), sys.get_int_max_str_digits(), sys.flags, sys.path[:]]
    return handlers, hooks, streams, settings, sys.argv[:], dict(os.environ), warnings.filters[:]

before = state()
"""
PARTS = "from weightlab import data, datasets, domains, graph, io, lp, plots, report, rules, studies"
TOOL = """
import signal

try:
    {work}
    print("ready", flush=True)
    signal.pause()
except KeyboardInterrupt:
    print("caught", flush=True)
    raise
finally:
    print("tidied", flush=True)
"""
IMPORTED = "import weightlab"
ASKED = f"{IMPORTED}; weightlab.lp.prospects(weightlab.Leaderboard({{'x': {{'a': 1, 'b': 2}}}})).verify()"


def test_importing_weightlab_changes_nothing_of_python():
    same = "sys.exit(state() != before)"
    assert subprocess.run([sys.executable, "-c", f"{STATE}\nimport weightlab\n{same}"], check=False).returncode == 0


def test_nor_does_loading_all_of_it_but_for_filters_of_warnings():
    """NumPy and others add some."""
    same = "sys.exit(state()[:-1] != before[:-1])"
    ended = subprocess.run([sys.executable, "-c", f"{STATE}\nimport weightlab\n{PARTS}, cli\n{same}"], check=False)
    assert ended.returncode == 0


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent differently on Windows")
@pytest.mark.parametrize(
    ("called", "work"), [("-m mypkg.tool", IMPORTED), ("./weightlab", IMPORTED), ("-m mypkg.tool", ASKED)]
)
def test_a_program_that_uses_weightlab_answers_ctrl_c_itself(tmp_path, called, work):
    """Also where its package does so, while Python looks for the module; and a script that is called weightlab."""
    folder = tmp_path / "mypkg"
    folder.mkdir()
    (folder / "__init__.py").write_text(work, encoding="utf-8")
    (folder / "tool.py").write_text(TOOL.format(work=work), encoding="utf-8")
    (tmp_path / "weightlab").write_text(TOOL.format(work=work), encoding="utf-8")
    with subprocess.Popen(
        [sys.executable, *called.split()],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),  # noqa: PLW1509
    ) as process:
        assert process.stdout.readline() == "ready\n"
        process.send_signal(signal.SIGINT)
        out, err = process.communicate()
    assert out == "caught\ntidied\n"
    assert err.endswith("KeyboardInterrupt\n")
    assert "weightlab:" not in err
    assert process.returncode == -signal.SIGINT
