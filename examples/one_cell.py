"""One mistyped score can turn a model that can never win into one that can.

Four models, three tasks. Whatever the tasks weigh, some rival stays ahead of ``dee``: a mixture of the other three
leads it everywhere, which is the proof. Type its 39.5 on ``code`` as 93.5, and it can win.
"""

from __future__ import annotations

import pandas as pd

import weightlab as wl

scores = pd.DataFrame(
    {
        "reading": [81.0, 78.5, 74.0, 76.0],
        "arithmetic": [64.5, 70.1, 66.0, 65.0],
        "code": [40.2, 38.0, 45.9, 39.5],
    },
    index=["ada", "bo", "cy", "dee"],
)


def report(title: str, table: pd.DataFrame) -> None:
    """Print the verdict on every model and the proof of every impossibility."""
    board = wl.Leaderboard(table)
    print(title)
    for model in board.models:
        prospect = wl.lp.prospect(board, model)
        prospect.verify(board)
        print(f"  {model:4} {prospect.verdict:7} widest lead {prospect.margin}")
        if prospect.verdict == "never":
            mixture = " + ".join(f"{share} {rival}" for rival, share in prospect.blockers.items() if share)
            print(f"       blocked by {mixture}")


report("As measured", scores)
mistyped = scores.copy()
mistyped.loc["dee", "code"] = 93.5
report("With 39.5 typed as 93.5", mistyped)
