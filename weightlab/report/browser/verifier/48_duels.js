// Who beats whom under all, some, no weights; and how far weights must move before a winner, or a cycle, is gone.

/** The greatest margin of every model over every other; the least is what the other's greatest leaves. */
function* duelsOfAll(/** @type {Part} */ document, /** @type {Given | null} */ table) {
  const [, written, spaced, bounds] = document.parts("kind signs space bounds");
  const board = readSigns(written, table);
  const [space, size] = [readSpace(spaced, board.tasks), board.models.length];
  const [most, weighted, attaining, multiplied, bounding] = bounds.parts("greatest weights attained multipliers bounded");
  const claimed = most.square(size, (one) => one.fraction());
  const [attained, bounded] = [attaining, bounding].map((one) => one.square(size, (cell) => cell.integer()));
  const points = weighted.items().map((one) => one.listed(space.tasks.length));
  const prices = multiplied.items().map((one) => one.listed(space.rows.length));
  for (const [used, count] of /** @type {[bigint[][], number][]} */ ([[attained, points.length], [bounded, prices.length]])) {
    const fits = used.every((row) => row.every((one) => one >= 0n && one < BigInt(count)));
    ensure(fits, "weights or multipliers are none that there are");
  }
  for (const point of points) checkWeights(space, point);
  const left = prices.map((one) => reducedCosts(space, turned(one)));
  for (const [at, model] of board.models.entries()) {
    ensure(!claimed[at][at].top, () => `${quoted(model)} cannot lead itself by ${exactText(claimed[at][at])}`);
    board.models.forEach((rival, other) => {
      if (other === at) return;
      const row = Int8Array.from(board.columns, (column) => column.sign(at, other));
      const { sums, unit } = leadsUnder([row], points[Number(attained[at][other])]);
      const said = claimed[at][other];
      ensure(same(ratio(sums[0], unit), said), () => `the weights make ${quoted(model)} lead ${quoted(rival)} by ${exactText(ratio(sums[0], unit))}, not ${exactText(said)}`);
      const { reduced, right } = left[Number(bounded[at][other])];
      const limit = minus(greatest(reduced.map((cost, task) => minus(ratio(BigInt(row[task])), cost))), right);
      ensure(same(limit, said), () => `the multipliers let ${quoted(model)} lead ${quoted(rival)} by ${exactText(limit)}, not ${exactText(said)}`);
    });
    yield;
  }
  return finding(`the least and the greatest margin of each pair of ${size} models.${space.sentence()}`);
}

/**
 * The least of costs.w plus the distance of w from the centre, over weights w; null where there is none.
 *
 * Sum of changes: each piece of the centre's weight stays, or goes to the cheapest task for a price of 2. Largest change:
 * priced at a level, weights need not sum to 1; with a largest change of d the dear tasks give up to d, the cheap ones
 * take d. That is convex and piecewise linear in d, bending where a dear task has no weight left.
 *
 * @param {string} norm
 * @param {Ratio[]} costs
 * @param {Ratio[]} centre
 * @param {Ratio} level
 */
function leastWithDistance(norm, costs, centre, level) {
  if (norm === "l1") {
    const cheapest = plus(least(costs), ratio(2n));
    return total(centre.map((share, at) => times(share, least([costs[at], cheapest]))));
  }
  const prices = costs.map((one) => minus(one, level));
  const cheap = prices.filter((one) => one.top < 0n);
  if (compare(minus(ZERO, total(cheap)), ONE) > 0) return null;
  const at = (/** @type {Ratio} */ change) => {
    const moved = prices.map((price, task) => {
      const kept = price.top < 0n ? plus(centre[task], change) : greatest([ZERO, minus(centre[task], change)]);
      return times(price, kept);
    });
    return plus(plus(level, change), total(moved));
  };
  return least([ZERO, ...centre.filter((_, task) => prices[task].top > 0n)].map(at));
}

/**
 * Today's weights, from which changes are counted by a norm.
 * @typedef {{ norm: string, weights: Ratio[], space: Space }} Centre
 */

/**
 * Ensure that all weights of the space that lead nowhere below 0 in some rows are so far away.
 * @param {Centre} centre
 * @param {Part} multipliers
 * @param {Int8Array[]} signs
 * @param {Ratio[]} factors
 * @param {Part} level
 * @param {Ratio} bound
 */
function ensureFar({ norm, weights, space }, multipliers, signs, factors, level, bound) {
  ensure(norm !== "l1" || !level.fraction().top, "a sum of changes has no level");
  const given = multipliers.listed(space.rows.length);
  const { reduced, right } = reducedCosts(space, given, [], NO_PROGRAM, { signs, factors, least: ZERO });
  const found = leastWithDistance(norm, reduced, weights, level.fraction());
  const proved = found && plus(found, right);
  ensure(proved && same(proved, bound), () => `the multipliers prove a distance of ${proved ? exactText(proved) : "nothing"}, not ${exactText(bound)}`);
}

/** For each rival the least lead, and the nearest weights at which there is none. */
function stability(/** @type {Part} */ document, /** @type {Given | null} */ table) {
  const names = "kind norms model weights rivals signs space reversals";
  const [, told, model, weighted, against, written, spaced, reversals] = document.parts(names);
  const space = readSpace(spaced);
  const duels = readDuels(model, against.texts(), written, space.tasks, table);
  const today = weighted.among(space.tasks);
  checkToday(table, space.tasks, today);
  const lead = checkLeads(duels, today, ZERO);
  ensure(lead.top > 0n, () => `${quoted(duels.model)} does not win today: its least lead is ${exactText(lead)}`);
  const [middle, leasts, points] = reversals.parts("centre least points");
  ensure(middle.listed(today.length).every((one, at) => same(one, today[at])), "changes are not counted from today's weights");
  const norms = points.entries();
  ensure(norms.size && [...norms.keys()].every((one) => NORMS.includes(one)), "distances must be by the norms l1 or linf");
  ensure(alike([...norms.keys()], told.texts()), `the distances are by ${[...norms.keys()].join(", ")}, which is not what is said`);
  const sizes = [leasts, ...norms.values()].map((one) => one.list().length);
  ensure(sizes.every((one) => one === duels.rivals.length), "there must be one least lead and one reversal a rival");
  const leadsLeft = leasts.items().map((one, at) => checkLeastLead(one, duels.signs[at], space));
  const said = [...norms].map(([norm, listed]) => {
    const found = listed.items().flatMap((one, at) => {
      ensure(one.value !== null || leadsLeft[at].top > 0n, "a rival can tie, but no weights at which it does are given");
      return one.value === null ? [] : [checkReversal(one, duels.signs[at], { norm, weights: today, space })];
    });
    return `${found.length ? exactText(least(found)) : "any change"} (${norm})`;
  });
  const until = `until the weights ${namedNumbers(space.named(today))} change by ${said.join(" and ")}`;
  return finding(`${quoted(duels.model)} is the Condorcet winner ${until}.${space.sentence()}`);
}

/** The least lead over the weights of a space. */
function checkLeastLead(/** @type {Part} */ document, /** @type {Int8Array} */ row, /** @type {Space} */ space) {
  const [best, weighted, multiplied] = document.parts("value weights multipliers");
  const [value, weights] = [best.fraction(), weighted.listed(space.tasks.length)];
  checkWeights(space, weights);
  const { sums, unit } = leadsUnder([row], weights);
  const found = ratio(sums[0], unit);
  ensure(same(found, value), () => `the lead is ${exactText(found)}, not ${exactText(value)}`);
  ensureBound(value, space, multiplied.listed(space.rows.length), Array.from(row, (one) => ratio(BigInt(one))));
  return value;
}

/** The weights nearest to the centre at which a lead is 0 or less. */
function checkReversal(/** @type {Part} */ document, /** @type {Int8Array} */ row, /** @type {Centre} */ centre) {
  const [best, weighted, factor, level, multiplied] = document.parts("value weights factor level multipliers");
  const [value, weights] = [best.fraction(), weighted.listed(row.length)];
  checkWeights(centre.space, weights);
  const { sums, unit } = leadsUnder([row], weights);
  ensure(sums[0] <= 0n, () => `the lead is ${exactText(ratio(sums[0], unit))}, still positive`);
  const far = distanceBy(centre.norm, weights, centre.weights);
  ensure(same(far, value), () => `the distance is ${exactText(far)}, not ${exactText(value)}`);
  ensureFar(centre, multiplied, [row.map((one) => -one)], [factor.fraction()], level, value);
  return value;
}

/** The nearest weights with a Condorcet winner, and that every other model is farther away. */
function brokenCycle(/** @type {Part} */ document, /** @type {Given | null} */ table) {
  const names = "kind value signs weights norm space nearest others";
  const [, best, written, weighted, norm, spaced, nearest, others] = document.parts(names);
  const board = readSigns(written, table);
  const [space, value] = [readSpace(spaced, board.tasks), best.fraction()];
  best.ensureIs(value);
  if (!NORMS.includes(norm.text())) refuse(`${shown(norm.value)} is no norm`);
  const centre = { norm: norm.text(), weights: weighted.among(space.tasks), space };
  checkToday(table, space.tasks, centre.weights);
  const objective = new Objective(centre.norm, space.named(centre.weights));
  if (!nearest.list().length) refuse("no model is said to win");
  /** @type {string[]} */
  const open = [];
  const told = nearest.items().map((one) => {
    const model = one.object().get("model");
    const fits = board.models.includes(model) && !one.value.has("signs");
    ensure(fits, `${shown(model)} is no model, or has signs of its own`);
    const rivals = rivalsOf(board, model);
    const carried = rowsOver(board, model, rivals).map((row) => Array.from(row, (sign) => "-0+"[sign + 1]).join(""));
    const found = checkScenario(new Part(new Map([...one.value, ["signs", carried]]), "a scenario"), null);
    const agrees = alike(found.duels.rivals, rivals) && found.space.equals(space);
    ensure(agrees, `${quoted(model)} wins in another space, or over others`);
    ensure(!found.margin.top && found.isStrict, `${quoted(model)} is not shown to win`);
    const [served] = found.stages;
    const nearby = found.stages.length === 1 && served.objective && served.objective.key === objective.key && same(served.value, value);
    ensure(nearby, () => `the weights of ${quoted(model)} are not nearest, or not ${exactText(value)} away`);
    open.push(...found.open);
    return model;
  });
  told.push(...others.items().map((one) => checkFarther(one, centre, board, value)));
  ensure(alikeUnordered(told, board.models), "every model must be told of once");
  return finding(`the nearest weights with a Condorcet winner are ${exactText(value)} away: ${objective.words()}.${space.sentence()}`, open);
}

/**
 * Check why a model is not the nearest winner: its wins are farther away, or there are none.
 * @param {Part} document
 * @param {Centre} centre
 * @param {Board} board
 * @param {Ratio} value
 */
function checkFarther(document, centre, board, value) {
  const blocked = document.object().has("upper");
  const names = blocked ? "model upper blockers multipliers" : "model value factors multipliers level";
  const [model, limit, mixed, multiplied, level] = document.parts(names);
  ensure(board.models.includes(model.text()), `${shown(model.value)} is no model`);
  const bound = limit.fraction();
  const factors = [...mixed.fractions()].filter(([, factor]) => factor.top);
  const rivals = rivalsOf(board, model.value);
  ensure(factors.every(([name]) => rivals.includes(name)), `${shown(model.value)}: a multiplier is of no rival`);
  const [rows, shares] = [rowsOver(board, model.value, factors.map(([name]) => name)), factors.map(([, share]) => share)];
  if (blocked) {
    ensure(shares.length && bound.top <= 0n, () => `${shown(model.value)} is only proved to lead by ${exactText(bound)} at most`);
    checkMixture(centre.space, rows, shares, multiplied.listed(centre.space.rows.length), bound);
  } else {
    ensure(compare(bound, value) > 0, () => `${shown(model.value)} is only proved to be ${exactText(bound)} away`);
    ensureFar(centre, multiplied, rows, shares, level, bound);
  }
  return model.value;
}
