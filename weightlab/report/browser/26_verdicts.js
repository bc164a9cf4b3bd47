// Who can win, as a sentence and a table; distances and shares come in as they are worked out.

const WORDS_OF = { strict: "can win", weak: "ties at best", never: "can never win" };

/** "Of 24 models 6 can win under some weights, 6 can at best tie, 12 can never win." */
function verdictSentence(prospects) {
  const count = (verdict) => prospects.filter((one) => one.verdict === verdict).length;
  const parts = [`${count("strict")} can win under some weights`, `${count("weak")} can at best tie`, `${count("never")} can never win`];
  return `Of ${prospects.length} models ${parts.join(", ")}.`;
}

/** Who: one sentence a verdict that some model has. */
function verdictNames(table) {
  const heads = { strict: "Can win", weak: "Tie at best", never: "Can never win" };
  return Object.entries(heads).flatMap(([verdict, head]) => {
    const names = table.models.filter((_, model) => table.prospects[model].verdict === verdict);
    return names.length ? [element("p", {}, [element("strong", {}, `${head}: `), firstOf(names, 30), "."])] : [];
  });
}

/** The table of verdicts: {table, showDistance(message), showShares(message)}. */
function verdictTable(table, choose) {
  const cells = table.models.map(() => ({ distance: element("td", { class: "number" }, "…"), share: element("td", { class: "number" }, "…") }));
  const rank = { strict: 0, weak: 1, never: 2 };
  const order = table.models.map((_, model) => model).sort((one, other) => {
    const [first, second] = [table.prospects[one], table.prospects[other]];
    return rank[first.verdict] - rank[second.verdict] || compare(second.lower, first.lower) || one - other;
  });
  const rows = order.map((model) => {
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
      cells[model].distance,
      cells[model].share,
      element("td", { dir: "auto" }, blocked),
    ]);
  });
  const heads = ["Model", "Verdict", "#Widest margin", "#Nearest winning weights", "#Share of weightings", "Blocked by"];
  return {
    table: tableOf("Each model: a name opens it in the explorer below", heads, rows),
    showDistance: (message) => showDistance(cells[message.model].distance, message),
    showShares: (message) => showShares(cells, table, message),
  };
}

function blockerNames(table, blockers) {
  const sorted = [...blockers].sort(([, one], [, other]) => compare(other, one));
  return firstOf(sorted.map(([rival, share]) => `${table.models[rival]} (${percent(share)})`), 3);
}

function showDistance(cell, { near, wins }) {
  if (wins) cell.textContent = "wins today";
  else if (!near) cell.textContent = "not found";
  else {
    const distance = readNumber(near.distance);
    cell.replaceChildren(numeral(distance, `${near.proved ? "" : "at most "}${about(distance)}`));
  }
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
