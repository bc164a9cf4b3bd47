"""From a bound to the exact optimum: what every cheap enough order has in common, and a search among the rest."""

from __future__ import annotations

from functools import reduce

import numpy as np

from weightlab._exact import FLOAT_EXACT, AnyArray, BoolArray, bits_of
from weightlab._result import Frozen
from weightlab._solver import is_past
from weightlab.data.components import strong_components
from weightlab.graph.median_orders.triangle_relaxation import Triangles
from weightlab.graph.paths import transitive_closure


class Optima(Frozen):
    """What is known of all orders of least cost among those that were searched.

    Attributes
    ----------
    cost : int
        The least cost.
    order : ndarray of int
        An order of that cost, best first.
    shared : ndarray of bool, models x models
        Whether the row stands above the column in every order of least cost.
    number : int
        How many orders of least cost there are.
    first, last : ndarray of int
        The least and the greatest place, from 0, that each model takes in one of them.
    """

    cost: int
    order: AnyArray
    shared: BoolArray
    number: int
    first: AnyArray
    last: AnyArray

    @classmethod
    def read_off(cls, cost: int, order: AnyArray, number: int, possible: BoolArray, stands: BoolArray) -> Optima:
        """Return them given who stands above whom in some of them, and which model at which place (models x places)."""
        shared, first, last = possible & ~possible.T, stands.argmax(axis=1), stands[:, ::-1].argmax(axis=1)
        return cls(cost=cost, order=order, shared=shared, number=number, first=first, last=len(stands) - 1 - last)


def optima_within(
    net: AnyArray, triangles: Triangles, target: int, given: BoolArray, deadline: float | None = None
) -> Optima | None:
    """Return the least cost of an order and all that orders of that cost share, if the least cost is within a target.

    Parameters
    ----------
    net : ndarray of int, models x models
        Antisymmetric: what it costs to put the column above the row, where positive.
    triangles : Triangles
        Multipliers that give a bound, any.
    target : int
        The cost not to be exceeded.
    given : ndarray of bool, models x models
        Pairs that are known to stand so, and without a cycle.
    deadline : float or None
        The ``time.monotonic()`` at which to give up.

    Returns
    -------
    Optima or None
        None when every order costs more than the target.

    Raises
    ------
    TooManyIdealsError
        When the bound leaves too much open, or time is over.

    Notes
    -----
    An order within the target has no pair whose excess over the bound is more than the room between bound and target.
    The pairs that are left open fall into parts that share no open pair; each is searched by itself, and whatever
    orders of the parts are put together are an order of all.
    """
    # Reduced-cost fixing, in integers: the bound plus the excess of a pair taken the dear way is a bound on its orders.
    bound, excess = triangles.bound_and_excess(net)
    room = target * triangles.scale - bound
    forced = forced_pairs(net, triangles, target, given)
    if room < 0 or np.diagonal(forced).any():
        return None
    cost, shared, place = np.maximum(net.T, 0), forced.copy(), forced.sum(axis=0)
    first, last, number, total = place.copy(), place.copy(), 1, int(cost[forced].sum())
    _, parts = strong_components(~(forced | forced.T))
    for one in np.flatnonzero(np.bincount(parts) > 1):
        # Parts share the room, yet each is given all of it: that can only leave more orders to search, never lose one.
        part = np.flatnonzero(parts == one)
        square = np.ix_(part, part)
        least = least_orders(cost[square], excess[square], room, forced[square], deadline)
        if least is None:
            return None
        shared[square] = least.shared
        # All pairs of models of different parts are forced: a part's places are shifted by a constant.
        outside = place[part] - forced[square].sum(axis=0)
        for places, inside in ((place, np.argsort(least.order)), (first, least.first), (last, least.last)):
            places[part] = outside + inside
        total += least.cost - int(cost[square][forced[square]].sum())
        # Least orders of the parts combine freely, so their numbers multiply.
        number *= least.number
    if total > target:
        return None
    return Optima(cost=total, order=np.argsort(place), shared=shared, number=number, first=first, last=last)


def forced_pairs(net: AnyArray, triangles: Triangles, target: int, given: BoolArray) -> BoolArray:
    """Return the pairs that stand so in every order within the target, by their excess and by transitivity."""
    # ``excess[j, i] > room``: no order within the target has j above i, so i stands above j.
    bound, excess = triangles.bound_and_excess(net)
    room = target * triangles.scale - bound
    return transitive_closure(np.asarray(room < excess.T, dtype=np.bool_) | given)


def places_within(net: AnyArray, triangles: Triangles, target: int, given: BoolArray) -> tuple[AnyArray, AnyArray]:
    """Return the least and the greatest place, from 0, that each model can take in an order within the target.

    Parameters
    ----------
    net, triangles, target
        As in ``forced_pairs``.
    given : ndarray of bool, models x models
        Pairs that are known to stand so; transitive.

    Notes
    -----
    With p models above it a model costs, besides the bound, at least the excess of its pairs where those p stand above
    for which that costs least. The sum is convex in p, so what fits into the room is a range. O(n^2 log n).
    """
    bound, excess = triangles.bound_and_excess(net)
    room, count = target * triangles.scale - bound, len(net)
    # What it costs more that the row stands above the column than below it: nothing that is given is chosen.
    more = (excess - excess.T).astype(object if excess.dtype == object else np.int64)
    least, most = given.sum(axis=0), count - 1 - given.sum(axis=1)
    for model in range(count):
        free = ~(given[:, model] | given[model])
        free[model] = False
        fixed = excess[given[:, model], model].sum() + excess[model, given[model] | free].sum()
        costs = fixed + np.append(0, np.cumsum(np.sort(more[free, model])))
        fits = np.flatnonzero(costs <= room)
        if len(fits):  # none where no order is within the target
            least[model], most[model] = least[model] + fits[0], least[model] + fits[-1]
    return least, most


def order_cost(net: AnyArray, order: AnyArray) -> int:
    """Return the cost of an order, given best first."""
    ordered = net[np.ix_(order, order)]
    return int(np.maximum(-ordered[np.triu_indices(len(ordered), 1)], 0).sum())


# Exact search over the orders that a bound leaves: one state for each set of models that can stand on top.

MOST_IDEALS = 2**18
"""The most sets of models that are examined; beyond this the search gives up."""
IDEALS_OF_FEW = 2**13
"""The same for few models; beyond this all their sets are examined, whatever the bound."""


class TooManyIdealsError(Exception):
    """There are too many sets of models that can stand on top."""


class _Step(Frozen):
    """All ways to put one more model below those that stand already.

    ``state`` and ``onward`` are places among the sets before and after, ``model`` is what is added, ``price`` what
    that costs: the sum over the models still missing.
    """

    state: AnyArray
    model: AnyArray
    onward: AnyArray
    price: AnyArray


def least_orders(
    cost: AnyArray, excess: AnyArray, room: int, forced: BoolArray, deadline: float | None = None
) -> Optima | None:
    """Return the orders of least cost among those whose excess fits into the room and that keep the forced pairs.

    Parameters
    ----------
    cost : ndarray of int, models x models
        What it costs that the row stands above the column; not negative.
    excess : ndarray of int, models x models
        What that uses up of the room; not negative. Some orders that use up more may be among the result.
    room : int
        How much may be used up.
    forced : ndarray of bool, models x models
        Pairs that must stand so; transitive.
    deadline : float or None
        The ``time.monotonic()`` at which to give up.

    Returns
    -------
    Optima or None
        None where no order is allowed.

    Raises
    ------
    TooManyIdealsError
        When more than ``MOST_IDEALS`` sets of models can stand on top, or time is over.

    Notes
    -----
    Dynamic programming over the ideals of the forced order: the cost of what follows depends on which models stand
    above already, not on their order. All arithmetic is on integers.
    """
    # As in Held and Karp's dynamic programme for sequencing (1962), but over the sets that the forced pairs allow to
    # stand on top, not over all subsets.
    count = len(cost)
    few = count <= MOST_MODELS and int(cost.sum()) < FLOAT_EXACT
    prices, extras = _Prices(cost), _Prices(excess)
    blockers = _Prices(forced.T.astype(np.int64))  # what must stand above a model and does not yet
    sets = [np.zeros((1, count), dtype=np.bool_)]
    steps: list[_Step] = []
    best, used = [prices.nothing], extras.nothing
    total = 1
    for _ in range(count):
        # Open: not standing yet, and nothing that must stand above it is missing.
        state, model = np.nonzero(~sets[-1] & (blockers.left == 0))
        # Put below those that stand, a model stands above all that are missing: so its extra and price are sums over
        # these.
        extra = extras.left[state, model]
        fits = np.flatnonzero(used[state] + extra <= room)
        if not len(fits):
            return None
        state, model, extra = state[fits], model[fits], extra[fits]
        price = prices.left[state, model]
        found, first, onward = _distinct(sets[-1], state, model)
        total += len(found)
        if few and total > IDEALS_OF_FEW:
            return least_of_all_orders(cost, forced)
        if total > MOST_IDEALS or is_past(deadline):
            raise TooManyIdealsError
        # Bellman's recursion. A set's least cost so far serves every order of it.
        steps.append(_Step(state=state, model=model, onward=onward, price=price))
        sets.append(found)
        best.append(_least(best[-1][state] + price, onward, len(found)))
        # The least excess of a set serves as its own. An order beyond the room may slip through, but it costs more than
        # the target, so it is never among the least orders if these are within it.
        used = _least(used[state] + extra, onward, len(found))
        for table in (prices, extras, blockers):
            table.move(state[first], model[first])
    return _read_off(sets, steps, best)


class _Prices:
    """What it costs in each state to put each model above all others that do not stand yet: sums of a table's rows.

    Floats where sums of the table's integers are exact in them, which is fast, else Python integers.
    """

    def __init__(self, table: AnyArray) -> None:
        self._columns = table.T.astype(np.float64 if int(table.sum()) < FLOAT_EXACT else object)
        self.left = self._columns.sum(axis=0)[None, :]

    @property
    def nothing(self) -> AnyArray:
        """The price of the empty beginning."""
        return np.zeros(1, dtype=self._columns.dtype)

    def move(self, states: AnyArray, models: AnyArray) -> None:
        """Go on to the states in which one more model stands."""
        self.left = self.left[states] - self._columns[models]


def _distinct(sets: BoolArray, state: AnyArray, model: AnyArray) -> tuple[BoolArray, AnyArray, AnyArray]:
    """Return the distinct sets with one model more, a way to each, and which of them each way leads to."""
    count = sets.shape[1]
    bits = np.zeros((count, -(-count // 64)), dtype=np.uint64)
    places = np.arange(count)
    # Sets as bits of 64-bit words: distinct bits add without carry, so the product is the union.
    bits[places, places // 64] = np.uint64(1) << (places % 64).astype(np.uint64)
    keys = (sets.astype(np.uint64) @ bits)[state] + bits[model]
    narrow = keys.shape[1] == 1
    _, first, onward = np.unique(
        keys[:, 0] if narrow else keys, axis=None if narrow else 0, return_index=True, return_inverse=True
    )
    found = sets[state[first]]
    found[np.arange(len(first)), model[first]] = True
    return found, first, onward.reshape(-1)


def _least(values: AnyArray, groups: AnyArray, count: int) -> AnyArray:
    """Return the least value of each group; none is empty."""
    order = np.argsort(groups, kind="stable")
    starts = np.searchsorted(groups[order], np.arange(count))
    return np.asarray(np.minimum.reduceat(values[order], starts))


def _read_off(sets: list[BoolArray], steps: list[_Step], best: list[AnyArray]) -> Optima:
    """Walk back from the full set along the ways of least cost."""
    size = len(steps)
    possible, stands = np.zeros((2, size, size), dtype=np.bool_)
    order = np.zeros(size, dtype=np.int64)
    # How many ways of least cost lead from each set to the full one: Python integers, as there may be up to n! of them.
    number = np.ones(1, dtype=object)
    current = 0
    # Backwards over the tight steps: exactly those that lie on a way of least cost, as in a graph of shortest paths.
    for place in range(size - 1, -1, -1):
        step, wanted = steps[place], number.astype(np.bool_)
        tight = best[place][step.state] + step.price == best[place + 1][step.onward]
        ways = np.flatnonzero(tight & wanted[step.onward])
        way = ways[step.onward[ways] == current][0]
        order[place], current = step.model[way], step.state[way]
        stands[step.model[ways], place] = True
        before = np.zeros(len(sets[place]), dtype=object)
        np.add.at(before, step.state[ways], number[step.onward[ways]])
        number = before
        chosen = np.zeros((len(ways), size), dtype=np.float32)
        chosen[np.arange(len(ways)), step.model[ways]] = 1
        # A model put on stands above all that were missing then: ``possible[i, j]`` collects i above j over all tight
        # steps.
        possible |= chosen.T @ (~sets[place][step.state[ways]]).astype(np.float32) > 0
    np.fill_diagonal(possible, val=False)
    return Optima.read_off(int(best[-1][0]), order, int(number[0]), possible, stands)


# Of few models all sets that can stand on top are examined, whatever the bound.

MOST_MODELS = 22
"""This many models have four million sets: three seconds and 200 MB."""
NEVER = 2 * FLOAT_EXACT
"""The cost of what is not allowed."""


def least_of_all_orders(cost: AnyArray, forced: BoolArray) -> Optima:
    """Return the orders of least cost among those that keep the forced pairs, of ``MOST_MODELS`` models at most.

    Parameters
    ----------
    cost : ndarray of int, models x models
        What it costs that the row stands above the column; not negative, and all of it below 2^53.
    forced : ndarray of bool, models x models
        Pairs that must stand so; transitive.

    Notes
    -----
    M. Held and R. M. Karp, "A dynamic programming approach to sequencing problems", J. SIAM 10 (1962): of the models
    that stand on top only the set matters for what is put below. O(models 2^models) in whole-array steps.
    """
    return _Table(cost, forced).optima()


class _Table:
    """The least cost of each set of models on top, sets as bits."""

    def __init__(self, cost: AnyArray, forced: BoolArray) -> None:
        self.count = len(cost)
        sizes = np.bitwise_count(np.arange(1 << self.count, dtype=np.int32))
        by_size = np.argsort(sizes, kind="stable").astype(np.int32)
        self._half = half = self.count // 2
        # What it costs that the models of a set stand above one: half of the bits at a time, so that tables are small.
        self._prices = [(_sums(one[:half]), _sums(one[half:])) for one in cost.T.astype(np.int64)]
        self._needed = bits_of(forced.T)
        self.least = np.zeros(1 << self.count, dtype=np.int64)
        for layer in np.split(by_size, np.cumsum(np.bincount(sizes))[:-1])[1:]:
            self.least[layer] = reduce(np.minimum, (self._with_last(layer, model) for model in range(self.count)))

    def _with_last(self, sets: AnyArray, model: int) -> AnyArray:
        """Return the least cost of sets with this model as the last of them."""
        before = sets & ~(1 << model)
        (low, high), needed = self._prices[model], self._needed[model]
        total = self.least[before] + low[before & (1 << self._half) - 1] + high[before >> self._half]
        total[(before == sets) | (before & needed != needed)] = NEVER
        return np.asarray(total)

    def optima(self) -> Optima:
        """Return all orders of least cost."""
        possible, stands = np.zeros((2, self.count, self.count), dtype=np.bool_)
        order, current = np.zeros(self.count, dtype=np.int64), len(self.least) - 1
        # From the full set down: the ways that end in a least order. Python integers count them, up to n! of them.
        ways: dict[int, int] = {len(self.least) - 1: 1}
        for place in reversed(range(self.count)):
            sets, before, following = np.array(list(ways), dtype=np.int32), dict[int, int](), current
            for model in range(self.count):
                tight = sets[self._with_last(sets, model) == self.least[sets]]
                stands[model, place] = len(tight) > 0
                if current == following and following in tight:
                    order[place], current = model, following ^ (1 << model)
                for one, rest in zip(tight.tolist(), (tight ^ (1 << model)).tolist(), strict=True):
                    before[rest] = before.get(rest, 0) + ways[one]
                # A model that is the last of a set stands above all that are not in it.
                outside = len(self.least) - 1 & ~int(np.bitwise_and.reduce(tight)) if len(tight) else 0
                possible[model] |= (outside >> np.arange(self.count) & 1).astype(np.bool_)
            ways = before
        return Optima.read_off(int(self.least[-1]), order, ways[0], possible, stands)


def _sums(values: AnyArray) -> AnyArray:
    """Return the sum of each subset, subsets as bits."""
    sums = np.zeros(1, dtype=np.int64)
    for one in values.tolist():
        sums = np.concatenate([sums, sums + one])
    return sums
