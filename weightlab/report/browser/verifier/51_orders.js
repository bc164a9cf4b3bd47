// Orders that contradict the majorities least (Kemeny, Slater): the cost of one, and that none costs less.

// Blocks of so many models are settled by dynamic programming over all sets; larger ones by the bound given.
const SEARCHED = 12;
// How the prover settled a block; what it says of the block is worked out anew, or named as not checked.
const SETTLED_BY = ["search", "tilted search", "cost search", "solver", "nothing"];
const BLOCK = "models order cost shared number means triangles turned";
const BELIEVED = ["HiGHS", "CBC"];

/**
 * Blocks, of which each model beats all of later ones, stand so in some order of least cost; hence each is settled by
 * itself. Kemeny counts the weight of the duels that the lower model wins, Slater the duels.
 */
function medianOrder(/** @type {Part} */ document, /** @type {Given | null} */ table) {
  const isKemeny = document.value.get("kind") === "kemeny";
  const names = `kind order cost bound unique number margins blocks solver${isKemeny ? " tie_penalty" : ""}`;
  const [, ordered, priced, lowest, unique, count, written, listed, solver, penalized] = document.parts(names);
  const [margins, order] = [readMargins(written, table), ordered.items().map((place) => place.texts())];
  const at = placesOfNames(margins.models);
  const fits = order.every((place) => place.length === 1) && alikeUnordered(order.map(([name]) => name), margins.models);
  ensure(fits, "the order does not hold every model once, without ties");
  const places = order.map(([name]) => Number(at.get(name)));
  const leads = isKemeny ? margins.net : margins.net.map((row) => row.map((one) => (one > 0n ? 1n : one < 0n ? -1n : 0n)));
  // Blocks are priced in units of what all margins have in common.
  const unit = leads.flat().reduce(gcd, 0n) || 1n;
  const net = leads.map((row) => row.map((one) => one / unit));
  const cost = isKemeny ? kemenyCost(margins, places, penalized.fraction()) : ratio(orderCost(net, places));
  priced.ensureIs(cost);
  const blocks = listed.items().map((one) => one.parts(BLOCK));
  /** @type {string[]} */
  const open = [];
  let [start, found, gap] = [0, /** @type {bigint | null} */ (1n), 0n];
  for (const block of blocks) {
    const { size, ways, unchecked, gap: more } = checkBlock(block, places.slice(start), net);
    start += size;
    gap += more;
    found = found === null || ways === null ? null : found * ways;
    open.push(...unchecked);
  }
  ensure(start === places.length, "the blocks do not make up the order");
  const bySolver = blocks.some((block) => block[5].value === "solver");
  ensure((bySolver ? BELIEVED : [null]).includes(solver.value), "another solver was needed");
  if (found !== null) ensure(count.integer() === found && unique.flag() === (found === 1n), `${found} orders cost as little`);
  const bound = minus(cost, times(ratio(gap * unit), isKemeny ? margins.unit : ONE));
  lowest.ensureIs(bound);
  const than = gap ? ` than ${exactText(bound)}` : "";
  return finding(`the order costs ${exactText(cost)}, and no order costs less${than}${open.length ? " but for what follows" : ""}.`, open);
}

function kemenyCost(/** @type {Margins} */ { wins, ties, unit }, /** @type {number[]} */ places, /** @type {Ratio} */ penalty) {
  ensure(penalty.top >= 0n, "the tie penalty is negative");
  let [won, tied] = [0n, 0n];
  places.forEach((low, at) =>
    places.slice(0, at).forEach((high) => {
      won += wins[low][high];
      tied += ties[low][high];
    }),
  );
  return times(unit, plus(ratio(won), times(penalty, ratio(tied))));
}

/**
 * Ensure that a block begins what is left of the order, beats all that follows, and cannot be ordered better. Its size,
 * how many orders of least cost it has, null where that is not told, what is not checked, and by how much an order may
 * cost less, where it is not said that none does.
 * @param {Part[]} parts
 * @param {number[]} places
 * @param {bigint[][]} net
 */
function checkBlock([members, order, priced, shared, count, means, triangles, others], places, net) {
  const [models, inner] = [members.integers().map(Number), order.integers().map(Number)];
  const [size, block, later] = [models.length, places.slice(0, models.length), places.slice(models.length)];
  const sorted = [...new Set(block)].sort((one, other) => one - other);
  ensure(size && alike(models, sorted), "the blocks do not make up the order");
  const small = models.map((one) => models.map((other) => net[one][other]));
  const cost = orderCost(small, inner);
  ensure(alike(inner.map((one) => models[one]), block), "the blocks do not make up the order");
  ensure(block.every((one) => later.every((other) => net[one][other] > 0n)), "a block does not beat all later");
  ensure(priced.integer() === cost, `a block's order costs ${cost}, not ${shown(priced.value)}`);
  ensure(SETTLED_BY.includes(means.text()), `${shown(means.value)} proves nothing`);
  ensure((count.value !== null) === (means.value === "search"), "only a full search counts orders");
  const bound = triangleBound(small, triangles);
  const beside = others.items().map((one) => orderCost(small, one.integers().map(Number)));
  ensure(!beside.length || (means.value === "tilted search" && beside.every((one) => one === cost)), "an order besides costs more");
  const rest = `how many orders of ${size} models cost as little, and what they share`;
  // The bound is of whole numbers: it may be rounded up.
  if (means.value === "nothing") return { size, ways: null, unchecked: [rest], gap: cost - ceiling(bound) };
  if (size <= SEARCHED) {
    const { ways, always } = leastOrders(small, cost);
    if (count.value === null) return { size, ways: null, unchecked: [rest], gap: 0n };
    ensure(count.integer() === ways, `${ways} orders cost ${cost}`);
    const agrees = Array.isArray(shared.value) && alike(shared.value, always);
    ensure(agrees, "the pairs that all orders of least cost share are others");
    return { size, ways, unchecked: [], gap: 0n };
  }
  if (compare(bound, ratio(cost - 1n)) > 0) return { size, ways: null, unchecked: [rest], gap: 0n };
  const whose = means.value === "solver" ? "a solver" : "a search that is not repeated here";
  return { size, ways: null, unchecked: [`that ${size} models cannot be ordered below ${cost} rests on ${whose}`, rest], gap: 0n };
}

/** The least whole number that is no less. */
function ceiling(/** @type {Ratio} */ { top, bottom }) {
  return top > 0n ? (top + bottom - 1n) / bottom : top / bottom;
}

/** What an order costs, best first: the duels that the lower model wins. */
function orderCost(/** @type {bigint[][]} */ net, /** @type {number[]} */ order) {
  const sorted = [...order].sort((one, other) => one - other);
  ensure(sorted.length === net.length && sorted.every((one, at) => one === at), "an order does not hold every model once");
  return order.reduce((cost, low, at) => order.slice(0, at).reduce((found, high) => (net[low][high] > 0n ? found + net[low][high] : found), cost), 0n);
}

/**
 * How many orders of a few models cost the least, and what is above what in all; ensure the cost.
 *
 * Dynamic programming over the sets S that stand on top (Held and Karp 1962): the least cost of ordering S is that of S
 * without its last model x, plus what it costs that x stands below the others of S.
 */
function leastOrders(/** @type {bigint[][]} */ net, /** @type {bigint} */ cost) {
  const size = net.length;
  const all = (1 << size) - 1;
  const [lowest, ways] = [/** @type {bigint[]} */ ([0n]), /** @type {bigint[]} */ ([1n])];
  const options = (/** @type {number} */ chosen) => {
    /** @type {[number, bigint][]} */
    const found = [];
    for (let last = 0; last < size; last += 1) {
      if (!((chosen >> last) & 1)) continue;
      const rest = chosen ^ (1 << last);
      let price = lowest[rest];
      for (let one = 0; one < size; one += 1) if ((rest >> one) & 1 && net[last][one] > 0n) price += net[last][one];
      found.push([rest, price]);
    }
    return found;
  };
  for (let chosen = 1; chosen <= all; chosen += 1) {
    const priced = options(chosen);
    lowest[chosen] = extreme(priced.map(([, price]) => price), -1);
    ways[chosen] = sum(priced.flatMap(([rest, price]) => (price === lowest[chosen] ? [ways[rest]] : [])));
  }
  ensure(lowest[all] === cost, () => `an order of ${size} models costs ${lowest[all]}, less than ${cost}`);
  // From the whole downwards: the sets that stand on top in some order of least cost. Where none of them holds j
  // without i, i is above j in all these orders.
  const tops = new Set([all]);
  for (const chosen of tops) for (const [rest, price] of options(chosen)) if (price === lowest[chosen]) tops.add(rest);
  const listed = [...tops];
  const above = (/** @type {number} */ i, /** @type {number} */ j) => i !== j && !listed.some((one) => (one >> j) & 1 && !((one >> i) & 1));
  return { ways: ways[all], always: net.map((_, i) => net.map((__, j) => Number(above(i, j))).join("")) };
}

/**
 * What every order costs at least: of "a above b", "b above c", "c above a" it has two at most. Each condition's
 * multiplier is added to the pairs of its triangles and taken off as often as an order can have one of them, which adds
 * nothing positive to any order; then each pair costs its cheaper side at least (Lagrange). Several triangles make one
 * condition where they are an odd walk.
 */
function triangleBound(/** @type {bigint[][]} */ net, /** @type {Part} */ document) {
  const [listed, counted, multiplied, unit] = document.parts("corners sizes multipliers scale");
  const [size, scale, sizes, factors] = [net.length, unit.integer(), counted.integers(), multiplied.integers()];
  ensure(scale > 0n && factors.every((one) => one >= 0n), "a multiplier of a triangle is negative");
  const triangles = listed.items().map((corners) => corners.integers().map(Number));
  const apart = triangles.every((own) => own.length === 3 && new Set(own).size === 3 && own.every((one) => one >= 0 && one < size));
  ensure(apart, "a triangle has three corners");
  const whole = sizes.length === factors.length && sizes.every((one) => one > 0n) && sum(sizes) === BigInt(triangles.length);
  ensure(whole, "there must be one multiplier a condition, and each triangle in one condition");
  const price = net.map((_, high) => net.map((row) => (row[high] > 0n ? row[high] * scale : 0n)));
  let [taken, start] = [0n, 0];
  sizes.forEach((several, at) => {
    const own = triangles.slice(start, start + Number(several));
    start += own.length;
    ensure(several === 1n || isOddWalk(own), "triangles that make one condition are no odd walk");
    for (const [a, b, c] of own) {
      price[a][b] += factors[at];
      price[b][c] += factors[at];
      price[c][a] += several === 1n ? factors[at] : 2n * factors[at];
    }
    taken += factors[at] * (several === 1n ? 2n : 3n * several - 1n);
  });
  let cheaper = 0n;
  for (let one = 0; one < size; one += 1) {
    for (let other = 0; other < one; other += 1) cheaper += extreme([price[one][other], price[other][one]], -1);
  }
  return ratio(cheaper - taken, scale);
}

/**
 * Whether no order has three of each of k triangles, with "c above a" counted twice; it has no more of one.
 *
 * Where the pairs a, b and b, c of all triangles name each pair evenly, the number that an order has is even or odd like
 * the number of those named from their higher place, as "a above b" is 1 less "b above a". 3k is not.
 */
function isOddWalk(/** @type {number[][]} */ triangles) {
  const odd = new Set();
  let turned = 0;
  for (const [one, other] of triangles.flatMap(([a, b, c]) => [[a, b], [b, c]])) {
    const pair = `${Math.min(one, other)} ${Math.max(one, other)}`;
    if (!odd.delete(pair)) odd.add(pair);
    turned += Number(one > other);
  }
  return !odd.size && (turned + triangles.length) % 2 === 1;
}
