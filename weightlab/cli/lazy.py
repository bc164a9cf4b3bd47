"""What commands ask with: each name is loaded when it is first used, so that ``--help`` loads none of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from weightlab._exports import name_later as _name_later

if TYPE_CHECKING:
    from weightlab import data as data
    from weightlab import graph as graph
    from weightlab import io as io
    from weightlab import lp as lp
    from weightlab import report as report
    from weightlab import rules as rules
    from weightlab import studies as studies
    from weightlab._exact import fraction as fraction
    from weightlab._exact import fraction_or_percent as fraction_or_percent
    from weightlab._files import write_whole as write_whole
    from weightlab._result import told_of as told_of
    from weightlab.cli.inputs.bounds import bounds_of as bounds_of
    from weightlab.cli.inputs.costs import read_costs as read_costs
    from weightlab.cli.inputs.gaps import of_whole as of_whole
    from weightlab.cli.inputs.gaps import only_whole as only_whole
    from weightlab.cli.inputs.gaps import read_for as read_for
    from weightlab.cli.inputs.gaps import whole_for as whole_for
    from weightlab.cli.inputs.names import meant as meant
    from weightlab.cli.inputs.names import meant_models as meant_models
    from weightlab.cli.inputs.names import named as named
    from weightlab.cli.inputs.names import pairs_of as pairs_of
    from weightlab.cli.inputs.preflib import is_preflib as is_preflib
    from weightlab.cli.inputs.tables import breaking as breaking
    from weightlab.cli.inputs.tables import chosen_names as chosen_names
    from weightlab.cli.inputs.tables import columns_there as columns_there
    from weightlab.cli.inputs.tables import is_long as is_long
    from weightlab.cli.inputs.tables import is_votes as is_votes
    from weightlab.cli.inputs.tables import read_long as read_long
    from weightlab.cli.inputs.tables import read_on_instances as read_on_instances
    from weightlab.cli.inputs.tables import read_ranked as read_ranked
    from weightlab.cli.inputs.tables import read_table as read_table
    from weightlab.cli.options.rules import pairs_of_gaps as pairs_of_gaps
    from weightlab.cli.terminal.cures import offer as offer
    from weightlab.cli.terminal.cures import quoted as quoted
    from weightlab.data.linear_rule import rule_words as rule_words
    from weightlab.io.sources.urls import is_whole as is_whole
    from weightlab.views import order as order
    from weightlab.views import pairs as pairs
    from weightlab.views import verdicts as verdicts
    from weightlab.views import weights as weights
    from weightlab.views.kinds import view_of as view_of
    from weightlab.views.view import Facts as Facts
    from weightlab.views.view import Table as Table
    from weightlab.views.view import View as View
    from weightlab.views.view import frame_files as frame_files

_name_later(globals())
