// Who can win by the table's own rule and head-to-head, as sentences and a table; distances and shares come in later.

const MOST_NAMED = 2;
const ORDER = ["strict", "weak", "never"];
const CELLS = { strict: "can win", weak: "tie only", never: "never" };
const ABLE = { strict: "can come first", weak: "can only tie for first", never: "can never come first" };
const BUT = { strict: "can win", weak: "can only tie", never: "never" };

/** "By average, 8 of 22 models can be the only winner, 3 tie at best, 11 can never win." */
function verdictSentence(way) {
  const count = (verdict) => way.models.filter((model) => way.prospects[model].verdict === verdict).length;
  const able = way.points ? "can be the only winner" : "can win";
  const parts = [`${count("strict")} of ${way.models.length} models ${able}`, `${count("weak")} tie at best`, `${count("never")} can never win`];
  return `${capitalised(way.by)}, ${parts.join(", ")}.`;
}

/** Which models have another verdict by the other rule, the greatest difference first. */
function contrastSentences(table) {
  const [own, other] = table.ways;
  if (!other) return [];
  const told = new Map();
  for (const model of own.models) {
    const pair = [own, other].map((way) => ORDER.indexOf(way.prospects[model].verdict));
    if (pair[0] !== pair[1]) told.set(pair.join(), [...(told.get(pair.join()) || []), table.models[model]]);
  }
  const apart = (key) => Math.abs(Number(key[0]) - Number(key[2]));
  const sorted = [...told].sort(([one], [second]) => apart(second) - apart(one));
  const but = (one, its) => (one === "never" && its === "weak" ? "can tie" : BUT[its]);
  return sorted.map(([key, names]) => `${firstOf(names, 3)} ${ABLE[ORDER[key[0]]]} ${own.by}, but ${but(ORDER[key[0]], ORDER[key[2]])} ${other.by}.`);
}

/** The table of verdicts, which fills from the top: {table, showDistance(message), showShares(message)}. */
function verdictTable(table, choose, isStale) {
  const { ways, models } = table;
  const waiting = () => element("td", { class: "number" }, "…");
  const cells = ways.map(() => models.map(() => ({ distance: waiting(), share: waiting(), nearest: element("td", { dir: "auto" }) })));
  const verdictOf = (way, model) => (way.prospects[model] ? way.prospects[model].verdict : "");
  const places = ways.map((way) => models.map((_, model) => (ORDER.indexOf(verdictOf(way, model)) + 4) % 4));
  const order = models.map((_, model) => model).sort((one, other) => {
    const at = places.findIndex((own) => own[one] !== own[other]);
    return at >= 0 ? places[at][one] - places[at][other] : one - other;
  });
  const rows = new Map();
  const cellsFor = (way, at, model) => {
    const [verdict, { share, distance, nearest }] = [verdictOf(way, model), cells[at][model]];
    if (!verdict || verdict === "never") distance.textContent = "–";
    if (verdict !== "strict") share.textContent = CELLS[verdict] || "not ranked";
    return at ? [share, distance] : [share, distance, nearest];
  };
  const rowFor = (model) => {
    const name = element("button", { type: "button", class: "name" }, models[model]);
    name.addEventListener("click", () => choose(model));
    const verdicts = ways.map((way) => verdictOf(way, model));
    const blocked = ways.filter((way, at) => verdicts[at] === "never").map((way) => `${way.by}: ${blockerNames(table, way.prospects[model].blockers)}`);
    return element("tr", { class: verdicts.filter(Boolean).every((one) => one === "never") ? "never" : "" }, [
      element("th", { scope: "row", dir: "auto" }, name),
      ...ways.flatMap((way, at) => cellsFor(way, at, model)),
      element("td", { dir: "auto" }, blocked.join("; ")),
    ]);
  };
  const headsOf = ({ by }, at) => [`#Share ${by}`, `#Weight shift ${by}`, ...(at ? [] : [`Closest winning weights ${by}`])];
  const heads = ["Model", ...ways.flatMap(headsOf), "Blocked by"];
  const made = tableOf("Each model: a name opens it in the explorer below", heads, []);
  const show = (model) => {
    rows.set(model, rows.get(model) || rowFor(model));
    made.tBodies[0].append(rows.get(model));
  };
  forEachInSlices(order, show, isStale);
  // Once all shares are drawn the models that win most by the first rule stand first.
  const sorted = (wins) => [...order].sort((one, other) => places[0][one] - places[0][other] || wins[0][other] - wins[0][one]);
  return {
    table: made,
    showDistance: (message) => showDistance(cells[message.at][message.model], table, message),
    showShares: ({ drawn, wins }) => {
      ways.forEach((way, at) => showShares(cells[at], way, drawn, wins[at]));
      if (drawn >= SAMPLES) sorted(wins).forEach(show);
    },
  };
}

function blockerNames(table, blockers) {
  const sorted = [...blockers].sort(([, one], [, other]) => compare(other, one));
  return firstOf(sorted.map(([rival, share]) => `${table.models[rival]} (${percent(share)})`), 3);
}

/** How much weight must shift, and the tasks that gain most at the nearest weights where no rival is ahead. */
function showDistance(cells, table, { near, wins }) {
  if (wins) cells.distance.textContent = "none: leads now";
  else if (!near) cells.distance.textContent = "not found";
  if (wins || !near) return;
  const moved = half(readNumber(near.distance));
  const shares = near.shares.map(readNumber);
  const today = sharesOf(table.today);
  const gains = shares.map((one, task) => minus(one, today[task]));
  const first = gains.map((_, task) => task).filter((task) => gains[task].top > 0n);
  first.sort((one, other) => compare(gains[other], gains[one]) || one - other);
  const named = first.slice(0, MOST_NAMED).map((task) => `${table.tasks[task]} ${percent(shares[task])}`);
  const more = first.length > MOST_NAMED ? ", ..." : "";
  const shown = near.proved ? `${near.more ? "> " : ""}${percentDown(moved)}` : `at most ${percent(moved)}`;
  cells.distance.replaceChildren(numeral(moved, shown));
  cells.nearest.textContent = named.length ? `${named.join(", ")}${more}` : "current";
}

/** Shares with their 95% intervals (Wilson), estimated from so many draws. */
function showShares(cells, way, count, wins) {
  for (const model of ableBy(way)) {
    const [won, text] = [wins[model], (share) => `${(100 * share).toFixed(1)}%`];
    const [low, high] = wilson(won, count);
    const few = won < count / 2000 ? "< 0.1%" : won < count && won > count - count / 2000 ? "> 99.9%" : "";
    cells[model].share.textContent = won ? few || text(won / count) : `< ${(100 * high).toFixed(2)}%`;
    cells[model].share.title = `95% interval from ${count.toLocaleString("en")} samples: ${text(low)} to ${text(high)}`;
  }
}

function wilson(won, count) {
  const [share, z] = [won / count, 1.959964];
  const middle = share + z ** 2 / (2 * count);
  const half = z * Math.sqrt((share * (1 - share)) / count + z ** 2 / (4 * count ** 2));
  return [middle - half, middle + half].map((one) => Math.min(1, Math.max(0, one / (1 + z ** 2 / count))));
}
