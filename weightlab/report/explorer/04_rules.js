// The rules, with the conventions for ties and missing scores of weightlab.rules: exact scores and weak orders.

/** A ranking, or the reason why there is none: {scores, order, lower} or {reason}. */
function rankingBy(table, duels, rule, ties) {
  const found = RULES[rule.name](table, duels, rule.options, ties);
  if (found.reason || found.order) return found;
  return { ...found, order: orderOf(found.scores, Boolean(found.lower)) };
}

const RULES = {
  mean: (table, duels) => meanScores(table, duels),
  mean_win_rate: (table, duels, options, ties) => winRates(table, duels, ties),
  mean_rank: (table, duels, options, ties) => meanRanks(table, duels, ties),
  plurality: (table, duels, options, ties) => positional(table, duels, "plurality", ties),
  veto: (table, duels, options, ties) => positional(table, duels, "veto", ties),
  borda: (table, duels, options, ties) => positional(table, duels, "borda", ties),
  dowdall: (table, duels, options, ties) => positional(table, duels, "dowdall", ties),
  copeland: (table, duels) => ({
    scores: copelandScores(majorities(duels), duels.count).map((score) => ratio(BigInt(score))),
  }),
  minimax: (table, duels, options) => worstDefeats(duels, options.score || "winning_votes"),
  schulze: (table, duels, options) => strongestPaths(duels, options.strength || "margins"),
};

const VECTORS = {
  plurality: (count) => Array.from({ length: count }, (_, place) => ratio(place ? 0n : 1n)),
  veto: (count) => Array.from({ length: count }, (_, place) => ratio(place < count - 1 ? 1n : 0n)),
  borda: (count) => Array.from({ length: count }, (_, place) => ratio(BigInt(count - 1 - place))),
  dowdall: (count) => Array.from({ length: count }, (_, place) => ratio(1n, BigInt(place + 1))),
};

/** Models grouped by equal scores, best first. */
function orderOf(scores, lower) {
  const [sign, order] = [lower ? 1 : -1, []];
  const sorted = scores.map((_, model) => model);
  sorted.sort((one, other) => sign * compare(scores[one], scores[other]) || one - other);
  sorted.forEach((model, place) => {
    if (place && compare(scores[model], scores[sorted[place - 1]]) === 0) order[order.length - 1].push(model);
    else order.push([model]);
  });
  return order;
}

/** Rank of each model: 1 is best, ties share the least. */
function ranksOf(order) {
  const ranks = new Map();
  let above = 0;
  for (const tied of order) {
    for (const model of tied) ranks.set(model, above + 1);
    above += tied.length;
  }
  return ranks;
}

function meanScores(table, duels) {
  const scores = [];
  for (let model = 0; model < duels.count; model += 1) {
    let [top, total] = [0n, 0n];
    duels.weights.forEach((/** @type {bigint} */ weight, task) => {
      if (weight === 0n || !table.present[task][model]) return;
      top += weight * table.scores[task][model];
      total += weight;
    });
    if (total === 0n) return { reason: `${table.models[model]} has no score on the tasks that weigh.` };
    scores.push(ratio(top, total * table.scoreBottom));
  }
  return { scores };
}

/** How many models each task ranks above each model, and how many share its place; unranked models are left out. */
function aboveAndTied(table) {
  return remembered(table, "above and tied", () =>
    table.places.map((places) => {
      const counts = new Map();
      for (const place of places) if (place !== null) counts.set(place, (counts.get(place) || 0) + 1);
      const above = new Map();
      let higher = 0;
      for (const place of [...counts.keys()].sort((one, other) => other - one)) {
        above.set(place, higher);
        higher += counts.get(place);
      }
      return {
        present: higher,
        above: places.map((place) => (place === null ? higher : above.get(place))),
        tied: places.map((place) => (place === null ? places.length - higher : counts.get(place))),
      };
    }),
  );
}

/** Points of places, unranked models sharing the last ones: integers over one denominator, models by task. */
function pointsByTask(table, vector, ties) {
  return remembered(table, `${vector} ${ties}`, () => {
    const count = table.models.length;
    const { values, bottom } = commonIntegers(VECTORS[vector](count));
    const sums = [0n];
    values.forEach((value) => sums.push(sums[sums.length - 1] + value));
    const shared = aboveAndTied(table);
    const sizes = new Set(shared.flatMap((one) => one.tied));
    const parts = ties === "average" ? [...sizes].reduce((found, size) => lcm(found, BigInt(size || 1)), 1n) : 1n;
    const worth = (above, tied) => {
      if (ties === "min") return values[above];
      if (ties === "max") return values[above + tied - 1];
      return (sums[above + tied] - sums[above]) * (parts / BigInt(tied));
    };
    return {
      points: shared.map((one) => one.above.map((above, model) => worth(above, one.tied[model]))),
      bottom: bottom * parts,
    };
  });
}

function positional(table, duels, vector, ties) {
  const { points, bottom } = pointsByTask(table, vector, ties);
  const totals = new Array(duels.count).fill(0n);
  duels.weights.forEach((weight, task) => {
    if (weight === 0n) return;
    points[task].forEach((worth, model) => {
      totals[model] += weight * worth;
    });
  });
  return { scores: totals.map((total) => ratio(total, bottom * /** @type {bigint} */ (duels.bottom))) };
}

/** Weighted means of value / scale over the tasks that rank a model and whose scale is not 0. */
function weightedMeans(table, duels, valueOf, scales) {
  const parts = scales.reduce((found, scale) => lcm(found, BigInt(scale || 1)), 1n);
  const scores = [];
  for (let model = 0; model < duels.count; model += 1) {
    let [top, total] = [0n, 0n];
    duels.weights.forEach((weight, task) => {
      if (weight === 0n || !scales[task] || !table.present[task][model]) return;
      top += weight * BigInt(valueOf(task, model)) * (parts / BigInt(scales[task]));
      total += weight;
    });
    if (total === 0n) return { reason: `${table.models[model]} meets no rival on any task that weighs.` };
    scores.push(ratio(top, total * parts));
  }
  return { scores };
}

/** The share of rivals led on a task, averaged; a rival tied with the model counts half, whole (min) or not (max). */
function winRates(table, duels, ties) {
  const shared = aboveAndTied(table);
  const level = { average: 1, min: 2, max: 0 }[ties];
  const doubled = (task, model) => {
    const { present, above, tied } = shared[task];
    return 2 * (present - above[model] - tied[model]) + level * (tied[model] - 1);
  };
  return weightedMeans(table, duels, doubled, shared.map((one) => 2 * (one.present - 1)));
}

function meanRanks(table, duels, ties) {
  const shared = aboveAndTied(table);
  const [first, last] = { average: [1, 1], min: [2, 0], max: [0, 2] }[ties];
  const doubled = (task, model) => 2 * shared[task].above[model] + first + last * shared[task].tied[model];
  return { ...weightedMeans(table, duels, doubled, shared.map(() => 2)), lower: true };
}

/** Minimax: the negative of the worst that a rival counts against each model. */
function worstDefeats(duels, score) {
  const { count, wins } = duels;
  const against = (rival, model) => {
    const [own, other] = [wins[rival * count + model], wins[model * count + rival]];
    if (score === "margins") return own - other;
    return score === "pairwise_opposition" || own > other ? own : own - own;
  };
  const scores = [];
  for (let model = 0; model < count; model += 1) {
    let worst = null;
    for (let rival = 0; rival < count; rival += 1) {
      if (rival === model) continue;
      const one = against(rival, model);
      if (worst === null || one > worst) worst = one;
    }
    scores.push(ratio(worst === null ? 0n : -BigInt(worst), duels.bottom));
  }
  return { scores };
}

/** Schulze: x defeats y if its strongest path of won duels to y is stronger than the one back. */
function strongestPaths(duels, strength) {
  const { count } = duels;
  const paths = linkRanks(duels, strength);
  for (let middle = 0; middle < count; middle += 1) {
    for (let from = 0; from < count; from += 1) {
      const toMiddle = paths[from * count + middle];
      if (!toMiddle) continue;
      for (let to = 0; to < count; to += 1) {
        const onward = paths[middle * count + to];
        const via = toMiddle < onward ? toMiddle : onward;
        if (via > paths[from * count + to]) paths[from * count + to] = via;
      }
    }
  }
  const defeats = (one, other) => one !== other && paths[one * count + other] > paths[other * count + one];
  return byLevels(levelsOf(defeats, count), count);
}

/** Strengths of the won duels as small integers in the same order; 0 where a duel is not won. */
function linkRanks(duels, strength) {
  const { count, wins } = duels;
  const links = Array.from(wins, (own, at) => {
    const other = wins[(at % count) * count + Math.floor(at / count)];
    if (own <= other) return 0;
    return strength === "margins" ? own - other : own;
  });
  const ranks = new Map([...new Set(links)].sort((one, other) => (one < other ? -1 : 1)).map((one, at) => [one, at]));
  return Int32Array.from(links, (one) => ranks.get(one));
}

/** The undefeated models, then those undefeated once these have left, and so on. */
function levelsOf(defeats, count) {
  const levels = [];
  let left = Array.from({ length: count }, (_, model) => model);
  const above = left.map((model) => left.reduce((found, rival) => found + (defeats(rival, model) ? 1 : 0), 0));
  while (left.length) {
    const best = left.filter((model) => above[model] === 0);
    left = left.filter((model) => above[model] !== 0);
    for (const model of left) for (const one of best) if (defeats(one, model)) above[model] -= 1;
    levels.push(best);
  }
  return levels;
}

/** The ranking of an order alone: a score counts the models behind. */
function byLevels(order, count) {
  const scores = new Array(count);
  let behind = count;
  for (const tied of order) {
    behind -= tied.length;
    for (const model of tied) scores[model] = ratio(BigInt(behind));
  }
  return { scores, order };
}
