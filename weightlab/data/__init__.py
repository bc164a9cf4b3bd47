"""What was measured (leaderboards, suites, instances) and what it becomes (signs, points, margins, profiles)."""

from weightlab._exports import name_all as _name_all
from weightlab.data.convert import LeaderboardLike as LeaderboardLike
from weightlab.data.convert import SuiteLike as SuiteLike
from weightlab.data.convert import as_table as as_table
from weightlab.data.convert import as_tables as as_tables
from weightlab.data.frame.declarations import Group as Group
from weightlab.data.frame.declarations import TasksLike as TasksLike
from weightlab.data.frame.declarations import group as group
from weightlab.data.instances import Instances as Instances
from weightlab.data.leaderboard import Leaderboard as Leaderboard
from weightlab.data.margins import Margins as Margins
from weightlab.data.margins import Relations as Relations
from weightlab.data.points import Points as Points
from weightlab.data.profile import Order as Order
from weightlab.data.profile import Profile as Profile
from weightlab.data.profile import TieBreak as TieBreak
from weightlab.data.signs import Signs as Signs
from weightlab.data.suite import Suite as Suite

_name_all(globals())
