// The dual certificate: weak duality, the one theorem behind every "no weights do".

/**
 * Rows after those of a space with the costs of their variables, and duels with multipliers and what each must lead by.
 * @typedef {{ rows: Row[], prices: Map<string, Ratio> }} Program
 * @typedef {{ signs: Int8Array[], factors: Ratio[], least: Ratio }} Won
 */

/** @type {Program} */
const NO_PROGRAM = { rows: [], prices: new Map() };
/** @type {Won} */
const NO_DUELS = { signs: [], factors: [], least: ZERO };

/**
 * r and b such that the objective is at least r.w + b for all allowed w.
 *
 * Weights w and variables a are not negative, w sums to 1, the rows say A w + B a >= bound (or <=, =), the duels
 * G w >= least. Subtract from the objective c.w + d.a a multiple y of what each row, and z of what each duel, has to
 * spare: where y and z have the right signs this makes it no greater. What is left is (c - y A - z G).w + (d - y B).a +
 * y.bound + least sum z, and the middle term is not negative where d >= y B. Since w is a mixture of the tasks, the
 * least entry of r bounds the first.
 *
 * @param {Space} space
 * @param {Ratio[]} multipliers
 * @param {Ratio[]} costs
 * @param {Program} program
 * @param {Won} won
 */
function reducedCosts(space, multipliers, costs = [], program = NO_PROGRAM, won = NO_DUELS) {
  /** @type {Map<string, Ratio[]>} */
  const left = new Map(space.tasks.map((task) => [task, []]));
  /** @type {Map<string, Ratio[]>} */
  const used = new Map([...program.prices.keys()].map((name) => [name, []]));
  const right = won.factors.map((factor) => times(won.least, factor));
  const put = (/** @type {Map<string, Ratio[]>} */ into, /** @type {string} */ name, /** @type {Ratio} */ term) => {
    const terms = into.get(name);
    if (terms) terms.push(term);
    else into.set(name, [term]);
  };
  [...space.rows, ...program.rows].forEach((row, at) => {
    const factor = multipliers[at];
    const fits = row.relation === "=" || (row.relation === ">=" ? factor.top >= 0n : factor.top <= 0n);
    ensure(fits, () => `the multiplier of row ${at + 1} has the wrong sign: ${exactText(factor)}`);
    if (!factor.top) return;
    right.push(times(factor, row.bound));
    for (const [task, value] of row.tasks) put(left, task, times(factor, value));
    for (const [name, value] of row.auxiliaries) put(used, name, times(factor, value));
  });
  for (const [name, terms] of used) {
    const [found, price] = [total(terms), program.prices.get(name) || ZERO];
    ensure(compare(found, price) <= 0, () => `the multipliers sum to ${exactText(found)} for ${quoted(name)}, beyond its cost ${exactText(price)}`);
  }
  ensure(won.factors.every((one) => one.top >= 0n), "the multiplier of a duel is negative");
  const led = columnSums(won.signs, won.factors, space.tasks.length);
  const reduced = space.tasks.map((task, at) => minus(minus(costs[at] || ZERO, total(left.get(task) || [])), led[at]));
  return { reduced, right: total(right) };
}

/**
 * Ensure that multipliers prove just this bound from below: no better one, no worse one.
 * @param {Ratio} bound
 * @param {Space} space
 * @param {Ratio[]} multipliers
 * @param {Ratio[]} costs
 * @param {Program} [program]
 * @param {Won} [won]
 */
function ensureBound(bound, space, multipliers, costs, program, won) {
  const { reduced, right } = reducedCosts(space, multipliers, costs, program, won);
  const proved = plus(least(reduced), right);
  ensure(same(proved, bound), () => `the multipliers prove a bound of ${exactText(proved)}, not ${exactText(bound)}`);
}

/**
 * Ensure that no weights lead a mixture of the rows, hence all of the rows, by more than a bound.
 * @param {Space} space
 * @param {Int8Array[]} signs
 * @param {Ratio[]} shares
 * @param {Ratio[]} multipliers
 * @param {Ratio} bound
 */
function checkMixture(space, signs, shares, multipliers, bound) {
  const lowest = least(shares);
  ensure(lowest.top >= 0n, () => `a blocker has a negative share: ${exactText(lowest)}`);
  const found = total(shares);
  ensure(same(found, ONE), () => `the shares of the blockers sum to ${exactText(found)}, not to 1`);
  const mixed = columnSums(signs, shares, space.tasks.length);
  const { reduced, right } = reducedCosts(space, turned(multipliers), turned(mixed));
  const most = minus(ZERO, plus(least(reduced), right));
  ensure(same(most, bound), () => `the blockers prove a bound of ${exactText(most)}, not ${exactText(bound)}`);
}
