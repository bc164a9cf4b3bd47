// By which rules a table is asked: its own, the mean where its scores share a unit and else Borda, and head-to-head.

/** The rules with the models that they rank, {ways, told}: as weightlab/data/own_rule.py and `weightlab win` choose. */
function waysOf(tasks, names) {
  const every = names.map((_, model) => model);
  const duels = { rule: "majority", by: "head-to-head", models: every, points: null, prospects: [] };
  const { rule, reason } = ownRule(tasks);
  const by = rule === "mean" ? "by average" : "by Borda";
  const models = every.filter((model) => tasks.every((one) => one.scores[model] !== null));
  if (models.length < 2) return { ways: [duels], told: [`No verdicts ${by}: fewer than two models have all scores.`] };
  const gone = names.filter((_, model) => !models.includes(model)).map(plainName);
  const told = rule === "mean" ? [] : [`Ranked by Borda: ${reason}.`];
  if (gone.length) told.push(`Not ranked ${by} (missing scores): ${firstOf(gone, 5)}.`);
  return { ways: [{ rule, by, models, points: null, prospects: [] }, duels], told };
}

/** The rule of a table that declares none, and why it is that one. */
function ownRule(tasks) {
  const lower = tasks.filter((one) => one.lower).length;
  if (lower && lower < tasks.length) return borda(`lower is better on ${counted(lower, "task")} and higher on the others`);
  const columns = tasks.map((one) => one.scores.filter((text) => text !== null).map((text) => toFloat(readNumber(text))));
  const measured = tasks.find((one, task) => isOtherUnit(one.name, columns[task]));
  if (measured) return borda(`${quoted(measured.name)} is a time, cost, count, size or energy by its name`);
  const size = (scores) => scores.reduce((found, one) => Math.max(found, Math.abs(one)), 0);
  const small = columns.map((own) => size(own) <= 1);
  const percentages = columns.map((own) => size(own) <= 100 && own.some((one) => one > 1.5));
  if (small.every(Boolean) || percentages.every(Boolean)) return { rule: "mean", reason: "" };
  const strange = tasks.find((_, task) => !small[task] && !percentages[task]);
  if (strange) return borda(`the scores on ${quoted(strange.name)} are neither shares nor percentages`);
  const few = small.filter(Boolean).length;
  return borda(`${counted(few, "task")} ${few === 1 ? "has" : "have"} scores within -1 to 1 and others do not`);
}

function borda(reason) {
  return { rule: "borda", reason };
}

function isOtherUnit(name, scores) {
  const words = name.toLowerCase().match(/[a-z]+2?/g) || [];
  const { measured, counts } = WORD_LIST;
  const sign = /[$€£¥#]|[([]\s*(?:s|h|d|b|j|w|m)\s*[)\]]/i;
  if (words.some((one) => measured.includes(one)) || sign.test(name)) return true;
  return words.some((one) => counts.includes(one)) && scores.every(Number.isInteger);
}
