// Documents of weightlab: written for `weightlab verify`, and told from tables.

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
  return value instanceof Map && (value.has("results") || typeof value.get("kind") === "string");
}
