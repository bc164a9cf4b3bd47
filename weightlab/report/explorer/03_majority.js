// The duels under weights: wins, who beats whom, the Condorcet winner, and the layers of Smith sets.

/** Weights of the tasks on which each model leads each other one (row-major), as integers over `bottom`. */
function duelsUnder(table, weights) {
  const { values, bottom } = commonIntegers(weights);
  const count = table.models.length;
  const bits = 52 - Math.ceil(Math.log2(values.length + 1));
  const limbs = [];
  let rest = values;
  do {
    limbs.push(winsUnder(table, rest.map((one) => Number(BigInt.asUintN(bits, one)))));
    rest = rest.map((one) => one >> BigInt(bits));
  } while (rest.some((one) => one > 0n));
  return { count, wins: limbs.length === 1 ? limbs[0] : joined(limbs, bits), bottom, weights: values };
}

/** The same under weights whose sums doubles hold exactly. */
function winsUnder(table, weights) {
  const count = table.models.length;
  const [won, lost] = [0, 1].map(() => new Float64Array((count * (count - 1)) / 2));
  weights.forEach((weight, task) => {
    if (!weight) return;
    const signs = table.signs[task];
    for (let at = 0; at < signs.length; at += 1) {
      if (signs[at] > 0) won[at] += weight;
      else if (signs[at] < 0) lost[at] += weight;
    }
  });
  const wins = new Float64Array(count * count);
  let at = 0;
  for (let first = 0; first < count; first += 1) {
    for (let second = first + 1; second < count; second += 1, at += 1) {
      wins[first * count + second] = won[at];
      wins[second * count + first] = lost[at];
    }
  }
  return wins;
}

function joined(limbs, bits) {
  return Array.from(limbs[0], (_, at) =>
    limbs.reduce((total, limb, place) => total + (BigInt(limb[at]) << BigInt(bits * place)), 0n),
  );
}

/** The exact margin of one model over another, in the units of the weights. */
function marginOf(duels, model, rival) {
  return ratio(leadOf(duels, model, rival), duels.bottom);
}

function leadOf(duels, model, rival) {
  return BigInt(duels.wins[model * duels.count + rival]) - BigInt(duels.wins[rival * duels.count + model]);
}

/** 1 where the row beats the column, -1 where it loses, 0 where they tie. */
function majorities(duels) {
  const { count, wins } = duels;
  const beats = new Int8Array(count * count);
  for (let first = 0; first < count; first += 1) {
    for (let second = first + 1; second < count; second += 1) {
      const [own, other] = [wins[first * count + second], wins[second * count + first]];
      const sign = own > other ? 1 : own < other ? -1 : 0;
      beats[first * count + second] = sign;
      beats[second * count + first] = -sign;
    }
  }
  return beats;
}

/** Head-to-heads won minus lost. */
function copelandScores(beats, count) {
  const scores = new Array(count).fill(0);
  for (let at = 0; at < beats.length; at += 1) scores[Math.floor(at / count)] += beats[at];
  return scores;
}

/**
 * Layers from the top: the Smith set, the Smith set of the others, and so on.
 *
 * A win counts 2 and a tie 1. A set of k models of n can have at most k(k - 1) among themselves and 2k(n - k) against
 * the others, and has it exactly if all its members beat all others: so only the models that count most need be tried.
 */
function layersOf(beats, count) {
  const points = copelandScores(beats, count).map((score) => score + count - 1);
  const order = points.map((_, model) => model).sort((one, other) => points[other] - points[one] || one - other);
  const layers = [];
  let [layer, total] = [[], 0];
  order.forEach((model, place) => {
    layer.push(model);
    total += points[model];
    const size = place + 1;
    if (total === size * (size - 1) + 2 * size * (count - size)) {
      layers.push(layer.sort((one, other) => one - other));
      layer = [];
    }
  });
  return layers;
}

/** A shortest majority cycle through the models of a set, best-known first, or an empty list. */
function cycleAmong(beats, count, members) {
  let best = [];
  for (const start of members) {
    const cycle = shortestCycle(beats, count, members, start);
    if (cycle.length && (!best.length || cycle.length < best.length)) best = cycle;
    if (best.length === 3) break;
  }
  return best;
}

function shortestCycle(beats, count, members, start) {
  const before = new Map([[start, null]]);
  const queue = [start];
  for (const model of queue) {
    for (const next of members) {
      if (beats[model * count + next] <= 0) continue;
      if (next === start) return pathTo(before, model);
      if (!before.has(next)) {
        before.set(next, model);
        queue.push(next);
      }
    }
  }
  return [];
}

function pathTo(before, end) {
  const path = [];
  for (let at = end; at !== null; at = before.get(at)) path.unshift(at);
  return path;
}
