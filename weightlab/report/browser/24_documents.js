// Documents of weightlab: written for `weightlab verify`, and told from tables.

/** The text of a document: Map for objects, since plain objects would sort tasks that are called like numbers. */
function jsonText(value) {
  if (value instanceof Map) return `{${[...value].map(([key, one]) => `${JSON.stringify(key)}: ${jsonText(one)}`).join(", ")}}`;
  if (Array.isArray(value)) return `[${value.map(jsonText).join(", ")}]`;
  return JSON.stringify(value);
}

/** An object of a document. @param {[string, unknown][]} entries */
function objectOf(...entries) {
  return new Map(entries);
}

/** The document that holds the verdicts of all models with what proves them. */
function documentOf({ models, tasks, prospects }, { version, file, complete, flags }) {
  const whole = (text) => (text.includes("/") ? text : `${text}/1`);
  const entries = prospects.map((one, model) => {
    const weights = new Map(one.weights.map(([task, share]) => [tasks[task].name, whole(share)]));
    const blockers = new Map(one.blockers.map(([rival, share]) => [models[rival], whole(share)]));
    const shares = objectOf(["weights", weights], ["blockers", blockers], ["multipliers", []]);
    return objectOf(["model", models[model]], ["verdict", one.verdict], ["lower", whole(one.lower)], ["upper", whole(one.upper)], ...shares);
  });
  const signs = objectOf(["models", models], ["places", new Map(tasks.map((one) => [one.name, one.places]))]);
  const space = objectOf(["tasks", tasks.map((one) => one.name)], ["conditions", []]);
  const proof = objectOf(["kind", "prospects"], ["proved", ["everything"]], ["believed", []]);
  const result = objectOf(...proof, ["signs", signs], ["space", space], ["prospects", entries]);
  const options = objectOf(["file", file], ["config", null], ["complete", complete]);
  if (flags.length) options.set("flags", flags);
  const made = objectOf(["weightlab", version], ["command", "win"], ["options", options], ["results", [result]]);
  return `${jsonText(made)}\n`;
}

function isDocument(value) {
  return value instanceof Map && (value.has("results") || typeof value.get("kind") === "string");
}

/** The document that a text is, or null where it is a table or nothing. */
function documentIn(text) {
  const begin = text.replace(/^\ufeff/, "").trimStart();
  if (!begin.startsWith("{") || !/"(?:results|kind)"\s*:/.test(begin)) return null;
  const read = /^\{[^\n]*\}[ \t\r]*\n\s*\{/.test(begin) ? null : readJson(text);
  return isDocument(read) ? read : null;
}

/** What a document says of itself: its version, how its table was read, whether it has rows, and its own table. */
function aboutDocument(document, isAlone) {
  const options = document.get("options");
  const [complete, flags, config] = options instanceof Map ? ["complete", "flags", "config"].map((name) => options.get(name)) : [];
  const said = Array.isArray(flags) ? flags.filter((one) => typeof one === "string") : [];
  const version = document.get("weightlab");
  return {
    version: typeof version === "string" ? version : null,
    complete: complete === true,
    flags: [...said, ...(typeof config === "string" ? [`--config=${config}`] : [])],
    hasRows: Boolean(document.get("table")),
    table: isAlone ? signsIn(document) : null,
  };
}

/** The table that a document carries, as a sheet of places with its columns, or null. */
function signsIn(document) {
  const results = document.has("kind") ? [document] : document.get("results");
  const found = Array.isArray(results) ? results.find((one) => one instanceof Map && one.get("kind") === "prospects") : null;
  const signs = found && found.get("signs");
  const [models, places] = signs instanceof Map ? [signs.get("models"), signs.get("places")] : [];
  if (!Array.isArray(models) || !(places instanceof Map) || ![...places.values()].every(Array.isArray)) return null;
  const cell = (one) => (one instanceof Written ? one.text : "");
  const rows = models.map((name, at) => [String(name), ...[...places.values()].map((column) => cell(column[at]))]);
  const sheet = { header: ["model", ...places.keys()], rows, places: rows.map((_, at) => `row ${at + 1}`), keyed: false, labelled: true, flags: [] };
  return columnsOf(sheet);
}
