// Columns that are made of others, as weightlab/io/reading/arithmetic.py and pairs.py find them; what only its linear
// programs decide is asked.

const [FEWEST_ROWS, MANY_COLUMNS, ANY_RUN, RELATIVE] = [8, 200, 40, 1e-9];

function decide(draft, what, certainty, why, lower = null) {
  Object.assign(draft, { what, certainty, why, lower });
}

function medianOf(values) {
  if (!values.length || values.some(Number.isNaN)) return NaN;
  const sorted = [...values].sort((one, other) => one - other);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

function meanOf(values) {
  return values.reduce((total, one) => total + one, 0) / values.length;
}

function deviationOf(values, less = 0) {
  const mean = meanOf(values);
  return Math.sqrt(values.reduce((total, one) => total + (one - mean) ** 2, 0) / (values.length - less));
}

function totalWord(draft) {
  return hit(draft.name, "aggregate") || hit(draft.name, "place");
}

function findTotals(drafts) {
  for (let pass = 0; pass < 4; pass += 1) if (!totalsPass(drafts)) return;
}

function totalsPass(drafts) {
  let open = drafts.filter((one) => !one.what);
  let any = false;
  for (const draft of [...open]) {
    const named = Boolean(totalWord(draft));
    if (open.length < 3 || (draft.values.length < FEWEST_ROWS && !named) || draft.distinct < 3) continue;
    const total = totalAmong(open, draft, named);
    if (!total) continue;
    const floor = total.parts.length < open.length - 1 ? Math.max(FEWEST_ROWS, total.parts.length + 3) : FEWEST_ROWS;
    if (total.rows < floor && !named) continue;
    const sure = total.rows >= floor && total.agree === total.rows;
    const told = `${total.kind} of ${total.parts.length}, in ${total.agree} of ${total.rows} rows`;
    decide(draft, "aggregate", sure ? "certain" : "likely", sure ? told : `${told}, and its name`);
    draft.parts = total.parts;
    any = true;
    open = open.filter((one) => !one.what);
  }
  return any;
}

function totalAmong(open, draft, named) {
  for (const parts of setsOf(open, draft, named)) {
    const whole = parts.length === open.length - 1;
    const kinds = ["mean", "sum"];
    if (whole || named) {
      kinds.push("median", "standard deviation");
      const words = wordsOf(draft.name);
      if (words.some((one) => ["min", "worst", "minimum"].includes(one))) kinds.push("minimum");
      if (words.some((one) => ["max", "best", "maximum"].includes(one))) kinds.push("maximum");
      kinds.push("mean of those given");
    }
    for (const kind of kinds) {
      if (kind === "sum" && parts.length < 3 && !named) continue;
      const total = heldTotal(kind, draft, parts, named);
      if (total) return total;
    }
  }
  return null;
}

/** Sets of columns that may make up one: all others, those of its first word, and runs, the largest first. */
function setsOf(open, draft, named) {
  const [at, others] = [open.indexOf(draft), open.filter((one) => one !== draft)];
  const first = (one) => cleaned(one.name).split(/[\s_.:/-]/)[0].toLowerCase();
  const sets = [others.filter((one) => first(one) === first(draft))];
  for (let low = 0; open.length <= MANY_COLUMNS && low < open.length; low += 1) {
    for (let high = low + 2; high <= open.length; high += 1) {
      const beside = high === at || low === at + 1;
      if (beside || (named && open.length <= ANY_RUN && (high < at || low > at))) sets.push(open.slice(low, high));
    }
  }
  return [others, ...sets.filter((one) => one.length > 1 && one.length < others.length).sort((one, other) => other.length - one.length)];
}

const MAKERS = {
  mean: meanOf,
  sum: (own) => own.reduce((total, one) => total + one, 0),
  median: medianOf,
  "standard deviation": (own) => deviationOf(own, 1),
  minimum: (own) => own.reduce((least, one) => Math.min(least, one), Infinity),
  maximum: (own) => own.reduce((most, one) => Math.max(most, one), -Infinity),
  "mean of those given": (own) => meanOf(own.filter((one) => !Number.isNaN(one))),
};

/** How a column is made of parts, or null: in all rows, or by its name in nine of ten. */
function heldTotal(kind, draft, parts, named) {
  const rounding = parts.map((one) => (one.decimals ? one.half : 0));
  const inside = kind === "sum" ? MAKERS.sum(rounding) : kind.startsWith("mean") ? meanOf(rounding) : MAKERS.maximum(rounding);
  const slack = kind === "sum" && inside === 0 && !draft.decimals ? 0 : inside + draft.half * (named ? 2 : 1);
  let [rows, off, spread] = [0, 0, 0];
  for (let row = 0; row < draft.values.length; row += 1) {
    const value = draft.values[row];
    if (Number.isNaN(value)) continue;
    const own = parts.map((one) => one.values[row]);
    const made = MAKERS[kind](own);
    if (Number.isNaN(made)) continue;
    rows += 1;
    if (Math.abs(value - made) > slack + RELATIVE * Math.abs(value)) off += 1;
    if (off && (!named || off > draft.values.length / 10)) return null;
    const width = MAKERS.maximum(own) - MAKERS.minimum(own);
    if (width > spread) spread = width;
  }
  const zeros = kind === "sum" && parts.some((one) => one.good.filter((value) => value === 0).length > draft.values.length / 2);
  if (rows < 3 || zeros || spread <= 8 * draft.half || (off && (rows < 20 || off > rows / 10))) return null;
  return { kind, parts, rows, agree: rows - off };
}

/** Ask of columns that may be totals by weights of their own: those that least squares on all others nearly meet. */
function askOwnWeights(drafts) {
  const inside = new Set(drafts.flatMap((one) => one.parts || []));
  const held = drafts.filter((one) => (!one.what || one.parts) && !inside.has(one));
  const full = held.filter((one) => one.good.length > 0.8 * one.values.length);
  const open = held.filter((one) => !one.what && one.distinct > 2);
  const tried = open.length > MANY_COLUMNS ? open.filter((one) => hit(one.name, "aggregate")).slice(0, 10) : open;
  const met = tried.filter((draft) => isNearlyMade(draft, (full.length > 2 ? full : held).filter((one) => one !== draft)));
  for (const draft of met) decide(draft, "aggregate", "likely", "near a total of the others by some weights");
}

function isNearlyMade(draft, parts) {
  const every = [...draft.values.keys()].filter((row) => [draft, ...parts].every((one) => !Number.isNaN(one.values[row])));
  if (parts.length < 2 || every.length < 12 || 3 * parts.length > every.length) return false;
  const step = Math.max(1, Math.floor(every.length / (6 * parts.length + 100))); // what all rows meet, some do
  const rows = every.filter((_, at) => at % step === 0);
  const halves = parts.map((one) => one.half);
  const named = Boolean(hit(draft.name, "aggregate"));
  const near = 2 * (draft.half + (named ? MAKERS.sum(halves) : MAKERS.maximum(halves)));
  const total = rows.map((row) => draft.values[row]);
  if (!named && 2 * draft.half + MAKERS.minimum(halves) > 0.1 * deviationOf(total)) return false;
  // Each part loses what those before it explain, and so does the total: what is left of it is no total of them.
  const basis = [];
  const without = (column) => {
    let left = column;
    for (const one of [...basis, ...basis]) {
      const share = one.reduce((sum, value, row) => sum + value * left[row], 0);
      left = left.map((value, row) => value - share * one[row]);
    }
    return left;
  };
  const size = (column) => Math.sqrt(column.reduce((sum, value) => sum + value * value, 0));
  for (const part of parts) {
    const column = rows.map((row) => part.values[row]);
    const left = without(column);
    if (size(left) > 1e-9 * size(column)) basis.push(left.map((value) => value / size(left)));
  }
  return size(without(total)) <= Math.max(near * Math.sqrt(rows.length), 1e-7 * size(total));
}

function comparable(drafts) {
  const kept = drafts.filter((one) => one.distinct >= 6);
  return kept.length <= MANY_COLUMNS ? kept : [];
}

function* pairsOf(drafts) {
  for (const [at, first] of drafts.entries()) for (const second of drafts.slice(at + 1)) yield [first, second];
}

/** Of two columns that add up to 1 or 100 in every row, that of less says nothing new. */
function findComplements(drafts) {
  for (const [first, second] of pairsOf(comparable(drafts.filter((one) => !one.what)))) {
    if (first.what || second.what) continue;
    const off = 1.01 * ((first.decimals ? first.half : 0) + (second.decimals ? second.half : 0));
    const isTheir = (whole) => {
      let rows = 0;
      for (const [row, value] of first.values.entries()) {
        const total = value + second.values[row];
        if (Number.isNaN(total)) continue;
        if (Math.abs(total - whole) > off) return false;
        rows += 1;
      }
      return rows >= FEWEST_ROWS;
    };
    if (!isTheir(1) && !isTheir(100)) continue;
    const [drop, keep] = hit(first.name, "lower") ? [first, second] : [second, first];
    decide(drop, "aggregate", "certain", `complement of ${keep.name}`);
  }
}

/** A task equal to an earlier one in nine of ten rows, or a multiple of it in all, says nothing new. */
function findCopies(drafts) {
  for (const [first, second] of pairsOf(comparable(drafts.filter((one) => one.what === "task")))) {
    if (first.what !== "task" || second.what !== "task") continue;
    const rows = [...first.values.keys()].filter((row) => !Number.isNaN(first.values[row] + second.values[row]));
    if (rows.length < FEWEST_ROWS) continue;
    const [one, other] = [first, second].map((draft) => rows.map((row) => draft.values[row]));
    const square = one.reduce((sum, value) => sum + value * value, 0);
    const factor = square ? one.reduce((sum, value, at) => sum + value * other[at], 0) / square : 0;
    const off = 1.01 * (second.half + factor * first.half);
    const steps = (own, half) => (MAKERS.maximum(own) - MAKERS.minimum(own)) / half;
    const telling = Math.min(steps(other, second.half), steps(one, first.half)) > 20;
    if (factor > 0 && Math.abs(factor - 1) > 0.05 && telling && other.every((value, at) => Math.abs(value - factor * one[at]) <= off)) {
      decide(second, "aggregate", "certain", `${first.name} times ${Number(factor.toPrecision(4))}`);
    } else if (one.filter((value, at) => value === other[at]).length > 0.9 * rows.length && mostCommon(other) < other.length / 2) {
      decide(second, "aggregate", "likely", `equal to ${first.name}`);
    }
  }
}

function mostCommon(values) {
  const counts = new Map();
  for (const one of values) counts.set(one, (counts.get(one) || 0) + 1);
  return MAKERS.maximum([...counts.values()]);
}
