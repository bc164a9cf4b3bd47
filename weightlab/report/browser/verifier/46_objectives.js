// What a scenario makes small or large: its value at some weights, and the rows that bound it.

/** The weight of tasks, a distance (l1, linf) from the weights of tasks, or the largest weight. */
class Objective {
  /**
   * @param {string} form
   * @param {Map<string, Ratio>} tasks
   * @param {number} sign 1 where it is to be small, -1 where it is to be large
   * @param {boolean} todays whether the weights that it is a distance from are said to be the table's own
   */
  constructor(form, tasks, sign = 1, todays = false) {
    this.form = form;
    this.tasks = tasks;
    this.sign = sign;
    this.todays = todays;
    this.key = JSON.stringify([form, sign, todays, [...tasks].map(([task, one]) => [task, exactText(one)])]);
  }

  words() {
    if (this.form === "weight") return `weight of ${[...this.tasks.keys()].map((one) => quoted(one)).join(" + ")}`;
    if (this.form === "largest") return "largest weight of a task";
    return `distance (${this.form}) from ${this.todays ? "the weights of today" : "weights"} ${namedNumbers(this.tasks)}`;
  }

  /** Its value at weights by task. */
  value(/** @type {Map<string, Ratio>} */ weights) {
    const own = [...this.tasks.keys()].map((task) => /** @type {Ratio} */ (weights.get(task)));
    if (NORMS.includes(this.form)) return distanceBy(this.form, own, [...this.tasks.values()]);
    return this.form === "largest" ? greatest(own) : total(own);
  }

  /**
   * Rows that bound variables from below, and the costs of these variables. The sum of changes is twice what the tasks
   * that gain gain, as both sides sum to 1.
   * @returns {Program}
   */
  program() {
    if (this.form === "l1") {
      const rows = gainRows(this.tasks, "objective: ");
      return { rows, prices: new Map(rows.flatMap((row) => [...row.auxiliaries.keys()]).map((one) => [one, ratio(2n)])) };
    }
    if (this.form === "weight") return NO_PROGRAM;
    const ways = this.form === "linf" ? [ONE, ratio(-1n)] : [ONE];
    const rows = [...this.tasks].flatMap(([task, own]) => ways.map((way) => rowOf([[task, way]], "<=", times(way, own), [["", ratio(-1n)]])));
    return { rows, prices: new Map([["", ONE]]) };
  }

  /** The conditions that it is no worse than a value. */
  noWorseThan(/** @type {Ratio} */ value) {
    if (this.form === "weight") return [new Condition("sum", this.tasks, this.sign > 0 ? "<=" : ">=", value)];
    if (this.form === "largest") return [...this.tasks.keys()].map((task) => new Condition("sum", new Map([[task, ONE]]), "<=", value));
    return [new Condition(this.form, this.tasks, "<=", value)];
  }
}

/** An objective over the weights of these tasks, in one of its three forms. */
function readObjective(/** @type {Part} */ document, /** @type {string[]} */ tasks) {
  const spread = (/** @type {string[]} */ names, /** @type {Ratio} */ one) => new Map(names.map((name) => [name, one]));
  if (document.object().has("norm")) {
    const [centre, norm, todays] = document.parts("centre norm todays");
    const shares = centre.along(tasks);
    ensure(NORMS.includes(norm.value) && isWeighting(shares), `${shown(norm.value)} is no norm, or the centre no weighting`);
    return new Objective(norm.value, new Map(tasks.map((task, at) => [task, shares[at]])), 1, todays.flag());
  }
  if (document.value.has("goal")) {
    const [listed, goal] = document.parts("tasks goal");
    const named = listed.names();
    ensure(["minimise", "maximise"].includes(goal.value), `${shown(goal.value)} is no goal`);
    ensure(alike(named, tasks.filter((task) => named.includes(task))), "the objective has other tasks");
    return new Objective("weight", spread(named, ONE), goal.value === "minimise" ? 1 : -1);
  }
  ensure(alike(document.parts("tasks")[0].texts(), tasks), "the objective has other tasks");
  return new Objective("largest", spread(tasks, ZERO));
}

const OPTIMUM = "least value weights duel_multipliers multipliers";

/**
 * Check an objective's optimum over weights of a space that lead every rival by so much; return the least lead.
 * @param {Objective} objective
 * @param {Part[]} parts
 * @param {Duels} duels
 * @param {Space} space
 * @param {Ratio} wanted
 */
function checkOptimum(objective, [led, best, weighted, beaten, multiplied], duels, space, wanted) {
  const [value, weights] = [best.fraction(), space.weights(weighted)];
  ensure(same(led.fraction(), wanted), () => `the optimum is over leads of ${shown(led.value)}, not ${exactText(wanted)}`);
  const lead = checkLeads(duels, weights, wanted);
  const found = objective.value(space.named(weights));
  ensure(same(found, value), () => `the ${objective.words()} is ${exactText(found)}, not ${exactText(value)}`);
  const way = ratio(BigInt(objective.sign));
  const costs = space.tasks.map((task) => (objective.form === "weight" && objective.tasks.has(task) ? way : ZERO));
  const program = objective.program();
  const multipliers = multiplied.listed(space.rows.length + program.rows.length);
  const won = { signs: duels.signs, factors: beaten.among(duels.rivals), least: wanted };
  ensureBound(times(way, value), space, multipliers, costs, program, won);
  return lead;
}
