// What the weights make of the table, in words and tables.

/** The duels under weights, who beats whom, and the layers of Smith sets; the last ones are kept. */
function majoritiesUnder(table, weights) {
  const key = weights.map(exactText).join();
  if (!table.last || table.last.key !== key) {
    const duels = duelsUnder(table, weights);
    const beats = majorities(duels);
    table.last = { key, duels, beats, layers: layersOf(beats, duels.count) };
  }
  return table.last;
}

/** Everything that is worked out at each change: duels, layers, the ranking by the chosen rule. */
function answersTo(table, state) {
  const { duels, beats, layers } = majoritiesUnder(table, state.weights);
  const rule = table.rules.find((one) => one.id === state.rule);
  const cycle = layers[0].length > 1 ? cycleAmong(beats, duels.count, layers[0]) : [];
  return { duels, beats, layers, cycle, rule, ranking: rankingBy(table, duels, rule, state.ties) };
}

/** Who wins, or why no model does. */
function winnerSentence(table, { layers, cycle }) {
  const name = (model) => table.models[model];
  const [top] = layers;
  if (top.length === 1) return `${name(top[0])} wins head-to-head: it beats every other model.`;
  const smith = `No model beats every other. The Smith set has ${top.length} models: ${firstOf(top.map(name), 6)}.`;
  if (!cycle.length) return `${smith} It holds no majority cycle: models in it tie.`;
  return `${smith} A majority cycle: ${[...cycle, cycle[0]].map(name).join(" beats ")}.`;
}

function rankingSentence(table, { rule, ranking }) {
  if (ranking.reason) return `${rule.label}: ${ranking.reason}`;
  const first = ranking.order[0].map((model) => table.models[model]);
  return `${rule.label}: ${firstOf(first)} ${first.length === 1 ? "is" : "are"} first.`;
}

function fillRanking(holder, table, { rule, ranking }, chosen) {
  if (ranking.reason) {
    holder.replaceChildren(element("p", {}, ranking.reason));
    return;
  }
  const ranks = ranksOf(ranking.order);
  const digits = digitsApart(ranking.order.map(([first]) => ranking.scores[first]));
  const places = new Map(ranking.order.flatMap((tied, place) => tied.map((model) => [model, place])));
  const rows = ranking.order.flat().map((model) =>
    element("tr", model === chosen ? { class: "chosen" } : {}, [
      element("td", { class: "number" }, String(ranks.get(model))),
      element("th", { scope: "row", dir: "auto" }, table.models[model]),
      element("td", { class: "number" }, numeral(ranking.scores[model], rounded(ranking.scores[model], digits[places.get(model)]))),
    ]),
  );
  const caption = `Ranking by ${rule.label}, ties sharing a rank`;
  holder.replaceChildren(tableOf(caption, ["#Rank", "Model", `#${capitalised(rule.counts)}`], rows));
}

/** The duels of one model, the worst first. */
function fillDuels(holder, table, { duels }, model) {
  const total = ratio(sum(duels.weights), duels.bottom);
  const rivals = table.models.map((_, place) => place).filter((place) => place !== model);
  const leads = new Map(rivals.map((rival) => [rival, marginOf(duels, model, rival)]));
  rivals.sort((one, other) => compare(leads.get(one), leads.get(other)) || one - other);
  const rows = rivals.map((rival) => {
    const lead = leads.get(rival);
    const outcome = lead.top > 0n ? "wins" : lead.top < 0n ? "loses" : "ties";
    return element("tr", { class: outcome }, [
      element("th", { scope: "row", dir: "auto" }, table.models[rival]),
      element("td", {}, outcome),
      element("td", { class: "number" }, numeral(lead, percent(over(lead, total)))),
    ]);
  });
  const caption = `Head-to-heads of ${table.models[model]}, the worst first`;
  holder.replaceChildren(tableOf(caption, ["Rival", "Result", "#Lead, of the weight"], rows));
}

/** A table; heads of columns of numbers begin with "#". */
function tableOf(caption, heads, rows) {
  const head = (text) => {
    const number = text.startsWith("#");
    return element("th", { scope: "col", class: number ? "number" : "name" }, number ? text.slice(1) : text);
  };
  return element("table", {}, [
    element("caption", {}, caption),
    element("thead", {}, element("tr", {}, heads.map(head))),
    element("tbody", {}, rows),
  ]);
}

function capitalised(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function duelsSentence(table, standing) {
  const name = (model) => table.models[model];
  const lost = standing.ahead.length ? `loses to ${counted(standing.ahead.length, "rival")}` : "";
  const tied = standing.tied.length ? `ties ${counted(standing.tied.length, "rival")}` : "";
  if (!lost && !tied) return "Under these weights it wins head-to-head.";
  const rivals = standing.ahead.length ? standing.ahead : standing.tied;
  return `Under these weights it ${[lost, tied].filter(Boolean).join(" and ")}: ${firstOf(rivals.map(name))}.`;
}

/** What is proved of a model over all weights. */
function prospectSentence(table, model) {
  const { verdict, lower, upper } = table.prospects[model];
  const name = table.models[model];
  if (verdict === "strict") {
    const lead = compare(lower, ratio(1n)) === 0 ? "on 100%" : `by at least ${percent(lower)}`;
    return `Head-to-head, ${name} can win: at its best weights it leads every rival ${lead} of the weight.`;
  }
  if (verdict === "weak") {
    return `Head-to-head, ${name} ties at best: some weights leave it undefeated, but none make it beat every rival.`;
  }
  const lead = percent(minus(ratio(0n), upper));
  return `Head-to-head, ${name} can never win: under every weighting some rival leads it by at least ${lead} of the weight.`;
}

/** The proof of a never, checked here: the mixture of rivals that no weights lead. */
function fillBlockers(holder, table, model) {
  const { verdict, blockers } = table.prospects[model];
  if (verdict !== "never") {
    holder.replaceChildren();
    return;
  }
  const checked = blockersHold(table, model);
  const words = checked
    ? "Its blockers, a mixture of rivals that it trails on average on every task (checked here, exactly):"
    : "The blockers given do not prove it.";
  const items = blockers.map(([rival, share]) =>
    element("li", { dir: "auto" }, [numeral(share, percent(share)), ` ${table.models[rival]}`]),
  );
  holder.replaceChildren(element("p", {}, words), element("ul", {}, items));
}

/** How far the chosen model is from winning, in words that depend on what was checked. */
function fillDistance(holder, table, model, found) {
  const name = table.models[model];
  const parts = { never: neverWords, wins: winsWords, near: nearWords, unknown: unknownWords }[found.kind](name, found);
  holder.replaceChildren(...parts);
}

function neverWords() {
  return ["No weights make it win head-to-head."];
}

function winsWords(name, { standing }) {
  return ["It wins head-to-head here, by a lead of at least ", numeral(standing.least, percent(standing.least)), " of the weight."];
}

function nearWords(name, { nearest, there, prospect }) {
  const least = nearest.proved ? "The least change of weights after which it is undefeated head-to-head is " : "At most ";
  const shown = numeral(nearest.distance);
  shown.setAttribute("class", "distance");
  const end = nearest.proved ? " of 2" : " of 2 is the change after which it is undefeated head-to-head";
  const beyond =
    there.verdict === "ties" && prospect.verdict === "strict" ? "; just beyond, it wins head-to-head" : "";
  return [least, shown, end, ` (sum of all changes of shares)${beyond}.`];
}

function unknownWords() {
  return ["How near winning weights are was not found; the buttons lead to weights that are proved to win head-to-head."];
}
