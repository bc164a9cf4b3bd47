"""Small score tables that ship with weightlab: one measured suite, and the worked tables that the papers print.

``load("classifiers")`` is the suite: scikit-learn classifiers on data sets that come with scikit-learn, under six
metrics. ``load_leaderboard("classifiers")`` is the same as one leaderboard; commands read it when they are given no
file. ``available()`` lists everything, ``about(name)`` says where it is from.
"""

from weightlab.datasets.registry import About, about, available, names
from weightlab.datasets.shipped import load, load_instances, load_leaderboard

__all__ = ["About", "about", "available", "load", "load_instances", "load_leaderboard", "names"]
