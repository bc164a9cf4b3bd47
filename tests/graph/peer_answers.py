"""What pref_voting says, asked in the peers' process: nothing here may import weightlab (see tests/peer.py)."""

from __future__ import annotations

from time import perf_counter

METHODS = {
    "condorcet": "c1_methods.condorcet",
    "weak_condorcet": "c1_methods.weak_condorcet",
    "copeland": "c1_methods.copeland",
    "llull": "c1_methods.llull",
    "smith": "c1_methods.top_cycle",
    "schwartz": "c1_methods.gocha",
    "gillies": "c1_methods.uc_gill",
    "fishburn": "c1_methods.uc_fish",
    "bordes": "c1_methods.uc_bordes",
    "mckelvey": "c1_methods.uc_mckelvey",
    "banks": "c1_methods.banks",
    "slater": "c1_methods.slater",
    "bipartisan": "c1_methods.bipartisan",
    "minimax": "margin_based_methods.minimax",
    "minimax_support": "margin_based_methods.minimax_support",
    "schulze": "margin_based_methods.beat_path",
    "split_cycle": "margin_based_methods.split_cycle",
    "ranked_pairs": "margin_based_methods.ranked_pairs_tb",
    "essential": "margin_based_methods.essential",
    "kemeny": "other_methods.kemeny_young",
}


def method(name):
    from importlib import import_module

    module, function = METHODS[name].split(".")
    return getattr(import_module(f"pref_voting.{module}"), function)


def winners(names, ballots):
    """Return {method: winners} for each list of ballots (for each voter the rank of every candidate)."""
    return [{name: sorted(method(name)(profile)) for name in names} for profile in map(profile_of, ballots)]


def splitting_defeats(ballots):
    """Return split cycle's defeats, as lists of pairs, for each list of ballots."""
    from pref_voting.margin_based_methods import split_cycle_defeat

    return [sorted(split_cycle_defeat(profile).edges) for profile in map(profile_of, ballots)]


def profile_of(ranks):
    """Return pref_voting's profile: of linear orders where there are no ties, which is its fastest."""
    from pref_voting.profiles import Profile
    from pref_voting.profiles_with_ties import ProfileWithTies

    candidates = list(range(len(ranks[0])))
    if all(len(set(row)) == len(row) for row in ranks):
        return Profile([sorted(candidates, key=row.__getitem__) for row in ranks])
    return ProfileWithTies([dict(enumerate(row)) for row in ranks], candidates=candidates)


def timed(name, ranks):
    """Return the least time that a method took, and its winners.

    It is asked with the profile and with its margin graph, which is made beforehand. ``margins`` is the making of the
    profile and its margins, and has no winners.
    """
    from pref_voting.profiles import Profile

    rankings = [sorted(range(len(row)), key=row.__getitem__) for row in ranks]
    if name == "margins":
        return least(lambda: Profile(rankings).margin_matrix)[0], []
    profile, function = Profile(rankings), method(name)
    asked = [least(lambda source=source: function(source)) for source in (profile, profile.margin_graph())]
    return min(seconds for seconds, _ in asked), sorted(int(one) for one in asked[0][1])


def least(call):
    """Return the least time of some calls, the first of which may compile something, and what they return."""
    taken = []
    while len(taken) < 4 and (len(taken) < 2 or taken[-1] < 1):
        start = perf_counter()
        result = call()
        taken.append(perf_counter() - start)
    return min(taken), result
