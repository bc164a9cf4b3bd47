// Claims that a model can win, ties at best or can never win, that duels can be won together, or that no weights do.

/**
 * What was proved of a result, in one sentence, and what of it was not checked.
 * @typedef {{ proved: string, open: string[] }} Finding
 * @typedef {{ lower: Ratio, upper: Ratio, verdict: string, open: string[] }} Margin
 */

/** @type {Record<string, string>} */
const SAID = { strict: "can win every duel", weak: "can tie at best", never: "can never win" };
// Parts of every claim that the widest margin of some duels lies between two bounds.
const MARGIN = "verdict lower upper weights blockers multipliers";

/** @returns {Finding} */
function finding(/** @type {string} */ proved, /** @type {string[]} */ open = []) {
  return { proved, open };
}

/**
 * Check bounds of the largest t with G w >= t: weights attain the lower, a mixture of the rows proves the upper.
 * @param {Duels} duels
 * @param {Space} space
 * @param {Part[]} parts
 * @param {Ratio[]} shares
 * @returns {Margin}
 */
function checkMargin(duels, space, [verdict, low, high, weighted, , multiplied], shares) {
  const [lower, upper, weights] = [low.fraction(), high.fraction(), space.weights(weighted)];
  const found = checkLeads(duels, weights, lower);
  ensure(same(found, lower), () => `the least lead is ${exactText(found)}, not ${exactText(lower)}`);
  checkMixture(space, duels.signs, shares, multiplied.listed(space.rows.length), upper);
  ensure(compare(lower, upper) <= 0, () => `the margin cannot lie between ${exactText(lower)} and ${exactText(upper)}`);
  const weak = !lower.top && !upper.top;
  const proved = lower.top > 0n ? "strict" : upper.top < 0n ? "never" : weak ? "weak" : "nothing";
  ensure(verdict.value === proved, () => `the bounds ${exactText(lower)} and ${exactText(upper)} prove “${proved}”, not ${shown(verdict.value)}`);
  return { lower, upper, verdict: proved, open: [] };
}

/** Check a prospect without its kind, model and signs; it must be of these duels and this space. */
function checkProspect(/** @type {Part} */ document, /** @type {Duels} */ duels, /** @type {Space} */ space) {
  const parts = document.parts(`${MARGIN} space fewest`);
  const own = readSpace(parts[6]); // its rows may stand in another order
  ensure(own.equals(space), "a prospect is about other weights than those that serve the objectives");
  const found = checkMargin(duels, own, parts, parts[4].along(duels.rivals));
  return parts[7].value === null ? found : { ...found, open: ["how few rivals block"] };
}

/** A part without some of its entries. */
function without(/** @type {Part} */ document, /** @type {string[]} */ names, what = document.what) {
  return new Part(new Map([...document.object()].filter(([name]) => !names.includes(name))), what);
}

/** Whether one model can win. */
function prospect(/** @type {Part} */ document, /** @type {Given | null} */ table) {
  const [, model, written, blockers, spaced] = document.parts(`kind model signs blockers space fewest ${MARGIN}`);
  const space = readSpace(spaced);
  const duels = readDuels(model, [...blockers.entries().keys()], written, space.tasks, table);
  const { lower, upper, verdict, open } = checkProspect(without(document, ["kind", "model", "signs"], "a prospect"), duels, space);
  const margin = same(lower, upper) ? `is ${exactText(lower)}` : `lies between ${exactText(lower)} and ${exactText(upper)}`;
  return finding(`${quoted(duels.model)} ${SAID[verdict]}; its widest margin ${margin}.${space.sentence()}`, open);
}

/** Whether each model can win. */
function* prospects(/** @type {Part} */ document, /** @type {Given | null} */ table) {
  const [, written, spaced, listed] = document.parts("kind signs space prospects");
  const board = readSigns(written, table);
  const [space, counts] = [readSpace(spaced, board.tasks), /** @type {Record<string, number>} */ ({ strict: 0, weak: 0, never: 0 })];
  const entries = listed.items().map((one) => one.parts(`model ${MARGIN}`));
  ensure(alike(entries.map(([model]) => model.value), board.models), "there must be one prospect a model, in order");
  for (const [model, ...parts] of entries) {
    const rivals = rivalsOf(board, model.value);
    const duels = { model: model.value, rivals, signs: rowsOver(board, model.value, rivals) };
    try {
      counts[checkMargin(duels, space, parts, parts[4].among(rivals)).verdict] += 1;
    } catch (error) {
      throw error instanceof FalseClaim ? new FalseClaim(`${quoted(model.value)}: ${error.message}`) : error;
    }
    yield;
  }
  const told = Object.entries(SAID).map(([verdict, said]) => `${counts[verdict]} ${said}`);
  return finding(`of ${entries.length} models ${told.join(", ")}.${space.sentence()}`);
}

/** The widest margin over some duels together. */
function realisation(/** @type {Part} */ document, /** @type {Given | null} */ table) {
  const names = "kind verdict duels wanted margin weights blockers multipliers signs space";
  const [, verdict, listed, wanted, wide, weighted, mixed, multiplied, written, spaced] = document.parts(names);
  const [space, pairs] = [readSpace(spaced), listed.items().map((one) => one.texts())];
  const distinct = pairs.every((one) => one.length === 2 && one[0] !== one[1]);
  ensure(pairs.length && distinct && new Set(pairs.map((one) => JSON.stringify(one))).size === pairs.length, "the duels must be distinct pairs of models");
  ensure(wanted.fraction().top >= 0n, `a lead of ${shown(wanted.value)} is no win`);
  const signs = written.signs(pairs.length, space.tasks.length);
  ensureSigns(table, /** @type {[string, string][]} */ (pairs), space.tasks, (pair, task) => signs[pair][task]);
  const duels = { model: "", rivals: pairs.map((one) => one.join(" over ")), signs };
  const parts = [verdict, wide, wide, weighted, mixed, multiplied];
  const { lower } = checkMargin(duels, space, parts, mixed.listed(pairs.length));
  return finding(`the greatest lead that can be had in all ${pairs.length} duels together is ${exactText(lower)}.${space.sentence()}`);
}

/**
 * That no weights meet some conditions together, and that none can be spared. Farkas' lemma: if the conditions held, the
 * multiples of them that the multipliers take would sum to 0 >= gap > 0.
 */
function contradiction(/** @type {Part} */ document, /** @type {Given | null} */ table) {
  const [, spaced, multiplied, added, gained, spared] = document.parts("kind space multipliers total gap without");
  const space = readSpace(spaced);
  if (table) ensureNames("task", space.tasks, table.tasks);
  const [summed, gap, count] = [added.fraction(), gained.fraction(), space.conditions.length];
  const { reduced, right } = reducedCosts(space, multiplied.listed(space.rows.length));
  space.tasks.forEach((task, at) => {
    const above = minus(summed, reduced[at]);
    ensure(above.top <= 0n, () => `the left-hand sides add up to ${exactText(above)} > 0 for the weight of ${quoted(task)}`);
  });
  const found = plus(right, summed);
  ensure(same(found, gap), () => `the right-hand sides add up to ${exactText(found)}, not to ${exactText(gap)}`);
  ensure(gap.top > 0n, () => `the right-hand sides add up to ${exactText(gap)}, which is no contradiction`);
  ensure(spared.list().length === count, "there must be weights for each condition left out");
  spared.items().forEach((one, at) => new Space(space.tasks, space.conditions.filter((_, place) => place !== at)).weights(one));
  return finding(`no weights meet these ${count} conditions together, and none of them can be spared.${space.sentence()}`);
}
