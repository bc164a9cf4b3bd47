// Linear programs in integers: for what doubles cannot tell apart, such as weights of which one is 10^20 times another.
// A tableau of integers over one denominator is pivoted without fractions; every quotient below has no remainder.

const MOST_EXACT_PIVOTS = 2000;

/** The optimum in integers, from the basis that doubles ended with, if any: as leastSum says it, or null. */
function leastSumInIntegers(program, basis) {
  const tableau = integerTableau(program);
  if (basis) moveTo(tableau, basis);
  for (let step = 0; step < MOST_EXACT_PIVOTS; step += 1) {
    const row = tableau.basic.findIndex((_, at) => tableau.cells[at][tableau.columns] < 0n);
    const choice = row >= 0 ? [row, cheapestColumn(tableau, row)] : savingStep(tableau);
    if (!choice) return vertexOf(program, tableau);
    if (choice[0] < 0 || choice[1] < 0) return null;
    exchange(tableau, choice[0], choice[1]);
  }
  return null;
}

function integerTableau({ rows, columns, entries, limits }) {
  const cells = Array.from({ length: rows }, (_, row) => [
    ...Array.from(entries.slice(row * columns, (row + 1) * columns), BigInt),
    limits[row],
  ]);
  cells.push([...new Array(columns).fill(1n), 0n]);
  return {
    rows,
    columns,
    cells,
    bottom: 1n,
    basic: Array.from({ length: rows }, (_, row) => columns + row),
    free: Array.from({ length: columns }, (_, column) => column),
  };
}

function exchange(tableau, row, column) {
  const { cells, bottom } = tableau;
  const [chosen, lead] = [cells[row], cells[row][column]];
  cells.forEach((line, at) => {
    if (at === row) return;
    const factor = line[column];
    for (let place = 0; place < line.length; place += 1) {
      if (factor !== 0n) line[place] = (line[place] * lead - factor * chosen[place]) / bottom;
      else if (line[place] !== 0n) line[place] = (line[place] * lead) / bottom;
    }
    line[column] = -factor;
  });
  chosen[column] = bottom;
  tableau.bottom = lead;
  if (lead < 0n) {
    tableau.bottom = -lead;
    for (const line of cells) line.forEach((one, place) => (line[place] = -one));
  }
  [tableau.basic[row], tableau.free[column]] = [tableau.free[column], tableau.basic[row]];
}

/** Exchange variables until those of a basis are basic. */
function moveTo(tableau, { basic }) {
  const wanted = new Set(basic);
  for (const variable of basic) {
    const column = tableau.free.indexOf(variable);
    if (column < 0) continue;
    const row = tableau.basic.findIndex((one, at) => !wanted.has(one) && tableau.cells[at][column] !== 0n);
    if (row >= 0) exchange(tableau, row, column);
  }
}

/** The column that mends a broken row and leaves all costs above 0; the first variable of equal ones, or -1. */
function cheapestColumn({ cells, rows, columns, free }, row) {
  let found = -1;
  for (let column = 0; column < columns; column += 1) {
    const entry = -cells[row][column];
    if (entry <= 0n) continue;
    if (found >= 0) {
      /** @type {any} */
      const difference = cells[rows][column] * -cells[row][found] - cells[rows][found] * entry;
      if (difference > 0n || (difference === 0n && free[column] > free[found])) continue;
    }
    found = column;
  }
  return found;
}

/** Row and column of a step that saves costs, by Bland's rule, or null when there is none. */
function savingStep({ cells, rows, columns, basic, free }) {
  let column = -1;
  for (let at = 0; at < columns; at += 1) {
    if (cells[rows][at] < 0n && (column < 0 || free[at] < free[column])) column = at;
  }
  if (column < 0) return null;
  let row = -1;
  for (let at = 0; at < rows; at += 1) {
    if (cells[at][column] <= 0n) continue;
    if (row >= 0) {
      /** @type {any} */
      const difference = cells[at][columns] * cells[row][column] - cells[row][columns] * cells[at][column];
      if (difference > 0n || (difference === 0n && basic[at] > basic[row])) continue;
    }
    row = at;
  }
  return [row, column];
}

/** The values at a basis with no broken limit and no cost below 0, which is what proves them: these are the prices. */
function vertexOf({ rows, columns }, { cells, basic, free, bottom }) {
  const [values, prices] = [new Array(columns).fill(0n), new Array(rows).fill(0n)];
  basic.forEach((one, row) => {
    if (one < columns) values[one] = cells[row][columns];
  });
  free.forEach((one, column) => {
    if (one >= columns) prices[one - columns] = cells[rows][column];
  });
  return { values, bottom, prices: { values: prices, bottom }, proved: true };
}
