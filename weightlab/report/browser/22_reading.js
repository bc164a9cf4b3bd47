// What the columns of a table are and which way each counts, as weightlab/io/reading decides it: what is certain is acted
// on, what is only likely is asked. What cannot be decided here as Python does is asked, too.

const UNIT_IN_NAME =
  /(?:[([,]\s*|\s)(ms|s|sec|secs|seconds|min|hours|MB|MiB|GB|GiB|kWh|USD)[)\]]?\s*[↑↓⬆⬇]?$|[([,]\s*(h|J|W|\$)[)\]]\s*[↑↓⬆⬇]?$|_(ms|us|µs|ns|s|secs?|seconds)(?:$|_)|_([KMG]i?B|[kmg]i?b)$|(\$)/;
const OF_A_PLACE = /_(?:us|ns)(?:$|_)/;
// What Python decides by the words of a header, and is asked here.
const IN_WORDS = /\b(?:lower|smaller|less|fewer|higher|larger|greater|more|bigger)(?:\s+is)?\s+better\b|\bminimi[sz]e\b/i;
const LESS = /\b(?:lower|smaller|less|fewer)(?:\s+is)?\s+better\b|\bminimi[sz]e\b/i;
const NAMELESS = ["index", "Unnamed: 0"];
const SPREAD_NAME = /([+-]|[_ ](?:std|sd|se|stderr|std_?err|stdev|ci|ci95|standard_error))$/i;
const BOUND_NAME =
  /[ _.(]?(?:ci_?|quantile_?)?(?:(?<low>lower|low|lo|min|q0?2\.?5|q0?5|p2\.?5|p0?5|025|2\.5%|5%)|(?<high>upper|high|hi|max|q97\.?5|q95|p97\.?5|p95|975|97\.5%|95%))(?:[ _]?(?:ci|bound))?\)?$/i;
const PER =
  /(?:^|[\s([])(?:(?<time>ms|s|sec|secs|seconds|min|h|hours)\/(?!max|mean|avg)[\p{L}\p{N}_]{2,}|[\p{L}\p{N}_]+\/(?:s|sec|second|min|h|hour))[)\]]?$/u;
const DONE_IN_A_TIME =
  /(?:^|[^\p{L}\p{N}])(?:batches|docs|events|examples|frames|[GKM]B|images|imgs?|it|iters|iterations|items|lines|messages|msgs|[gmt]?flops|ops|packets|pages|queries|records|reqs?|requests|rows|samples|steps|tok|tokens|transactions|txs?|words)_(?:s|sec|second)$/iu;
const SHORT_UNITS = new Set(["gb", "kb", "mb", "ms", "ns", "s", "sec", "us"]);
/** Names of metrics of which less is better, which mean nothing else wherever they stand in a header. */
const METRICS = new Set("bpb bpc cer crps eer fid logloss lpips mae mape mase medae mse msis nll nrmse perplexity ppl rmse rmsle smape wer wql".split(" "));
const SIZE = /(?<![\w.])[0-9]+(?:\.[0-9]+)?[MBb](?![\w.])|\((?:single|ensemble|zero-?shot|few-?shot)\)/;
const CLOCK_WORDS = ["time", "date", "timestamp", "created", "updated", "at", "epoch", "ts"];
const OF_A_TEST = /^p ?\(.+\)$/;
const LONGEST = 120;
const NO_NAME = /^(?:[0-9.]*\s*[kKMGTB]?|https?:.*)$/;
const SEVERAL = /^[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)%?(?:\s*[/|;]\s*[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)%?)+$/;

/** A column while it is not yet decided what it is. */
function draftOf(name, column, cells) {
  const held = new Map();
  for (const cell of cells) if (!held.has(cell)) held.set(cell, takenApart(cell));
  const found = cells.map((cell) => held.get(cell));
  const kinds = { number: 0, missing: 0, "not yet": 0, text: 0 };
  for (const { kind } of found) kinds[kind] += 1;
  const values = found.map((one) => one.value);
  const good = values.filter((one) => !Number.isNaN(one));
  const numbers = [...held.values()].filter((one) => one.kind === "number");
  const units = new Set(numbers.map((one) => one.unit));
  const decimals = good.every(Number.isInteger) ? 0 : MAKERS.maximum(numbers.map((one) => one.decimals));
  const [least, most] = [MAKERS.minimum(good), MAKERS.maximum(good)];
  const given = kinds.number + kinds.text;
  const several = cells.filter((one) => SEVERAL.test(cleaned(one))).length;
  return {
    name, column, cells, kinds, values, good, units, decimals, least, most,
    what: "", lower: null, certainty: "", why: "", doubts: [],
    half: decimals >= 13 ? 4 * 2 ** (Math.floor(Math.log2(Math.max(most, -least))) - 52) : 0.5 * 10 ** -decimals,
    typical: good.length ? medianOf(good.map(Math.abs)) : 0,
    distinct: new Set(good).size,
    numeric: given > 0 && given <= kinds.number * 1.25 && [...units].filter((one) => one && one !== "%").length <= 1,
    some: kinds.number > 0 && kinds.text <= 4 * kinds.number && units.size <= 1,
    parted: several * 2 > cells.filter((one) => one.trim()).length && !kinds.number,
  };
}

const OWN_UNIT = /^[-+]?[0-9][0-9.,]*\s*((?:[A-Za-zµ%°]{2,}|[A-Za-zµ%°]+(?=\/))(?:\/[A-Za-zµ²³]+)?|\/\s*[0-9]+)$/;

/** Whether nearly all cells of a column are numbers with the same behind them. */
function inOneUnit(cells) {
  const given = cells.map((one) => cleaned(one).replace(BESIDE, "")).filter((one) => !MISSING.has(one.toLowerCase()));
  const units = given.map((one) => OWN_UNIT.exec(one)?.[1]).filter((one) => one);
  return units.length > 0 && 10 * units.length >= 9 * given.length;
}

/** Whether a text is a number with signs behind it that are no part of a name, a date or a version. */
function beginsWithNumber(text) {
  const plain = cleaned(text).replace(BESIDE, "");
  const found = NUMBER.exec(plain);
  return found !== null && /^\s*[^\w\s.,:/-].*$/s.test(plain.slice(found[0].length));
}

/** Decide that a column is text, of which numbers of several units are only likely. */
function decideText(draft) {
  const [units, texts] = [[...draft.units].filter((one) => one).sort(), [...new Set(draft.cells)]];
  const apart = draft.kinds.number > 4 * draft.kinds.text && units.length > 1 && draft.name.toLowerCase() !== "duration";
  if (inOneUnit(draft.cells)) decide(draft, "text", "likely", "numbers in a unit of their own, or of a number of cases");
  else if (apart) decide(draft, "text", "likely", `numbers in ${units.slice(0, -1).join(", ")} and ${units.at(-1)}`);
  else if (5 * texts.filter(beginsWithNumber).length >= 4 * texts.length && texts.length) decide(draft, "text", "likely", "numbers with more behind them");
  else decide(draft, "text", "certain", draft.kinds.text + draft.kinds["not yet"] + draft.kinds.number ? "text" : "empty");
}

/** Decide what all columns are: {drafts, notes}, notes being what else is likely. */
function readColumns(sheet) {
  const pointed = (cell) => (sheet.comma ? withPoint(cell) : cell);
  const drafts = sheet.header.map((name, column) => draftOf(name, column, sheet.rows.map((row) => pointed(row[column]))));
  const [notes, rows] = [turnedNote(drafts), sheet.rows.length];
  for (const one of drafts) {
    if (!one.name.trim() && !one.kinds.number && !one.kinds.text) decide(one, "dropped", "certain", "empty");
    else if (one.parted && hit(one.name, "fact")) decide(one, "fact", "certain", `the words ${hit(one.name, "fact").word}, and several numbers in a cell`);
    else if (one.parted) decide(one, "task", "assumed", "not declared", false);
    else if (!one.numeric && !one.some) decideText(one);
  }
  const free = drafts.filter((one) => one.what !== "dropped");
  const found = sheet.labelled ? free.slice(0, 1) : keyOf(free);
  for (const one of found.length ? found : free.slice(0, 1)) decide(one, "key", "certain", "names the models");
  decideRoles(drafts.filter((one) => !one.what || one.what === "text"));
  const [told] = notes;
  const isNumbered = found.length && found.every((one) => !one.kinds.text);
  const texts = isNumbered ? drafts.find((one) => one.what === "text" && isProse(one)) : undefined;
  if (texts) notes.push(`${quoted(texts.name)} holds long texts in numbered rows: which models are they of?`);
  const apart = found.length === 1 && new Set(found[0].cells.map(cleaned)).size === rows;
  if (told && told.startsWith("a row is") && !apart) throw new Fault(`This table is not read here, for ${told}.`);
  if (found.length > 1) notes.push(`only ${someNames(found.map((one) => one.name))} together tell rows apart`);
  const alone = drafts.find((one) => one.what === "text" && rows > 1 && new Set(one.cells).size === 1 && isCalled(one.name, "key"));
  if (alone && !found.some((one) => isCalled(one.name, "key"))) notes.push(`all rows are of one ${alone.name}`);
  const header = drafts.map((one) => one.name);
  const tasks = drafts.filter((one) => one.what === "task");
  const kinds = new Map();
  for (const one of tasks) for (const told of one.doubts) kinds.set(told, [...(kinds.get(told) || []), one.name]);
  notes.push(...[...kinds].map(([told, names]) => `${someNames(inPatterns(names, header), 6)}: ${told}`), ...scaleNotes(tasks), ...zeroNotes(tasks), ...splitNotes(tasks));
  notes.push(...askedHere(drafts, tasks, found));
  return { drafts, notes };
}

/** What Python decides by more than is looked at here: asked, so that nothing is answered that it reads otherwise. */
function askedHere(drafts, tasks, keys) {
  const notes = [];
  const good = new Set(WORD_LIST.good);
  const worded = drafts.filter((one) => one.what !== "key" && (IN_WORDS.test(one.name) || wordsOf(one.name).some((word) => good.has(word))));
  const paid = tasks.filter((one) => /[$€£¥]|\((?:h|J|W)\)|\b(?:USD|hours)\b/.test(one.name) || [...one.units].some((unit) => ["$", "J", "W", "h"].includes(unit)));
  const priced = drafts.filter((one) => one.cells.some((cell) => /^\s*[*_~≈]*[$€£¥]/.test(cell)));
  const asked = [...new Set([...worded, ...paid, ...priced])];
  if (asked.length) notes.push(`${someNames(asked.map((one) => one.name))}: which way does it count?`);
  for (const one of drafts) {
    const parts = (one.parts || []).filter((part) => part.what === "task" && part.certainty === "assumed");
    if (parts.length && hit(one.name, "lower")) notes.push(`${someNames(parts.map((part) => part.name))}: parts of ${one.name}, of which less is better`);
    if (NAMELESS.includes(one.name) || (!one.name.trim() && one.kinds.number)) notes.push(`${quoted(one.name)}: the numbers of the rows?`);
  }
  const strict = tasks.filter((one) => one.distinct === one.good.length).length;
  const areOfJudges = tasks.length > 1 && 2 * strict >= tasks.length && tasks.every((one) => one.good.length > 3 && areRanks(one.good, true));
  const ranks = areOfJudges ? tasks : [];
  for (const one of drafts) {
    if (IN_WORDS.test(one.name) && one.numeric && one.what !== "key") decide(one, "task", "likely", "the header says so", LESS.test(one.name));
  }
  for (const one of ranks) {
    if (one.certainty === "assumed") decide(one, "task", "likely", "ranks from 1 to n", true);
  }
  if (ranks.length) notes.push(`${someNames(ranks.map((one) => one.name))}: ranks from 1 to n`);
  const rows = keys.length === 1 ? keys[0].cells.filter((cell) => (hit(cell, "aggregate") || {}).at === "whole") : [];
  if (rows.length) notes.push(`${someNames(rows)}: a model, or a summary of the rows?`);
  return notes;
}

function decideRoles(drafts) {
  decideSpreads(drafts);
  decideBounds(drafts.filter((one) => !one.what && one.numeric));
  decideOfRuns(drafts.filter((one) => (!one.what || one.what === "error") && one.numeric));
  decideByCells(drafts.filter((one) => !one.what || one.what === "text"));
  decideOfMachines(drafts);
  findTotals(drafts);
  askOwnWeights(drafts);
  findComplements(drafts);
  const rest = drafts.filter((one) => !one.what);
  const plain = rest.filter((one) => !["aggregate", "place", "fact", "count", "spread"].some((role) => hit(one.name, role)));
  for (const draft of rest) decideByWord(draft, rest, plain);
  const sure = new Set(rest.filter((one) => one.certainty === "certain" && one.lower).map((one) => lastWord(one, ["whole", "last"])));
  for (const one of rest) {
    const word = one.certainty === "likely" && one.lower && lastWord(one, ["last"]);
    if (word && sure.has(word) && !hit(one.name, "higher")) one.certainty = "certain";
  }
  const tasks = rest.filter((one) => one.what === "task");
  const settled = tasks.filter((one) => one.certainty !== "likely");
  for (const draft of tasks) decideByValues(draft, settled);
  for (const draft of drafts) {
    const word = draft.parts && hit(draft.name, "place");
    if (!word || word.at !== "whole") continue;
    for (const one of draft.parts) if (one.what === "task" && one.certainty === "assumed") decide(one, "task", "likely", `a part of ${draft.name}`, true);
  }
  findCopies(drafts);
}

function lastWord(draft, places) {
  const found = hit(draft.name, "lower");
  return found && places.includes(found.at) ? found.word : "";
}

function decideSpreads(drafts) {
  const named = (name) => drafts.find((one) => one.name === name);
  for (const draft of drafts) {
    const base = draft.name.replace(SPREAD_NAME, "");
    const both = !/[+-]$/.test(draft.name) || (named(`${base}+`) && named(`${base}-`));
    if (!draft.what && draft.kinds.number && base !== draft.name && named(base) && both) decide(draft, "error", "certain", `spread of ${base}`);
    const beside = /^(?:std|sd|stderr|se)([_ ].+)$/i.exec(draft.name);
    const scored = /^error(_.+)$/.exec(draft.name);
    const means = beside ? ["mean", "avg", "average"] : scored ? ["score", "mean"] : [];
    const found = means.map((word) => named(`${word}${(beside || scored)[1]}`)).find(Boolean);
    if (!found) continue;
    decide(draft, "error", "certain", `spread of ${found.name}`);
    found.why = "next to its spread";
  }
}

/** Decide that memory beside the processor and the graphics card of a machine is what it has, not what was used. */
function decideOfMachines(drafts) {
  const machine = new Set(["cpu", "gpu", "processor", "os", "cuda", "hardware", "device", "platform"]);
  const beside = drafts.filter((one) => one.what === "text" && wordsOf(one.name).some((word) => machine.has(word)));
  for (const one of beside.length > 1 ? drafts : []) {
    if (!one.what && ["ram", "vram", "memory", "disk"].includes(wordsOf(one.name).join(" "))) decide(one, "fact", "certain", "of the machine");
  }
}

/** Decide that of the mean, the best, the worst, ... of the same runs the mean is the score, else the median. */
function decideOfRuns(open) {
  const kinds = new Map();
  for (const draft of open) {
    const [known, words] = [WORD_LIST.roles["of runs"], wordsOf(draft.name)];
    const said = words.find((word) => known.includes(word));
    if (!said) continue;
    const stem = words.filter((word) => !known.includes(word) && !SHORT_UNITS.has(word)).join(" ");
    const its = kinds.get(stem) ?? new Map();
    if (!its.has(said)) its.set(said, draft);
    kinds.set(stem, its);
  }
  for (const its of kinds.values()) {
    const named = ["mean", "avg", "average", "median"].find((one) => its.has(one));
    const ends = ["min", "max", "minimum", "maximum", "best", "worst"].some((one) => its.has(one));
    if (!named || !ends || its.size < 3) continue;
    its.get(named).why = "next to its spread";
    for (const [word, one] of its) {
      if (word !== named && !one.what) decide(one, "error", "likely", `the ${word} of the runs of ${its.get(named).name}`);
    }
  }
}

/** Decide which two columns are the bounds of a third, as they are called, and as holds in every row. */
function decideBounds(open) {
  const end = (one) => (BOUND_NAME.exec(one.name) || {}).groups;
  const stem = (one) => one.name.replace(BOUND_NAME, "");
  for (const low of open.filter((one) => (end(one) || {}).low)) {
    const high = open.find((one) => (end(one) || {}).high && stem(one) === stem(low));
    const rows = (one) => [...one.values.keys()].filter((row) => !Number.isNaN(low.values[row] + one.values[row] + high.values[row]));
    const isBetween = (one, own) => own.length > 2 && own.every((row) => low.values[row] <= one.values[row] && one.values[row] <= high.values[row]) && own.some((row) => low.values[row] < high.values[row]);
    const between = high ? open.filter((one) => !end(one) && isBetween(one, rows(one))) : [];
    if (!between.length) continue;
    const score = between.find((one) => one.name === stem(low)) || between[0];
    for (const one of [low, high]) decide(one, "error", "certain", `a bound of ${score.name}`);
    score.why = "next to its spread";
  }
}

function decideByCells(drafts) {
  const numeric = drafts.filter((one) => one.numeric);
  const flags = numeric.filter((one) => one.good.length > FEWEST_ROWS && one.distinct === 2 && one.least === 0 && one.most === 1);
  for (const draft of drafts) {
    const { good, values: { length: rows } } = draft;
    const whole = numeric.length > 1 && good.length === rows;
    const isClock = [1, 1000].some((unit) => 6.3e8 * unit < draft.least && draft.most < 2.3e9 * unit);
    if (!draft.numeric && !draft.some) decideText(draft);
    else if (numeric.length > 1 && rows > FEWEST_ROWS && 2 * good.length > Math.max(rows, 2 * FEWEST_ROWS) && draft.distinct === 1) {
      decide(draft, "fact", whole ? "certain" : "likely", whole ? "the same in every row" : "the same wherever it stands");
    } else if (OF_A_TEST.test(draft.name) && draft.least >= 0 && draft.most <= 1) decide(draft, "fact", "certain", "chances of a test");
    else if (flags.includes(draft) && flags.length < numeric.length / 2) decide(draft, "fact", "likely", "only 0 and 1: a flag?");
    else if (whole && rows > 2 && good.every((one, row) => one === row + 1)) {
      const word = hit(draft.name, "place") || hit(draft.name, "fact") || !draft.name;
      if (word || rows > FEWEST_ROWS) decide(draft, "aggregate", "certain", "1 to n in order");
    } else if (numeric.length > 1 && !draft.decimals && good.length > 2 && isClock) {
      decide(draft, "fact", wordsOf(draft.name).some((one) => CLOCK_WORDS.includes(one)) ? "certain" : "likely", "times of a clock");
    }
  }
}

/** What is usual among columns but for one. */
function usualBeside(draft, crowd) {
  const held = crowd.filter((one) => one.good.length && (one !== draft || crowd.length > MANY_COLUMNS));
  const fine = held.filter((one) => one.decimals > 0);
  const [lows, highs] = [held.map((one) => one.least), held.map((one) => one.most)];
  return {
    count: held.length,
    low: MAKERS.minimum(lows),
    high: MAKERS.maximum(highs),
    width: held.length ? medianOf(held.map((one) => one.most - one.least)) : 0,
    least: held.length ? medianOf(lows) : 0,
    typical: held.length ? medianOf(held.map((one) => one.typical)) : 0,
    tall: highs.filter((one) => one > 100).length,
    fine: fine.length ? [MAKERS.minimum(fine.map((one) => one.least)), MAKERS.maximum(fine.map((one) => one.most))] : null,
    decimals: held.map((one) => one.decimals),
  };
}

/** Whether a column has the range and the decimals of the others, and a tenth of their usual width. */
function isAlike(draft, crowd) {
  const usual = usualBeside(draft, crowd);
  if (!usual.count || !draft.good.length) return false;
  if (draft.most - draft.least < 0.1 * usual.width || draft.most < usual.least) return false;
  const margin = 0.25 * (usual.high - usual.low);
  const inside = draft.least >= usual.low - margin && draft.most <= usual.high + margin;
  return inside && (Math.abs(draft.decimals - MAKERS.maximum(usual.decimals)) <= 1 || usual.decimals.includes(draft.decimals));
}

function decideByWord(draft, rest, plain) {
  const { name } = draft;
  const same = isAlike(draft, plain);
  const [veto, place, spreads, total, high] = ["veto", "place", "spread", "aggregate", "higher"].map((role) => hit(name, role));
  const spread = spreads && ["lower", "upper"].includes(spreads.word) ? null : spreads;
  const strict = total && !WORD_LIST.weak.includes(total.word);
  if (high && high.at === "whole" && !WORD_LIST.roles.aggregate.includes(high.word)) decideDirection(draft, rest, plain);
  else if (place && !veto && (!same || ["whole", "last"].includes(place.at))) {
    decide(draft, "aggregate", place.at === "whole" ? "certain" : "likely", `the word ${place.word}`);
  } else if (spread && (!same || spread.at === "whole")) decide(draft, "error", same ? "likely" : "certain", `the word ${spread.word}`);
  else if (total && !same && isFact(draft, plain, same)) return;
  else if (total && plain.length && draft.why !== "next to its spread" && isTotal(draft, total, rest, plain)) {
    const tried = rest.length <= 2 || (draft.good.length > FEWEST_ROWS && plain.length > 1);
    decide(draft, "aggregate", total.at === "whole" && strict && !tried ? "certain" : "likely", `the word ${total.word}`);
  } else if (!isFact(draft, plain, same) || arrowsIn(name).size) decideDirection(draft, rest, plain);
}

function arrowsIn(name) {
  return new Set([...name].filter((one) => "↓↑⬇⬆".includes(one)));
}

/** Whether a word for a total counts: the weak ones only in one column, and near the mean of the others. */
function isTotal(draft, total, rest, plain) {
  const several = rest.filter((one) => (hit(one.name, "aggregate") || {}).word === total.word).length > 1;
  if (!WORD_LIST.weak.includes(total.word)) return !(several && total.word === "total") && !isMeasured(draft, rest);
  const others = plain.filter((one) => one !== draft && one.good.length);
  if (several || plain.filter((one) => one !== draft).length < 2) return false;
  const sizes = others.map((one) => [meanOf(one.good), deviationOf(one.good) || 1]);
  const both = [];
  for (const [row, value] of draft.values.entries()) {
    const own = others.map((one, at) => (one.values[row] - sizes[at][0]) / sizes[at][1]).filter((one) => !Number.isNaN(one));
    if (own.length && !Number.isNaN(value)) both.push([meanOf(own), value]);
  }
  const [mean, values] = [both.map(([one]) => one), both.map(([, one]) => one)];
  if (both.length < 4 || deviationOf(mean) * deviationOf(values) === 0) return false;
  const [one, other] = [meanOf(mean), meanOf(values)];
  const shared = meanOf(both.map(([first, second]) => (first - one) * (second - other)));
  return shared / (deviationOf(mean) * deviationOf(values)) > 0.9;
}

/** Whether a name says what was measured, and no two columns could be parts of it: a mean of runs. */
function isMeasured(draft, rest) {
  const own = measures(draft.name);
  const roles = ["aggregate", "fact", "count", "place", "spread"];
  const able = rest.filter((one) => one !== draft && !roles.some((role) => hit(one.name, role)));
  const parts = able.map((one) => measures(one.name)).filter((held) => !held.length || held.some((word) => own.includes(word)));
  return own.length > 0 && parts.length < 2;
}

/** The words of a header that say what was measured. */
function measures(name) {
  const unit = UNIT_IN_NAME.exec(cleaned(name));
  const found = ["lower", "higher"].map((role) => (hit(name, role) || {}).word);
  return [...found, unit && unit.slice(1).find(Boolean)].filter(Boolean);
}

/** A unit of a time that something takes, or of how much is done in a time, as a header says it. */
function perTime(name) {
  return PER.exec(cleaned(name)) ?? DONE_IN_A_TIME.exec(cleaned(name));
}

/** Decide that a column is a fact or count, where its word says so and its values are unlike the tasks'. */
function isFact(draft, plain, same) {
  const decades = draft.good.length > 0 && draft.least > 0 && draft.most / draft.least >= 999;
  const unlike = !draft.decimals || decades || draft.kinds["not yet"] > 0 || draft.good.includes(-1);
  const alone = draft.good.length < 3 || !plain.length || (plain.length === 1 && plain[0] === draft);
  for (const role of perTime(draft.name) ? [] : ["fact", "count"]) {
    const found = hit(draft.name, role);
    const whole = found && found.at === "whole" && !(role === "count" && same && draft.decimals);
    if (!found || (!whole && (same || (!unlike && alone)))) continue;
    decide(draft, "fact", whole || unlike ? "certain" : "likely", `the word ${found.word}, and its values`);
    const veto = hit(draft.name, "veto");
    return !veto || found.word.includes(veto.word);
  }
  return false;
}

/** Decide that a column is a task, and which way it counts. */
function decideDirection(draft, rest, plain) {
  const { name } = draft;
  const arrows = arrowsIn(name);
  if (arrows.size === 1) return decide(draft, "task", "certain", "an arrow", arrows.has("↓") || arrows.has("⬇"));
  const per = perTime(name);
  if (per) return decide(draft, "task", "certain", `the unit ${per[0].replace(/^[ ()[\]]+|[ ()[\]]+$/g, "")}`, Boolean(per.groups?.time));
  let unit = UNIT_IN_NAME.exec(withoutMathematics(cleaned(name)));
  let [low, high] = [hit(name, "lower"), hit(name, "higher")];
  if (unit && wordsOf(name).at(-2) === "per" && wordsOf(cleaned(name).slice(0, unit.index)).includes("per")) unit = null;
  const others = plain.filter((one) => !OF_A_PLACE.test(one.name));
  const place = others.length && unit && !low && OF_A_PLACE.test(unit[0]);
  if (place && isAlike(draft, others)) unit = null;
  const behind = [...draft.units].filter((one) => !["", "%", "x", "\u00d7"].includes(one));
  if (unit || behind.length) return decide(draft, "task", place ? "likely" : "certain", `the unit ${unit ? unit.slice(1).find(Boolean) : behind[0]}`, true);
  if (low && low.word.endsWith("rate")) high = high && low.word.includes(high.word) ? high : null;
  else if (low && (hit(name, "veto") || (high && !["whole", "last"].includes(low.at)))) low = null;
  if (low && low.at !== "whole" && !METRICS.has(low.word) && isSubject(draft, low, rest, plain)) low = null;
  const judged = low && WORD_LIST.roles.judged.includes(low.word) && isBesideScores(draft, plain);
  if (judged && low.at === "whole") return decide(draft, "task", "likely", `the word ${low.word} against values like its neighbours'`, false);
  if (low && low.word === "bias" && draft.least < 0 && draft.most > 0) return decide(draft, "fact", "likely", "a bias of either sign: neither more nor less is better");
  if (low) {
    const others = wordsOf(bare(name)).length - wordsOf(low.word).length;
    const sure = !high && (low.at === "whole" || (low.at === "last" && others === 1));
    return decide(draft, "task", sure ? "certain" : "likely", `the word ${low.word}${high ? ` against ${high.word}` : ""}`, true);
  }
  return high ? decide(draft, "task", "certain", `the word ${high.word}`, false) : decide(draft, "task", "assumed", "not declared", false);
}

/** Whether a word is what a task is about (Memory KV), or stands in a name with values like others'. */
function isSubject(draft, low, rest, plain) {
  const kin = rest.filter((one) => one !== draft).map((one) => hit(one.name, "lower")).filter((one) => one && one.word === low.word);
  const free = plain.filter((one) => !hit(one.name, "lower"));
  const first = low.at === "first" && wordsOf(bare(draft.name)).length > 1;
  if (WORD_LIST.roles.judged.includes(low.word) && isBesideScores(draft, plain)) return true;
  return (first && (kin.some((one) => one.at === "first") || isAlike(draft, free))) || (!low.at && isAlike(draft, free));
}

/** Whether the values of a column are like those of columns that are not called by a metric. */
function isBesideScores(draft, plain) {
  return isAlike(draft, plain.filter((one) => !hit(one.name, "lower") && !hit(one.name, "higher")));
}

/** Ask about what values alone make doubtful. */
function decideByValues(draft, settled) {
  const { good, most } = draft;
  if (!draft.numeric) return;
  const named = [...draft.units].filter((one) => one && one !== "%");
  if (named.length && draft.units.has("")) draft.doubts.push(`some cells have the unit ${named.join(", ")} and some have none`);
  const lacking = new Set(draft.cells.filter((one) => takenApart(one).kind === "not yet"));
  if (lacking.size) draft.doubts.push(`${someNames([...lacking])} taken as missing`);
  const others = good.filter((one) => one !== -1);
  if (others.length && others.length < good.length && others.every((one) => one > 0)) draft.doubts.push("-1 taken as missing");
  if (good.length > 4 && draft.distinct > 4 && draft.why !== "an arrow" && draft.least === 1 && most <= good.length && areRanks(good)) decide(draft, "task", "likely", "ranks from 1 to n", true);
  if (draft.certainty !== "assumed" || !good.length) return;
  const usual = usualBeside(draft, settled);
  const tall = most > 200 || (most > 100 && usual.tall >= Math.max(1, usual.count / 4));
  const facts = [...WORD_LIST.roles.fact, ...WORD_LIST.roles.count].filter((word) => word === "km" || !WORD_LIST.ends.includes(word));
  const worded = wordsOf(draft.name).some((word) => facts.includes(word));
  const far = usual.count > 1 && usual.typical > 0 && draft.typical > 1000 * usual.typical;
  if ((worded && tall) || far) {
    decide(draft, "fact", worded && tall && far ? "certain" : "likely", worded ? "a word of a fact, and its values" : "far above the others");
  } else if (tall) decide(draft, "task", "likely", "above 100: which way does it count?", false);
  else if (!draft.decimals && draft.distinct > 3 && usual.fine && (usual.fine[0] || usual.fine[1])) {
    const middle = medianOf(good);
    if (middle < usual.fine[0] || middle > usual.fine[1]) draft.doubts.push("whole numbers beside decimals: a count?");
  }
}

/** Whether values are the ranks of themselves, 1 to n: ties share the least or the mean, or count once. */
function areRanks(values, dense = false) {
  const sorted = [...values].sort((one, other) => one - other);
  if (dense && [...new Set(sorted)].every((one, at) => one === at + 1)) return true;
  const least = (one) => sorted.indexOf(one) + 1;
  return values.every((one) => one === least(one)) || values.every((one) => one === (least(one) + sorted.lastIndexOf(one) + 1) / 2);
}

/** Whether most cells are longer than names are: questions, answers, descriptions. */
function isProse(draft) {
  const cells = [...new Set(draft.cells.filter(Boolean))];
  return cells.filter((one) => one.length > LONGEST).length * 2 > cells.length;
}

/** The columns that name the rows: the best by its header that tells them apart, or the fewest that do together. */
function keyOf(drafts) {
  const { keys } = WORD_LIST;
  const joined = (one) => wordsOf(one.name).join(" ");
  const isName = (one) => {
    const cells = new Set(one.cells.map(cleaned).filter(Boolean));
    const named = keys.includes(joined(one)) || (cells.size > 1 && !isProse(one));
    return cells.size && named && ![...cells].every((cell) => NO_NAME.test(cell));
  };
  const rank = (one) => {
    const best = [joined(one), one.name.split(".").at(-1).toLowerCase()].find((word) => keys.includes(word));
    if (best) return keys.indexOf(best);
    if (isCalled(one.name, "key") || joined(one).split(" ").some((word) => keys.includes(word))) return 10;
    return one.name ? 12 : 11;
  };
  const numbers = drafts.filter((one) => one.what !== "text" && one.column === 0 && keys.includes(joined(one)));
  const texts = [...drafts.filter((one) => one.what === "text" && isName(one)), ...numbers];
  texts.sort((one, other) => rank(one) - rank(other) || one.column - other.column);
  if (!texts.length) return [];
  const others = texts.slice(1, 6);
  const pairs = others.flatMap((one, at) => others.slice(at + 1).map((two) => [one, two]));
  const tells = (some) => new Set(texts[0].cells.map((_, row) => JSON.stringify(some.map((one) => cleaned(one.cells[row]))))).size === texts[0].cells.length;
  const found = [[], ...others.map((one) => [one]), ...pairs].map((more) => [texts[0], ...more]).find(tells);
  return (found || texts.slice(0, 1)).sort((one, other) => one.column - other.column);
}

/** How names of files end that hold what is solved or looked at; those of weights, such as .pt, are models. */
const FILES = /\.(?:csv|json|w?cnf|opb|qdimacs|aag|aig|blif|smt2|pddl|xml|txt|mps|lp|mtx|tsp|vrp|graph|gr|col|dat|png|jpg|wav|mp4|pdf)$/i;

/** Why rows are likely tasks, or single scores. */
function turnedNote(drafts) {
  const [numeric, texts] = [drafts.filter((one) => one.numeric), drafts.filter((one) => !one.numeric)];
  if (!numeric.length || !texts.length) return [];
  const isSet = (one) => isCalled(one.name, "data set column");
  const model = texts.find((one) => isCalled(one.name, "key") && new Set(one.cells).size < one.cells.length && drafts.some((other) => other !== one && isSet(other)));
  if (model) return [`a row is a single score, of ${quoted(model.name)} on a data set: weightlab win FILE reads it`];
  const [first, heads] = [texts[0], numeric.map((one) => one.name)];
  const directed = heads.filter((one) => hit(one, "lower") || hit(one, "higher")).length >= heads.length / 2;
  const keyed = texts.some((one) => isCalled(one.name, "key"));
  const names = first.cells.map(cleaned).filter(Boolean);
  const share = (is) => names.filter(is).length / names.length;
  const algorithms = heads.filter((one) => hit(one, "algorithm") || SIZE.test(one)).length;
  let why = "";
  if (first.column === 0 && isCalled(first.name, "rows are tasks") && !directed && !keyed) why = `the first column is ${first.name}`;
  else if (share((one) => FILES.test(one)) > 0.5) why = "rows are files";
  else if (names.filter((one) => isCalled(one.replace(/[^\p{L}\p{N}]/gu, ""), "data set name")).length > Math.max(1, Math.floor(names.length / 5)) && !keyed) why = "rows are named like data sets";
  else if (!directed && (algorithms >= Math.max(2, 0.2 * heads.length) || (algorithms && share((one) => hit(one, "data set")) > 0.5))) why = "headers look like algorithms";
  return why ? [`rows are tasks (${why}): weightlab win FILE --transpose`] : [];
}

/** Doubts that some columns or rows are fractions beside others in percent. */
function scaleNotes(drafts) {
  const tasks = drafts.filter((one) => one.lower === false && one.good.length > 1);
  if (tasks.length < 3) return [];
  const mixed = tasks.filter((one) => one.units.has("") && one.units.has("%")).map((one) => one.name);
  const notes = mixed.length ? [`some cells of ${someNames(mixed)} have a percent sign and some have none`] : [];
  const small = tasks.filter((one) => one.least >= 0 && one.most <= 1 && !one.units.has("%"));
  const big = tasks.filter((one) => one.most > 20 && one.most <= 100 && one.least >= 0);
  const usual = medianOf(big.map((one) => medianOf(one.good)));
  const odd = big.length < Math.max(2, small.length) ? [] : small.filter((one) => 0.02 < (100 * medianOf(one.good)) / usual && (100 * medianOf(one.good)) / usual < 3);
  for (const one of tasks) {
    const fine = one.good.filter((value) => value > 0 && value <= 1);
    const rest = one.good.filter((value) => value > 1);
    if (!fine.length || 10 * fine.length > rest.length || one.least < 0 || MAKERS.minimum(rest) < 10 || MAKERS.maximum(rest) > 100) continue;
    const among = MAKERS.minimum(rest) <= 100 * MAKERS.minimum(fine) && 100 * MAKERS.maximum(fine) <= MAKERS.maximum(rest);
    const places = (value) => (String(value).split(".")[1] ?? "").length;
    if (among && MAKERS.minimum(fine.map(places)) > MAKERS.maximum(rest.map(places))) notes.push(`${counted(fine.length, "score")} of ${one.name} ${fine.length === 1 ? "looks like a fraction" : "look like fractions"} beside percentages`);
  }
  if (odd.length) notes.push(`${someNames(odd.map((one) => one.name))} ${odd.length === 1 ? "looks" : "look"} like fractions beside percentages`);
  const whole = tasks.flatMap((one) => one.good);
  const [least, most] = [MAKERS.minimum(whole), MAKERS.maximum(whole)];
  if (least < 0 || most > 100 || tasks.some((one) => one.most <= 1)) return notes;
  const rows = tasks[0].values.map((_, row) => tasks.map((one) => one.values[row]).filter((one) => !Number.isNaN(one)).sort((one, other) => one - other));
  const enough = rows.filter((own) => own.length > 1);
  const fine = enough.filter((own) => own.at(-1) <= 1 && own[(own.length - 1) >> 1] > 0);
  const above = whole.filter((one) => one > 1.5);
  const typical = medianOf(above.length ? above : whole);
  const count = fine.filter((own) => 3 * own[(own.length - 1) >> 1] * 100 > typical && own[(own.length - 1) >> 1] * 100 < typical * 3).length;
  if (count && fine.length !== enough.length && enough.some((own) => own.at(-1) > 20)) notes.push(`${counted(count, "row")} in fractions beside rows in percent`);
  return notes;
}

/** The doubt that tasks count twice: two or more of them stand there for several splits each. */
function splitNotes(tasks) {
  const splits = new Map();
  for (const one of tasks) {
    const found = /^(validation|valid|val|dev|test)[._/ -]+(.+)$/i.exec(one.name);
    if (found) splits.set(found[1], [...(splits.get(found[1]) ?? []), found[2]]);
  }
  const held = [...splits];
  const shared = held.filter(([word, its]) => held.some(([other, more]) => other !== word && its.filter((one) => more.includes(one)).length > 1));
  return shared.length ? [`the same tasks occur by the splits ${shared.map(([word]) => word).join(" and ")}`] : [];
}

/** The doubt that zeros, far below the narrow band of all other scores, are of models that were not run. */
function zeroNotes(tasks) {
  const found = tasks.flatMap((one) => {
    const others = one.good.filter((value) => value !== 0);
    const [least, most] = [MAKERS.minimum(others), MAKERS.maximum(others)];
    const far = others.length > 2 && others.length < one.good.length && least > 6 * (most - least) && most > least;
    return far ? [[one.name, one.good.length - others.length, 1 - others.length / one.good.length]] : [];
  });
  const kept = found.filter(([, , share]) => found.length >= 5 || share >= 0.1);
  const zeros = kept.reduce((total, [, count]) => total + count, 0);
  return zeros ? [`${counted(zeros, "zero")} far below all other scores (${someNames(kept.map(([name]) => name))}): were these not run?`] : [];
}

function someNames(names, most = 3) {
  const more = names.length > most ? ` and ${names.length - most} more` : "";
  return `${names.slice(0, most).map(plainName).join(", ")}${more}`;
}

/** Names of columns as patterns where they are many and all columns of a kind: those of a score, or all. */
function inPatterns(names, header) {
  if (names.length <= 6) return names;
  if (header.slice(1).every((one) => names.includes(one))) return ["*"];
  const starts = (name) => [...name.matchAll(/\//g)].map((sign) => name.slice(0, sign.index + 1));
  const count = (all) => {
    const held = new Map();
    for (const start of [...new Set(all)].flatMap(starts)) held.set(start, (held.get(start) ?? 0) + 1);
    return held;
  };
  const [there, meant] = [count(header), count(names)];
  const whole = (start) => meant.get(start) > 1 && meant.get(start) === there.get(start);
  const pattern = (start) => `${start.replace(/[*?[]/g, "[$&]")}*`;
  return [...new Set(names.map((name) => [...starts(name).filter(whole).map(pattern), name][0]))];
}

/** The reading in one line, as every answer of weightlab begins. */
function readingLine(file, models, columns) {
  const tasks = columns.filter((one) => one.role === "scores");
  const some = (those) => someNames(inPatterns(those.map((one) => one.name), ["", ...columns.map((one) => one.name)]));
  const told = [true, false].flatMap((lower) => {
    const its = tasks.filter((one) => Boolean(one.lower) === lower);
    const assumed = its.filter((one) => one.certainty === "assumed");
    const whole = its.length === tasks.length;
    const on = whole ? (its.length > 1 ? " on all" : "") : ` on ${some(its)}`;
    const said = assumed.length ? ` (assumed${assumed.length === its.length ? "" : ` on ${some(assumed)}`})` : "";
    return its.length ? [`${lower ? "lower" : "higher"} is better${on}${said}`] : [];
  });
  const left = columns.filter((one) => one.role === "out" && (one.name || one.why !== "empty"));
  const kinds = new Map();
  const kindOf = (one) => (one.certainty === "declared" ? "declared column" : { text: "text column", error: "spread" }[one.what] || one.what);
  for (const one of left) kinds.set(kindOf(one), [...(kinds.get(kindOf(one)) || []), one.name]);
  const each = left.map((one) => `${plainName(one.name) || "a column without a name"} (${one.why})`);
  const grouped = [...kinds].map(([kind, names]) => `${counted(names.length, kind)} (${someNames(inPatterns(names, ["", ...columns.map((one) => one.name)]))})`);
  const out = left.length ? `; left out: ${(left.length <= 6 ? each : grouped).join(", ")}` : "";
  return `Read ${plainName(file)}: ${counted(models, "model")}, ${counted(tasks.length, "task")}, ${told.join(", ") || "no task"}${out}.`;
}
