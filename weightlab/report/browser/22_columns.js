// Which column is what: recognised from the cells, chosen by the reader, and made into a score table.

const MISSING = new Set(["", "-", "na", "n/a", "nan"]);
const CELL = /^[+-]?([0-9]*)(?:\.([0-9]*))?(?:[eE]([+-]?[0-9]+))?$/;
const MOST_CELL_DIGITS = 1000;
const LARGEST_EXPONENT = 400;
// Whole words in names of quantities of which less is usually better: as weightlab/data/frame/declarations.py has them.
const LOWER_WORDS = new Set(
  ("cer cost costs err error errors latency loss mae mape mase memory mse perplexity ppl rmse smape time wer wql").split(" "),
);
const MADE_OF_OTHERS =
  /^(?:#|no\.|rank(?:ing)?|mean|average|avg\.?)(?:[ _-]?(?:score|rank|all|overall|\(.*\)))?[^\w()]*$/i;
const MOST_SIGNS = 60_000_000;
const STANDARD_ERRORS = "standard errors";

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

/** What each column seems to be: {name, role: "models" | "scores" | "out", why, ...}, and what the reader must confirm. */
function recognised(sheet) {
  const lower = new Set(sheet.header.map((one) => one.trim().toLowerCase()));
  const other = LONG.find(([columns]) => columns.every((one) => lower.has(one)));
  if (other) throw new Fault(`${other[1]} (${listed(other[0])}) is not read here: ${other[2]} reads it.`);
  if (!sheet.rows.length) throw new Fault("There is a header and no row below it: a table needs one row a model.");
  const names = namesColumn(sheet);
  const columns = sheet.header.map((name, column) => {
    const read = scoresOf(sheet, column);
    const one = { name, column, role: "scores", why: "", lower: false, weight: "1", doubtful: false, ...read };
    if (column === names) return { ...one, role: "models" };
    const base = name.replace(/_stderr$/, "");
    if (column < names && !sheet.keyed) return { ...one, role: "out", why: "stands before the names" };
    if (!name.trim() && read.scores && read.fault) return { ...one, role: "out", why: "has neither name nor score", silent: true };
    if (!name.trim()) return { ...one, role: "out", why: "has no name" };
    const errors = base !== name && sheet.header.includes(base);
    if (errors && read.scores) return { ...one, role: "out", why: STANDARD_ERRORS, silent: true };
    if (read.fault) return { ...one, role: "out", why: read.fault };
    return { ...one, doubtful: (name.toLowerCase().match(/[a-z]+/g) || []).some((word) => LOWER_WORDS.has(word)) };
  });
  return { columns, questions: questionsOf(sheet, columns) };
}

/** The column of the names: the first, or in JSON the one that is called model or name. */
function namesColumn({ header, keyed, labelled, rows }) {
  const called = (name) => header.findIndex((one) => one.trim().toLowerCase() === name);
  const isText = (at) => keyed || at === 0 || rows.some((row) => /[a-z]/i.test(row[at]));
  const known = [called("model"), keyed ? called("name") : -1].find((one) => one >= 0 && isText(one));
  if (known !== undefined && !labelled) return known;
  const numbered = rows.every((row) => /^[0-9]*$/.test(row[0].trim()));
  const text = numbered && !labelled ? header.findIndex((_, at) => at > 0 && rows.every((row) => /[a-z]/i.test(row[at]))) : -1;
  return text > 0 ? text : 0;
}

/** What is ambiguous, in sentences: where there is nothing, the page answers without a further click. */
function questionsOf(sheet, columns) {
  const named = (some) => listed(some.map((one) => quoted(one.name)));
  const found = [];
  const out = columns.filter((one) => one.role === "out" && !one.silent);
  if (out.length) found.push(`Left out, unless you say otherwise: ${out.map((one) => `${quoted(one.name)} (${one.why})`).join("; ")}.`);
  const doubtful = columns.filter((one) => one.role === "scores" && one.doubtful);
  if (doubtful.length) found.push(`Is lower better on ${named(doubtful)}? The name suggests it.`);
  const made = columns.filter((one) => one.role === "scores" && MADE_OF_OTHERS.test(one.name.trim()));
  if (made.length) found.push(`${named(made)}: made of other columns, to judge by the name? Leave out what is no score of its own.`);
  const gaps = columns.filter((one) => one.role === "scores" && one.scores.includes(null));
  if (gaps.length) found.push(`Scores are missing on ${named(gaps)}: choose what they count as.`);
  return found;
}

/** The payload of the explorer for the chosen columns, without prospects; throws a Fault where there is no such table. */
function payloadOf(sheet, columns, { complete, offers }) {
  const names = columns.find((one) => one.role === "models");
  const tasks = columns.filter((one) => one.role === "scores");
  if (!names) throw new Fault("Say which column holds the names of the models.");
  if (!tasks.length) throw new Fault("No column of numbers is chosen: a table needs one column a task.");
  checkNames(columns);
  tasks.forEach(checkTask);
  const rows = sheet.rows.map((row, at) => ({ name: row[names.column], at }));
  checkModels(sheet, rows, names.name);
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
  const rest = { models, tasks: read, groups: [], prospects: [], leftOut: rows.length - kept.length };
  const errors = columns.some((one) => one.role === "out" && one.why === STANDARD_ERRORS);
  return { format: 1, errors, fingerprint: fingerprintOf(models, read), ...rest, ...(gaps ? offers.gaps : offers.whole) };
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
  return { name, lower, weight: weight.trim(), scores: scores.map((one) => one && exactText(one)), places, tolerant: null };
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

/** What a reader would say at the prompt for weightlab to read the same table. */
function flagsOf(sheet, columns) {
  const flags = [];
  const of = (flag, some, text = (one) => one.name) => flags.push(...some.map((one) => `--${flag}=${text(one)}`));
  const tasks = columns.filter((one) => one.role === "scores");
  of("lower", tasks.filter((one) => one.lower));
  of("higher", tasks.filter((one) => one.doubtful && !one.lower));
  of("weight", tasks.filter((one) => one.weight.trim() !== "1"), (one) => `${one.name}=${one.weight.trim()}`);
  of("drop", columns.filter((one) => one.role === "out" && !one.silent));
  of("percent", tasks.filter((one) => one.percent));
  return [...flags, ...sheet.flags];
}
