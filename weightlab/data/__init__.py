"""What was measured (leaderboards, suites, instances) and what it becomes (signs, points, margins, profiles)."""

from __future__ import annotations

from weightlab.data.convert import LeaderboardLike, SuiteLike, as_table, as_tables
from weightlab.data.frame.declarations import Group, TasksLike, group
from weightlab.data.instances import Instances
from weightlab.data.leaderboard import Leaderboard
from weightlab.data.margins import Margins
from weightlab.data.points import Points
from weightlab.data.profile import Profile
from weightlab.data.relations import Relations
from weightlab.data.signs import Signs
from weightlab.data.suite import Suite

__all__ = [
    "Group",
    "Instances",
    "Leaderboard",
    "LeaderboardLike",
    "Margins",
    "Points",
    "Profile",
    "Relations",
    "Signs",
    "Suite",
    "SuiteLike",
    "TasksLike",
    "as_table",
    "as_tables",
    "group",
]
