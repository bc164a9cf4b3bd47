"""What pref_voting says: run in the peers' process, so nothing of weightlab is imported here."""

from __future__ import annotations

from time import perf_counter


def of_strict_orders(profiles):
    """Return, for each (orders, counts), the winners by the rules of pref_voting that are also ours.

    Copeland, minimax and the rankings by defeats are compared on the duels themselves (tests/graph/test_peers.py).
    """
    from pref_voting import c1_methods, iterative_methods, other_methods, scoring_methods
    from pref_voting.profiles import Profile

    rules = {
        "plurality": scoring_methods.plurality,
        "borda": scoring_methods.borda,
        "veto": scoring_methods.anti_plurality,
        "dowdall": scoring_methods.dowdall,
        "instant_runoff": iterative_methods.instant_runoff,
        "coombs": iterative_methods.coombs,
        "baldwin": iterative_methods.baldwin,
        "nanson": iterative_methods.weak_nanson,
        "nanson(leaves=below)": iterative_methods.strict_nanson,
        "condorcet": c1_methods.condorcet,
    }

    def bradley_terry(profile):
        try:
            return {"bradley_terry": [int(one) for one in other_methods.bradley_terry(profile)]}
        except RuntimeError:
            # Its iteration did not converge: mostly there is nothing to converge to.
            return {}

    listed = []
    for orders, counts in profiles:
        profile = Profile(orders, counts)
        said = {name: [int(one) for one in rule(profile)] for name, rule in rules.items()}
        listed.append(said | bradley_terry(profile))
    return listed


def of_weak_orders(profiles):
    """Return, for each (rank or None a candidate and ballot, counts), the winners by the rules that take ties."""
    from pref_voting import c1_methods, iterative_methods, other_methods, scoring_methods
    from pref_voting.profiles_with_ties import ProfileWithTies

    rules = {
        "condorcet": c1_methods.condorcet,
        "borda": scoring_methods.borda_for_profile_with_ties,
        "borda(ties=min)": lambda profile: scoring_methods.borda_for_profile_with_ties(
            profile, borda_scores=scoring_methods.non_domination_borda_scores
        ),
        "borda(ties=max)": lambda profile: scoring_methods.borda_for_profile_with_ties(
            profile, borda_scores=scoring_methods.domination_borda_scores
        ),
        "instant_runoff": lambda profile: iterative_methods.instant_runoff(profile, score_method="split"),
        "instant_runoff(ties=min)": lambda profile: iterative_methods.instant_runoff(profile, score_method="approval"),
        "kemeny": other_methods.kemeny_young,
        "slater": c1_methods.slater,
    }
    listed = []
    for ranks, counts in profiles:
        ballots = [{candidate: rank for candidate, rank in enumerate(row) if rank} for row in ranks]
        profile = ProfileWithTies(ballots, rcounts=counts, candidates=list(range(len(ranks[0]))))
        profile.use_extended_strict_preference()
        listed.append({name: [int(one) for one in rule(profile)] for name, rule in rules.items()})
    return listed


def seconds(name, orders, repeats):
    """Return the least time that a rule of pref_voting took on linear orders, compiled."""
    from pref_voting import iterative_methods, scoring_methods
    from pref_voting.profiles import Profile

    rules = {
        "plurality": scoring_methods.plurality,
        "borda": scoring_methods.borda,
        "instant_runoff": iterative_methods.instant_runoff,
        "coombs": iterative_methods.coombs,
        "baldwin": iterative_methods.baldwin,
        "nanson": iterative_methods.weak_nanson,
    }
    profile, taken = Profile(orders), []
    rules[name](profile)  # compiles what is compiled on first use
    for _ in range(repeats):
        start = perf_counter()
        rules[name](profile)
        taken.append(perf_counter() - start)
    return min(taken), sorted(map(int, rules[name](profile)))
