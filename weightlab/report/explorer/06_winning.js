// What it takes for one model to win: the nearest weights, the most robust ones, and what stands in its way.
// Whatever is shown as winning is checked here in integers, with the words that the check allows.

const SLACK = ratio(1n, 1000n);

/** Weights as shares that sum to 1. */
function sharesOf(weights) {
  const total = weights.reduce(plus);
  return weights.map((one) => over(one, total));
}

/** Sum of all changes from one weighting to another, both as shares. */
function distanceBetween(shares, others) {
  return shares.map((one, task) => sizeOf(minus(one, others[task]))).reduce(plus);
}

/** Exact leads of a model over its rivals under shares: the least one, who is tied and who leads it. */
function standingOf(table, way, model, shares) {
  const { rivals, rows } = leadsOverRivals(table, way, model);
  const { values, bottom } = commonIntegers(shares);
  /** @type {any} */
  let least = null;
  const [tied, ahead] = [[], []];
  rows.forEach((row, at) => {
    const lead = leadUnder(row, values);
    if (least === null || lead < least) least = lead;
    if (lead === 0n) tied.push(rivals[at]);
    if (lead < 0n) ahead.push(rivals[at]);
  });
  return { least: ratio(least, bottom * way.bottom), tied, ahead, verdict: least > 0n ? "wins" : least < 0n ? "loses" : "ties" };
}

/** The sum of a rival's row under weights. */
function leadUnder(row, weights) {
  let lead = 0n;
  row.forEach((one, task) => {
    if (one) lead += BigInt(one) * weights[task];
  });
  return lead;
}

/** The least sum of gains and losses of weight after which no rival is ahead of a model, in units of 1 / total. */
function nearestProgram(table, way, model, weights) {
  const { rows: leads } = leadsOverRivals(table, way, model);
  const count = weights.length;
  const losing = weights.map((_, task) => task).filter((task) => weights[task] > 0n);
  const columns = count + losing.length;
  const rows = leads.length + losing.length + 2;
  const [entries, one] = way.points ? [new Array(rows * columns).fill(0n), 1n] : [new Int8Array(rows * columns), 1];
  const limits = new Array(rows).fill(0n);
  leads.forEach((row, at) => {
    row.forEach((lead, task) => (entries[at * columns + task] = -lead));
    limits[at] = leadUnder(row, weights);
    losing.forEach((task, place) => {
      entries[at * columns + count + place] = row[task];
    });
  });
  losing.forEach((task, place) => {
    entries[(leads.length + place) * columns + count + place] = one;
    limits[leads.length + place] = weights[task];
  });
  // What some tasks gain others lose: two limits say that the two sums are equal.
  for (let column = 0; column < columns; column += 1) {
    const sign = column < count ? one : -one;
    entries[(rows - 2) * columns + column] = sign;
    entries[(rows - 1) * columns + column] = -sign;
  }
  return { rows, columns, entries, limits, losing };
}

/** The nearest shares at which no rival is ahead of a model: {shares, distance, proved}, or null. */
function nearestShares(table, way, model, weights) {
  const { values } = commonIntegers(weights);
  const program = nearestProgram(table, way, model, values);
  const found = leastSum(program);
  if (!found) return null;
  const total = sum(values) * found.bottom;
  const numerators = values.map((one, task) => one * found.bottom + found.values[task]);
  program.losing.forEach((task, place) => {
    numerators[task] -= found.values[values.length + place];
  });
  return {
    shares: numerators.map((one) => ratio(one, total)),
    distance: ratio(sum(found.values), total),
    proved: found.proved,
  };
}

/**
 * The widest margin t with G w >= t for shares w: {margin, shares, blockers: [[rival, share]]}, both sides checked here.
 *
 * With c, more than any lead, added to each all entries are positive: the least sum of x >= 0 with (G + c) x >= 1 is
 * 1 / (t + c), x is in proportion to w, and the prices of the rows to the blockers (duality of matrix games, von Neumann).
 */
function widestMargin(table, way, model) {
  return remembered(table, `widest ${way.rule} ${model}`, () => {
    const { rivals, rows } = leadsOverRivals(table, way, model);
    const columns = table.tasks.length;
    const proof = (values, mixed) => certified(rivals, rows, values, mixed, way.bottom);
    if (!way.points) {
      const alone = rows[0].findIndex((_, task) => rows.every((signs) => signs[task] > 0));
      if (alone >= 0) return proof(unit(alone, columns), unit(0, rows.length));
      const above = rows.findIndex((signs) => signs.every((sign) => sign < 0));
      if (above >= 0) return proof(unit(0, columns), unit(above, rows.length));
    }
    const distinct = [...new Map(rows.map((row, at) => [row.join(), at])).values()];
    const entries = way.points ? new Array(distinct.length * columns) : new Int8Array(distinct.length * columns);
    const more = way.points ? mostOf(rows) + 1n : 2;
    distinct.forEach((at, row) => rows[at].forEach((lead, task) => (entries[row * columns + task] = -lead - more)));
    const limits = new Array(distinct.length).fill(-1n);
    const found = leastSum({ rows: distinct.length, columns, entries, limits });
    if (!found || !found.proved) return null;
    const prices = new Array(rows.length).fill(0n);
    distinct.forEach((at, row) => (prices[at] = found.prices.values[row]));
    return proof(found.values, prices);
  });
}

/** The largest lead of either side on a task. */
function mostOf(rows) {
  return rows.flat().reduce((found, one) => (one > found ? one : -one > found ? -one : found), 0n);
}

/** As many zeros, but for a 1 at one place. */
function unit(place, count) {
  return Array.from({ length: count }, (_, at) => (at === place ? 1n : 0n));
}

/** Weights and a mixture of rivals in any unit as a certificate of the widest margin, or null if they are none. */
function certified(rivals, rows, values, mixed, bottom) {
  const [total, all] = [sum(values), sum(mixed)];
  const leads = rows.map((row) => leadUnder(row, values));
  const columns = values.map((_, task) =>
    mixed.reduce((lead, one, at) => (one ? lead + one * BigInt(rows[at][task]) : lead), 0n),
  );
  const least = leads.reduce((found, one) => (one < found ? one : found));
  const most = columns.reduce((found, one) => (one > found ? one : found));
  if (values.some((one) => one < 0n) || mixed.some((one) => one < 0n) || least * all !== most * total) return null;
  return {
    margin: ratio(least, total * bottom),
    shares: values.map((one) => ratio(one, total)),
    blockers: rivals.flatMap((rival, at) => (mixed[at] ? [[rival, ratio(mixed[at], all)]] : [])),
  };
}

/** How far a model is from winning: {kind: "never" | "wins" | "near" | "unknown", ...}. */
function distanceToWinning(table, way, model, weights) {
  const prospect = way.prospects[model];
  const today = sharesOf(weights);
  const standing = standingOf(table, way, model, today);
  if (prospect.verdict === "never") return { kind: "never", standing, prospect };
  if (standing.verdict === "wins") return { kind: "wins", standing, prospect };
  const nearest = nearestShares(table, way, model, weights);
  if (!nearest) return { kind: "unknown", standing, prospect };
  return { kind: "near", standing, prospect, nearest, there: standingOf(table, way, model, nearest.shares) };
}

/** Weights near the nearest ones, with few digits where that holds: winning if the model can. */
function nearestWinning(table, way, model, weights) {
  const found = distanceToWinning(table, way, model, weights);
  if (found.kind === "never" || found.kind === "wins") return null;
  const { prospect, nearest } = found;
  const strict = prospect.verdict === "strict";
  const today = sharesOf(weights);
  const start = nearest ? nearest.shares : prospect.weights;
  const wanted = strict && (!nearest || found.there.verdict !== "wins") ? leaning(start, prospect.weights) : start;
  const most = plus(distanceBetween(today, start), SLACK);
  return tidied(table, way, model, wanted, strict, (shares) => compare(distanceBetween(today, shares), most) <= 0);
}

/** The weights under which a model's least lead is widest, with few digits where that costs almost nothing. */
function mostRobust(table, way, model) {
  const prospect = way.prospects[model];
  if (prospect.verdict === "never") return null;
  const widest = prospect.verdict === "strict" ? widestMargin(table, way, model) : null;
  const wanted = widest ? widest.shares : prospect.weights;
  const slack = way.points ? times(SLACK, ratio(mostOf(leadsOverRivals(table, way, model).rows), way.bottom)) : SLACK;
  const least = minus(standingOf(table, way, model, wanted).least, slack);
  const strict = prospect.verdict === "strict";
  return tidied(table, way, model, wanted, strict, (shares) => compare(standingOf(table, way, model, shares).least, least) >= 0);
}

/** Shares a small step from some towards those of a proof, which win: so do these, if the first tie. */
function leaning(shares, proof) {
  const step = ratio(1n, 4000n);
  return shares.map((one, task) => plus(one, times(step, minus(proof[task], one))));
}

/** The first rounding of shares that does what the shares do, or the shares themselves. */
function tidied(table, way, model, shares, strict, serves) {
  const wanted = strict ? "wins" : "ties";
  for (const digits of [2, 3, 4, 5, 6]) {
    const tidy = roundedShares(shares, 10n ** BigInt(digits));
    if (standingOf(table, way, model, tidy).verdict === wanted && serves(tidy)) return tidy;
  }
  return shares;
}

/** Shares in whole parts of 1 / parts that still sum to 1: the largest remainders are rounded up. */
function roundedShares(shares, parts) {
  const whole = shares.map((one) => (one.top * parts) / one.bottom);
  const rest = shares.map((one, task) => minus(times(one, ratio(parts)), ratio(whole[task])));
  const order = shares.map((_, task) => task).sort((one, other) => compare(rest[other], rest[one]) || one - other);
  const short = Number(parts - sum(whole));
  for (const task of order.slice(0, short)) whole[task] += 1n;
  return whole.map((one) => ratio(one, parts));
}

/** Whether the blockers of a proof hold: under no weights does the model lead their mixture by `upper` or more. */
function blockersHold(table, way, model) {
  const { upper, blockers } = way.prospects[model];
  const { rivals, rows } = leadsOverRivals(table, way, model);
  const row = new Map(rivals.map((rival, at) => [rival, rows[at]]));
  return table.tasks.every((_, task) => {
    const lead = blockers.map(([rival, share]) => times(share, ratio(BigInt(row.get(rival)[task]), way.bottom))).reduce(plus);
    return compare(lead, upper) <= 0;
  });
}
