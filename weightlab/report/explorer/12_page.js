// The explorer in its page: state, events, and what is worked out when.

const LARGE = 150;

class Explorer {
  constructor(root, table) {
    this.root = root;
    this.table = table;
    this.state = this.initialState();
    this.panel = new Panel(this.part("sliders"), this.table, (weights) => this.set({ weights }, true));
    this.fillChoices();
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
    const today = this.table.today;
    const { layers } = majoritiesUnder(this.table, today);
    return { weights: today, rule: this.table.rules[0].id, ties: "average", model: layers[0][0] };
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
    press("today", () => this.jump(this.table.today, "Today's weights."));
    press("nearest", () => this.jumpToNearest());
    press("robust", () => this.jumpToRobust());
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

  jumpToNearest() {
    const { table, state } = this;
    const shares = nearestWinning(table, state.model, state.weights);
    if (shares) this.jumpTo(shares, distanceBetween(sharesOf(state.weights), shares));
  }

  jumpToRobust() {
    const { table, state } = this;
    const shares = mostRobust(table, state.model);
    if (shares) this.jumpTo(shares, distanceBetween(sharesOf(state.weights), shares));
  }

  /** Take shares as weights of today's total; the words are those that an exact check of them allows. */
  jumpTo(shares, moved) {
    const total = this.table.today.reduce(plus);
    const standing = standingOf(this.table, this.state.model, shares);
    const name = this.table.models[this.state.model];
    const words = {
      wins: `${name} wins head-to-head here, by a lead of at least ${percent(standing.least)} of the weight.`,
      ties: `${name} is undefeated head-to-head here, but ties ${firstOf(standing.tied.map((one) => this.table.models[one]))}.`,
      loses: `${name} does not win head-to-head here: no winning weights were found.`,
    }[standing.verdict];
    this.jump(shares.map((one) => times(one, total)), `${words} The weights moved by ${about(moved)} of 2.`);
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
    this.part("winner").textContent = winnerSentence(table, this.answers);
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
    return moved.top === 0n ? "These are today's weights." : `Moved from today's weights by ${about(moved)} of 2.`;
  }

  showChoices() {
    const { table, state } = this;
    const name = table.models[state.model];
    const { verdict } = table.prospects[state.model];
    this.part("model").value = String(state.model);
    this.part("rule").value = state.rule;
    this.part("ties").value = state.ties;
    this.part("ties-choice").hidden = !this.answers.rule.ties;
    this.part("prospect").textContent = prospectSentence(table, state.model);
    fillBlockers(this.part("blockers"), table, state.model);
    this.part("nearest").textContent = `Nearest weights where ${name} ${verdict === "weak" ? "is undefeated" : "wins"} head-to-head`;
    this.part("robust").textContent = `Most robust weights for ${name}`;
    this.part("nearest").hidden = verdict === "never";
    this.part("robust").hidden = verdict === "never";
  }

  updateDistance() {
    const { table, state } = this;
    if (state.weights.every((one) => one.top === 0n)) return;
    const found = distanceToWinning(table, state.model, state.weights);
    this.part("standing").textContent = duelsSentence(table, found.standing);
    fillDistance(this.part("distance"), table, state.model, found);
    this.part("nearest").disabled = found.kind === "wins";
  }

  spoken() {
    if (this.root.classList.contains("empty")) return this.part("winner").textContent;
    const note = this.part("note").textContent;
    const standing = duelsSentence(this.table, standingOf(this.table, this.state.model, sharesOf(this.state.weights)));
    const own = `${this.table.models[this.state.model]}: ${standing}`;
    return [note, winnerSentence(this.table, this.answers), rankingSentence(this.table, this.answers), own].join(" ").trim();
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

/** What the page would say of one model's way to winning, in exact text: for checking it. */
function wayToWin(table, weights, model) {
  const found = distanceToWinning(table, model, weights.map(readNumber));
  const texts = (shares) => shares && shares.map(exactText);
  return {
    kind: found.kind,
    distance: found.nearest ? exactText(found.nearest.distance) : null,
    proved: found.nearest ? found.nearest.proved : null,
    nearest: texts(nearestWinning(table, model, weights.map(readNumber))),
    robust: texts(mostRobust(table, model)),
    blocked: found.kind === "never" ? blockersHold(table, model) : null,
  };
}

/** The least change of today's weights after which a model is undefeated, by doubles and integers, and by these alone. */
function nearestTwice(table, model) {
  const program = nearestProgram(table, model, commonIntegers(table.today).values);
  const ways = [leastSum(program), leastSumInIntegers(program, null)];
  return ways.map((found) => found && exactText(ratio(sum(found.values), found.bottom)));
}
