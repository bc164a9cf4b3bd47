// Have the rankings a structure? Single-peaked, group-separable, near one another; or what forbids it.

/** @typedef {{ models: string[], ranks: Map<string, Map<string, bigint>> }} Profile */

/** The largest or the smallest of some whole numbers; there must be one. */
function extreme(/** @type {bigint[]} */ numbers, /** @type {number} */ sign) {
  return numbers.reduce((found, one) => ((sign > 0 ? one > found : one < found) ? one : found));
}

function byRank(/** @type {Map<string, bigint>} */ ranks) {
  return (/** @type {string} */ one, /** @type {string} */ other) => {
    const [first, second] = [/** @type {bigint} */ (ranks.get(one)), /** @type {bigint} */ (ranks.get(other))];
    return first < second ? -1 : first > second ? 1 : 0;
  };
}

/** Ensure that every voter ranks every model, and none like another. */
function ensureComplete({ models, ranks }) {
  const strict = [...ranks.values()].every((own) => own.size === models.length && new Set(own.values()).size === own.size);
  ensure(strict, "the question is asked of strict rankings of all models");
}

/**
 * The rankings that were tested: the table's without voters of weight 0, or a breaking of its ties.
 * @param {Part} document
 * @param {Part} leftOut
 * @param {Given | null} table
 * @returns {Profile}
 */
function readProfile(document, leftOut, table) {
  const [named, listed, weighted] = document.parts("models ranks weights");
  const [models, weights] = [named.names(), weighted.fractions()];
  /** @type {Profile["ranks"]} */
  const ranks = new Map();
  for (const [voter, places] of listed.entries()) {
    const numbers = places.integers();
    const used = new Set(numbers.filter((one) => one));
    const dense = [...used].every((one) => one >= 1n && one <= BigInt(used.size));
    ensure(numbers.length === models.length && dense, `voter ${quoted(voter)} needs a rank for each model, none left out`);
    ranks.set(voter, new Map(models.flatMap((model, at) => (numbers[at] ? [/** @type {[string, bigint]} */ ([model, numbers[at]])] : []))));
  }
  ensure(ranks.size && [...weights.keys()].every((one) => ranks.has(one)), "there must be voters, and weights of them");
  ensure([...weights.values()].every((one) => one.top > 0n), "a tested voter has no weight");
  const idle = leftOut.texts();
  if (table) {
    const heavy = table.tasks.filter((_, at) => table.weights[at].top);
    ensureNames("voter of weight 0", idle, table.tasks.filter((_, at) => !table.weights[at].top));
    ensureNames("model", models, table.models);
    ensureNames("voter", [...ranks.keys()], heavy);
    for (const [voter, own] of ranks) {
      const at = table.tasks.indexOf(voter);
      ensure(same(weights.get(voter) || ONE, table.weights[at]), `the weight of ${quoted(voter)} is another in the table`);
      ensure(isRankingOf(own, table, at), `voter ${quoted(voter)} ranks otherwise in the table`);
    }
  }
  return { models, ranks };
}

/**
 * Whether ranks are those of a task's scores, or a strict breaking of their ties.
 * @param {Map<string, bigint>} ranks
 * @param {Given} table
 * @param {number} task
 */
function isRankingOf(ranks, table, task) {
  const { values } = table.columns[task];
  const scores = new Map(table.models.flatMap((model, at) => (values[at] === null ? [] : [/** @type {[string, bigint]} */ ([model, values[at]])])));
  if (ranks.size !== scores.size || [...ranks.keys()].some((model) => !scores.has(model))) return false;
  const along = [...ranks.keys()].sort(byRank(ranks)).map((model) => /** @type {bigint} */ (scores.get(model)));
  const falls = along.every((one, at) => !at || along[at - 1] >= one);
  if (new Set(ranks.values()).size === ranks.size) return falls;
  const best = [...new Set(along)].sort((one, other) => (one > other ? -1 : 1));
  return [...ranks].every(([model, rank]) => best[Number(rank) - 1] === scores.get(model));
}

/**
 * For each forbidden sub-profile the numbers of voters and of models, and whether ranks, a voter a row, show it. The
 * first two keep rankings from being single-peaked, the last two from being group-separable (Ballester and Haeringer,
 * Social Choice and Welfare 2011): either property passes to any part of the voters and models, and these lack it.
 * @type {Map<string, [number, number, (ranks: bigint[][]) => boolean]>}
 */
const PATTERNS = new Map([
  ["three_worst", [3, 3, (ranks) => ranks.every((row, one) => extreme(row, 1) === row[one])]],
  ["opposed_below", [2, 4, ([one, other]) => rises(one[0], one[1], one[2]) && rises(other[2], other[1], other[0]) && one[3] < one[1] && other[3] < other[1]]],
  ["three_middle", [3, 3, (ranks) => ranks.every((row, one) => [...row].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))[1] === row[one])]],
  ["crossed", [2, 4, ([one, other]) => rises(one[0], one[1], one[2], one[3]) && rises(other[1], other[3], other[0], other[2])]],
]);

function rises(/** @type {bigint[]} */ ...numbers) {
  return numbers.every((one, at) => !at || numbers[at - 1] < one);
}

/** Ensure that some voters rank some models as the domain forbids. */
function checkForbidden(/** @type {Part} */ document, /** @type {Profile} */ own, /** @type {string[]} */ allowed) {
  const [pattern, roles, voters, orders] = document.parts("pattern roles voters orders");
  const known = allowed.includes(pattern.text()) ? PATTERNS.get(pattern.value) : undefined;
  if (!known) throw new FalseClaim(`the pattern ${shown(pattern.value)} is not forbidden here`);
  const [[count, size, shows], models, named] = [known, roles.names(), voters.names()];
  ensure(models.length === size && models.every((one) => own.models.includes(one)), "the models do not fit the pattern");
  ensure(named.length === count && named.every((one) => own.ranks.has(one)), "the voters do not fit the pattern");
  const listed = orders.items().map((one) => one.items().map((place) => place.texts()));
  ensure(listed.length === count, "an order is missing");
  const ranked = named.map((voter, at) => {
    const ranks = /** @type {Map<string, bigint>} */ (own.ranks.get(voter));
    const strict = new Set(models.map((model) => ranks.get(model)).filter((one) => one !== undefined)).size === size;
    ensure(strict, `voter ${quoted(voter)} ties some of the models, or leaves them out`);
    const along = [...models].sort(byRank(ranks));
    const fits = listed[at].length === size && listed[at].every((place, one) => alike(place, [along[one]]));
    ensure(fits, `voter ${quoted(voter)} ranks otherwise`);
    return models.map((model) => /** @type {bigint} */ (ranks.get(model)));
  });
  ensure(shows(ranked), `this does not show ${pattern.value}`);
}

/** An axis, along which no voter ranks a model below one on each side, or why there is none. */
function singlePeaked(/** @type {Part} */ document, /** @type {Given | null} */ table) {
  const [, holds, written, leftOut, axis, witness, solver] = document.parts("kind holds profile left_out axis witness solver");
  const own = readProfile(written, leftOut, table);
  ensure(holds.flag() === (axis.value !== null), "an axis is what the answer yes consists of");
  const reasons = Number(witness.value !== null) + Number(solver.value !== "");
  ensure(reasons === Number(!holds.value), "the answer no rests on a witness, or on a solver");
  if (!holds.value) {
    const given = witness.value === null ? new Map() : witness.object();
    if (given.has("pattern")) checkForbidden(witness, own, ["three_worst", "opposed_below"]);
    else if (given.has("rows")) checkSetsClash(witness, own);
    else throw new NotChecked("why rankings with gaps have no axis");
    return finding("the rankings are not single-peaked.");
  }
  const along = axis.texts();
  ensure(alikeUnordered(along, own.models), "the axis is not one of the models");
  for (const [voter, ranks] of own.ranks) {
    const ranked = along.flatMap((model) => ranks.get(model) || []);
    const [from, back] = [ranked, [...ranked].reverse()].map((row) => row.map((_, at) => (at ? extreme(row.slice(0, at), -1) : null)));
    const sunk = ranked.some((one, at) => at > 0 && at < ranked.length - 1 && Number(from[at]) < one && one > Number(back[ranked.length - 1 - at]));
    ensure(!sunk, `the axis does not fit voter ${quoted(voter)}`);
  }
  return finding("the rankings are single-peaked along the axis given.");
}

// The steps that the check of a witness may take.
const MOST_STEPS = 20_000_000;

/**
 * Ensure that upper sets of voters, each an interval of any axis that fits, are intervals of no common axis. Any smaller
 * selection of sets or of models may be intervals of one: the witness is said to hold nothing needless.
 */
function checkSetsClash(/** @type {Part} */ document, /** @type {Profile} */ own) {
  const [named, listed, below] = document.parts("models rows lower");
  const models = named.names();
  ensure(!below.flag(), "the sets are at the wrong end of the rankings");
  const steps = models.length ** 2 * (models.length + listed.list().length);
  if (steps > MOST_STEPS) throw new NotChecked("the witness is too large to be checked in a short time");
  const sets = listed.items().map((one) => {
    if (one.list().length !== 2) refuse("rows: pairs are needed");
    const [voter, members] = one.items();
    const [ranks, inside] = [own.ranks.get(voter.text()) || new Map(), new Set(members.names())];
    const outside = models.filter((model) => !inside.has(model));
    const fits = outside.length && outside.length + inside.size === models.length && models.every((model) => ranks.has(model));
    ensure(fits, `voter ${quoted(voter.value)} does not rank such a set`);
    const above = extreme([...inside].map((model) => ranks.get(model)), 1) < extreme(outside.map((model) => ranks.get(model)), -1);
    ensure(above, `voter ${quoted(voter.value)} does not rank the set above the others`);
    return inside;
  });
  ensure(sidesContradict(models, sets), "the sets are intervals of one axis");
  sets.forEach((_, at) => ensure(!sidesContradict(models, sets.filter((__, other) => other !== at)), "a set is not needed"));
  for (const model of models) {
    ensure(!sidesContradict(models.filter((one) => one !== model), sets), `model ${quoted(model)} is not needed`);
  }
}

/**
 * Whether sets are intervals of no common axis: an interval says that all that are inside are on one side of each model
 * outside. Pairs "x is on the left of y" that follow from each other are joined; a contradiction joins one with its
 * reverse (McConnell, SODA 2004).
 */
function sidesContradict(/** @type {string[]} */ models, /** @type {Set<string>[]} */ sets) {
  const size = models.length;
  const parent = Int32Array.from({ length: size * size }, (_, pair) => pair);
  const root = (/** @type {number} */ pair) => {
    let at = pair;
    while (parent[at] !== at) at = parent[at] = parent[parent[at]];
    return at;
  };
  for (const inside of sets) {
    const [among, apart] = [true, false].map((wanted) => models.flatMap((model, at) => (inside.has(model) === wanted ? [at] : [])));
    for (const outside of apart) {
      for (const other of among.slice(1)) {
        parent[root(among[0] * size + outside)] = root(other * size + outside);
        parent[root(outside * size + among[0])] = root(outside * size + other);
      }
    }
  }
  return models.some((_, x) => models.some((__, y) => x !== y && root(x * size + y) === root(y * size + x)));
}

/** That the models can be cut in two again and again, one part above the other for each voter. */
function groupSeparable(/** @type {Part} */ document, /** @type {Given | null} */ table) {
  const [, holds, written, leftOut, order, cuts, witness] = document.parts("kind holds profile left_out order cuts witness");
  const own = readProfile(written, leftOut, table);
  ensureComplete(own);
  const given = [order, cuts, witness].map((one) => one.value !== null);
  ensure(alike(given, [holds.flag(), holds.value, !holds.value]), "yes takes an order with cuts, no a witness");
  if (!holds.value) {
    checkForbidden(witness, own, ["three_middle", "crossed"]);
    return finding("the rankings are not group-separable.");
  }
  const names = order.texts();
  ensure(alikeUnordered(names, own.models), "the order is not one of the models");
  // Depth first, the upper part before the lower one, as the cuts are listed.
  const uncut = [[0, names.length]];
  for (const one of cuts.items()) {
    while (uncut.length && uncut[uncut.length - 1][1] - uncut[uncut.length - 1][0] < 2) uncut.pop();
    const [[start, stop], places] = [uncut.pop() || [0, 0], one.integers()];
    const [first, cut, last] = places.map(Number);
    const fits = places.length === 3 && first === start && start < cut && cut < stop && stop === last;
    ensure(fits, "a cut is not the next");
    for (const [voter, ranks] of own.ranks) {
      const [upper, lower] = [names.slice(start, cut), names.slice(cut, stop)].map((part) => part.map((model) => /** @type {bigint} */ (ranks.get(model))));
      const apart = extreme(upper, 1) < extreme(lower, -1) || extreme(lower, 1) < extreme(upper, -1);
      ensure(apart, `voter ${quoted(voter)} mixes the blocks of a cut`);
    }
    uncut.push([cut, stop], [start, cut]);
  }
  ensure(uncut.every(([start, stop]) => stop - start < 2), "a block is left uncut");
  return finding("the rankings are group-separable.");
}

/** On how many pairs of models two voters disagree at most. */
function distanceRestricted(/** @type {Part} */ document, /** @type {Given | null} */ table) {
  const names = "kind holds profile left_out degree largest_distance farthest swapped";
  const [, holds, written, leftOut, allowed, largest, apart, swapped] = document.parts(names);
  const [own, degree] = [readProfile(written, leftOut, table), allowed.integer()];
  ensureComplete(own);
  ensure(degree >= 0n, `the degree must be 0 or more; got ${degree}`);
  const voters = [...own.ranks.keys()];
  const pairs = own.models.flatMap((one, at) => own.models.slice(0, at).map((other) => [other, one]));
  const above = new Map([...own.ranks].map(([voter, ranks]) => [voter, Uint8Array.from(pairs, ([one, other]) => Number(byRank(ranks)(one, other) < 0))]));
  const between = (/** @type {string} */ one, /** @type {string} */ other) => {
    const [first, second] = [one, other].map((voter) => /** @type {Uint8Array} */ (above.get(voter)));
    let count = 0;
    for (let pair = 0; pair < first.length; pair += 1) count += first[pair] ^ second[pair];
    return count;
  };
  let found = 0;
  voters.forEach((one, at) => voters.slice(0, at).forEach((other) => (found = Math.max(found, between(one, other)))));
  ensure(largest.integer() === BigInt(found), `the largest distance is ${found}, not ${shown(largest.value)}`);
  ensure(holds.flag() === (BigInt(found) <= degree), `a largest distance of ${found} says otherwise`);
  const far = apart.texts();
  ensure(far.every((one) => own.ranks.has(one)) && (!found || far.length === 2), `${namedList(far)} are not two voters`);
  ensure(far.length !== 2 || between(far[0], far[1]) === found, `${namedList(far)} are not the farthest voters`);
  ensure((swapped.value !== null) === (found === 1), "one pair is swapped exactly if the distance is 1");
  if (swapped.value !== null) {
    const [first, ...others] = [...above.values()];
    const swaps = new Set(pairs.flatMap((_, pair) => (others.some((one) => one[pair] !== first[pair]) ? [pair] : [])));
    ensure(alike(swapped.texts(), swaps.size === 1 ? pairs[[...swaps][0]] : []), "another pair is swapped");
  }
  return finding(`any two voters disagree on ${found} pairs of models at most.`);
}
