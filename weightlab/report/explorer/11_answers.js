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

/** Who is first by the table's own rule, and who wins head-to-head, or why no model does. */
function winnerSentence(table, { layers, cycle }, weights) {
  const own = table.ways.filter((way) => way.points).map((way) => firstSentence(table, way, weights));
  return [...own, duelsWinner(table, layers, cycle)].join(" ");
}

function firstSentence(table, way, weights) {
  const { first, lead } = firstBy(way, weights);
  const names = firstOf(first.map((model) => table.models[model]));
  if (first.length > 1) return `${capitalised(way.by)}, ${names} share first place.`;
  return `${capitalised(way.by)}, ${names} is first, ${leadWords(way, lead)} ahead.`;
}

/** A lead by a rule, at least: a share of the weight, or points. */
function leadWords(way, lead) {
  return way.points ? `${threeDigits(lead)} points` : `${percentDown(lead)} of the weight`;
}

function duelsWinner(table, layers, cycle) {
  const name = (model) => table.models[model];
  const [top] = layers;
  if (top.length === 1) return `Head-to-head, ${name(top[0])} wins: it beats every other model.`;
  const smith = `Head-to-head, no model beats every other. The Smith set has ${top.length} models: ${firstOf(top.map(name), 6)}.`;
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

/** How a model stands under the weights by a rule: whom it loses to or trails, and with whom it is tied. */
function standingSentence(table, way, standing) {
  const name = (model) => table.models[model];
  const [loses, ties, wins] = way.points ? ["is behind", "is tied with", "is first"] : ["loses to", "ties", "wins"];
  const lost = standing.ahead.length ? `${loses} ${counted(standing.ahead.length, "rival")}` : "";
  const tied = standing.tied.length ? `${ties} ${counted(standing.tied.length, "rival")}` : "";
  if (!lost && !tied) return `Under these weights it ${wins} ${way.by}, by at least ${leadWords(way, standing.least)}.`;
  const rivals = standing.ahead.length ? standing.ahead : standing.tied;
  return `Under these weights it ${[lost, tied].filter(Boolean).join(" and ")} ${way.by}: ${firstOf(rivals.map(name))}.`;
}

/** What is proved of a model over all weights by a rule. */
function prospectSentence(table, way, model) {
  const [name, prospect, by] = [table.models[model], way.prospects[model], capitalised(way.by)];
  if (!prospect) return `${by}, ${name} is not ranked: it lacks scores.`;
  if (prospect.verdict === "strict") {
    return `${by}, ${name} can win: with its best weights it is ahead of every rival by at least ${leadWords(way, prospect.lower)}.`;
  }
  if (prospect.verdict === "weak") {
    return way.points
      ? `${by}, ${name} can at best tie for first: no weights put it ahead of every rival.`
      : `${by}, ${name} ties at best: some weights leave it undefeated, but none make it beat every rival.`;
  }
  const lead = leadWords(way, minus(ratio(0n), prospect.upper));
  return `${by}, ${name} can never win: under every weighting some rival is ahead of it by at least ${lead}.`;
}

/** The proof of a never, checked here: the mixture of rivals that is ahead of the model whatever the weights. */
function fillBlockers(holder, table, way, model) {
  const prospect = way.prospects[model];
  if (!prospect || prospect.verdict !== "never") {
    holder.replaceChildren();
    return;
  }
  const { blockers } = prospect;
  const words = blockersHold(table, way, model)
    ? `Blocked by ${blockers.length > 1 ? "a mixture of rivals, on average" : "one rival,"} ahead of it on every task (checked here, exactly):`
    : "The blockers given do not prove it.";
  const items = blockers.map(([rival, share]) =>
    element("li", { dir: "auto" }, [numeral(share, percent(share)), ` ${table.models[rival]}`]),
  );
  holder.replaceChildren(element("p", {}, words), element("ul", {}, items));
}

/**
 * How much weight must shift before the chosen model wins by a rule, in words that depend on what was checked.
 * @param {any} holder @param {any} way @param {any} found
 */
function fillDistance(holder, way, { kind, nearest, there, prospect }) {
  const words = { near: () => nearWords(way, nearest, there, prospect), unknown: () => unknownWords(way) }[kind];
  holder.replaceChildren(...(words ? words() : []));
}

function nearWords(way, nearest, there, prospect) {
  const moved = half(nearest.distance);
  const shown = numeral(moved, nearest.proved ? percentDown(moved) : percent(moved));
  shown.setAttribute("class", "distance");
  const goal = way.points ? "no rival is ahead of it" : "it is undefeated head-to-head";
  const beyond = there.verdict === "ties" && prospect.verdict === "strict" ? `; just beyond, it wins ${way.by}` : "";
  if (moved.top === 0n) return [`Under these weights ${goal}${beyond}.`];
  return [nearest.proved ? "At least " : "At most ", shown, ` of the weight must shift before ${goal}${beyond}.`];
}

/** Half the sum of all changes: the share of the weight that shifts. */
function half(distance) {
  return over(distance, ratio(2n));
}

function unknownWords(way) {
  return [`How near winning weights are was not found; the buttons lead to weights that are proved to win ${way.by}.`];
}
