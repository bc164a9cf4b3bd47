// Spaces of weights: not negative, of sum 1, and meeting linear conditions.

/**
 * A sum of weights and of auxiliary variables, which are not negative, against a bound.
 * @typedef {{ tasks: Map<string, Ratio>, relation: string, bound: Ratio, auxiliaries: Map<string, Ratio> }} Row
 */

const RELATIONS = new Map([
  ["<=", (/** @type {number} */ sign) => sign <= 0],
  [">=", (/** @type {number} */ sign) => sign >= 0],
  ["=", (/** @type {number} */ sign) => sign === 0],
]);
const NORMS = ["l1", "linf"];

/**
 * @param {[string, Ratio][]} tasks
 * @param {string} relation
 * @param {Ratio} bound
 * @param {[string, Ratio][]} auxiliaries
 * @returns {Row}
 */
function rowOf(tasks, relation, bound, auxiliaries = []) {
  return { tasks: new Map(tasks), relation, bound, auxiliaries: new Map(auxiliaries) };
}

/**
 * Rows that say that each gain is at least what a weight is above the given one.
 * @param {Map<string, Ratio>} centre
 * @param {string} name
 */
function gainRows(centre, name) {
  return [...centre].map(([task, own]) => rowOf([[task, ONE]], "<=", own, [[`${name}gain of ${task}`, ratio(-1n)]]));
}

/**
 * How far two weightings are apart: the sum of all changes, or the largest.
 * @param {string} norm
 * @param {Ratio[]} weights
 * @param {Ratio[]} centre
 */
function distanceBy(norm, weights, centre) {
  const changes = weights.map((one, at) => sizeOf(minus(one, centre[at])));
  return norm === "l1" ? total(changes) : greatest(changes);
}

/** Whether shares are some, not negative, and sum to 1. */
function isWeighting(/** @type {Ratio[]} */ shares) {
  return shares.length > 0 && shares.every((one) => one.top >= 0n) && same(total(shares), ONE);
}

/** Names with their numbers, as messages show them. */
function namedNumbers(/** @type {Map<string, Ratio>} */ numbers) {
  return [...numbers].map(([name, one]) => `${quoted(name)} ${exactText(one)}`).join(", ");
}

/** A sum of weights against a bound, a distance (l1, linf, relative) from weights, or proportions ("="). */
class Condition {
  /**
   * @param {string} form
   * @param {Map<string, Ratio>} tasks
   * @param {string} relation
   * @param {Ratio} bound
   */
  constructor(form, tasks, relation, bound) {
    this.form = form;
    this.tasks = tasks;
    this.relation = relation;
    this.bound = bound;
    /** What two conditions share that are the same: their tasks stand in the order of the space. */
    this.key = JSON.stringify([form, relation, exactText(bound), [...tasks].map(([task, one]) => [task, exactText(one)])]);
  }

  words() {
    if (this.form === "sum") {
      const terms = [...this.tasks].map(([task, one]) => `${exactText(one)} ${quoted(task)}`);
      return `${terms.join(" + ") || 0} ${this.relation} ${exactText(this.bound)}`;
    }
    const named = namedNumbers(this.tasks);
    return this.form === "=" ? `${named} in proportion` : `within ${exactText(this.bound)} (${this.form}) of ${named}`;
  }

  /** Whether weights by task meet it. */
  holds(/** @type {Map<string, Ratio>} */ weights) {
    const of = (/** @type {string} */ task) => /** @type {Ratio} */ (weights.get(task));
    if (NORMS.includes(this.form)) {
      return compare(distanceBy(this.form, [...this.tasks.keys()].map(of), [...this.tasks.values()]), this.bound) <= 0;
    }
    return this.rows("").every((row) => {
      const found = total([...row.tasks].map(([task, one]) => times(one, of(task))));
      return meets(row.relation, found, row.bound);
    });
  }

  /** Rows that hold, for some values of variables of this name, exactly where the condition does. */
  rows(/** @type {string} */ name) {
    if (this.form === "sum") return [rowOf([...this.tasks], this.relation, this.bound)];
    if (this.form === "linf" || this.form === "relative") {
      return [...this.tasks].flatMap(([task, own]) => {
        const far = times(this.bound, this.form === "relative" ? own : ONE);
        return [rowOf([[task, ONE]], "<=", plus(own, far)), rowOf([[task, ONE]], ">=", minus(own, far))];
      });
    }
    if (this.form === "l1") {
      // Both weightings sum to 1, so what some tasks gain the others lose: all gains are half the distance.
      const rows = gainRows(this.tasks, name);
      const gains = rows.flatMap((row) => [...row.auxiliaries.keys()]);
      return [...rows, rowOf([], "<=", over(this.bound, ratio(2n)), gains.map((one) => [one, ONE]))];
    }
    const most = greatest([...this.tasks.values()]);
    const [anchor] = /** @type {[string, Ratio]} */ ([...this.tasks].find(([, own]) => same(own, most)));
    const others = [...this.tasks].filter(([task]) => task !== anchor);
    return others.map(([task, own]) => rowOf([[task, ONE], [anchor, minus(ZERO, over(own, most))]], "=", ZERO));
  }
}

/**
 * @param {string} relation
 * @param {Ratio} found
 * @param {Ratio} bound
 */
function meets(relation, found, bound) {
  const holds = RELATIONS.get(relation);
  return holds !== undefined && holds(compare(found, bound));
}

/** All weights of some tasks that meet all conditions. */
class Space {
  /**
   * @param {string[]} tasks
   * @param {Condition[]} conditions
   * @param {Row[]} rows
   */
  constructor(tasks, conditions = [], rows = []) {
    this.tasks = tasks;
    this.conditions = conditions;
    this.rows = rows;
  }

  /** The conditions in a sentence that follows a claim, if there are any. */
  sentence() {
    return this.conditions.length ? ` Conditions: ${this.conditions.map((one) => one.words()).join("; ")}.` : "";
  }

  /** Whether another space has the same tasks and conditions, in the same order. */
  equals(/** @type {Space} */ other) {
    const keys = (/** @type {Space} */ one) => one.conditions.map(({ key }) => key);
    return alike(this.tasks, other.tasks) && alike(keys(this), keys(other));
  }

  /** The space with one more condition; one that is there already changes nothing. */
  with(/** @type {Condition} */ condition) {
    if (this.conditions.some(({ key }) => key === condition.key)) return this;
    const rows = condition.rows(`${this.conditions.length}: `);
    return new Space(this.tasks, [...this.conditions, condition], [...this.rows, ...rows]);
  }

  /** Weights of the space, of which those that are 0 may be left out. */
  weights(/** @type {Part} */ document) {
    const weights = document.among(this.tasks);
    checkWeights(this, weights);
    return weights;
  }

  /** Numbers by task. */
  named(/** @type {Ratio[]} */ numbers) {
    return new Map(this.tasks.map((task, at) => [task, numbers[at]]));
  }
}

/**
 * A space, of just these tasks where they are known.
 * @param {Part} document
 * @param {string[] | null} tasks
 */
function readSpace(document, tasks = null) {
  const [named, conditions] = document.parts("tasks conditions");
  let space = new Space(named.names());
  ensure(!tasks || alike(space.tasks, tasks), "the tasks of the space are not those of the signs, in order");
  for (const one of conditions.items()) space = space.with(readCondition(one, space.tasks));
  return space;
}

/** A condition on the weights of these tasks, in one of its three forms. */
function readCondition(/** @type {Part} */ document, /** @type {string[]} */ tasks) {
  const { form, numbers, relation, bound } = conditionParts(document, tasks);
  const known = new Set(tasks);
  if ([...numbers.keys()].some((task) => !known.has(task))) refuse("a condition names what is no task of its space");
  if (form !== "sum" && !isWeighting([...numbers.values()])) refuse("the weights of a condition must be some, not negative, and sum to 1");
  // Multipliers go by the rows in order: that of the tasks of the space, not that in which JSON has the names.
  const ordered = tasks.flatMap((task) => (numbers.has(task) ? [/** @type {[string, Ratio]} */ ([task, numbers.get(task)])] : []));
  return new Condition(form, new Map(ordered), relation, bound);
}

function conditionParts(/** @type {Part} */ document, /** @type {string[]} */ tasks) {
  if (document.object().has("norm")) {
    const [form, radius, centre] = document.parts("norm radius centre");
    const numbers = centre.fractions();
    const bound = radius.fraction();
    const fits = [...NORMS, "relative"].includes(form.text()) && numbers.size >= tasks.length;
    if (!fits) refuse("a distance is by the norm l1, linf or relative, from weights of all tasks");
    return { form: form.text(), numbers, relation: "<=", bound };
  }
  if (document.value.has("shares")) return { form: "=", numbers: document.parts("shares")[0].fractions(), relation: "=", bound: ZERO };
  const [named, relation, bound] = document.parts("tasks relation bound");
  const numbers = named.fractions();
  const fits = RELATIONS.has(relation.text()) && [...numbers.values()].every((one) => one.top);
  if (!fits) refuse("a condition has a coefficient of 0 or no relation");
  return { form: "sum", numbers, relation: relation.text(), bound: bound.fraction() };
}

/** Ensure that weights are not negative, sum to 1, and meet all conditions of a space. */
function checkWeights(/** @type {Space} */ space, /** @type {Ratio[]} */ weights) {
  const named = space.named(weights);
  for (const [task, one] of named) ensure(one.top >= 0n, () => `the weight of ${quoted(task)} is negative: ${exactText(one)}`);
  const found = total(weights);
  ensure(same(found, ONE), () => `the weights sum to ${exactText(found)}, not to 1`);
  for (const one of space.conditions) ensure(one.holds(named), () => `the weights do not meet the condition ${one.words()}`);
}

/** Ensure that every lead of some duels is at least so much; return the least one. */
function checkLeads(/** @type {Duels} */ duels, /** @type {Ratio[]} */ weights, /** @type {Ratio} */ wanted) {
  const { sums, unit } = leadsUnder(duels.signs, weights);
  const worst = sums.reduce((found, one, at) => (one < sums[found] ? at : found), 0);
  const lead = ratio(sums[worst], unit);
  ensure(compare(lead, wanted) >= 0, () => `the lead over ${quoted(duels.rivals[worst])} is ${exactText(lead)}, below ${exactText(wanted)}`);
  return lead;
}

/**
 * Ensure that weights are shares, and today's of the table.
 * @param {Given | null} table
 * @param {string[]} tasks
 * @param {Ratio[]} weights
 */
function checkToday(table, tasks, weights) {
  checkWeights(new Space(tasks), weights);
  if (!table) return;
  const together = total(table.weights);
  tasks.forEach((task, at) => {
    const own = over(table.weights[table.tasks.indexOf(task)], together);
    ensure(same(weights[at], own), () => `today's weight of ${quoted(task)} is ${exactText(own)} in the table, not ${exactText(weights[at])}`);
  });
}
