// A document: which function checks which kind, and what is said of it.

/** @type {Record<string, (document: Part, table: Given | null) => Finding | Generator<undefined, Finding, undefined>>} */
const CHECKS = {
  prospect, prospects, realisation, contradiction, scenario, stability,
  weight_ranges: weightRanges, duels: duelsOfAll, broken_cycle: brokenCycle,
  strongest_cycle: strongestCycle, majority_overview: majorityOverview, missing_score_pairs: missingScorePairs,
  single_peaked: singlePeaked, group_separable: groupSeparable, distance_restricted: distanceRestricted,
  kemeny: medianOrder, slater: medianOrder, fewest_lifts: lifts, lift_counts: lifts,
};
const ENVELOPE = ["weightlab", "command", "options", "notes", "table", "results"];
const isName = (/** @type {any} */ value) => value === null || typeof value === "string";

/**
 * What a document may say of how its table was read, and whether a value is one.
 * @type {Record<string, (value: any) => boolean>}
 */
const OPTIONS = {
  file: isName,
  config: isName,
  complete: (value) => typeof value === "boolean",
  table: (value) => value === "board" || value === "suite",
  flags: (value) => Array.isArray(value) && value.every((one) => typeof one === "string"),
  columns: (value) => value instanceof Map && alikeUnordered([...value.keys()], ["instance", "model"]) && [...value.values()].every(isName),
};

/** The results of a document, and how it says that its table was read; a result may stand alone. */
function readEnvelope(/** @type {Part} */ document) {
  /** @type {Map<string, any>} */
  const none = new Map();
  if (document.object().has("kind")) return { results: [document], options: none };
  for (const name of document.value.keys()) if (!ENVELOPE.includes(name)) refuse(`the document has ${quoted(name)}, a part that is not known`);
  for (const name of ["weightlab", "command"]) {
    if (document.value.has(name) && typeof document.value.get(name) !== "string") refuse(`${quoted(name)} must be a text`);
  }
  new Part(document.value.has("notes") ? document.value.get("notes") : [], "notes").texts();
  const options = new Part(document.value.has("options") ? document.value.get("options") : none, "options").object();
  for (const [name, value] of options) {
    if (!Object.hasOwn(OPTIONS, name) || !OPTIONS[name](value)) refuse(`options: ${quoted(name)} is not known, or cannot be ${shown(value)}`);
  }
  const results = new Part(document.value.get("results"), "results").items();
  if (!results.length) refuse("the document holds no results");
  return { results, options };
}

/** Refuse numbers that no document has: NaN, and whole numbers of too many digits. */
function refuseOddNumbers(/** @type {any} */ value) {
  if (value instanceof Map || Array.isArray(value)) for (const one of value.values()) refuseOddNumbers(one);
  else if (value instanceof Written && /^-?[NI]/.test(value.text)) refuse(`${value.text} is no number`);
  else if (value instanceof Written && WHOLE_NUMBER.test(value.text) && value.text.length > NUMBER_DIGITS) refuse("a number has too many digits");
}

/** A result without the lists of what is proved and believed, which must fit the solvers that it names. */
function claimOf(/** @type {Part} */ document) {
  const claim = without(document, ["proved", "believed"], "a result");
  const [proved, believed] = ["proved", "believed"].map((name) => new Part(document.value.get(name), name).texts());
  ensure(!proved.some((one) => believed.includes(one)), "what is believed is not proved");
  ensure(believed.length || alike(proved, ["everything"]), "where nothing is believed, everything is proved");
  ensure(believed.length > 0 === namesSolver(claim.value), "a solver is named where, and only where, something is believed");
  return claim;
}

/** Whether some part of a result names a solver, as one whose word is taken. */
function namesSolver(/** @type {any} */ value) {
  if (value instanceof Map && BELIEVED.includes(value.get("solver"))) return true;
  return (value instanceof Map || Array.isArray(value)) && [...value.values()].some(namesSolver);
}

/**
 * Check a document against the table of a payload, if there is one: for each result {kind, holds, sentence}, where
 * `holds` is true, false, or null where something is not checked here. `declared` tells whether anything is said of how
 * the table is read. Throws a Fault where it is no document. Steps are yielded between parts, so that a page can breathe.
 *
 * @param {any} document
 * @param {any} payload
 * @param {boolean} declared
 * @returns {Generator<undefined, { kind: string, holds: boolean | null, sentence: string }[], undefined>}
 */
function* verified(document, payload, declared) {
  refuseOddNumbers(document);
  const { results, options } = readEnvelope(new Part(document, "the document"));
  const made = options.get("config") || (options.get("flags") || []).join(" ");
  if (payload && made && !declared) refuse(`it was made with ${shown(made)} beside the table: say above how that is read`);
  const table = payload ? givenTable(payload) : null;
  const found = [];
  for (const one of results) {
    const kind = new Part(one.object().get("kind"), "kind").text();
    found.push({ kind, ...(yield* verdictOn(kind, one, table)) });
    yield;
  }
  return found;
}

/**
 * @param {string} kind
 * @param {Part} document
 * @param {Given | null} table
 * @returns {Generator<undefined, { holds: boolean | null, sentence: string }, undefined>}
 */
function* verdictOn(kind, document, table) {
  const unchecked = (/** @type {string[]} */ open) => `Not checked here: ${open.join("; ")}. weightlab verify checks it.`;
  try {
    if (!Object.hasOwn(CHECKS, kind)) return { holds: null, sentence: unchecked(["a kind that is not known here"]) };
    const asked = CHECKS[kind](claimOf(document), table);
    const { proved, open } = "next" in asked ? yield* asked : asked;
    const sentence = `Proved: ${proved}`;
    return open.length ? { holds: null, sentence: `${sentence} ${unchecked(open)}` } : { holds: true, sentence };
  } catch (error) {
    if (error instanceof NotChecked) return { holds: null, sentence: unchecked([error.message]) };
    if (error instanceof FalseClaim) return { holds: false, sentence: `False: ${error.message}.` };
    if (error instanceof Fault) return { holds: false, sentence: `Refused: ${error.message}.` };
    throw error;
  }
}
