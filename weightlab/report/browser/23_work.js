// What takes long, step by step: verdicts, shares, distances. In a worker, or in the page in slices of time.

const SAMPLES = 10_000;
const BATCH = 500;
const SLICE = 25;

/** Everything that is worked out of a table, as messages; the first are the verdicts, one a model and rule. */
function* work(payload) {
  const table = readTable(payload);
  for (const [at, way] of table.ways.entries()) {
    for (const model of way.models) {
      const found = provedProspect(table, way, model);
      way.prospects[model] = readProspect(found, table.tasks.length);
      yield { kind: "verdict", at, model, prospect: found };
    }
  }
  // What the explorer begins with is worked out here, too.
  majoritiesUnder(table, table.today);
  yield { kind: "table", table: { ...table, memory: new Map() } };
  yield* sampledShares(table);
  for (const [at, way] of table.ways.entries()) for (const model of way.models) {
    if (way.prospects[model].verdict === "never") continue;
    const found = distanceToWinning(table, way, model, table.today);
    const near = found.nearest && {
      distance: exactText(found.nearest.distance),
      more: found.there.verdict === "ties" && found.prospect.verdict === "strict",
      proved: found.nearest.proved,
      shares: found.nearest.shares.map(exactText),
    };
    yield { kind: "distance", at, model, near: near || null, wins: found.kind === "wins" };
  }
  yield { kind: "done" };
}

/** What is proved of one model by a rule, as the payload of the explorer has it. */
function provedProspect(table, way, model) {
  const found = widestMargin(table, way, model);
  if (!found) throw new Fault(`The verdict of ${quoted(table.models[model], 60)} ${way.by} was not proved here: weightlab win FILE proves it.`);
  const { margin, shares, blockers } = found;
  return {
    verdict: margin.top > 0n ? "strict" : margin.top < 0n ? "never" : "weak",
    lower: exactText(margin),
    upper: exactText(margin),
    weights: shares.flatMap((one, task) => (one.top ? [[task, exactText(one)]] : [])),
    blockers: blockers.map(([rival, share]) => [rival, exactText(share)]),
  };
}

/** How often each model wins by each rule under weights drawn evenly from all weightings, after each batch. */
function* sampledShares(table) {
  const finders = table.ways.map((way) => (way.points ? winnerByPoints : winnerOfDuels)(table, way));
  const wins = table.ways.map(() => new Array(table.models.length).fill(0));
  const random = randomNumbers(20240229);
  for (let drawn = 0; drawn < SAMPLES; ) {
    for (let step = 0; step < BATCH; step += 1, drawn += 1) {
      const weights = Float64Array.from(table.tasks, () => -Math.log(1 - random()));
      finders.forEach((find, at) => {
        const winner = find(weights);
        if (winner !== undefined) wins[at][winner] += 1;
      });
    }
    yield { kind: "shares", drawn, wins: wins.map((one) => [...one]) };
  }
}

/** Models that can win by a rule. */
function ableBy(way) {
  return way.models.filter((model) => way.prospects[model].verdict === "strict");
}

/** Which model beats all others head-to-head under weights, if any. */
function winnerOfDuels(table, way) {
  const able = ableBy(way);
  const signs = new Map(able.map((model) => [model, flattened(leadsOverRivals(table, way, model).rows, table.tasks.length)]));
  return (weights) => {
    const winner = able.find((model) => leadsAll(signs.get(model), weights));
    // Whoever won lately is asked first: then most draws need one look.
    if (winner !== undefined && able[0] !== winner) able.splice(0, 0, ...able.splice(able.indexOf(winner), 1));
    return winner;
  };
}

/** Which model has most points under weights: models that can at best tie for first never have alone. */
function winnerByPoints(table, way) {
  const able = ableBy(way);
  const points = able.map((model) => Float64Array.from(way.points, (own) => toFloat(ratio(own[model], way.bottom))));
  return (weights) => {
    let [best, most] = [undefined, -Infinity];
    points.forEach((own, at) => {
      let total = 0;
      for (let task = 0; task < weights.length; task += 1) total += own[task] * weights[task];
      if (total > most) [best, most] = [able[at], total];
    });
    return best;
  };
}

function flattened(rows, tasks) {
  const made = new Int8Array(rows.length * tasks);
  rows.forEach((row, at) => made.set(row, at * tasks));
  return made;
}

function leadsAll(signs, weights) {
  for (let start = 0; start < signs.length; start += weights.length) {
    let lead = 0;
    for (let task = 0; task < weights.length; task += 1) lead += signs[start + task] * weights[task];
    if (lead <= 0) return false;
  }
  return true;
}

/** Numbers from 0 to 1 that are the same for the same seed (mulberry32). */
function randomNumbers(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** What a text is, one at a time: {kind: "read", name, text, isFile, table}, a table with its columns. */
function* readings({ texts, words }) {
  const read = texts.map((one) => ({ ...one, table: columnsOf(sheetOf(one.text, one.name), words) }));
  if (read.length > 1) throw new Fault(`Give one table at a time: ${listed(read.map((one) => quoted(one.name)))} are ${read.length}.`);
  yield { kind: "read", ...read[0] };
}

function columnsOf(sheet, words) {
  return { sheet, ...recognised(sheet, words) };
}

/** The steps of a job; what a step has to tell is a message. */
const JOBS = { files: readings, table: ({ payload }) => work(payload) };

/** In a worker: do the one job that it is sent. */
function serve() {
  self.onmessage = ({ data }) => {
    try {
      for (const message of JOBS[data.job](data)) if (message) self.postMessage(message);
    } catch (error) {
      self.postMessage({ kind: "fault", text: error instanceof Fault ? error.message : `This went wrong: ${error}` });
    }
  };
}

/**
 * Do a job, telling of each message; returns how to stop it. The worker runs this page's own script; where
 * there is none, or it does not start, the page works in slices, so that it answers to whoever uses it meanwhile.
 */
function worked(job, script, tell) {
  let stopped = false;
  const said = (message) => stopped || tell(message);
  const here = () => inSlices(JOBS[job.job](job), said, () => stopped);
  if (!script || typeof Worker === "undefined") {
    here();
    return () => (stopped = true);
  }
  let worker = null;
  try {
    const address = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
    worker = new Worker(address);
    URL.revokeObjectURL(address);
  } catch {
    here();
    return () => (stopped = true);
  }
  let begun = false;
  worker.onmessage = ({ data }) => {
    begun = true;
    said(data);
  };
  worker.onerror = (event) => {
    event.preventDefault();
    worker.terminate();
    if (!begun && !stopped) here();
    else said({ kind: "fault", text: `This went wrong: ${event.message}` });
  };
  worker.postMessage(job);
  return () => {
    stopped = true;
    worker.terminate();
  };
}

/** Work for each of some items, in slices of time. */
function forEachInSlices(items, work, isStopped) {
  const steps = (function* () {
    for (const one of items) yield work(one);
  })();
  inSlices(steps, () => {}, isStopped);
}

async function inSlices(steps, tell, isStopped) {
  try {
    for (;;) {
      const end = performance.now() + SLICE;
      while (performance.now() < end) {
        const step = steps.next();
        if (step.done || isStopped()) return;
        if (step.value) tell(step.value);
      }
      await new Promise((done) => setTimeout(done, 0));
    }
  } catch (error) {
    tell({ kind: "fault", text: error instanceof Fault ? error.message : `This went wrong: ${error}` });
  }
}
