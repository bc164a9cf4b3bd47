// The explorer in its page: state, events, and what is worked out when.

const LARGE = 150;

class Explorer {
  constructor(root, table) {
    this.root = root;
    this.table = table;
    this.state = this.initialState();
    this.panel = new Panel(this.part("sliders"), this.table, (weights) => this.set({ weights }, true));
    this.fillChoices();
    this.told = this.table.ways.map((way) => ({ way, ...this.wayParts(way) }));
    this.part("ways").replaceChildren(...this.told.map((one) => one.section));
    this.listen();
    this.later = settled(() => this.updateDistance(), 120);
    this.speak = settled(() => (this.part("status").textContent = this.spoken()), 900);
    this.soon = this.table.models.length > LARGE ? settled(() => this.update(), 60) : this.nextFrame();
    this.restore();
  }

  part(name) {
    return this.root.querySelector(`[data-part="${name}"]`);
  }

  initialState() {
    const { today, rules, ways } = this.table;
    const [own] = ways;
    const model = own.points ? firstBy(own, today).first[0] : majoritiesUnder(this.table, today).layers[0][0];
    const { id } = rules.find((one) => one.name === own.rule) || rules[0];
    return { weights: today, rule: id, ties: "average", model };
  }

  /** What is told of the chosen model by one rule, and the buttons that lead to its weights. */
  wayParts(way) {
    const made = (name, tag = "p") => element(tag, { "data-part": name });
    const [prospect, standing, distance] = [made("prospect"), made("standing"), made("distance")];
    const blockers = element("div", { "data-part": "blockers", class: "blockers" });
    const buttons = [["nearest", nearestWinning], ["robust", mostRobust]].map(([name, find]) => {
      const button = element("button", { type: "button", "data-part": name });
      button.addEventListener("click", () => this.jumpTo(way, /** @type {Function} */ (find)(this.table, way, this.state.model, this.state.weights)));
      return button;
    });
    const [nearest, robust] = buttons;
    const children = [element("h4", {}, capitalised(way.by)), prospect, blockers, standing, distance, element("p", { class: "buttons" }, buttons)];
    return { section: element("div", { "data-way": way.rule }, children), prospect, standing, distance, blockers, nearest, robust };
  }

  /** A call of update at the next frame, once however often it is asked for. */
  nextFrame() {
    let asked = false;
    return () => {
      if (asked) return;
      asked = true;
      requestAnimationFrame(() => {
        asked = false;
        this.update();
      });
    };
  }

  fillChoices() {
    const { models, rules, withheld } = this.table;
    const options = (holder, entries) =>
      this.part(holder).replaceChildren(...entries.map(([value, text]) => element("option", { value }, text)));
    options("model", models.map((name, place) => [place, name]));
    options("rule", rules.map((one) => [one.id, one.label]));
    const reasons = withheld.map((one) => element("li", {}, `${one.label}: ${one.reason}.`));
    this.part("withheld").hidden = !reasons.length;
    this.part("withheld-list").replaceChildren(...reasons);
  }

  listen() {
    const choose = (name, read) =>
      this.part(name).addEventListener("change", (event) => this.set(read(event.target.value)));
    choose("model", (value) => ({ model: Number(value) }));
    choose("rule", (rule) => ({ rule }));
    choose("ties", (ties) => ({ ties }));
    const press = (name, work) => this.part(name).addEventListener("click", work);
    press("today", () => this.jump(this.table.today, "The current weights."));
    press("copy", () => this.copy());
    window.addEventListener("hashchange", () => this.restore());
  }

  /** Take the weights of the link in the address, if there is one, and show them all. */
  restore() {
    const read = readLink(this.table, window.location.hash);
    const fault = read && read.fault;
    this.say("message", fault ? `The link was not used: ${fault}. These are the weights from before.` : "");
    if (read && read.state) Object.assign(this.state, read.state);
    this.panel.show(this.state.weights);
    this.update();
  }

  say(name, text) {
    this.part(name).textContent = text;
    this.part(name).hidden = !text;
  }

  set(change, soon = false) {
    Object.assign(this.state, change);
    this.say("note", "");
    this.say("message", "");
    if (soon) this.soon();
    else this.update();
  }

  jump(weights, note) {
    this.panel.show(weights);
    this.set({ weights });
    this.say("note", note);
  }

  /** Take shares as weights of the total at first; the words are those that an exact check of them allows. */
  jumpTo(way, shares) {
    if (!shares) return;
    const moved = half(distanceBetween(sharesOf(this.state.weights), shares));
    const total = this.table.today.reduce(plus);
    const standing = standingOf(this.table, way, this.state.model, shares);
    const name = this.table.models[this.state.model];
    const words = {
      wins: `${name} wins ${way.by} here, by a lead of at least ${leadWords(way, standing.least)}.`,
      ties: `${name} is first ${way.by} here, but tied with ${firstOf(standing.tied.map((one) => this.table.models[one]))}.`,
      loses: `${name} does not win ${way.by} here: no winning weights were found.`,
    }[standing.verdict];
    this.jump(shares.map((one) => times(one, total)), `${words} ${percent(moved)} of the weight shifted.`);
  }

  async copy() {
    const address = this.part("address");
    address.select();
    let done = false;
    try {
      await navigator.clipboard.writeText(address.value);
      done = true;
    } catch {
      done = document.execCommand("copy");
    }
    this.say("copied", done ? "Copied." : "Copy it from the field.");
  }

  update() {
    const { table, state } = this;
    const empty = state.weights.every((one) => one.top === 0n);
    this.root.classList.toggle("empty", empty);
    if (empty) {
      this.part("winner").textContent = "All weights are 0: give some task a weight.";
      this.speak();
      return;
    }
    this.answers = answersTo(table, state);
    this.part("winner").textContent = winnerSentence(table, this.answers, state.weights);
    this.part("moved").textContent = this.movedSentence();
    this.showChoices();
    const { answers } = this;
    this.inTurn([
      () => (this.part("graph-words").textContent = drawGraph(this.part("graph"), table, answers, state.model)),
      () => fillRanking(this.part("ranking"), table, answers, state.model),
      () => fillDuels(this.part("duels"), table, answers, state.model),
    ]);
    this.part("address").value = `${window.location.href.split("#")[0]}${linkOf(table, state)}`;
    this.part("link").setAttribute("href", linkOf(table, state));
    this.say("copied", "");
    this.later();
    this.speak();
  }

  /** Do some work at once; of a large table piece by piece, so that the page stays alive, until the next change. */
  inTurn(pieces) {
    const { answers } = this;
    if (this.table.models.length <= LARGE) for (const piece of pieces) piece();
    else pieces.forEach((piece, at) => setTimeout(() => this.answers === answers && piece(), 10 * at));
  }

  movedSentence() {
    const moved = distanceBetween(sharesOf(this.table.today), sharesOf(this.state.weights));
    if (moved.top === 0n) return "These are the current weights of the table.";
    return `Weight shift from the table's current weights: ${percent(half(moved))}.`;
  }

  showChoices() {
    const { table, state } = this;
    const name = table.models[state.model];
    this.part("model").value = String(state.model);
    this.part("rule").value = state.rule;
    this.part("ties").value = state.ties;
    this.part("ties-choice").hidden = !this.answers.rule.ties;
    for (const { way, prospect, blockers, nearest, robust } of this.told) {
      const known = way.prospects[state.model];
      const does = known && known.verdict === "weak" ? (way.points ? "is tied for first" : "is undefeated") : "wins";
      prospect.textContent = prospectSentence(table, way, state.model);
      fillBlockers(blockers, table, way, state.model);
      nearest.textContent = `Nearest weights where ${name} ${does} ${way.by}`;
      robust.textContent = `Most robust weights for ${name} ${way.by}`;
      for (const button of [nearest, robust]) button.hidden = !known || known.verdict === "never";
    }
  }

  updateDistance() {
    const { table, state } = this;
    if (state.weights.every((one) => one.top === 0n)) return;
    for (const { way, standing, distance, nearest } of this.told) {
      const ranked = way.prospects[state.model] !== null;
      const found = ranked ? distanceToWinning(table, way, state.model, state.weights) : { kind: "unranked" };
      standing.textContent = ranked ? standingSentence(table, way, found.standing) : "";
      fillDistance(distance, way, found);
      nearest.disabled = found.kind === "wins";
    }
  }

  spoken() {
    if (this.root.classList.contains("empty")) return this.part("winner").textContent;
    const note = this.part("note").textContent;
    const { table, state } = this;
    const ranked = table.ways.filter((way) => way.prospects[state.model]);
    const shares = sharesOf(state.weights);
    const standings = ranked.map((way) => standingSentence(table, way, standingOf(table, way, state.model, shares)));
    const own = `${table.models[state.model]}: ${standings.join(" ")}`;
    return [note, this.part("winner").textContent, rankingSentence(this.table, this.answers), own].join(" ").trim();
  }
}

/** What the page would say of a table under weights given as text, without a page: for checking it. */
function answer(table, weights, { rule, ties = "average", model = 0 }) {
  const state = { weights: weights.map(readNumber), rule, ties, model };
  const { duels, layers, ranking } = answersTo(table, state);
  const margins = table.models.map((_, one) =>
    table.models.map((__, other) => (one === other ? "0" : exactText(marginOf(duels, one, other)))),
  );
  return {
    margins,
    layers,
    order: ranking.order || null,
    scores: ranking.scores ? ranking.scores.map(exactText) : null,
    reason: ranking.reason || null,
  };
}

/** What the page would say of one model's way to winning by a rule, in exact text: for checking it. */
function wayToWin(table, weights, model, at = -1) {
  const way = table.ways.at(at);
  const found = distanceToWinning(table, way, model, weights.map(readNumber));
  const texts = (shares) => shares && shares.map(exactText);
  return {
    kind: found.kind,
    distance: found.nearest ? exactText(found.nearest.distance) : null,
    proved: found.nearest ? found.nearest.proved : null,
    nearest: texts(nearestWinning(table, way, model, weights.map(readNumber))),
    robust: texts(mostRobust(table, way, model)),
    blocked: found.kind === "never" ? blockersHold(table, way, model) : null,
  };
}

/** The least change of today's weights after which no rival is ahead, by doubles and integers, and by these alone. */
function nearestTwice(table, model, at = -1) {
  const program = nearestProgram(table, table.ways.at(at), model, commonIntegers(table.today).values);
  const ways = [leastSum(program), leastSumInIntegers(program, null)];
  return ways.map((found) => found && exactText(ratio(sum(found.values), found.bottom)));
}
