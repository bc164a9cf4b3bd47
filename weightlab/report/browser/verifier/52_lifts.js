// Lifts: raised to the best score on some tasks a model wins; against a mixture of rivals fewer bring too little.

/**
 * A table that a document carries: scores by task, null where missing, greater being better; and what else it says.
 * @typedef {{ models: string[], tasks: string[], scores: (Ratio | null)[][], weights: Ratio[], ties: boolean, more: boolean, gaps: boolean }} Carried
 * @typedef {{ name: string, points: bigint[], rise: Ratio | null }} LiftRule
 * @typedef {{ tasks: string[] | null, mixture: Map<string, Ratio>, isFree: boolean }} Lift
 * @typedef {{ models: string[], tasks: string[], rows: bigint[][], weights: bigint[], level: bigint | null, rule: string, points: bigint[] }} Scores
 */

const MEANS_OF_TASKS = ["mean", "median", "mean_win_rate"];
const LIFT_RULES = ["majority", ...MEANS_OF_TASKS, "borda", "dowdall", "plurality", "veto", "scoring"];

/**
 * The table that a document carries; what it says nothing about is left out there.
 * @returns {Carried}
 */
function readCarried(/** @type {Part} */ document) {
  const names = ["lower_is_better", "weights", "groups", "standard_errors", "tolerance", "relative_tolerance"];
  const held = new Map([...names.map((name) => /** @type {[string, any]} */ ([name, name === names[0] ? [] : new Map()])), ...document.object()]);
  const [listed, scored, turnedRound, weighed, grouped, erring, ...tied] = new Part(held, document.what).parts(`models scores ${names.join(" ")}`);
  const [models, lower, sets] = [listed.names(), turnedRound.texts(), grouped.entries()];
  const [columns, errors] = [scored, erring].map((own) => new Map([...own.entries()].map(([task, one]) => [task, one.gapped(models.length)])));
  const tasks = new Part([...columns.keys()], "tasks").names();
  const sizes = [weighed, ...tied].map((one) => one.fractions());
  const about = [...lower, ...errors.keys(), ...sizes.flatMap((own) => [...own.keys()]), ...[...sets.values()].flatMap((own) => own.names())];
  const weights = tasks.map((task) => sizes[0].get(task) || ONE);
  const spread = [...errors.values()].flat().filter((one) => one !== null);
  const numbers = [...sizes.flatMap((own) => [...own.values()]), .../** @type {Ratio[]} */ (spread)];
  const [absolute, relative] = sizes.slice(1).map((own) => [...own].filter(([, size]) => size.top).map(([task]) => task));
  const fits = about.every((task) => columns.has(task)) && new Set(lower).size === lower.length && ![...sets.keys()].some((name) => BLANK.test(name));
  const counts = models.length > 1 && numbers.every((one) => one.top >= 0n) && weights.some((one) => one.top);
  if (!fits || !counts || absolute.some((task) => relative.includes(task))) {
    refuse("the table needs two models, and of its tasks weights not all 0, one tolerance each, nothing negative");
  }
  const given = [...columns.values()];
  const filled = [...given, ...models.map((_, at) => given.map((own) => own[at]))].every((own) => own.some((one) => one !== null));
  const alone = [...errors].some(([task, own]) => own.some((one, at) => one !== null && (columns.get(task) || [])[at] === null));
  if (alone || !filled) refuse("a model or a task of the table has no score, or a missing score has a standard error");
  const scores = tasks.map((task, at) => given[at].map((one) => (one && lower.includes(task) ? minus(ZERO, one) : one)));
  const gaps = scores.some((own) => own.includes(null));
  const more = sets.size > 0 || spread.some((one) => one && one.top);
  return { models, tasks, scores, weights, ties: absolute.length + relative.length > 0, more, gaps };
}

/**
 * A rule to win by, the points of its places, and by how much a lifted score rises; ensuring that it reads the table.
 * @param {Part} rule
 * @param {Part} level
 * @param {Carried} held
 * @returns {LiftRule}
 */
function readRule(rule, level, held) {
  const [name, missing, vector] = rule.parts("name missing vector");
  ensure(LIFT_RULES.includes(name.value), `no rule ${shown(name.value)}`);
  const way = name.value === "majority" ? "error" : MEANS_OF_TASKS.includes(name.value) ? "skip" : "last";
  if (!["error", way].includes(missing.value)) refuse(`by ${name.value}, missing scores cannot be ${shown(missing.value)}`);
  const isStuck = held.gaps && missing.value === "error" && name.value !== "majority";
  if (isStuck || (held.ties && LIFT_RULES.indexOf(name.value) > 2)) {
    refuse(`the rule ${name.value} does not read scores that are missing, or tie within a tolerance`);
  }
  const rise = level.value === null ? null : level.fraction();
  ensure(!rise || rise.top > 0n, "a lift by nothing is none");
  return { name: name.value, points: pointsOf(name.value, vector, held.models.length), rise };
}

/** The points of the places, over one denominator; none for a rule that is not by places. */
function pointsOf(/** @type {string} */ rule, /** @type {Part} */ vector, /** @type {number} */ models) {
  /** @type {Record<string, (place: number) => Ratio>} */
  const named = {
    borda: (place) => ratio(BigInt(models - 1 - place)),
    dowdall: (place) => ratio(1n, BigInt(place + 1)),
    plurality: (place) => ratio(place === 0 ? 1n : 0n),
    veto: (place) => ratio(place < models - 1 ? 1n : 0n),
  };
  ensure((rule === "scoring") === (vector.value !== null), "points of places go with the rule “scoring”");
  const own = Object.hasOwn(named, rule) ? Array.from({ length: models }, (_, place) => named[rule](place)) : [];
  const points = rule === "scoring" ? vector.items().map((one) => one.fraction()) : own;
  ensure(rule !== "scoring" || points.length === models, "there must be points for each place");
  ensure(points.every((one, at) => !at || compare(points[at - 1], one) >= 0), "a later place has more points");
  return whole(points).values;
}

/**
 * The scores that a claim about lifts is of, ensuring that they are those of the table given.
 * @param {Carried} held
 * @param {LiftRule} rule
 * @param {Given | null} table
 * @returns {Scores}
 */
function readScoresOf({ models, tasks, scores, weights, ties, more, gaps }, rule, table) {
  if (gaps) throw new NotChecked("lifts on tables where scores are missing");
  if (ties || more) throw new NotChecked("lifts on tables with groups, tolerances or standard errors");
  const given = /** @type {Ratio[][]} */ (scores);
  if (table) {
    ensureNames("task", tasks, table.tasks);
    ensureNames("model", models, table.models);
    const at = models.map((one) => table.models.indexOf(one));
    tasks.forEach((task, place) => {
      const column = table.scores[table.tasks.indexOf(task)];
      if (column.includes(null) || table.hasErrors) throw new NotChecked("lifts beside a table with gaps, tolerances or standard errors");
      const fits = at.every((one, model) => same(/** @type {Ratio} */ (column[one]), given[place][model]));
      ensure(fits, `${quoted(task)} has other scores`);
    });
    const theirs = tasks.map((task) => table.weights[table.tasks.indexOf(task)]);
    const [own, all] = [total(weights), total(theirs)];
    ensure(theirs.every((one, place) => same(times(one, own), times(weights[place], all))), "the weights differ");
  }
  const numbers = whole([...given.flat(), rule.rise || ZERO]).values;
  const rows = models.map((_, model) => tasks.map((__, task) => numbers[task * models.length + model]));
  const level = rule.rise && numbers[numbers.length - 1];
  return { models, tasks, rows, weights: whole(weights).values, level, rule: rule.name, points: rule.points };
}

/** @returns {Lift} */
function readLift(/** @type {Part} */ document) {
  const [listed, mixed, solver, weighed, cuts] = document.parts("tasks mixture solver weights cuts");
  for (const one of cuts.items()) {
    const [lifted, blockers, multipliers, bound] = one.parts("lifted mixture multipliers bound");
    lifted.texts();
    blockers.fractions();
    multipliers.items().forEach((row) => row.fraction());
    bound.fraction();
  }
  if (![null, ...BELIEVED].includes(solver.value)) refuse(`${shown(solver.value)} is no solver`);
  const [mixture, tasks] = [mixed.fractions(), listed.value === null ? null : listed.texts()];
  const isNone = tasks !== null && !tasks.length;
  ensure([...mixture.values()].every((one) => one.top > 0n), "a rival is in the mixture without a share");
  ensure(solver.value === null || !(mixture.size || isNone), "a solver is named where it is not relied on");
  ensure(isNone ? !mixture.size : mixture.size || tasks, "a mixture stands where no lifts do, and not where none is needed");
  return { tasks, mixture, isFree: weighed.fractions().size + cuts.value.length > 0 };
}

/** How often each value occurs, from the greatest down. */
function tallied(/** @type {bigint[]} */ column) {
  /** @type {Map<bigint, number>} */
  const ties = new Map();
  for (const one of column) ties.set(one, (ties.get(one) || 0) + 1);
  return [...ties].sort(([one], [other]) => (one > other ? -1 : 1));
}

/**
 * What each model has of a task with these scores; models that tie share the points of their places.
 * @param {Scores} scores
 * @param {bigint[]} column
 * @param {bigint} parts
 */
function worthOf({ rule, points }, column, parts) {
  if (rule === "mean") return column;
  let seen = 0;
  const found = new Map(
    tallied(column).map(([one, tied]) => {
      const shared = sum(points.slice(seen, seen + tied)) * (parts / BigInt(tied));
      const rate = BigInt(2 * (column.length - seen) - tied - 1);
      seen += tied;
      return [one, rule === "mean_win_rate" ? rate : shared];
    }),
  );
  return column.map((one) => /** @type {bigint} */ (found.get(one)));
}

/** The least score with half of the weight at or below it. */
function lowerMedian(/** @type {bigint[]} */ row, /** @type {bigint[]} */ weights) {
  const order = row.map((_, at) => at).sort((one, other) => (row[one] < row[other] ? -1 : row[one] > row[other] ? 1 : 0));
  const all = sum(weights);
  let below = 0n;
  const at = order.find((one) => {
    below += weights[one];
    return weights[one] && 2n * below >= all;
  });
  return at === undefined ? refuse("no task weighs") : row[at];
}

/**
 * For each model what the one to lift lacks against it, and what each lifted task brings.
 * @param {Scores} scores
 * @param {number} model
 * @param {boolean} shared
 * @returns {{ lacks: bigint, brings: bigint[] }[]}
 */
function coverOf(scores, model, shared) {
  const { rows, weights, level, rule } = scores;
  const columns = scores.tasks.map((_, task) => rows.map((row) => row[task]));
  const raised = rows[model].map((own, task) => extreme([own, level === null ? extreme(columns[task], 1) : own + level], 1));
  if (rule === "median") {
    const half = sum(weights) / 2n + 1n;
    return rows.map((row) => {
      const bar = lowerMedian(row, weights);
      const passes = (/** @type {bigint[]} */ own) => own.map((one, task) => ((shared ? one >= bar : one > bar) ? weights[task] : 0n));
      const [now, then] = [passes(rows[model]), passes(raised)];
      return { lacks: half - sum(now), brings: then.map((one, task) => one - now[task]) };
    });
  }
  const risen = columns.map((column, task) => column.map((one, at) => (at === model ? raised[task] : one)));
  const parts = [...columns, ...risen].flatMap((column) => tallied(column).map(([, tied]) => BigInt(tied))).reduce(lcm, 1n);
  const duels = BigInt(Math.max(rows.length - 1, 1));
  const heavy = rule === "mean_win_rate" ? whole(weights.map((one) => ratio(one, duels))).values : weights;
  const [now, then] = [columns, risen].map((table) =>
    rows.map((_, rival) =>
      table.map((column, task) => {
        const worth = rule === "majority" ? column : worthOf(scores, column, parts);
        const gap = worth[model] - worth[rival];
        return heavy[task] * (rule === "majority" ? (gap > 0n ? 1n : gap < 0n ? -1n : 0n) : gap);
      }),
    ),
  );
  return now.map((row, rival) => ({
    lacks: (shared ? 0n : 1n) - sum(row),
    brings: row.map((before, task) => then[rival][task] - before),
  }));
}

/**
 * Check one model's lifts; say how many there are, as far as it is shown that fewer do not do.
 * @param {Lift} lift
 * @param {Scores} scores
 * @param {string} model
 * @param {boolean} shared
 */
function checkLift({ tasks, mixture }, scores, model, shared) {
  const place = scores.models.indexOf(model);
  // What a task brings beyond what is lacking does not count.
  const rivals = new Map(
    coverOf(scores, place, shared).flatMap(({ lacks, brings }, rival) => {
      const lacking = lacks > 0n ? lacks : 0n;
      const gains = brings.map((one) => (one < lacking ? one : lacking));
      return rival === place ? [] : [/** @type {[string, { lacking: bigint, gains: bigint[] }]} */ ([scores.models[rival], { lacking, gains }])];
    }),
  );
  ensure([...mixture.keys()].every((name) => rivals.has(name)), "the mixture is of no rivals");
  const chosen = scores.tasks.flatMap((task, at) => ((tasks || []).includes(task) ? [at] : []));
  if (!tasks) ensure(mixture.size === 1, "the mixture is not of the one rival that is not passed");
  else {
    ensure(alike(chosen.map((at) => scores.tasks[at]), tasks), "the lifted tasks are not the table's, in order");
    for (const [name, { lacking, gains }] of rivals) {
      ensure(sum(chosen.map((at) => gains[at])) >= lacking, `lifted, ${quoted(model)} does not pass ${quoted(name)}`);
    }
  }
  if (mixture.size) {
    const mixed = (/** @type {(rival: { lacking: bigint, gains: bigint[] }) => bigint} */ of) =>
      total([...mixture].map(([name, share]) => times(share, ratio(of(/** @type {any} */ (rivals.get(name)))))));
    const brings = scores.tasks.map((_, at) => mixed(({ gains }) => gains[at])).sort((one, other) => compare(other, one));
    const most = total(brings.slice(0, tasks ? Math.max(0, chosen.length - 1) : brings.length));
    ensure(compare(most, mixed(({ lacking }) => lacking)) < 0, "the mixture shows nothing");
  }
  const count = tasks ? String(chosen.length) : "never";
  return mixture.size || !chosen.length ? count : `at most ${count}`;
}

/** On how few tasks one model, or each, must rise to win. */
function lifts(/** @type {Part} */ document, /** @type {Given | null} */ table) {
  const single = document.value.get("kind") === "fewest_lifts";
  const names = `kind rule level ties space table lifts${single ? " count model" : ""}`;
  const [, ruled, level, ties, space, written, found, count, named] = document.parts(names);
  const held = readCarried(written);
  const rule = readRule(ruled, level, held);
  ensure(["no", "ok"].includes(ties.value), `ties cannot be ${shown(ties.value)}`);
  const listed = single ? new Map([[named.text(), found]]) : found.entries();
  const claims = [...listed].map(([model, one]) => ({ model, lift: readLift(one) }));
  const models = claims.map(({ model }) => model);
  ensure(single ? held.models.includes(models[0]) : alike(models, held.models), "other models");
  if (single) {
    const { tasks } = claims[0].lift;
    const fits = tasks ? count.value !== null && count.integer() === BigInt(tasks.length) : count.value === null;
    ensure(fits, `the number is ${tasks ? tasks.length : "none"}`);
  }
  if (space.value !== null) {
    readSpace(space, held.tasks);
    throw new NotChecked("lifts where weights are free");
  }
  ensure(claims.every(({ lift }) => !lift.isFree), "weights are free, but no space is given");
  const scores = readScoresOf(held, rule, table);
  const told = claims.map(({ model, lift }) => `${quoted(model)} ${checkLift(lift, scores, model, ties.value === "ok")}`);
  const unshown = claims.some(({ lift }) => lift.tasks && lift.tasks.length && !lift.mixture.size);
  return finding(`lifts to win by ${rule.name}: ${told.join(", ")}.`, unshown ? ["that fewer do not do, of some"] : []);
}
