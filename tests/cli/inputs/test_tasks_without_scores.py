"""Models without any score on the tasks that are chosen are left out by name; the others are answered about."""

from __future__ import annotations

TABLE = "model,x,y,z\na,1,2,\nb,2,1,\nc,,,5\nd,3,,4\n"


def test_models_without_a_score_on_the_chosen_tasks_are_left_out_by_name(weightlab, tmp_path):
    (tmp_path / "t.csv").write_text(TABLE, encoding="utf-8")
    answer = weightlab("rank", "t.csv", "--tasks", "x,y", "--rule", "mean")
    assert answer.code == 0
    assert "Left out: c (no score on these tasks)." in answer.err
    assert answer.read[0].endswith(
        "Not ranked (missing scores): d; pass --missing skip or --missing median to rank all."
    )
    assert "among 2 models" in answer.out
    grouped = weightlab("rank", "t.csv", "--group", "some=x,y", "--tasks", "@some", "--rule", "mean")
    assert "Left out: c (no score on these tasks)." in grouped.err
    whole = weightlab("rank", "t.csv", "--tasks", "x,y,z", "--models", "a,b", "--rule", "mean")
    assert "Left out" not in whole.err.replace("As declared", "")


def test_its_document_is_verified(weightlab, tmp_path):
    (tmp_path / "t.csv").write_text(TABLE, encoding="utf-8")
    call = ("rank", "t.csv", "--tasks", "x,y", "--rule", "mean", "--output", "proof.json")
    assert weightlab(*call).code == 0
    assert weightlab("verify", "proof.json", "t.csv", "--tasks", "x,y").code == 0
