// Links that carry the weights: #weights=1,1/2,0&rule=borda&ties=average&model=3&table=..., exact, and checked when read.

const LINK_KEYS = ["weights", "rule", "ties", "model", "table"];
const WEIGHT_TEXT = /^[0-9]{1,300}(\/[0-9]{1,300})?$/;
const TIES = ["average", "min", "max"];

function linkOf(table, state) {
  const parts = {
    weights: state.weights.map(exactText).join(","),
    rule: state.rule,
    ties: state.ties,
    model: String(state.model),
    table: table.fingerprint,
  };
  return `#${LINK_KEYS.map((key) => `${key}=${parts[key]}`).join("&")}`;
}

/** What a fragment says: null if it is no such link, {fault} if it cannot be used, else {state}. */
function readLink(table, fragment) {
  if (!fragment.startsWith("#weights=")) return null;
  const parts = new Map(
    fragment
      .slice(1)
      .split("&")
      .map((one) => [one.slice(0, one.indexOf("=")), one.slice(one.indexOf("=") + 1)]),
  );
  if (parts.get("table") !== table.fingerprint) return { fault: "it was made for another table" };
  const texts = parts.get("weights").replaceAll("%2F", "/").replaceAll("%2C", ",").split(",");
  if (texts.length !== table.tasks.length) {
    return { fault: `it holds ${texts.length} weights, and the table has ${table.tasks.length} tasks` };
  }
  const weights = texts.map((text) => (WEIGHT_TEXT.test(text) ? readNumber(text) : null));
  if (weights.includes(null)) return { fault: "it holds a weight that is no number" };
  if (weights.every((one) => one.top === 0n)) return { fault: "all its weights are 0" };
  return { state: { weights, ...readChoices(table, parts) } };
}

/** The rule, ties and model of a link; what is unknown is left out. */
function readChoices(table, parts) {
  const found = {};
  if (table.rules.some((one) => one.id === parts.get("rule"))) found.rule = parts.get("rule");
  if (TIES.includes(parts.get("ties"))) found.ties = parts.get("ties");
  const model = /^[0-9]{1,6}$/.test(parts.get("model") || "") ? Number(parts.get("model")) : -1;
  if (model >= 0 && model < table.models.length) found.model = model;
  return found;
}
