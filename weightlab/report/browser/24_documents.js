// Documents of weightlab, written for `weightlab verify` and checker.py, and the commands that check them.

/** The text of a document: Map for objects, since plain objects would sort tasks that are called like numbers. */
function jsonText(value) {
  if (value instanceof Map) return `{${[...value].map(([key, one]) => `${JSON.stringify(key)}: ${jsonText(one)}`).join(", ")}}`;
  if (Array.isArray(value)) return `[${value.map(jsonText).join(", ")}]`;
  return typeof value === "bigint" ? String(value) : JSON.stringify(value);
}

/** An object of a document. @param {[string, unknown][]} entries */
function objectOf(...entries) {
  return new Map(entries);
}

/** What is proved of all models by a rule. */
function resultOf({ models, tasks }, { rule, models: ranked, prospects }, { points, bottom }) {
  const whole = (text) => (text.includes("/") ? text : `${text}/1`);
  const names = tasks.map((one) => one.name);
  const entries = prospects.map((one, at) => {
    const weights = new Map(one.weights.map(([task, share]) => [names[task], whole(share)]));
    const blockers = new Map(one.blockers.map(([rival, share]) => [models[rival], whole(share)]));
    const shares = objectOf(["weights", weights], ["blockers", blockers], ["vectors", []]);
    return objectOf(["model", models[ranked[at]]], ["verdict", one.verdict], ["lower", whole(one.lower)], ["upper", whole(one.upper)], ...shares);
  });
  const signs = objectOf(["models", models], ["places", new Map(tasks.map((one) => [one.name, one.places]))]);
  const numerators = points && ranked.map((model) => points.map((own) => own[model]));
  const held = points && objectOf(["models", ranked.map((model) => models[model])], ["tasks", names], ["numerators", numerators], ["denominator", bottom]);
  const space = objectOf(["tasks", names], ["conditions", []]);
  const proof = objectOf(["kind", "prospects"], ["format", 2], ["proved", ["everything"]], ["believed", []]);
  const by = objectOf(["name", rule], ["ties", "average"], ["missing", "error"], ["vector", null]);
  return objectOf(...proof, ["rule", by], ["points", held || null], ["signs", held ? null : signs], ["space", space], ["today", null], ["prospects", entries]);
}

/** The document that holds the verdicts on all models by each rule with what proves them. */
function documentOf(payload, { version, file, complete, flags, columns }) {
  const { models, leftOut } = payload;
  const { ways } = readTable(payload);
  const options = objectOf(["file", file], ["config", null], ["complete", complete]);
  if (flags.length) options.set("flags", flags);
  const made = objectOf(["weightlab", version], ["command", "win"], ["options", options]);
  const told = columns.filter((one) => one.name || one.why !== "empty").map((one) => {
    const way = one.role === "scores" ? (one.lower ? "lower" : "higher") : "";
    const what = { models: "key", scores: "task" }[one.role] || (["key", "task"].includes(one.what) ? "dropped" : one.what);
    return objectOf(["name", one.name], ["role", what], ["direction", way], ["certainty", one.certainty], ["why", one.why]);
  });
  const line = readingLine(file, models.length + leftOut, columns);
  made.set("reading", objectOf(["line", line], ["models", models.length + leftOut], ["transposed", false], ["columns", told], ["summaries", []]));
  made.set("results", payload.ways.map((way, at) => resultOf(payload, way, ways[at])));
  return `${jsonText(made)}\n`;
}

/** A word as a shell takes it, without letters that a terminal would obey. */
function shellWord(text) {
  const word = plainName(text);
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replace(/'/g, "'\\''")}'`;
}

/** A command of weightlab or Python. @param {string[]} words */
function commandOf(...words) {
  return words.map(shellWord).join(" ");
}

/** The options among flags that checker.py needs beside the reading, or null where it cannot read the table. */
function checkerOptions(sheet, columns, flags) {
  const plain = columns.every((one) => one.name.trim() && !(one.role === "scores" && one.percent));
  const isRead = sheet.ending === "csv" && sheet.commas && plain && columns.filter((one) => one.role === "models").length === 1;
  return isRead ? flags.filter((one) => /^--weight=/.test(one)) : null;
}
