"""The commands: each reads, asks, and yields views; what becomes of them is done in one place for all."""

from typing import TYPE_CHECKING

from weightlab._exports import name_later as _name_later

if TYPE_CHECKING:
    from weightlab.cli.commands.benchmark import audit as audit
    from weightlab.cli.commands.benchmark import smallest as smallest
    from weightlab.cli.commands.benchmark import sweep as sweep
    from weightlab.cli.commands.choice import ask as ask
    from weightlab.cli.commands.choice import shortlist as shortlist
    from weightlab.cli.commands.experiments import changes as changes
    from weightlab.cli.commands.experiments import disagreement as disagreement
    from weightlab.cli.commands.experiments import paired as paired
    from weightlab.cli.commands.experiments import study as study
    from weightlab.cli.commands.files import convert as convert
    from weightlab.cli.commands.firm import duels as duels
    from weightlab.cli.commands.firm import stability as stability
    from weightlab.cli.commands.improving import robustness as robustness
    from weightlab.cli.commands.one_model import improve as improve
    from weightlab.cli.commands.one_model import map as map  # noqa: A004 - the command's name
    from weightlab.cli.commands.one_model import nearest as nearest
    from weightlab.cli.commands.one_model import region as region
    from weightlab.cli.commands.pages import page as page
    from weightlab.cli.commands.pages import read as read
    from weightlab.cli.commands.pages import report as report
    from weightlab.cli.commands.proofs import verify as verify
    from weightlab.cli.commands.ranking import rank as rank
    from weightlab.cli.commands.side_by_side import compare as compare
    from weightlab.cli.commands.side_by_side import graph as graph
    from weightlab.cli.commands.unknown import missing as missing
    from weightlab.cli.commands.unknown import settle as settle
    from weightlab.cli.commands.versions import check as check
    from weightlab.cli.commands.winners import win as win

_name_later(globals())
