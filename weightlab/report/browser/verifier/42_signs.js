// Who leads whom on which task: as a document carries it, and as the table beside it has it.

/**
 * The scores of a task, greater being better, and up to which difference they tie.
 * @typedef {{ values: (bigint | null)[], allowed: bigint, scale: bigint, relative: boolean, sign: (model: number, rival: number) => number }} Column
 * @typedef {{ models: string[], tasks: string[], columns: Column[] }} Board
 * @typedef {Board & { weights: Ratio[], scores: (Ratio | null)[][], hasErrors: boolean }} Given
 * @typedef {{ model: string, rivals: string[], signs: Int8Array[] }} Duels
 */

/** @returns {Column} */
function columnOf(/** @type {(bigint | null)[]} */ values, allowed = 0n, scale = 1n, relative = false) {
  const size = (/** @type {bigint} */ one) => (one < 0n ? -one : one);
  const made = { values, allowed, scale, relative };
  if (allowed > 0n) {
    const sign = (/** @type {number} */ model, /** @type {number} */ rival) => {
      const [one, other] = [values[model], values[rival]];
      if (one === null || other === null) return 0;
      const most = relative ? allowed * (size(one) > size(other) ? size(one) : size(other)) : allowed;
      return size(one - other) * scale <= most ? 0 : one > other ? 1 : -1;
    };
    return { ...made, sign };
  }
  // Without a tolerance only the order counts: places are small numbers.
  const order = new Map([...new Set(values.filter((one) => one !== null))].sort((one, other) => (one < other ? -1 : 1)).map((one, at) => [one, at]));
  const places = values.map((one) => (one === null ? NaN : /** @type {number} */ (order.get(one))));
  return { ...made, sign: (model, rival) => Math.sign(places[model] - places[rival]) || 0 };
}

/**
 * The table that the page has read.
 * @param {any} payload
 * @returns {Given}
 */
function givenTable({ models, tasks, errors }) {
  const exact = tasks.map((/** @type {any} */ one) => one.scores.map((/** @type {string | null} */ text) => text === null ? null : readNumber(text)));
  const columns = tasks.map((/** @type {any} */ one) => columnOf(one.places.map((/** @type {number | null} */ place) => (place === null ? null : BigInt(place)))));
  const scores = tasks.map((/** @type {any} */ { lower }, /** @type {number} */ task) =>
    exact[task].map((/** @type {Ratio | null} */ one) => (one && lower ? minus(ZERO, one) : one)),
  );
  const names = tasks.map((/** @type {any} */ one) => one.name);
  return { models, tasks: names, columns, scores, weights: tasks.map((/** @type {any} */ one) => readNumber(one.weight)), hasErrors: errors === true };
}

/** The signs of a model over each of some rivals on each task. */
function rowsOver(/** @type {Board} */ board, /** @type {string} */ model, /** @type {string[]} */ rivals) {
  const at = placesOfNames(board.models);
  const place = (/** @type {string} */ name) => /** @type {number} */ (at.get(name));
  return rivals.map((rival) => Int8Array.from(board.columns, (column) => column.sign(place(model), place(rival))));
}

function rivalsOf(/** @type {Board} */ board, /** @type {string} */ model) {
  return board.models.filter((one) => one !== model);
}

/**
 * Ensure that a claim is about all that the table has, and nothing else.
 * @param {string} what
 * @param {string[]} claimed
 * @param {string[]} there
 */
function ensureNames(what, claimed, there) {
  const [known, said] = [new Set(there), new Set(claimed)];
  for (const name of claimed) ensure(known.has(name), () => `the ${what} ${quoted(name)} is not in the table`);
  for (const name of there) ensure(said.has(name), () => `the ${what} ${quoted(name)} is only in the table`);
  ensure(claimed.length === there.length, `a ${what} is named twice`);
}

/**
 * Ensure that signs of pairs of models, worked out anew, are those of a table.
 * @param {Given | null} table
 * @param {[string, string][]} pairs
 * @param {string[]} tasks
 * @param {(pair: number, task: number) => number} signAt
 */
function ensureSigns(table, pairs, tasks, signAt) {
  if (!table) return;
  ensureNames("task", tasks, table.tasks);
  const at = placesOfNames(table.models);
  const columns = tasks.map((task) => table.columns[table.tasks.indexOf(task)]);
  pairs.forEach(([model, rival], pair) => {
    const [own, other] = [at.get(model), at.get(rival)];
    if (own === undefined || other === undefined) throw new FalseClaim(`the model ${quoted(model)} or ${quoted(rival)} is not in the table`);
    columns.forEach((column, task) => {
      const [found, claimed] = [column.sign(own, other), signAt(pair, task)];
      ensure(found === claimed, () => `the sign of ${quoted(model)} over ${quoted(rival)} on ${quoted(tasks[task])} is ${found} in the table, not ${claimed}`);
    });
  });
}

/** The place of each name. */
function placesOfNames(/** @type {string[]} */ names) {
  return new Map(names.map((name, at) => [name, at]));
}

/**
 * The signs of a model over its rivals, which are all the others of the table.
 * @param {Part} model
 * @param {string[]} rivals
 * @param {Part} written
 * @param {string[]} tasks
 * @param {Given | null} table
 * @returns {Duels}
 */
function readDuels(model, rivals, written, tasks, table) {
  ensure(rivals.length && new Set(rivals).size === rivals.length, "the rivals must be some, each with a name of its own");
  ensure(!rivals.includes(model.text()), `${shown(model.value)} is among its own rivals`);
  const signs = written.signs(rivals.length, tasks.length);
  ensureSigns(table, rivals.map((rival) => [model.value, rival]), tasks, (pair, task) => signs[pair][task]);
  if (table) ensureNames("model", [model.value, ...rivals], table.models);
  return { model: model.value, rivals, signs };
}

/**
 * The columns that a document carries of all models, ensuring that their signs are the table's.
 * @param {Part} document
 * @param {Given | null} table
 * @returns {Board}
 */
function readSigns(document, table) {
  const [named, listed] = document.parts("models places");
  const models = named.names();
  if (models.length < 2) refuse("there must be two models or more");
  const read = [...listed.entries()].map(([task, one]) => ({ task, column: readColumn(one, models.length) }));
  const tasks = new Part(read.map((one) => one.task), "tasks").names();
  const columns = read.map((one) => one.column);
  if (table) {
    /** @type {[number, number][]} */
    const pairs = models.flatMap((_, one) => Array.from({ length: one }, (__, other) => /** @type {[number, number]} */ ([one, other])));
    ensureSigns(table, pairs.map(([one, other]) => [models[one], models[other]]), tasks, (pair, task) => columns[task].sign(...pairs[pair]));
    ensureNames("model", models, table.models);
  }
  return { models, tasks, columns };
}

/** A column: places from the worst, 1, up; or scores that tie within a tolerance. */
function readColumn(/** @type {Part} */ document, /** @type {number} */ count) {
  const isWhole = (/** @type {any} */ one) => one instanceof Written && WHOLE_NUMBER.test(one.text);
  const numbers = (/** @type {any[]} */ values) => values.map((one) => (isWhole(one) ? BigInt(one.text) : null));
  const needed = `${document.what}: a place from 1 to ${count} a model is needed, or scores and how far they tie`;
  const fits = (/** @type {any[]} */ values) => values.length === count && values.every((one) => one === null || isWhole(one));
  if (document.value instanceof Map) {
    const [values, allowed, scale, relative] = document.parts("values allowed scale relative");
    const [listed, far, unit, share] = [values.list(), allowed.integer(), scale.integer(), relative.flag()];
    if (far < 0n || unit < 1n || !fits(listed)) refuse(needed);
    return columnOf(numbers(listed), far, unit, share);
  }
  const made = numbers(document.list());
  if (!fits(document.value) || made.some((one) => one !== null && (one < 1n || one > BigInt(count)))) refuse(needed);
  return columnOf(made);
}
