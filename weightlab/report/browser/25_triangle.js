// The map of three tasks or groups: where each model loses no duel, in exact corners (as weightlab/lp/geometry does).

const COLOURS = 8;

/** Corners in proportion to three weights, those of all the triangle. */
const TRIANGLE = [[1n, 0n, 0n], [0n, 1n, 0n], [0n, 0n, 1n]];

/** Areas of a map: {models, corners, share, wins}, the largest first; corners are lists of tasks of equal weight. */
function areasOf(table, corners) {
  const steps = areaSteps(table, corners);
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

/** The same model by model. */
function* areaSteps(table, corners) {
  const found = new Map();
  for (const model of table.models.keys()) {
    yield;
    const lines = linesOf(table, corners, model);
    const polygon = lines.reduce(clipped, TRIANGLE);
    if (polygon.length < 3) continue;
    const wins = lines.every((line) => line.some((one) => one !== 0n));
    const key = polygon.map((one) => one.join()).sort().join(";");
    if (found.has(key)) found.get(key).models.push(model);
    else found.set(key, { models: [model], corners: polygon, share: shareOfTriangle(polygon), wins });
  }
  return [...found.values()].sort((one, other) => compare(other.share, one.share));
}

/** A model's leads at the three corners over its rivals, each triple once: many rivals have few different ones. */
function linesOf(table, corners, model) {
  const size = corners.reduce((found, own) => lcm(found, BigInt(own.length)), 1n);
  const codes = new Set();
  for (let rival = 0; rival < table.models.length; rival += 1) {
    if (rival === model) continue;
    let code = 0;
    for (const own of corners) {
      let lead = own.length;
      for (const task of own) lead += signOver(table, task, model, rival);
      code = code * (2 * own.length + 1) + lead;
    }
    codes.add(code);
  }
  return [...codes].map((code) => {
    let rest = code;
    const line = [...corners].reverse().map((own) => {
      const lead = (rest % (2 * own.length + 1)) - own.length;
      rest = Math.floor(rest / (2 * own.length + 1));
      return BigInt(lead) * (size / BigInt(own.length));
    });
    return line.reverse();
  });
}

/** The part of a convex polygon where a line's value is not negative. */
function clipped(polygon, line) {
  const value = (point) => line.reduce((total, one, at) => total + one * point[at], 0n);
  const made = polygon.flatMap((point, at) => {
    const next = polygon[(at + 1) % polygon.length];
    const [here, there] = [value(point), value(next)];
    const own = here >= 0n ? [point] : [];
    if ((here > 0n && there < 0n) || (here < 0n && there > 0n)) own.push(between(point, next, here, there));
    return own;
  });
  return new Set(made.map((one) => one.join())).size > 2 ? made : [];
}

/** The point between two where a line is 0, in lowest terms. */
function between(point, next, here, there) {
  const [first, second] = [there < 0n ? -there : there, here < 0n ? -here : here];
  const made = point.map((one, at) => one * first + next[at] * second);
  const shared = made.reduce(gcd);
  return made.map((one) => one / shared);
}

/**
 * Share of the whole triangle: determinants of a fan of triangles in barycentric coordinates.
 * @param {bigint[][]} polygon
 */
function shareOfTriangle(polygon) {
  const [start, ...rest] = polygon;
  const pieces = rest.slice(1).map((point, at) => {
    const [a, b, c] = [start, rest[at], point];
    const [x, y, z] = [b[1] * c[2] - b[2] * c[1], b[2] * c[0] - b[0] * c[2], b[0] * c[1] - b[1] * c[0]];
    return sizeOf(ratio(a[0] * x + a[1] * y + a[2] * z, sum(a) * sum(b) * sum(c)));
  });
  return pieces.reduce(plus);
}

const WIDTH = 460;
const HEIGHT = 400;
const INSET = 30;

/** Where three weights stand in the picture. */
function placeOf(point) {
  const total = toFloat(ratio(sum(point)));
  const [first, second] = [Number(point[0]) / total, Number(point[1]) / total];
  const third = 1 - first - second;
  return [INSET + (WIDTH - 2 * INSET) * (third + first / 2), HEIGHT - INSET - (HEIGHT - 2 * INSET) * first];
}

/** Work out a map and draw it into an element, in slices of time, until another is asked for. */
function drawMap(holder, table, corners, names, isStale) {
  const steps = (function* () {
    const areas = yield* areaSteps(table, corners);
    showAreas(holder, table, areas, names);
  })();
  inSlices(steps, () => {}, isStale);
}

/** Draw areas into an element, with a table that says the same in words. */
function showAreas(holder, table, areas, names) {
  // Winners' areas do not overlap.
  const free = areas.filter((one) => one.wins).map((one) => one.share).reduce(minus, ratio(1n));
  const title = `Who wins head-to-head, and where, between ${listed(names)}`;
  const picture = drawn("svg", { role: "img", "aria-label": `${title}; the table below says the same.`, viewBox: `0 0 ${WIDTH} ${HEIGHT}` });
  const outline = (polygon) => polygon.map((one) => placeOf(one).map((x) => x.toFixed(2)).join(",")).join(" ");
  picture.append(drawn("polygon", { points: outline(TRIANGLE), class: "ground" }));
  areas.forEach((area, at) => {
    const title = drawn("title", {}, `${areaWords(table, area)}: ${percent(area.share)}`);
    picture.append(drawn("polygon", { points: outline(area.corners), class: `area colour-${at % COLOURS}` }, title));
  });
  areas.forEach((area, at) => picture.append(areaNumber(area, at)));
  TRIANGLE.forEach((corner, at) => picture.append(cornerName(placeOf(corner), names[at], at)));
  const rows = areas.map((area, at) => element("tr", {}, [
    element("td", {}, swatch(at)),
    element("th", { scope: "row", dir: "auto" }, areaWords(table, area)),
    element("td", { class: "number" }, numeral(area.share, percent(area.share))),
  ]));
  const last = free.top > 0n ? [element("p", {}, `On ${percent(free)} of the triangle no single model wins head-to-head.`)] : [];
  const words = element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": title }, tableOf(title, ["Area", "Model", "#Share of the triangle"], rows));
  holder.replaceChildren(picture, words, ...last);
}

function areaWords(table, { models, wins }) {
  const names = firstOf(models.map((one) => table.models[one]), 3);
  return wins ? `${names} wins` : `${names} ${models.length === 1 ? "is" : "are"} undefeated, but tied`;
}

function areaNumber(area, at) {
  const points = area.corners.map(placeOf);
  const [x, y] = [0, 1].map((axis) => points.reduce((total, one) => total + one[axis], 0) / points.length);
  return drawn("text", { x: x.toFixed(1), y: (y + 4).toFixed(1), "text-anchor": "middle", class: "mark" }, toFloat(area.share) < 0.004 ? "" : String(at + 1));
}

function swatch(at) {
  const box = drawn("svg", { width: 30, height: 18, "aria-hidden": "true" });
  box.append(drawn("rect", { width: 30, height: 18, class: `area colour-${at % COLOURS}` }), drawn("text", { x: 15, y: 13, "text-anchor": "middle", class: "mark" }, String(at + 1)));
  return box;
}

/** @param {number[]} place @param {string} name @param {number} at */
function cornerName([x, y], name, at) {
  const anchor = ["middle", "start", "end"][at];
  const place = [[x, y - 8], [x - 20, y + 20], [x + 20, y + 20]][at];
  return drawn("text", { x: place[0].toFixed(1), y: place[1].toFixed(1), "text-anchor": anchor, class: "corner" }, cut(name, 24));
}
