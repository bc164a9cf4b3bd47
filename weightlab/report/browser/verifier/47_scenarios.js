// The best winning weights, by one objective after the other; and what each task must and may weigh.

/**
 * An objective that was served: its optimum, what any weights miss it by, and the weights that attain it.
 * @typedef {{ words: string, value: Ratio, missed: (weights: Ratio[]) => Ratio, space: Space, least: Ratio, objective: Objective | null, open: string[] }} Stage
 * @typedef {{ duels: Duels, space: Space, margin: Ratio, stages: Stage[], isStrict: boolean, attained: boolean, open: string[] }} Scenario
 */

/**
 * Check the optimum of a linear objective, and keep the weights that attain it.
 * @param {Part} document
 * @param {Duels} duels
 * @param {Space} space
 * @param {Ratio} wanted
 * @returns {Stage}
 */
function linearStage(document, duels, space, wanted) {
  const [asked, ...parts] = document.parts(`objective ${OPTIMUM}`);
  const [objective, value] = [readObjective(asked, space.tasks), parts[1].fraction()];
  parts[2].along(space.tasks);
  parts[3].along(duels.rivals);
  checkOptimum(objective, parts, duels, space, wanted);
  const kept = objective.noWorseThan(value).reduce((found, cut) => found.with(cut), space);
  const words = `${objective.sign > 0 ? "least" : "greatest"} ${objective.words()} ${exactText(value)}`;
  const sign = ratio(BigInt(objective.sign));
  const missed = (/** @type {Ratio[]} */ weights) => times(sign, minus(objective.value(space.named(weights)), value));
  return { words, value, missed, space: kept, least: wanted, objective, open: [] };
}

/**
 * Check the least lead made large.
 * @param {Part} document
 * @param {Duels} duels
 * @param {Space} space
 * @param {Ratio} wanted
 * @returns {Stage}
 */
function marginStage(document, duels, space, wanted) {
  const { lower: value, upper, open } = checkProspect(document, duels, space);
  const fits = same(upper, value) && compare(value, wanted) >= 0;
  ensure(fits, () => `only bounds of the margin are known, or it is below ${exactText(wanted)}: ${exactText(value)}`);
  const missed = (/** @type {Ratio[]} */ weights) => {
    const { sums, unit } = leadsUnder(duels.signs, weights);
    return minus(value, ratio(sums.reduce((found, one) => (one < found ? one : found)), unit));
  };
  return { words: `greatest margin ${exactText(value)}`, value, missed, space, least: value, objective: null, open };
}

// By the name of a stage's only part.
const STAGES = new Map([["optima", linearStage], ["prospects", marginStage]]);

/** @returns {Stage} */
function readStage(/** @type {Part} */ one, /** @type {Duels} */ duels, /** @type {Space} */ space, /** @type {Ratio} */ wanted) {
  for (const [name, check] of STAGES) {
    if (one.value.has(name)) return check(only(one.parts(name)[0]), duels, space, wanted);
  }
  return refuse("a stage is none");
}

/**
 * Check the optimum of every stage, that none is better, and whether strict wins attain them.
 * @param {Part} document
 * @param {Given | null} table
 * @returns {Scenario}
 */
function checkScenario(document, table) {
  const names = "kind model margin stages ends chosen signs space strict_weights slacks";
  const [kind, model, led, listed, ends, chosen, written, spaced, strict, slacks] = document.parts(names);
  if (listed.items().some((one) => one.object().has("found"))) throw new NotChecked("the fewest tasks are not searched for here");
  const [space, margin] = [readSpace(spaced), led.fraction()];
  ensure(kind.value === "scenario" && margin.top >= 0n, `${shown(kind.value)} is no scenario, or ${exactText(margin)} no win`);
  const last = only(ends);
  const rivals = [...new Part(last.object().get("blockers"), "blockers").entries().keys()];
  const duels = readDuels(model, rivals, written, space.tasks, table);
  /** @type {Stage[]} */
  const stages = [];
  let [left, wanted] = [space, margin];
  for (const one of listed.items()) {
    const stage = readStage(one, duels, left, wanted);
    stages.push(stage);
    [left, wanted] = [stage.space, stage.least];
    if (stage.objective && stage.objective.todays) checkToday(table, space.tasks, [...stage.objective.tasks.values()]);
  }
  ensure(stages.length, "there is no objective");
  const end = checkProspect(last, duels, left);
  ensure(compare(end.lower, wanted) >= 0, () => `the least lead of optimal weights is ${exactText(end.lower)}, below ${exactText(wanted)}`);
  ensure(chosen.integer() === 0n, `there is no end ${shown(chosen.value)}`);
  const attained = end.verdict === "strict";
  checkStrict(strict, slacks, { duels, space, margin, stages, attained });
  const open = [...stages.flatMap((one) => one.open), ...end.open];
  return { duels, space, margin, stages, isStrict: strict.value !== null, attained, open };
}

/**
 * Check weights that win every duel, and by how much they miss each optimum.
 * @param {Part} strict
 * @param {Part} slacks
 * @param {{ duels: Duels, space: Space, margin: Ratio, stages: Stage[], attained: boolean }} found
 */
function checkStrict(strict, slacks, { duels, space, margin, stages, attained }) {
  ensure((strict.value === null) === (slacks.value === null), "strict weights and slacks belong together");
  ensure(strict.value !== null || !attained, "strict weights attain the optimum, but none are given");
  if (strict.value === null) return;
  const [weights, missed] = [space.weights(strict), slacks.listed(stages.length)];
  const short = missed.find((one) => one.top) || ZERO;
  ensure(short.top >= 0n && !(attained && short.top), () => `the strict weights miss an optimum by ${exactText(short)}`);
  const lead = checkLeads(duels, weights, margin);
  ensure(lead.top > 0n, () => `the strict weights win a duel only by ${exactText(lead)}`);
  stages.forEach((stage, at) => {
    const own = stage.missed(weights);
    ensure(same(own, missed[at]), () => `the strict weights miss the ${stage.words} by ${exactText(own)}, not ${exactText(missed[at])}`);
  });
}

/** The best winning weights. */
function scenario(/** @type {Part} */ document, /** @type {Given | null} */ table) {
  const found = checkScenario(document, table);
  const optima = found.stages.map((one) => one.words).join(", then ");
  return finding(`${quoted(found.duels.model)} ${found.attained ? "wins" : "is undefeated"} with ${optima}.${found.space.sentence()}`, found.open);
}

/** The least and the most weight of each task and group among weights under which a model wins. */
function weightRanges(/** @type {Part} */ document, /** @type {Given | null} */ table) {
  const [, model, led, listed, against, written, spaced] = document.parts("kind model margin ranges rivals signs space");
  const [space, margin] = [readSpace(spaced), led.fraction()];
  ensure(margin.top >= 0n, `a margin of ${exactText(margin)} is no win`);
  const duels = readDuels(model, against.texts(), written, space.tasks, table);
  const ranges = listed.items().map((one) => one.parts("name is_group least most"));
  const groups = ranges.filter(([, isGroup]) => isGroup.flag()).map(([name]) => name.text());
  const fits = alike(ranges.map(([name]) => name.text()), [...space.tasks, ...groups]) && new Set(groups).size === groups.length;
  ensure(fits, "the ranges are not those of the tasks");
  ensure(!ranges.slice(0, space.tasks.length).some(([, isGroup]) => isGroup.value), "groups do not come last");
  for (const [name, isGroup, low, high] of ranges) {
    const tasks = checkExtreme(low, "minimise", duels, space, margin);
    const others = checkExtreme(high, "maximise", duels, space, margin);
    const own = isGroup.value ? tasks : [name.value];
    ensure(alikeUnordered(tasks, others) && alikeUnordered(tasks, own), `${shown(name.value)} stands for other tasks`);
  }
  const open = groups.length ? [`which tasks ${namedList(groups)} stand for`] : [];
  return finding(`what each of ${space.tasks.length} tasks must and may weigh for ${quoted(duels.model)} to win.${space.sentence()}`, open);
}

/** Names in a sentence. */
function namedList(/** @type {string[]} */ names) {
  return listed(names.map((one) => quoted(one)));
}

/**
 * Check the least or the most weight of some tasks together; return the tasks.
 * @param {Part} document
 * @param {string} sense
 * @param {Duels} duels
 * @param {Space} space
 * @param {Ratio} margin
 */
function checkExtreme(document, sense, duels, space, margin) {
  const [named, found, ...parts] = document.parts(`tasks sense ${OPTIMUM}`);
  const [tasks, factors] = [named.names(), parts[3].fractions()];
  ensure(alike(tasks, space.tasks.filter((one) => tasks.includes(one))), "the tasks of a range are unknown, or in another order");
  ensure(found.value === sense, "the least weight and the most are exchanged");
  ensure([...factors.values()].every((one) => one.top), "a multiplier of a duel is 0");
  const objective = new Objective("weight", new Map(tasks.map((task) => [task, ONE])), sense === "minimise" ? 1 : -1);
  const lead = checkOptimum(objective, parts, duels, space, margin);
  // Where no duel takes part in the proof, strict wins are said to attain the extreme: the weights must show it.
  ensure(lead.top > 0n || factors.size, () => `the extreme is not attained by a strict win: the least lead is ${exactText(lead)}`);
  return tasks;
}
