// The score table: who leads whom on which task, and the scores themselves.

/** What the payload says, made ready: numbers read, signs of all pairs worked out once. */
function readTable(payload) {
  const table = {
    models: payload.models.map(plainName),
    tasks: payload.tasks.map((one) => plainName(one.name)),
    lower: payload.tasks.map((one) => one.lower),
    places: payload.tasks.map((one) => one.places),
    today: payload.tasks.map((one) => readNumber(one.weight)),
    groups: payload.groups.map((one) => ({ ...one, name: plainName(one.name) })),
    rules: payload.rules,
    withheld: payload.withheld,
    fingerprint: payload.fingerprint,
    memory: new Map(),
  };
  table.present = payload.tasks.map((one) => one.places.map((place) => place !== null));
  table.signs = payload.tasks.map((one) => (one.tolerant ? tolerantSigns(one) : signsOf(one.places)));
  readScores(table, payload.tasks);
  table.ways = payload.ways.map((one) => readWay(table, one));
  return table;
}

const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu;
const FROM_THE_RIGHT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * A name as it can stand in a sentence: what has no shape is spelt, such as \u202e, which would turn all that follows;
 * joiners that scripts and emoji need stay; a name that runs from the right is kept apart from what is around it.
 */
function plainName(name) {
  const spelt = name.replace(UNSEEN, (one) => (/[\u200c\u200d]/.test(one) ? one : codeOf(one.codePointAt(0))));
  return FROM_THE_RIGHT.test(spelt) ? `\u2068${spelt}\u2069` : spelt;
}

/** A character as Python and the rest of the page spell it. */
function codeOf(point) {
  const short = { 9: "\\t", 10: "\\n", 13: "\\r" }[point];
  if (short) return short;
  const code = point.toString(16);
  if (point < 256) return `\\x${code.padStart(2, "0")}`;
  return code.length > 4 ? `\\U${code.padStart(8, "0")}` : `\\u${code.padStart(4, "0")}`;
}

/**
 * A rule by which models win, {rule, by, models, points, bottom, prospects}: the models that it ranks, their points on
 * each task over one denominator (none head-to-head), and what is proved of each model, null where it is not ranked.
 */
function readWay(table, { rule, by, models, points, prospects }) {
  const way = { rule, by, models, bottom: 1n, ...(rule === "majority" ? {} : pointsOf(table, rule, models, points)) };
  const known = new Map(prospects.map((one, at) => [models[at], readProspect(one, table.tasks.length)]));
  return { ...way, prospects: table.models.map((_, model) => known.get(model) || null) };
}

/** Points of the models on each task: the scores, or as they are given, or twice Borda's, ties in the middle. */
function pointsOf(table, rule, models, given) {
  if (rule === "mean") return { points: table.scores, bottom: table.scoreBottom };
  if (given) return { points: given.numerators.map((own) => own.map(BigInt)), bottom: BigInt(given.denominator) };
  const doubled = table.tasks.map((_, task) => {
    const own = new Array(table.models.length).fill(0);
    for (const model of models) for (const rival of models) own[model] += model === rival ? 0 : 1 + signOver(table, task, model, rival);
    return own;
  });
  const half = doubled.flat().every((one) => one % 2 === 0);
  return { points: doubled.map((own) => own.map((one) => BigInt(half ? one / 2 : one))), bottom: half ? 1n : 2n };
}

function readProspect(one, taskCount) {
  const weights = new Array(taskCount).fill(ratio(0n));
  for (const [task, share] of one.weights) weights[task] = readNumber(share);
  return {
    verdict: one.verdict,
    lower: readNumber(one.lower),
    upper: readNumber(one.upper),
    weights,
    blockers: one.blockers.map(([model, share]) => [model, readNumber(share)]),
  };
}

/** Position of the pair (first, second), first < second, among the pairs of `count` models. */
function pairAt(first, second, count) {
  return (first * (2 * count - first - 1)) / 2 + second - first - 1;
}

function signsOf(places) {
  const count = places.length;
  const signs = new Int8Array((count * (count - 1)) / 2);
  let at = 0;
  for (let first = 0; first < count; first += 1) {
    for (let second = first + 1; second < count; second += 1, at += 1) {
      if (places[first] !== null && places[second] !== null) signs[at] = Math.sign(places[first] - places[second]);
    }
  }
  return signs;
}

/** Signs of a task whose scores tie within a tolerance: a difference, or a share of the larger size. */
function tolerantSigns(task) {
  const { relative } = task.tolerant;
  const [allowed, scale] = [BigInt(task.tolerant.allowed), BigInt(task.tolerant.scale)];
  const values = task.tolerant.values.map((one) => (one === null ? null : BigInt(one)));
  const size = (one) => (one < 0n ? -one : one);
  const sign = (first, second) => {
    const larger = size(first) > size(second) ? size(first) : size(second);
    if (size(first - second) * scale <= (relative ? larger * allowed : allowed)) return 0;
    return first > second ? 1 : -1;
  };
  const signs = new Int8Array((values.length * (values.length - 1)) / 2);
  let at = 0;
  for (let first = 0; first < values.length; first += 1) {
    for (let second = first + 1; second < values.length; second += 1, at += 1) {
      if (values[first] !== null && values[second] !== null) signs[at] = sign(values[first], values[second]);
    }
  }
  return signs;
}

/** Scores as integers over one denominator, greater being better, 0n where missing. */
function readScores(table, tasks) {
  const exact = tasks.map((one) => one.scores.map((text) => (text === null ? null : readNumber(text))));
  table.scoreBottom = commonIntegers(exact.flat().filter((one) => one !== null)).bottom;
  table.scores = exact.map((column, task) =>
    column.map((one) => {
      if (one === null) return 0n;
      const scaled = one.top * (table.scoreBottom / one.bottom);
      return table.lower[task] ? -scaled : scaled;
    }),
  );
}

/** The sign of one model over another on one task. */
function signOver(table, task, model, rival) {
  const count = table.models.length;
  if (model < rival) return table.signs[task][pairAt(model, rival, count)];
  return -table.signs[task][pairAt(rival, model, count)];
}

/** One model's leads over its rivals by a rule (in board order), in parts of 1 / bottom: signs, or points apart. */
function leadsOverRivals(table, way, model) {
  const rivals = way.models.filter((place) => place !== model);
  const { points } = way;
  if (points) return { rivals, rows: rivals.map((rival) => points.map((own) => own[model] - own[rival])) };
  const signs = (rival) => Int8Array.from(table.tasks, (_, task) => signOver(table, task, model, rival));
  return remembered(table, `signs ${model}`, () => ({ rivals, rows: rivals.map(signs) }));
}

/** Who is first by points under weights, and by how much ahead of the next (an exact ratio, 0 where several are). */
function firstBy(way, weights) {
  const { values, bottom } = commonIntegers(sharesOf(weights));
  const total = (/** @type {number} */ model) => values.reduce((found, one, task) => found + one * way.points[task][model], 0n);
  /** @type {Map<number, bigint>} */
  const totals = new Map(way.models.map((model) => [model, total(model)]));
  const sorted = [...totals.values()].sort((one, other) => (one < other ? 1 : one > other ? -1 : 0));
  const first = way.models.filter((model) => totals.get(model) === sorted[0]);
  return { first, lead: ratio(sorted[0] - sorted[1], bottom * way.bottom) };
}

/** What `make` returns, made once for this key. */
function remembered(table, key, make) {
  if (!table.memory.has(key)) table.memory.set(key, make());
  return table.memory.get(key);
}
