"""Which pairs votes separate: by Bradley-Terry strengths with sandwich errors, or pair by pair."""

from __future__ import annotations

import numpy as np

from weightlab._exact import FloatArray
from weightlab.data import Margins
from weightlab.exceptions import InputError
from weightlab.rules.inputs import InapplicableError
from weightlab.rules.scoring.bradley_terry import fitted
from weightlab.studies.confidence.sign_tests import OF_MAJORITIES, binomial_leads
from weightlab.studies.confidence.simultaneous import JointIntervals, normal_intervals


def count_of_votes(votes: Margins) -> int:
    """Return how many votes there are, or raise InputError where they have weights of their own."""
    if votes.denominator != 1:
        raise InputError("rank sets count votes as independent; these have fractional weights: read them without")
    return int(votes.wins.sum()) + int(votes.ties.sum()) // 2


def joint_of_votes(votes: Margins, rule: str, *, level: float, repeats: int, seed: int) -> JointIntervals:
    """Return joint intervals of all pairs of models: of the differences of log-strengths, or of leads in votes.

    Raises
    ------
    InapplicableError
        If the rule reads more than duels.
    """
    rows, columns = np.triu_indices(len(votes.models), 1)
    if rule in OF_MAJORITIES:
        won, lost = votes.wins[rows, columns], votes.wins[columns, rows]
        return binomial_leads(won.astype(np.float64), lost.astype(np.float64), level)
    if rule != "bradley_terry":
        known = ", ".join(sorted({"bradley_terry", *OF_MAJORITIES}))
        raise InapplicableError(f"rank sets of votes are by rules that read duels ({known}), not by {rule}")
    logarithms, factor = sandwich(votes)
    return normal_intervals(logarithms, factor, level=level, repeats=repeats, seed=seed)


def sandwich(votes: Margins) -> tuple[FloatArray, FloatArray]:
    """Return the logarithms of the strengths, and a factor F of their covariance F F', models x models.

    Notes
    -----
    The votes are independent, and each moves the estimate by its residual, its outcome (a tie: 1/2) less what the
    strengths expect: with H the Laplacian of the likelihood and J that of squared residuals the covariance is
    H+ J H+ (White 1982), which holds where the model is only nearly true, and where ties make outcomes less spread than
    coins. It is scaled up for the strengths that were fitted, one less than models.
    """
    logarithms, chance = fitted(votes)
    wins, ties = votes.wins.astype(np.float64), votes.ties.astype(np.float64)
    squares = wins * (1 - chance) ** 2 + wins.T * chance**2 + ties * (0.5 - chance) ** 2
    total = (wins.sum() + ties.sum() / 2) or 1.0
    spare = max(total - len(wins) + 1, 1.0)
    inner = _laplacian(squares * total / spare)
    inverse = np.linalg.pinv(_laplacian((wins + wins.T + ties) * chance * (1 - chance)), hermitian=True)
    sizes, vectors = np.linalg.eigh(inner)
    return logarithms, np.asarray(inverse @ (vectors * np.sqrt(np.maximum(sizes, 0.0))))


def _laplacian(links: FloatArray) -> FloatArray:
    laplacian = -links
    np.fill_diagonal(laplacian, 0.0)
    np.fill_diagonal(laplacian, -laplacian.sum(axis=1))
    return laplacian
