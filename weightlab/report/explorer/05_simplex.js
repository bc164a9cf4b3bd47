// Linear programs: least sum of variables x >= 0 with A x <= b, where A holds integers.
// Doubles find a basis, integers solve it and prove it: an answer is marked proved only when both signs are checked.

const TINY = 1e-9;
const MOST_PIVOTS = 5000;

/**
 * The optimum {values, bottom, prices, proved}: exact at the basis that doubles found, in integers from there if need be.
 * The prices of the limits are none of them negative; over their own bottom they say what a limit that is 1 lower costs.
 */
function leastSum(program) {
  const basis = optimalBasis(program);
  const found = basis && exactVertex(program, basis);
  if (found && found.proved) return found;
  return leastSumInIntegers(program, basis) || leastSumInIntegers(program, null) || found;
}

/**
 * A tableau of basic rows and non-basic columns; the last row holds the costs, the one before perturbed costs. Rows are
 * scaled to entries of at most 1, so that leads in points of any size are told from 0.
 */
function tableauOf({ rows, columns, entries, limits }) {
  const largest = limits.reduce((found, one) => (one > found ? one : -one > found ? -one : found), 1n);
  const sizes = limits.map((_, row) => {
    let size = 0;
    for (let column = 0; column < columns; column += 1) size = Math.max(size, Math.abs(Number(entries[row * columns + column])));
    return size || 1;
  });
  const scaled = limits.map((one, row) => toFloat(ratio(one, largest)) / sizes[row]);
  const most = scaled.reduce((found, one) => Math.max(found, Math.abs(one)), 0) || 1;
  const width = columns + 1;
  const cells = new Float64Array((rows + 2) * width);
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) cells[row * width + column] = Number(entries[row * columns + column]) / sizes[row];
    cells[row * width + columns] = scaled[row] / most;
  }
  for (let column = 0; column < columns; column += 1) {
    // Costs that all differ a little keep the method from going round in a cycle.
    cells[rows * width + column] = 1 + 1e-5 * (((column + 1) * 0.6180339887498949) % 1);
    cells[(rows + 1) * width + column] = 1;
  }
  return {
    rows,
    columns,
    width,
    cells,
    basic: Array.from({ length: rows }, (_, row) => columns + row),
    free: Array.from({ length: columns }, (_, column) => column),
  };
}

/** Exchange a basic variable with a non-basic one. */
function pivot(tableau, row, column) {
  const { cells, width, rows } = tableau;
  const [start, inverse] = [row * width, 1 / cells[row * width + column]];
  for (let at = 0; at < width; at += 1) cells[start + at] *= inverse;
  cells[start + column] = inverse;
  for (let other = 0; other < rows + 2; other += 1) {
    const factor = cells[other * width + column];
    if (other === row || factor === 0) continue;
    const offset = other * width;
    for (let at = 0; at < width; at += 1) cells[offset + at] -= factor * cells[start + at];
    cells[offset + column] = -factor * inverse;
  }
  [tableau.basic[row], tableau.free[column]] = [tableau.free[column], tableau.basic[row]];
}

/** The dual simplex method until all limits are kept, then the primal one until no true cost is negative. */
function optimalBasis(program) {
  const tableau = tableauOf(program);
  for (let step = 0; step < MOST_PIVOTS; step += 1) {
    const row = mostBroken(tableau);
    const choice = row >= 0 ? [row, cheapest(tableau, row)] : primalChoice(tableau, step > MOST_PIVOTS / 2);
    if (!choice) return { basic: tableau.basic, free: tableau.free };
    if (choice[0] < 0 || choice[1] < 0) return null;
    pivot(tableau, choice[0], choice[1]);
  }
  return null;
}

function mostBroken({ cells, width, rows, columns }) {
  let [worst, found] = [-TINY, -1];
  for (let row = 0; row < rows; row += 1) {
    const value = cells[row * width + columns];
    if (value < worst) [worst, found] = [value, row];
  }
  return found;
}

/** The column that mends a row at the least perturbed cost; of equally cheap ones the one with the largest entry. */
function cheapest({ cells, width, rows, columns }, row) {
  let [least, found, size] = [Infinity, -1, 0];
  for (let column = 0; column < columns; column += 1) {
    const entry = -cells[row * width + column];
    if (entry <= TINY) continue;
    const price = cells[rows * width + column] / entry;
    if (price < least - 1e-12 || (price < least + 1e-12 && entry > size)) {
      [least, found, size] = [Math.min(price, least), column, entry];
    }
  }
  return found;
}

/** Row and column of a step that saves true costs, or null when none is left; `careful` takes the first of all. */
function primalChoice({ cells, width, rows, columns, basic, free }, careful) {
  let [best, column] = [-TINY, -1];
  for (let at = 0; at < columns; at += 1) {
    const cost = cells[(rows + 1) * width + at];
    if (cost >= -TINY) continue;
    if (careful ? column < 0 || free[at] < free[column] : cost < best) [best, column] = [cost, at];
  }
  if (column < 0) return null;
  let [least, row] = [Infinity, -1];
  for (let at = 0; at < rows; at += 1) {
    const entry = cells[at * width + column];
    if (entry <= TINY) continue;
    const step = cells[at * width + columns] / entry;
    if (step < least - 1e-12 || (step < least + 1e-12 && basic[at] < basic[row])) [least, row] = [step, at];
  }
  return [row, column];
}

/** The values of a basis in exact arithmetic, null unless they keep every limit; proved if no basis is cheaper. */
function exactVertex(program, { basic, free }) {
  const { columns, entries, limits } = program;
  const inside = basic.filter((one) => one < columns);
  const tight = free.filter((one) => one >= columns).map((one) => one - columns);
  const entry = (row, column) => BigInt(entries[row * columns + column]);
  const matrix = tight.map((row) => inside.map((column) => entry(row, column)));
  const solved = solveIntegers(matrix, tight.map((row) => limits[row]));
  if (!solved) return null;
  const values = new Array(columns).fill(0n);
  inside.forEach((column, at) => {
    values[column] = solved.values[at];
  });
  const found = { values, bottom: solved.bottom, prices: null, proved: false };
  if (!keepsLimits(program, found)) return null;
  const turned = inside.map((column) => tight.map((row) => entry(row, column)));
  const priced = solveIntegers(turned, inside.map(() => 1n));
  found.proved = Boolean(priced) && isCheapest(program, tight, priced);
  if (found.proved) found.prices = { values: new Array(program.rows).fill(0n), bottom: priced.bottom };
  if (found.proved) tight.forEach((row, at) => (found.prices.values[row] = -priced.values[at]));
  return found;
}

function keepsLimits({ rows, columns, entries, limits }, { values, bottom }) {
  if (values.some((one) => one < 0n)) return false;
  for (let row = 0; row < rows; row += 1) {
    let total = 0n;
    for (let column = 0; column < columns; column += 1) {
      const entry = entries[row * columns + column];
      if (entry && values[column]) total += BigInt(entry) * values[column];
    }
    if (total > limits[row] * bottom) return false;
  }
  return true;
}

/** Whether prices of the tight limits (none of them positive) make no variable worth more than its cost. */
function isCheapest({ columns, entries }, tight, { values, bottom }) {
  if (values.some((one) => one > 0n)) return false;
  for (let column = 0; column < columns; column += 1) {
    let total = 0n;
    tight.forEach((row, at) => {
      const entry = entries[row * columns + column];
      if (entry) total += BigInt(entry) * values[at];
    });
    if (total > bottom) return false;
  }
  return true;
}

/** Solve a square system in integers without fractions (Bareiss), sparse rows first: values over a positive bottom. */
function solveIntegers(matrix, right) {
  const size = matrix.length;
  const rows = matrix.map((row, at) => [...row, right[at]]);
  const order = [];
  const waiting = new Set(rows.keys());
  let previous = 1n;
  for (let step = 0; step < size; step += 1) {
    const found = sparsest(rows, waiting, order, size);
    if (!found) return null;
    const [row, column] = found;
    waiting.delete(row);
    order.push([row, column]);
    /** @type {[bigint[], bigint]} */
    const [chosen, lead] = [rows[row], rows[row][column]];
    for (const other of rows.keys()) {
      if (other === row) continue;
      const [line, factor] = [rows[other], rows[other][column]];
      for (let at = 0; at <= size; at += 1) {
        if (factor === 0n) {
          if (line[at] !== 0n) line[at] = (lead * line[at]) / previous;
        } else line[at] = (lead * line[at] - factor * chosen[at]) / previous;
      }
    }
    previous = lead;
  }
  const values = new Array(size).fill(0n);
  const sign = previous < 0n ? -1n : 1n;
  for (const [row, column] of order) values[column] = sign * rows[row][size];
  return { values, bottom: sign * previous };
}

/** The waiting row with fewest entries in columns that are still free, and the first of these columns. */
function sparsest(rows, waiting, order, size) {
  const taken = new Set(order.map(([, column]) => column));
  let best = null;
  for (const row of waiting) {
    const columns = [];
    for (let column = 0; column < size; column += 1) {
      if (rows[row][column] !== 0n && !taken.has(column)) columns.push(column);
    }
    if (!columns.length) return null;
    if (!best || columns.length < best[2]) best = [row, columns[0], columns.length];
    if (best[2] === 1) break;
  }
  return best;
}
