// Who can win, as a sentence and a table; distances and shares come in as they are worked out.

const MOST_NAMED = 2;
const WORDS_OF = { strict: "can win", weak: "ties at best", never: "can never win" };

/** "Head-to-head, 6 of 24 models can win under some weights, 6 can at best tie, 12 can never win." */
function verdictSentence(prospects) {
  const count = (verdict) => prospects.filter((one) => one.verdict === verdict).length;
  const parts = [`${count("strict")} of ${prospects.length} models can win under some weights`, `${count("weak")} can at best tie`, `${count("never")} can never win`];
  return `Head-to-head, ${parts.join(", ")}.`;
}

/** Who: one sentence a verdict that some model has. */
function verdictNames(table) {
  const heads = { strict: "Can win head-to-head", weak: "Tie head-to-head at best", never: "Can never win head-to-head" };
  return Object.entries(heads).flatMap(([verdict, head]) => {
    const names = table.models.filter((_, model) => table.prospects[model].verdict === verdict);
    return names.length ? [element("p", {}, [element("strong", {}, `${head}: `), firstOf(names, 30), "."])] : [];
  });
}

/** The table of verdicts, which fills from the top: {table, showDistance(message), showShares(message)}. */
function verdictTable(table, choose, isStale) {
  const waiting = () => element("td", { class: "number" }, "…");
  const cells = table.models.map(() => ({ distance: waiting(), share: waiting(), nearest: element("td", { dir: "auto" }) }));
  const rank = { strict: 0, weak: 1, never: 2 };
  const order = table.models.map((_, model) => model).sort((one, other) => {
    const [first, second] = [table.prospects[one], table.prospects[other]];
    return rank[first.verdict] - rank[second.verdict] || compare(second.lower, first.lower) || one - other;
  });
  const rowFor = (model) => {
    const { verdict, lower, blockers } = table.prospects[model];
    const name = element("button", { type: "button", class: "name" }, table.models[model]);
    name.addEventListener("click", () => choose(model));
    if (verdict === "never") cells[model].distance.textContent = "–";
    if (verdict !== "strict") cells[model].share.textContent = verdict === "weak" ? "0%, ties aside" : "0%";
    const blocked = verdict === "never" ? blockerNames(table, blockers) : "";
    return element("tr", { class: verdict }, [
      element("th", { scope: "row", dir: "auto" }, name),
      element("td", {}, WORDS_OF[verdict]),
      element("td", { class: "number" }, numeral(lower, percent(lower))),
      cells[model].share,
      cells[model].distance,
      cells[model].nearest,
      element("td", { dir: "auto" }, blocked),
    ]);
  };
  const heads = ["Model", "Head-to-head", "#Widest margin", "#Across all weightings", "#Weight to move", "Nearest winning weights", "Blocked by"];
  const made = tableOf("Each model: a name opens it in the explorer below", heads, []);
  forEachInSlices(order, (model) => made.tBodies[0].append(rowFor(model)), isStale);
  return {
    table: made,
    showDistance: (message) => showDistance(cells[message.model], table, message),
    showShares: (message) => showShares(cells, table, message),
  };
}

function blockerNames(table, blockers) {
  const sorted = [...blockers].sort(([, one], [, other]) => compare(other, one));
  return firstOf(sorted.map(([rival, share]) => `${table.models[rival]} (${percent(share)})`), 3);
}

/** How much weight must move, and the tasks that gain most at the nearest weights where a model is undefeated. */
function showDistance(cells, table, { near, wins }) {
  if (wins) cells.distance.textContent = "none: wins today";
  else if (!near) cells.distance.textContent = "not found";
  if (wins || !near) return;
  // The sum of changes counts what some tasks gain and others lose: half of it moves.
  const moved = over(readNumber(near.distance), ratio(2n));
  const shares = near.shares.map(readNumber);
  const today = sharesOf(table.today);
  const gains = shares.map((one, task) => minus(one, today[task]));
  const first = gains.map((_, task) => task).filter((task) => gains[task].top > 0n);
  first.sort((one, other) => compare(gains[other], gains[one]) || one - other);
  const named = first.slice(0, MOST_NAMED).map((task) => `${table.tasks[task]} ${percent(shares[task])}`);
  const more = first.length > MOST_NAMED ? ", ..." : "";
  cells.distance.replaceChildren(numeral(moved, `${near.proved ? "" : "at most "}${percent(moved)}`));
  cells.nearest.textContent = named.length ? `${named.join(", ")}${more}` : "today's";
}

/** Shares with their 95% intervals (Wilson), estimated from so many draws. */
function showShares(cells, table, { drawn: count, wins }) {
  wins.forEach((won, model) => {
    if (table.prospects[model].verdict !== "strict") return;
    const [low, high] = wilson(won, count);
    const text = (share) => `${(100 * share).toFixed(1)}%`;
    cells[model].share.textContent = won ? text(won / count) : `below ${(100 * high).toFixed(2)}%`;
    cells[model].share.title = `95% interval from ${count.toLocaleString("en")} samples: ${text(low)} to ${text(high)}`;
  });
}

function wilson(won, count) {
  const [share, z] = [won / count, 1.959964];
  const middle = share + z ** 2 / (2 * count);
  const half = z * Math.sqrt((share * (1 - share)) / count + z ** 2 / (4 * count ** 2));
  return [middle - half, middle + half].map((one) => Math.min(1, Math.max(0, one / (1 + z ** 2 / count))));
}
