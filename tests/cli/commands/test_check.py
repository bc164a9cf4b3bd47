from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import weightlab as wl
from weightlab._result import result_from_dict

ACTION = Path(__file__).parents[3] / "action.yml"
PASSED = "model,reading,arithmetic,code\nada,81.0,64.5,40.2\nbo,58.5,70.1,38.0\ncy,74.0,66.0,45.9\neve,76.0,65.0,39.5\n"


@pytest.fixture
def passed(tmp_path):
    """A later version of ``scores``, in which bo fell, dee went and eve came."""
    path = tmp_path / "passed.csv"
    path.write_text(PASSED, encoding="utf-8")
    return path


def test_without_a_policy_changes_are_told_and_nothing_is_broken(weightlab, scores, passed):
    answer = weightlab("check", passed, "--against", scores)
    assert answer.code == 0
    assert answer.out.startswith("Since the version before\n  New model: eve.\n  Gone model: dee.\n")
    assert "  cy and ada pass bo: bo on reading" in answer.out
    assert "bo on reading from 78.5 to 58.5 (weight 33.3%, gap 6.67)" in answer.out
    assert "No policy: 'weightlab check FILE --init' writes weightlab-policy.toml." in answer.err


def test_the_policy_of_today_is_written_once_kept_today_and_broken_later(weightlab, scores, passed, tmp_path):
    answer = weightlab("check", scores, "--init")
    assert (answer.code, answer.err) == (0, "")
    assert answer.out.startswith("Wrote weightlab-policy.toml: ")
    again = weightlab("check", scores, "--init")
    assert (again.code, "already exists" in again.err) == (2, True)
    assert weightlab("check", scores).code == 0
    passed.write_text(PASSED.replace("64.5", "640.5"), encoding="utf-8")
    answer = weightlab("check", passed, "--summary", "told.md", "--higher", "arithmetic")
    assert answer.code == 1
    assert "  broken  score_range: 1 score out of range: ada on arithmetic (640.5, not 0 to 100).\n" in answer.out
    assert f"$ weightlab convert {passed} -" in answer.out
    told = (tmp_path / "told.md").read_text(encoding="utf-8")
    assert told.startswith("# weightlab check\n\n## Policy\n\n- broken ")
    assert "\n- broken  score\\_range: 1 score out of range" in told


def test_the_commands_of_broken_rules_run(weightlab, scores, tmp_path):
    (tmp_path / "strict.toml").write_text(
        'winner_stable_by = "90%"\nnever_above_place = 9\ndirections_declared = true\nscore_range = [0, 1]\n',
        encoding="utf-8",
    )
    answer = weightlab("check", scores, "--policy", "strict.toml")
    assert answer.code == 1
    commands = [line.partition("$ weightlab ")[2] for line in answer.out.splitlines() if "$ weightlab" in line]
    assert len(commands) == 4
    for command in commands:
        words = shlex.split(command)
        ran = weightlab(*words)
        assert ran.code == 0, ran.err


def test_the_document_is_verified_against_the_new_version(weightlab, scores, passed, tmp_path):
    (tmp_path / "weightlab-policy.toml").write_text('missing = 0\nunmoved_by_newcomers = "borda"\n', encoding="utf-8")
    answer = weightlab("check", passed, "--against", scores, "--json", "--output", "proof.json")
    (document,) = json.loads(answer.out)["results"]
    assert result_from_dict(document).verify(wl.read_leaderboard(passed))
    assert weightlab("verify", "proof.json", passed).code == 0
    assert weightlab("verify", "proof.json", scores).code == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--policy", "none.toml"], "none.toml"),
        (["--policy", "bad.toml"], "bad.toml: no rule named 'mising'"),
        (["--policy", "odd.toml"], "not TOML"),
        (["--policy", "task.toml"], "score_range: no task named 'writing'"),
        (["--against", "other.csv"], "two models and a task are needed"),
        (["--against", "turned.csv"], "lower is better on 'code' in only one of the versions"),
        (["--against", "document.json"], ""),
        (["--init", "--summary", "told.md"], "--init writes a policy and nothing else"),
        (["--summary", "scores.csv"], "--summary 'scores.csv' is a file that is read"),
    ],
)
def test_bad_input_is_told(weightlab, scores, tmp_path, options, message):
    for name, text in {
        "bad.toml": "mising = 0",
        "odd.toml": "missing",
        "task.toml": "score_range = { writing = [0, 100] }",
        "other.csv": "model,x\nu,1\nv,2\n",
        "turned.csv": scores.read_text(encoding="utf-8"),
        "turned.toml": "lower_is_better = ['code']",
        "document.json": '{"weightlab": "0.0.1", "results": []}',
    }.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    answer = weightlab("check", "scores.csv", *options)
    assert answer.code == 2
    assert answer.out == ""
    assert message in answer.err
    assert answer.err.startswith("weightlab: ")


def test_names_are_no_markup_in_the_summary(weightlab, tmp_path):
    (tmp_path / "odd.csv").write_text("model,x\n<b>*a*</b>,1\n`c`,200\n", encoding="utf-8")
    (tmp_path / "weightlab-policy.toml").write_text("score_range = [0, 0]", encoding="utf-8")
    weightlab("check", "odd.csv", "--summary", "told.md")
    told = (tmp_path / "told.md").read_text(encoding="utf-8")
    assert "`<b>*a*</b>` on x" in told
    assert "`` `c` `` on x" in told


def steps():
    """Return the commands of the action's last step, as a shell takes them."""
    lines = ACTION.read_text(encoding="utf-8").splitlines()
    start = lines.index("    - run: |") + 1
    body = [line for line in lines[start:] if line.startswith(" " * 8)]
    return "\n".join(line.removeprefix(" " * 8) for line in body)


@pytest.mark.parametrize(("policy", "code"), [("missing = 0", 0), ("score_range = [0, 1]", 1), ("mising = 0", 2)])
def test_the_steps_of_the_action_run_as_shell(scores, passed, tmp_path, policy, code):
    if shutil.which("bash") is None:
        pytest.skip("there is no bash here")
    (tmp_path / "kept.toml").write_text(policy, encoding="utf-8")
    program = tmp_path / "bin" / "weightlab"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m weightlab "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    summary = tmp_path / "step_summary"
    summary.write_text("before\n", encoding="utf-8")
    given = {"TABLE": str(passed), "AGAINST": str(scores), "POLICY": "kept.toml", "OPTIONS": "--complete"}
    given |= {"RUNNER_TEMP": str(tmp_path), "GITHUB_STEP_SUMMARY": str(summary)}
    given |= {"PATH": f"{program.parent}:{os.environ['PATH']}", "PYTHONPATH": str(ACTION.parent)}
    ran = subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", steps()],
        cwd=tmp_path,
        env=os.environ | given,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == code, ran.stderr
    assert ("Since the version before" in ran.stdout) == (code < 2)
    assert summary.read_text(encoding="utf-8").startswith("before\n" + "# weightlab check" * (code < 2))


def test_the_action_passes_its_inputs_on_and_is_small():
    text = ACTION.read_text(encoding="utf-8")
    for name in ("table", "against", "policy", "options"):
        assert f'{name.upper()}: "${{{{ inputs.{name} }}}}"' in text
    assert len(text.splitlines()) < 30


def test_two_versions_of_glue_with_a_kept_and_a_broken_policy(weightlab, shared_data, tmp_path):
    text = (shared_data / "votenrank" / "glue.csv").read_text(encoding="utf-8")
    (tmp_path / "old.csv").write_text(text, encoding="utf-8")
    (tmp_path / "new.csv").write_text(text.replace(",93.0,92.6,75.2", ",93.0,50,75.2"), encoding="utf-8")
    assert weightlab("check", "old.csv", "--complete", "--init").code == 0
    kept = weightlab("check", "old.csv", "--complete", "--against", "old.csv")
    assert kept.code == 0
    assert "Nothing changed." in kept.out
    broken = weightlab("check", "new.csv", "--complete", "--against", "old.csv")
    assert broken.code == 1
    assert "StructBERT + CLEVER, MacALBERT + DKM, ALBERT + DAAF + NAS and 6 more pass ERNIE: ERNIE on" in broken.out
    assert "ERNIE on STS-B_n2 from 92.6 to 50 (weight 7.14%" in broken.out
    assert "  broken  acyclic_top: the Smith set of 4 models holds a majority cycle" in broken.out
    assert "winner_stable_by: DeBERTa / TuringNLRv4 ranks first by average until" in broken.out


def test_instances_are_checked_by_their_means_and_the_commands_of_ranks_read_them(weightlab, tmp_path):
    rows = [
        f"{model},{item},{score}" for item in range(9) for model, score in (("a", item % 2), ("b", int(item % 3 > 0)))
    ]
    (tmp_path / "items.csv").write_text("\n".join(["who,what,right", *rows]) + "\n", encoding="utf-8")
    (tmp_path / "p.toml").write_text('saturated = 1\nrank_level = "99%"\nscore_range = [0, 0]\n', encoding="utf-8")
    columns = ["--model-column", "who", "--instance-column", "what"]
    answer = weightlab("check", "items.csv", *columns, "--policy", "p.toml")
    assert (answer.code, answer.err) == (1, "")
    commands = [line.partition("$ weightlab ")[2] for line in answer.out.splitlines() if "$ weightlab" in line]
    ranks = [command for command in commands if "--over instances" in command]
    assert len(ranks) == 2
    for command in ranks:
        assert weightlab(*shlex.split(command)).code == 0
    assert "convert means.csv -" in commands
    assert "(means.csv: the table of the means" in answer.out


def test_standard_errors_are_read_without_a_note(weightlab, tmp_path):
    (tmp_path / "se.csv").write_text("model,acc,acc_stderr\na,81,0.5\nb,80.5,0.5\nc,70,1\n", encoding="utf-8")
    (tmp_path / "p.toml").write_text("saturated = 1\n", encoding="utf-8")
    answer = weightlab("check", "se.csv", "--policy", "p.toml")
    assert (answer.code, answer.err) == (1, "")
    assert "more models than 1 are statistically indistinguishable from the best at 95%" in answer.out


def test_a_policy_that_asks_nothing_says_so(weightlab, scores, tmp_path):
    (tmp_path / "empty.toml").write_text("# nothing yet\n", encoding="utf-8")
    answer = weightlab("check", scores, "--policy", "empty.toml")
    assert (answer.code, answer.err) == (0, "The policy empty.toml contains no rules.\n")


def test_what_declares_a_direction_is_written_beside_the_table(weightlab, scores, tmp_path):
    (tmp_path / "strict.toml").write_text("directions_declared = true\n", encoding="utf-8")
    command = "rank scores.csv --higher=reading --write-config scores.toml"
    answer = weightlab("check", "scores.csv", "--policy", "strict.toml")
    assert f"$ weightlab {command}\n" in answer.out
    assert weightlab(*command.split(), "--higher=arithmetic", "--higher=code").code == 0
    assert weightlab("check", "scores.csv", "--policy", "strict.toml").code == 0


@pytest.mark.parametrize("name", ["a, [1]", 'b "c"', "new\nline", "-x", "é=ü"])
def test_names_of_any_form_are_told_and_their_commands_run(weightlab, tmp_path, name):
    quoted = '"' + name.replace('"', '""') + '"'
    (tmp_path / "odd.csv").write_text(f"model,{quoted},y\n{quoted},1,2\nb,2,1\nc,0,0\n", encoding="utf-8")
    (tmp_path / "all.toml").write_text("directions_declared = true\nnever_above_place = 3\n", encoding="utf-8")
    answer = weightlab("check", "odd.csv", "--policy", "all.toml")
    assert answer.code == 1
    command = next(line for line in answer.out.splitlines() if "$ weightlab rank" in line)
    if "\n" not in name:
        ran = weightlab(*shlex.split(command)[2:])
        assert ran.code == 0, ran.err


def test_the_summary_has_ranks_with_tiers_by_the_tables_own_rule(weightlab, tmp_path):
    lines = ["model,x,y,z,u,v,w", "a|b,90,91,92,93,94,95", "c,89,90.5,91,92,93.5,94", "d,20,30,25,22,21,20"]
    (tmp_path / "t.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert weightlab("check", "t.csv", "--summary", "summary.md").code == 0
    text = (tmp_path / "summary.md").read_text(encoding="utf-8")
    assert "## Ranks by average\n\n| rank | model | rank at 95% | tier | by average | head-to-head |" in text
    table = wl.studies.rank_sets(wl.read_leaderboard("t.csv", lower_is_better=[]), "mean", over="tasks", rng=0)
    rows = [
        line.removesuffix(" |").split(" | ")[-4:]
        for line in text.splitlines()
        if line.startswith(("| 1", "| 2", "| 3"))
    ]
    sets = [table.rank_sets[model] for model in ("a|b", "c", "d")]
    assert [row[0] for row in rows] == [str(low) if low == high else f"{low} to {high}" for low, high in sets]
    assert [row[1] for row in rows] == [table.classes[model] for model in ("a|b", "c", "d")]
    assert [row[2:] for row in rows] == [["can win", "can win"], ["never", "never"], ["never", "never"]]


def test_the_hook_of_pre_commit_runs_this_command(weightlab, tmp_path):
    yaml = pytest.importorskip("yaml")
    hooks = yaml.safe_load((Path(__file__).parents[3] / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    (hook,) = hooks
    assert (hook["id"], hook["language"], hook["pass_filenames"]) == ("weightlab-check", "python", False)
    program, *call = hook["entry"].split()
    assert program == "weightlab"
    (tmp_path / "t.csv").write_text("model,x,y\na,1,2\nb,2,1\n", encoding="utf-8")
    assert weightlab(*call, "t.csv", "--init").code == 0
    assert weightlab(*call, "t.csv").code == 0
    (tmp_path / "t.csv").write_text("model,x,y\na,1,2\nb,2,\n", encoding="utf-8")
    assert weightlab(*call, "t.csv").code == 1
