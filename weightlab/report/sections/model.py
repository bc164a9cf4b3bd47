"""A model's whole story: when it wins, how near that is, what stands in its way, what to improve."""

from __future__ import annotations

from functools import partial

from weightlab.data import Leaderboard
from weightlab.lp import WinningShares, prospect
from weightlab.lp.sensitivity.least_change import todays_shares
from weightlab.report.blocks import Block, Drawing, Facts, Section, Table
from weightlab.report.clock import Asking
from weightlab.report.sections.board import NO_ANSWER
from weightlab.report.text.prospect import Asked, Story, proof_line, story
from weightlab.report.text.unproved import Late
from weightlab.report.text.words import number, shown

__all__ = ["story_of"]


def story_of(board: Leaderboard, model: str, place: int, shares: WinningShares | None, asking: Asking) -> Section:
    """Tell one model's story; ``place`` makes the section's key."""
    left_out: list[str] = []
    key, question = f"model-{place}", f"What about {shown(model)}?"
    found = asking.ask(shown(model), lambda: prospect(board, model, time_limit=asking.left()), left_out)
    if found is None:
        return Section(key=key, question=question, answer=NO_ANSWER, left_out=tuple(left_out))
    late = Late()
    wanted = Asked(shares=shares, time_limit=asking.left())
    told = asking.ask(f"the story of {shown(model)}", partial(story, board, found, late, wanted), left_out)
    left_out += late.messages
    asking.late.messages += late.messages
    seeds = ("--samples", str(asking.samples), "--seed", str(asking.seed))
    command = asking.call.of("win", *asking.call.each("--model", [model]), *seeds)
    return Section(
        key=key,
        question=question,
        answer=shown(found),
        blocks=() if told is None else tuple(_blocks(board, told, f"{command} --plot weights.svg")),
        command=command,
        results=(found,) if told is None else tuple(told.results()),
        left_out=tuple(left_out),
    )


def _blocks(board: Leaderboard, told: Story, plot: str) -> list[Block]:
    model = shown(told.prospect.model)
    last = proof_line(len(board.models) - 1, len(board.tasks), told.prospect.space)
    blocks: list[Block] = [Facts.of(f"The story of {model}", [*told.lines(board), ("What was checked", [last])])]
    if told.ranges is not None:
        caption = f"What each task must and may weigh for {model}"
        blocks.append(Drawing.of(told.ranges, "weight_ranges", caption, command=plot))
    nearest = told.nearest
    if nearest is not None:
        weights = nearest.weights if nearest.strict_weights is None else nearest.strict_weights
        todays = todays_shares(board, nearest.tasks)
        rows = [
            (shown(task), number(weight), number(today))
            for task, weight, today in zip(nearest.tasks, weights.tolist(), todays, strict=True)
        ]
        blocks.append(
            Table.of(f"Nearest weights that let {model} win or tie", ("task", "weight", "weight today"), rows, (1, 2))
        )
    return blocks
