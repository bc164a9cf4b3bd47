// Claims about majorities: winners, cycles, and the duels that hang on missing scores.

/**
 * For each two models the weight of the tasks that the first leads, and of those that tie, in common units.
 * @typedef {{ models: string[], wins: bigint[][], ties: bigint[][], net: bigint[][], unit: Ratio }} Margins
 */

/**
 * @param {string[]} models
 * @param {bigint[][]} wins
 * @param {bigint[][]} ties
 * @param {Ratio} unit
 * @returns {Margins}
 */
function marginsOf(models, wins, ties, unit) {
  return { models, wins, ties, unit, net: wins.map((row, one) => row.map((_, other) => wins[one][other] - wins[other][one])) };
}

/** The margins of a table; a task counts for two models that both have a score there. */
function tableMargins(/** @type {Given} */ { models, columns, weights }) {
  const { values, unit } = whole(weights);
  const [wins, ties] = [0, 1].map(() => models.map(() => new Array(models.length).fill(0n)));
  columns.forEach(({ values: own, sign }, task) => {
    for (let one = 0; one < models.length; one += 1) {
      for (let other = 0; other < models.length; other += 1) {
        if (one === other || own[one] === null || own[other] === null) continue;
        const lead = sign(one, other);
        if (lead > 0) wins[one][other] += values[task];
        else if (!lead) ties[one][other] += values[task];
      }
    }
  });
  return marginsOf(models, wins, ties, ratio(1n, unit));
}

/** Margins, ensuring that they are those of duels, and the table's. */
function readMargins(/** @type {Part} */ document, /** @type {Given | null} */ table) {
  const [named, won, tied, units] = document.parts("models wins ties denominator");
  const models = named.names();
  const [wins, ties] = [won, tied].map((one) => one.square(models.length, (cell) => cell.integer()));
  ensure(units.integer() > 0n, "the denominator of margins is positive");
  const fits = wins.every((row, one) =>
    row.every((own, other) => own >= 0n && ties[one][other] >= 0n && ties[one][other] === ties[other][one] && (one !== other || own + ties[one][one] === 0n)),
  );
  ensure(fits, "wins and ties must not be negative, ties the same from both sides, and no model meets itself");
  const own = marginsOf(models, wins, ties, ratio(1n, units.integer()));
  if (!table) return own;
  const found = tableMargins(table);
  ensure(alike(models, found.models), "the models are not those of the table, in order");
  for (const [what, carried, counted] of /** @type {[string, bigint[][], bigint[][]][]} */ ([["wins", wins, found.wins], ["ties", ties, found.ties]])) {
    models.forEach((model, one) =>
      models.forEach((rival, other) => {
        const weight = times(ratio(counted[one][other]), found.unit);
        const fits = same(times(ratio(carried[one][other]), own.unit), weight);
        ensure(fits, () => `the ${what} of ${quoted(model)} over ${quoted(rival)} weigh ${exactText(weight)} in the table`);
      }),
    );
  }
  return own;
}

/** A majority cycle, and that none is stronger. */
function strongestCycle(/** @type {Part} */ document, /** @type {Given | null} */ table) {
  const written = document.parts("kind models strength order margins")[4];
  const { size, strength } = checkCycle(without(document, ["margins"], "a cycle"), readMargins(written, table));
  return finding(`the majorities have a cycle of ${size} models; none is stronger than ${exactText(strength)}.`);
}

/**
 * Check a cycle and its strength, the least margin in it. None is stronger: every cycle runs up the order given in some
 * duel, and no duel up this order is stronger.
 */
function checkCycle(/** @type {Part} */ document, /** @type {Margins} */ { models, net, unit }) {
  const [kind, named, strong, ordered] = document.parts("kind models strength order");
  ensure(kind.value === "strongest_cycle", `${shown(kind.value)} is no cycle`);
  const [cycle, strength, order] = [named.names(), strong.fraction(), ordered.texts()];
  const at = placesOfNames(models);
  ensure(cycle.length >= 3 && cycle.every((one) => at.has(one)), "a cycle has three distinct models or more");
  const margin = (/** @type {string} */ one, /** @type {string} */ other) => net[Number(at.get(one))][Number(at.get(other))];
  const weakest = extreme(cycle.map((one, place) => margin(one, cycle[(place + 1) % cycle.length])), -1);
  const fits = strength.top > 0n && same(times(ratio(weakest), unit), strength);
  ensure(fits, () => `the weakest duel of the cycle has not margin ${exactText(strength)}`);
  ensure(alikeUnordered(order, models), "the order does not hold every model once");
  order.forEach((below, place) =>
    order.slice(0, place).forEach((above) => {
      const holds = margin(below, above) <= weakest;
      ensure(holds, () => `${quoted(below)} beats ${quoted(above)} above it in the order by more than ${exactText(strength)}`);
    }),
  );
  return { size: cycle.length, strength };
}

/** The Condorcet winner and loser, and the cycles of the majorities. */
function majorityOverview(/** @type {Part} */ document, /** @type {Given | null} */ table) {
  const names = "kind condorcet_winner condorcet_loser sets triple three_cycles cycle lottery source";
  const [, winner, loser, , , cycles, cycle, , source] = document.parts(names);
  const open = ["the sets of winners, the lottery and the intransitive triple"];
  const carries = source.object().has("wins");
  if (!carries && !table) throw new NotChecked("the scores that it carries are not read here; give their table");
  if (!carries) open.push("whether it carries the scores of the table");
  const margins = carries ? readMargins(source, table) : tableMargins(/** @type {Given} */ (table));
  const { models, net } = margins;
  const size = models.length;
  const led = net.map((row) => Int8Array.from(row, (margin) => Number(margin > 0n)));
  const beats = (/** @type {number} */ one, /** @type {number} */ other) => led[one][other] === 1;
  const lone = (/** @type {(one: number, other: number) => boolean} */ holds) =>
    models.find((_, one) => models.every((__, other) => one === other || holds(one, other))) ?? null;
  const [top, bottom] = [lone(beats), lone((one, other) => beats(other, one))];
  ensure(winner.value === top, "the Condorcet winner is another");
  ensure(loser.value === bottom, "the Condorcet loser is another");
  let count = 0;
  for (let one = 0; one < size; one += 1) {
    for (let two = one + 1; two < size; two += 1) {
      for (let last = one + 1; last < size; last += 1) count += Number(beats(one, two) && beats(two, last) && beats(last, one));
    }
  }
  ensure(cycles.integer() === BigInt(count), `there are ${count} cycles of three models`);
  if (cycle.value === null) ensure(!beatenInTurn(net).length, "there is a cycle");
  else checkCycle(cycle, margins);
  return finding(`${top === null ? "no model" : quoted(top)} beats all others; there are ${count} cycles of three models.`, open);
}

/** The models that are left when those that beat none that are left go, again and again: each beats another of them. */
function beatenInTurn(/** @type {bigint[][]} */ net) {
  let left = net.map((_, one) => one);
  for (;;) {
    const kept = left.filter((one) => left.some((other) => net[one][other] > 0n));
    if (kept.length === left.length) return left;
    left = kept;
  }
}

/** Which head-to-heads have another winner as missing scores count as ties, the worst or the best. */
function missingScorePairs(/** @type {Part} */ document, /** @type {Given | null} */ table) {
  const [, listed, weighed, written] = document.parts("kind pairs weights signs");
  const own = readSigns(written, table);
  const [names, weights] = [own.models, weighed.among(own.tasks)];
  ensure(weights.every((one) => one.top >= 0n), "a weight is negative");
  if (table) {
    const places = names.map((one) => table.models.indexOf(one));
    own.tasks.forEach((task, at) => {
      const there = table.tasks.indexOf(task);
      ensure(same(weights[at], table.weights[there]), `${quoted(task)} has another weight in the table`);
      const agrees = places.every((place, one) => (own.columns[at].values[one] === null) === (table.columns[there].values[place] === null));
      ensure(agrees, `other scores on ${quoted(task)} are missing in the table`);
    });
  }
  /** @type {string[][]} */
  const found = [];
  const signOf = (/** @type {bigint} */ one) => (one > 0n ? 1 : one < 0n ? -1 : 0);
  const heavy = whole(weights).values;
  names.forEach((one, i) =>
    names.slice(i + 1).forEach((two, beyond) => {
      const j = i + 1 + beyond;
      let [lead, change] = [0n, 0n];
      own.columns.forEach(({ values, sign }, task) => {
        lead += heavy[task] * BigInt(sign(i, j));
        change += heavy[task] * BigInt(Number(values[i] !== null) - Number(values[j] !== null));
      });
      if (new Set([lead, lead + change, lead - change].map(signOf)).size > 1) found.push([one, two]);
    }),
  );
  const claimed = listed.items().map((one) => one.texts());
  ensure(claimed.length === found.length && claimed.every((one, at) => alike(one, found[at])), "other pairs depend on missing scores");
  return finding(`${found.length} head-to-heads have a winner that depends on how missing scores count.`);
}
