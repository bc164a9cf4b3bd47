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
    prospects: payload.prospects.map((one) => readProspect(one, payload.tasks.length)),
    fingerprint: payload.fingerprint,
    memory: new Map(),
  };
  table.present = payload.tasks.map((one) => one.places.map((place) => place !== null));
  table.signs = payload.tasks.map((one) => (one.tolerant ? tolerantSigns(one) : signsOf(one.places)));
  readScores(table, payload.tasks);
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

/** One model's signs over its rivals (in board order), one Int8Array a rival. */
function signsOverRivals(table, model) {
  const rivals = table.models.map((_, place) => place).filter((place) => place !== model);
  const rows = rivals.map((rival) => Int8Array.from(table.tasks, (_, task) => signOver(table, task, model, rival)));
  return { rivals, rows };
}

/** What `make` returns, made once for this key. */
function remembered(table, key, make) {
  if (!table.memory.has(key)) table.memory.set(key, make());
  return table.memory.get(key);
}
