// Documents of weightlab: written for `weightlab verify`, and checked by the rules of weightlab/checker.py.

const SAID = { strict: "can win every duel", weak: "can tie at best", never: "can never win" };
const FRACTION = /^(-?[0-9]{1,4300})(?:\/([0-9]{1,4300}))?$/;
const ENVELOPE = ["weightlab", "command", "options", "notes", "table", "results"];
const OF_A_MODEL = ["verdict", "lower", "upper", "weights", "blockers", "multipliers"];

/** What a document claims, or proves it by, does not hold. */
class FalseClaim extends Error {}

/** A claim that only `weightlab verify` checks. */
class NotChecked extends Error {}

function ensure(holds, failure) {
  if (!holds) throw new FalseClaim(failure);
}

/** The text of a document: Map for objects, since plain objects would sort tasks that are called like numbers. */
function jsonText(value) {
  if (value instanceof Map) return `{${[...value].map(([key, one]) => `${JSON.stringify(key)}: ${jsonText(one)}`).join(", ")}}`;
  if (Array.isArray(value)) return `[${value.map(jsonText).join(", ")}]`;
  return JSON.stringify(value);
}

/** The document that holds the verdicts of all models with what proves them. */
function documentOf({ models, tasks, prospects }, { version, file, complete, flags }) {
  const whole = (text) => (text.includes("/") ? text : `${text}/1`);
  const entries = prospects.map((one, model) => {
    const weights = new Map(one.weights.map(([task, share]) => [tasks[task].name, whole(share)]));
    const blockers = new Map(one.blockers.map(([rival, share]) => [models[rival], whole(share)]));
    const bounds = [["verdict", one.verdict], ["lower", whole(one.lower)], ["upper", whole(one.upper)]];
    return new Map([["model", models[model]], ...bounds, ["weights", weights], ["blockers", blockers], ["multipliers", []]]);
  });
  const signs = new Map([["models", models], ["places", new Map(tasks.map((one) => [one.name, one.places]))]]);
  const space = new Map([["tasks", tasks.map((one) => one.name)], ["conditions", []]]);
  const proof = [["kind", "prospects"], ["proved", ["everything"]], ["believed", []]];
  const result = new Map([...proof, ["signs", signs], ["space", space], ["prospects", entries]]);
  const options = new Map([["file", file], ["config", null], ["complete", complete], ...(flags.length ? [["flags", flags]] : [])]);
  const made = [["weightlab", version], ["command", "win"], ["options", options], ["results", [result]]];
  return `${jsonText(new Map(made))}\n`;
}

function isDocument(value) {
  return value instanceof Map && (value.has("results") || (value.has("kind") && value.has("space")));
}

/**
 * Check each result of a document, against the table of a payload if there is one: [{kind, holds, sentence}], where
 * `holds` is true, false, or null for what is not checked here. Throws a Fault where it is no such document.
 */
function checkedDocument(document, payload) {
  const results = document.has("kind") ? [document] : resultsOf(document);
  return results.map((result) => {
    const kind = result instanceof Map ? result.get("kind") : undefined;
    try {
      const check = { prospects: checkProspects, prospect: checkOneProspect }[kind];
      if (!check) throw new NotChecked("of this kind");
      if (result.get("fewest")) throw new NotChecked("how few rivals block");
      const left = new Map(result);
      const [proved, believed] = ["proved", "believed"].map((name) => listOf(result.get(name), name));
      ensure(proved.length === 1 && proved[0] === "everything" && !believed.length, "it names no solver, so everything must be proved and nothing believed");
      for (const name of ["kind", "proved", "believed"]) left.delete(name);
      return { kind, holds: true, sentence: check(left, payload) };
    } catch (error) {
      if (error instanceof FalseClaim) return { kind, holds: false, sentence: `False: ${error.message}.` };
      if (error instanceof NotChecked) return { kind, holds: null, sentence: `Not checked here (${error.message}): weightlab verify checks it.` };
      if (error instanceof Fault) return { kind, holds: false, sentence: `Refused: ${error.message}.` };
      throw error;
    }
  });
}

function resultsOf(document) {
  const strange = [...document.keys()].find((name) => !ENVELOPE.includes(name));
  if (strange !== undefined) throw new Fault(`The document has ${quoted(strange)}, a part that is not known.`);
  const results = document.get("results");
  if (!Array.isArray(results) || !results.length) throw new Fault("The document holds no results.");
  return results;
}

function partsOf(value, names, what) {
  if (!(value instanceof Map)) throw new Fault(`${what} is no object`);
  for (const name of value.keys()) if (!names.includes(name)) throw new Fault(`${what} has ${quoted(name)}, a part that is not known`);
  for (const name of names) if (!value.has(name)) throw new Fault(`${what} lacks ${quoted(name)}`);
  return names.map((name) => value.get(name));
}

function listOf(value, what) {
  if (!Array.isArray(value)) throw new Fault(`${what} is no list`);
  return value;
}

function namesOf(value, what) {
  const names = listOf(value, what);
  const fits = names.length && names.every((one) => typeof one === "string" && one.trim()) && new Set(names).size === names.length;
  if (!fits) throw new Fault(`${what}: names that differ are needed, none of them blank`);
  return names;
}

function fractionOf(value, what) {
  const found = typeof value === "string" ? FRACTION.exec(value) : null;
  if (!found || (found[2] && BigInt(found[2]) === 0n)) throw new Fault(`${what}: ${quoted(value instanceof Written ? value.text : value)} is no fraction p/q`);
  return ratio(BigInt(found[1]), BigInt(found[2] || 1));
}

/** Shares by name as [place among the names, integer] over one denominator; those that are 0 may be left out. */
function sharesAmong(value, places, what) {
  if (!(value instanceof Map)) throw new Fault(`${what} is no object`);
  for (const name of value.keys()) if (!places.has(name)) throw new Fault(`${what}: ${quoted(name)} is not known`);
  const shares = [...value.values()].map((one) => fractionOf(one, what));
  const below = shares.findIndex((one) => one.top < 0n);
  ensure(below < 0, below < 0 || `${what}: a share is negative: ${exactText(shares[below])}`);
  const { values, bottom } = commonIntegers(shares);
  ensure(sum(values) === bottom, `the ${what} sum to ${exactText(ratio(sum(values), bottom))}, not to 1`);
  return { parts: [...value.keys()].map((name, at) => [places.get(name), values[at]]).filter(([, one]) => one), bottom };
}

/** The place of each name. */
function placesOfNames(names) {
  return new Map(names.map((name, at) => [name, at]));
}

/**
 * Check bounds of the widest margin: weights attain the lower one, a mixture of the rivals proves the upper one.
 * `sign(at, task)` is that of the model over a rival, by their places among the rivals and tasks.
 */
function checkMargin([verdict, low, high, weighted, mixed, multipliers], sign, tasks, rivals) {
  const [lower, upper] = [fractionOf(low, "lower"), fractionOf(high, "upper")];
  const extreme = (count, parts, signAt, isBetter) => {
    const totals = Array.from({ length: count }, (_, at) => parts.reduce((lead, [other, one]) => lead + BigInt(signAt(at, other)) * one, 0n));
    return totals.reduce((found, one) => (isBetter(one, found) ? one : found));
  };
  const weights = sharesAmong(weighted, tasks, "weights");
  const least = ratio(extreme(rivals.size, weights.parts, sign, (one, found) => one < found), weights.bottom);
  ensure(compare(least, lower) === 0, `the least lead under the weights is ${exactText(least)}, not ${exactText(lower)}`);
  const shares = sharesAmong(mixed, rivals, "blockers");
  if (listOf(multipliers, "multipliers").length) throw new Fault("multipliers: there must be none without conditions");
  const over = extreme(tasks.size, shares.parts, (task, at) => sign(at, task), (one, found) => one > found);
  const most = ratio(over, shares.bottom);
  ensure(compare(most, upper) === 0, `the blockers prove a bound of ${exactText(most)}, not ${exactText(upper)}`);
  const proved = lower.top > 0n ? "strict" : upper.top < 0n ? "never" : lower.top === 0n && upper.top === 0n ? "weak" : "nothing";
  ensure(verdict === proved, `the bounds ${exactText(lower)} and ${exactText(upper)} prove “${proved}”, not ${quoted(verdict)}`);
  return proved;
}

function spaceTasks(space) {
  const [tasks, conditions] = partsOf(space, ["tasks", "conditions"], "the space");
  if (listOf(conditions, "conditions").length) throw new NotChecked("under conditions on the weights");
  return namesOf(tasks, "tasks");
}

function checkProspects(result, payload) {
  const [signs, space, listed] = partsOf(result, ["signs", "space", "prospects"], "prospects");
  const [models, tasks] = [namesOf(signs instanceof Map && signs.get("models"), "models"), spaceTasks(space)];
  const own = ownSigns(signs, models, tasks);
  ensureTable(payload, models, tasks, own);
  const [columns, verdicts] = [placesOfNames(tasks), { strict: 0, weak: 0, never: 0 }];
  ensure(listOf(listed, "prospects").length === models.length, "there must be one prospect a model, in order");
  listed.forEach((entry, at) => {
    const [name, ...parts] = partsOf(entry, ["model", ...OF_A_MODEL], "a prospect");
    ensure(name === models[at], "there must be one prospect a model, in order");
    const rivals = placesOfNames(models.filter((_, other) => other !== at));
    const sign = (rival, task) => own(task, at, rival < at ? rival : rival + 1);
    try {
      verdicts[checkMargin(parts, sign, columns, rivals)] += 1;
    } catch (error) {
      if (error instanceof FalseClaim) throw new FalseClaim(`${quoted(name)}: ${error.message}`);
      throw error;
    }
  });
  const told = Object.entries(SAID).map(([verdict, said]) => `${verdicts[verdict]} ${said}`);
  return `Proved: of ${models.length} models ${told.join(", ")}.`;
}

/** The signs that a document carries as places of its models: a function of task and two models. */
function ownSigns(signs, models, tasks) {
  const [, places] = partsOf(signs, ["models", "places"], "signs");
  if (models.length < 2) throw new Fault("there must be two models or more");
  if (!(places instanceof Map)) throw new Fault("places is no object");
  ensure([...places.keys()].join("\n") === tasks.join("\n"), "the tasks of the space are not those of the signs, in order");
  const columns = [...places.values()].map((column) => {
    if (column instanceof Map) throw new NotChecked("with scores that tie within a tolerance");
    const read = listOf(column, "places").map((one) => (one instanceof Written && /^[0-9]{1,6}$/.test(one.text) ? Number(one.text) : one));
    const fits = read.length === models.length && read.every((one) => one === null || (typeof one === "number" && one >= 1 && one <= models.length));
    if (!fits) throw new Fault(`places: a place from 1 to ${models.length} a model is needed`);
    return read;
  });
  return (task, model, rival) => {
    const [one, other] = [columns[task][model], columns[task][rival]];
    return one === null || other === null ? 0 : Math.sign(one - other);
  };
}

/** Ensure that a document speaks of all models and tasks of a table, with its signs. */
function ensureTable(payload, models, tasks, own) {
  if (!payload) return;
  const columns = payload.tasks.map((one) => one.name);
  ensureSame("model", models, payload.models);
  ensureSame("task", tasks, columns);
  const [row, column] = [models.map((one) => payload.models.indexOf(one)), tasks.map((one) => columns.indexOf(one))];
  tasks.forEach((task, at) => {
    const { places } = payload.tasks[column[at]];
    for (let first = 0; first < models.length; first += 1) {
      for (let second = first + 1; second < models.length; second += 1) {
        const [one, other] = [places[row[first]], places[row[second]]];
        const found = one === null || other === null ? 0 : Math.sign(one - other);
        const claimed = own(at, first, second);
        const where = () => `${quoted(models[first])} over ${quoted(models[second])} on ${quoted(task)}`;
        ensure(claimed === null || found === claimed, found === claimed || `the sign of ${where()} is ${found} in the table, not ${claimed}`);
      }
    }
  });
}

function ensureSame(what, claimed, there) {
  const [known, said] = [new Set(there), new Set(claimed)];
  for (const name of claimed) ensure(known.has(name), `the ${what} ${quoted(name)} is not in the table`);
  for (const name of there) ensure(said.has(name), `the ${what} ${quoted(name)} is only in the table`);
}

function checkOneProspect(result, payload) {
  const [model, signs, space, fewest, ...parts] = partsOf(result, ["model", "signs", "space", "fewest", ...OF_A_MODEL], "a prospect");
  if (fewest !== null) throw new Fault("fewest must be null or an object");
  const tasks = spaceTasks(space);
  const rivals = parts[4] instanceof Map ? namesOf([...parts[4].keys()], "rivals") : namesOf(parts[4], "blockers");
  ensure(!rivals.includes(model), `${quoted(model)} is among its own rivals`);
  const fits = (row) => typeof row === "string" && row.length === tasks.length && /^[+0-]+$/.test(row);
  if (listOf(signs, "signs").length !== rivals.length || !signs.every(fits)) throw new Fault("signs: a text of “+”, “0” and “-” a rival is needed");
  const rows = signs.map((row) => Array.from(row, (sign) => ({ "+": 1, 0: 0, "-": -1 })[sign]));
  const models = [...namesOf([model], "model"), ...rivals];
  ensureTable(payload, models, tasks, (task, first, second) => (first ? null : rows[second - 1][task]));
  const verdict = checkMargin(parts, (rival, task) => rows[rival][task], placesOfNames(tasks), placesOfNames(rivals));
  return `Proved: ${quoted(model)} ${SAID[verdict]}; its widest margin is ${parts[1]}.`;
}
