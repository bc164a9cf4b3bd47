// The majority graph: layers of Smith sets from the top down, one arrow a duel, as wide as its margin.

const MOST_DRAWN = 12;
const NAME_LENGTH = 27;
const NARROW = 440;
const SHORT_LENGTH = 15;
const GAP = 62;

/** The layers that are drawn: from the top, as many as hold MOST_DRAWN models; of a larger one those with most wins. */
function topLayers(layers, beats, count) {
  const shown = [];
  let left = MOST_DRAWN;
  for (const layer of layers) {
    if (layer.length > left) {
      if (!shown.length) shown.push(mostWins(layer, beats, count).slice(0, MOST_DRAWN));
      break;
    }
    shown.push(layer);
    left -= layer.length;
  }
  return shown;
}

function mostWins(layer, beats, count) {
  const scores = copelandScores(beats, count);
  return [...layer].sort((one, other) => scores[other] - scores[one] || one - other);
}

/** Where each model stands: alone in the middle, two side by side, more on a ring; and where each layer begins and ends. */
function placesOf(layers) {
  const places = new Map();
  const spans = [];
  let top = 26;
  for (const layer of layers) {
    const radius = layer.length < 3 ? 0 : 24 + 11 * layer.length;
    layer.forEach((model, at) => {
      if (layer.length === 1) places.set(model, { x: 0, y: top, side: 1 });
      else if (layer.length === 2) places.set(model, { x: at ? 42 : -42, y: top, side: at ? 1 : -1 });
      else {
        const angle = (2 * Math.PI * (at + 0.25)) / layer.length - Math.PI / 2;
        const x = radius * Math.cos(angle);
        places.set(model, { x, y: top + radius + radius * Math.sin(angle), side: x < -1 ? -1 : 1 });
      }
    });
    spans.push({ top, bottom: top + 2 * radius, wide: layer.length > 1 ? Math.max(42, radius) : 0 });
    top += 2 * radius + (layer.length > 1 ? GAP + 16 : GAP);
  }
  return { places, spans };
}

/** A name of at most so many letters: the ends of names tell more than their middles. */
function cut(name, most) {
  const letters = Array.from(name);
  if (letters.length <= most) return name;
  const end = Math.floor((most - 1) * 0.4);
  return `${letters.slice(0, most - 1 - end).join("")}…${letters.slice(-end).join("")}`;
}

/** Draw the graph into an element and return the sentence that says what is drawn. */
function drawGraph(holder, table, { duels, beats, layers }, model) {
  const shown = topLayers(layers, beats, duels.count);
  const drawnModels = new Set(shown.flat());
  const { places, spans } = placesOf(shown);
  const sentence = graphSentence(table, layers, drawnModels.size);
  const arrows = drawn("g", { class: "arrows" });
  for (const [one, other] of pairsWithin(shown)) arrows.append(duelArrow(duels, places, one, other, table));
  shown.slice(1).forEach((layer, at) => arrows.append(...layerArrow(duels, shown[at], layer, spans[at], spans[at + 1])));
  const nodes = drawn("g", { class: "nodes" });
  const most = holder.clientWidth < NARROW ? SHORT_LENGTH : NAME_LENGTH;
  for (const place of drawnModels) {
    const role = { chosen: place === model, top: layers[0].includes(place) };
    nodes.append(nodeOf(table.models[place], most, places.get(place), role));
  }
  const picture = drawn("svg", {
    role: "img",
    "aria-label": `Majority graph. ${sentence} ${graphInWords(table, shown)}`,
  });
  picture.append(markers(), arrows, nodes);
  holder.replaceChildren(picture);
  fit(picture, nodes);
  return sentence;
}

/** Make the picture as large as what it holds, names included. */
function fit(picture, nodes) {
  const box = nodes.getBBox();
  const [left, width, height] = [Math.floor(box.x) - 8, Math.ceil(box.width) + 16, Math.ceil(box.y + box.height) + 10];
  picture.setAttribute("viewBox", `${left} 0 ${width} ${height}`);
  picture.setAttribute("width", width);
  picture.setAttribute("height", height);
}

function markers() {
  const arrow = drawn("marker", {
    id: "explorer-arrow",
    viewBox: "0 0 10 10",
    refX: 5,
    refY: 5,
    markerWidth: 14,
    markerHeight: 14,
    markerUnits: "userSpaceOnUse",
    orient: "auto",
  });
  arrow.append(drawn("path", { d: "M 1 1.5 L 10 5 L 1 8.5 z", class: "head" }));
  return drawn("defs", {}, [arrow]);
}

/** The duels within the layers: what lies between layers follows from their order. */
function pairsWithin(layers) {
  return layers.flatMap((layer) =>
    layer.flatMap((one, place) => layer.slice(place + 1).map((other) => [one, other])),
  );
}

function duelArrow(duels, places, one, other, table) {
  const margin = marginOf(duels, one, other);
  const [from, to] = margin.top >= 0n ? [one, other] : [other, one];
  const share = shareOf(margin, duels);
  const tie = margin.top === 0n;
  const line = lineBetween(places.get(from), places.get(to), tie ? null : share);
  const names = [table.models[from], table.models[to]];
  line.append(drawn("title", {}, tie ? names.join(" ties ") : `${names.join(" beats ")} by ${percent(share)}`));
  return line;
}

/** A line from one place to another, an arrow as wide as a share of the weight, or dashed where there is none. */
function lineBetween(start, end, share) {
  const length = Math.hypot(end.x - start.x, end.y - start.y);
  const [dx, dy] = [(end.x - start.x) / length, (end.y - start.y) / length];
  const line = drawn("line", {
    class: share ? "beats" : "tie",
    x1: (start.x + 10 * dx).toFixed(1),
    y1: (start.y + 10 * dy).toFixed(1),
    x2: (end.x - 16 * dx).toFixed(1),
    y2: (end.y - 16 * dy).toFixed(1),
    "stroke-width": share ? (1 + 4 * toFloat(share)).toFixed(2) : 1,
  });
  if (share) line.setAttribute("marker-end", "url(#explorer-arrow)");
  return line;
}

/** One arrow for all duels between two adjacent layers, as wide as their smallest margin. */
function layerArrow(duels, upper, lower, above, below) {
  const margins = upper.flatMap((one) => lower.map((other) => marginOf(duels, one, other)));
  const least = margins.reduce((found, one) => (compare(one, found) < 0 ? one : found));
  const [start, end] = [above.bottom + (above.wide ? 12 : 0), below.top - (below.wide ? 12 : 0)];
  const share = shareOf(least, duels);
  const line = lineBetween({ x: 0, y: start - (above.wide ? 9 : 0) }, { x: 0, y: end + (below.wide ? 8 : 0) }, share);
  const words = upper.length * lower.length === 1 ? "" : "all their duels, the closest ";
  line.append(drawn("title", {}, `Beats the layer below: ${words}by ${percent(share)}`));
  const bar = (wide, y) => drawn("line", { class: "bar", x1: -wide, y1: y, x2: wide, y2: y });
  return [line, above.wide ? bar(above.wide, start) : null, below.wide ? bar(below.wide, end) : null].filter(Boolean);
}

/** The size of a margin as a share of all weight. */
function shareOf(margin, duels) {
  return over(sizeOf(margin), ratio(sum(duels.weights), duels.bottom));
}

function nodeOf(name, most, { x, y, side }, { chosen, top }) {
  const words = ["node", chosen ? "chosen" : "", top ? "top" : ""].filter(Boolean).join(" ");
  const group = drawn("g", { class: words });
  group.append(
    drawn("title", {}, name),
    drawn("circle", { cx: x.toFixed(1), cy: y.toFixed(1), r: chosen ? 8 : 6.5 }),
    drawn(
      "text",
      { x: (x + 14 * side).toFixed(1), y: (y + 4.5).toFixed(1), "text-anchor": side < 0 ? "end" : "start" },
      cut(name, most),
    ),
  );
  return group;
}

function graphSentence(table, layers, count) {
  const parts = [];
  if (count < table.models.length) parts.push(`The top ${count} of ${table.models.length} models.`);
  parts.push("A model beats all models of the layers below it; the wider an arrow, the larger the margin.");
  if (layers.some((layer) => layer.length > 1)) {
    parts.push("Models of one layer form a cycle or tie (dashed).");
    parts.push("An arrow at a bar stands for all head-to-heads between two layers, as wide as the smallest margin.");
  }
  return parts.join(" ");
}

function graphInWords(table, shown) {
  const named = shown.map((layer, at) => `Layer ${at + 1}: ${listed(layer.map((one) => table.models[one]))}.`);
  return named.join(" ");
}
