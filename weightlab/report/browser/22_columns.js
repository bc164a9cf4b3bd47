// Which column is what: recognised from the cells, chosen by the reader, and made into a score table.

const MISSING = new Set(["", "-", "\u2013", "\u2014", "na", "n/a", "nan", "null", "none"]);
const CELL = /^[+-]?([0-9]*)(?:\.([0-9]*))?(?:[eE]([+-]?[0-9]+))?$/;
const MOST_CELL_DIGITS = 1000;
const LARGEST_EXPONENT = 400;
const MOST_SIGNS = 60_000_000;

/** The number of a cell, null where it is missing; throws what is the matter, to follow the cell in a sentence. */
function cellNumber(cell) {
  const text = cell.trim();
  if (MISSING.has(text.toLowerCase())) return null;
  const found = CELL.exec(text);
  if (!found || !(found[1] || found[2])) throw new Fault(whatItIs(text));
  const [whole, decimals] = [found[1] || "", found[2] || ""];
  if ((whole + decimals).replace(/^0+/, "").length > MOST_CELL_DIGITS) throw new Fault(`has more than ${MOST_CELL_DIGITS} digits`);
  const exponent = Number(found[3] || 0);
  if (Math.abs(exponent) > LARGEST_EXPONENT || !Number.isFinite(Number(text))) throw new Fault("is out of range");
  const size = BigInt(whole + decimals) * (text.startsWith("-") ? -1n : 1n);
  const shift = exponent - decimals.length;
  return shift < 0 ? ratio(size, 10n ** BigInt(-shift)) : ratio(size * 10n ** BigInt(shift));
}

function whatItIs(text) {
  if (/^[+-]?[0-9.]+\s*%$/.test(text)) return "is in percent, other scores of its column are not";
  if (/^[+-]?[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]*)?$/.test(text)) return "has thousands separators (weightlab win FILE --thousands=,)";
  if (/^[+-]?[0-9]+,[0-9]+$/.test(text)) return "has a decimal comma (weightlab win FILE --decimal=,)";
  if (/^[+-]?[0-9.]+\s*(?:±|\+\/?-|\().*$/.test(text)) return "holds a score and its spread (weightlab win FILE --spread standard_error)";
  if (/^[0-9.]+\s*\/\s*[0-9.]+$/.test(text)) return "holds several scores (weightlab win FILE with split in a TOML file)";
  return "is not a number";
}

/** A cell of a file with decimal commas, as it is with a point; points are none there. */
function withPoint(cell) {
  const found = /^(\s*[+-]?[0-9]*)(?:,([0-9]*))?((?:[eE][+-]?[0-9]+)?\s*%?\s*)$/.exec(cell);
  if (!found || found[2] === undefined) return cell.replace(".", "·");
  return `${found[1]}.${found[2]}${found[3]}`;
}

/** The scores of a column: {scores, percent, fault}; `fault` names the first cell that is no number. */
function scoresOf(sheet, column) {
  const cells = sheet.rows.map((row) => (sheet.comma ? withPoint(row[column]) : row[column]));
  const given = cells.filter((one) => !MISSING.has(one.trim().toLowerCase()));
  const percent = given.length > 0 && given.every((one) => one.trim().endsWith("%"));
  const scores = [];
  for (const [at, cell] of cells.entries()) {
    try {
      scores.push(cellNumber(percent ? cell.trim().replace(/\s*%$/, "") : cell));
    } catch (fault) {
      if (!(fault instanceof Fault)) throw fault;
      return { scores: null, percent, fault: `${quoted(sheet.rows[at][column])} in ${sheet.places[at]} ${fault.message}` };
    }
  }
  return { scores, percent, fault: given.length ? "" : "it holds no score" };
}

/** Tables of another form, by the columns that they have, and the command that reads them. */
/** @type {[string[], string, string][]} */
const LONG = [
  [["dataset", "metric", "model", "score"], "A long table with a row a score", "weightlab win FILE"],
  [["model_a", "model_b", "winner"], "A table of votes", "weightlab graph FILE"],
];

/** What each column seems to be, {name, role: "models" | "scores" | "out", what, lower, why, certainty, ...}, and what is asked. */
function recognised(sheet, words) {
  sheet.header = sheet.header.map(nameOf);
  const header = sheet.header.map((one) => one.trim().toLowerCase());
  const other = LONG.find(([columns]) => columns.every((one) => header.includes(one)));
  if (other) throw new Fault(`${other[1]} (${listed(other[0])}) is not read here: ${other[2]} reads it.`);
  if (!sheet.rows.length) throw new Fault("There is a header and no row below it: a table needs one row a model.");
  learnWords(words);
  const { drafts, notes } = readColumns(sheet);
  const columns = drafts.map(({ name, column, what, lower, why, certainty }) => {
    const one = { name, column, what, lower, why, certainty, weight: "1", ...scoresOf(sheet, column) };
    if (what === "key") return { ...one, role: "models" };
    if (what !== "task") return { ...one, role: "out" };
    const fault = name.trim() ? one.fault : "has no name";
    return fault ? { ...one, role: "out", why: fault, asked: true } : { ...one, role: "scores" };
  });
  const questions = [...questionsOf(columns), ...notes.map((one) => (one.endsWith("?") ? one : `${one}.`))];
  for (const one of columns) one.doubted = questions.length > 0;
  return { columns, questions };
}

/** What is ambiguous, in sentences: where there is nothing, the page answers without a further click. */
function questionsOf(columns) {
  const found = [];
  const out = columns.filter((one) => one.asked);
  if (out.length) found.push(`Left out, unless you say otherwise: ${out.map((one) => `${quoted(one.name)} (${one.why})`).join("; ")}.`);
  const kinds = new Map();
  for (const one of columns.filter(({ certainty, asked }) => certainty === "likely" && !asked)) {
    const role = one.what === "task" ? (one.lower ? "lower is better" : "a task, higher is better") : `no task but ${/^[aeiou]/.test(one.what) ? "an" : "a"} ${one.what}`;
    kinds.set(`${role} (${one.why})`, [...(kinds.get(`${role} (${one.why})`) || []), one.name]);
  }
  found.push(...[...kinds].map(([kind, names]) => `${someNames(inPatterns(names, columns.map((one) => one.name)), 6)}: likely ${kind}.`));
  const gaps = columns.filter((one) => one.role === "scores" && one.scores.includes(null));
  if (gaps.length) found.push(`Scores are missing on ${someNames(gaps.map((one) => one.name), 6)}: choose what they count as.`);
  return found;
}

/** What a column becomes that its reader gives a role or a direction. */
function declare(one, role, lower = one.lower) {
  const what = { models: "key", scores: "task", out: "dropped" }[role];
  Object.assign(one, { role, what, lower: role === "scores" ? Boolean(lower) : null, why: "as declared", certainty: "declared", asked: false });
}

/** Whether a column holds the standard errors of a task, which weightlab reads beside it. */
function holdsErrors(one, columns) {
  const base = one.name.replace(/_stderr$/, "");
  return one.what === "error" && base !== one.name && columns.some((other) => other.role === "scores" && other.name === base);
}

/** The payload of the explorer for the chosen columns, without prospects; throws a Fault where there is no such table. */
function payloadOf(sheet, columns, { complete, offers }) {
  const names = columns.filter((one) => one.role === "models");
  const tasks = columns.filter((one) => one.role === "scores");
  if (!names.length) throw new Fault("Say which column holds the names of the models.");
  if (!tasks.length) throw new Fault("No column of numbers is chosen: a table needs one column a task.");
  checkNames(columns);
  tasks.forEach(checkTask);
  const rows = sheet.rows.map((row, at) => ({ name: names.map(({ column }) => nameOf(row[column])).join(" / "), at }));
  checkModels(sheet, rows, names[0].name);
  const empty = rows.find(({ at }) => tasks.every((one) => one.scores[at] === null));
  if (empty) throw new Fault(`${capitalised(sheet.places[empty.at])} has no score: take ${quoted(empty.name)} out of the table.`);
  const kept = complete ? rows.filter(({ at }) => tasks.every((one) => one.scores[at] !== null)) : rows;
  if (kept.length < 2) throw new Fault(`${counted(kept.length, "model")} ${kept.length === 1 ? "is" : "are"} left: a table needs two or more.`);
  if ((kept.length ** 2 / 2) * tasks.length > MOST_SIGNS) {
    throw new Fault(`${kept.length} models on ${tasks.length} tasks are more than a page holds: weightlab win FILE reads them.`);
  }
  const read = tasks.map((one) => payloadTask(one, kept.map(({ at }) => one.scores[at])));
  if (read.every((one) => readNumber(one.weight).top === 0n)) throw new Fault("All weights are 0: give some task a weight.");
  const gaps = read.some((one) => one.scores.includes(null));
  const models = kept.map(({ name }) => name);
  const rest = { models, tasks: read, groups: [], ...waysOf(read, models), leftOut: rows.length - kept.length };
  const errors = columns.some((one) => holdsErrors(one, columns));
  return { format: 2, errors, fingerprint: fingerprintOf(models, read), ...rest, ...(gaps ? offers.gaps : offers.whole) };
}

/** Columns of one name are kept together or not at all: what is left out is told to weightlab by name. */
function checkNames(columns) {
  const named = columns.filter((one) => one.name.trim());
  const twice = named.find((one) => one.role !== "out" && named.some((other) => other !== one && other.name === one.name));
  if (twice) throw new Fault(`Two columns are called ${quoted(twice.name)}: give each a name of its own in the file.`);
}

function checkTask(one) {
  if (!one.scores || one.fault) throw new Fault(`Column ${quoted(one.name)} holds no scores: ${one.fault}. Leave it out, or mend the file.`);
  if (!one.name.trim()) throw new Fault(`Column ${one.column + 1} has no name: give it one in the file, or leave it out.`);
  const weight = readNumber(one.weight);
  if (weight === null || weight.top < 0n) throw new Fault(`The weight of ${quoted(one.name)} must be a number such as 3, 0.5 or 1/3, not negative.`);
}

function checkModels(sheet, rows, heading) {
  const seen = new Map();
  for (const { name, at } of rows) {
    if (!name.trim()) throw new Fault(`${capitalised(sheet.places[at])} names no model.`);
    if (seen.has(name)) {
      const again = `${capitalised(sheet.places[at])}: the model ${quoted(name)} is already in ${seen.get(name)}`;
      throw new Fault(`${again}. If a column tells such rows apart, weightlab win FILE --repeats-by=COLUMN takes the mean; if ${quoted(heading)} does not name the models, choose the column that does.`);
    }
    seen.set(name, sheet.places[at]);
  }
}

/** A task of the payload: scores as exact text, and places from the last, 1, up. */
function payloadTask({ name, lower, weight }, scores) {
  const { values } = commonIntegers(scores.map((one) => one || ratio(0n)));
  const signed = values.map((one, at) => (scores[at] === null ? null : lower ? -one : one));
  const order = [...new Set(signed.filter((one) => one !== null))].sort((one, other) => (one < other ? -1 : 1));
  const place = new Map(order.map((one, at) => [one, at + 1]));
  const places = signed.map((one) => (one === null ? null : place.get(one)));
  return { name, lower: Boolean(lower), weight: weight.trim(), scores: scores.map((one) => one && exactText(one)), places, tolerant: null };
}

/** A short text that differs between tables, so that a link is not read against another one (FNV-1a, twice). */
function fingerprintOf(models, tasks) {
  const text = JSON.stringify([models, tasks.map((one) => one.name)]);
  const hash = (seed) => {
    let found = seed;
    for (let at = 0; at < text.length; at += 1) found = Math.imul(found ^ text.charCodeAt(at), 16777619) >>> 0;
    return found.toString(16).padStart(8, "0");
  };
  return `${hash(2166136261)}${hash(40389)}`.slice(0, 12);
}

/** What a reader would say at the prompt for weightlab to read the same table: all of it, where something was asked. */
function flagsOf(sheet, columns) {
  const flags = [];
  const of = (flag, some, text = (one) => one.name) => flags.push(...some.map((one) => `--${flag}=${text(one)}`));
  const tasks = columns.filter((one) => one.role === "scores");
  const out = columns.filter((one) => one.role === "out" && (one.name || one.why !== "empty") && !holdsErrors(one, columns));
  const names = columns.filter((one) => one.role === "models");
  const first = columns.find((one) => !out.includes(one));
  of("lower", tasks.filter((one) => one.lower));
  of("higher", tasks.filter((one) => !one.lower && hit(one.name, "lower"))); // else the word would say lower
  of("weight", tasks.filter((one) => one.weight.trim() !== "1"), (one) => `${one.name}=${one.weight.trim()}`);
  of("drop", out);
  of("percent", tasks.filter((one) => one.percent));
  const all = out.length > 0 || columns.some((one) => one.doubted || one.certainty === "declared");
  if (!sheet.labelled && (all || names.length > 1 || names[0] !== first)) of("name-column", names);
  if (all) flags.push("--keep=*");
  return [...flags, ...sheet.flags];
}
