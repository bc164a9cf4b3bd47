// The page: a table comes in, its columns are shown, it is answered; documents are written and checked.

const MOST_BYTES = 20_000_000;
// Texts of so many letters are read in a worker; a worker takes as long to start as a shorter one to be read.
const LONG_TEXT = 20_000;
// What comes in after the verdicts of a large table is shown so many milliseconds apart, not at once.
const [LARGE_TABLE, PAUSE] = [100, 300];
const BINARY = [
  ["PAR1", "a Parquet file"],
  ["PK\x03\x04", "an Excel workbook or a zip archive"],
  ["\x1f\x8b", "a gzip archive"],
];

class TablePage {
  /** What is read, as it stands: {sheet, name, columns, questions}; and what it was made of it. */
  sheet = null;
  name = "";
  columns = [];
  questions = [];
  fromDocument = false;
  complete = false;
  answered = false;
  payload = null;
  table = null;
  explorer = null;
  shown = null;
  late = [];
  mapped = null;
  /** Documents that are checked as soon as their table is known. */
  waiting = [];
  stop = () => {};
  stopChecks = () => {};
  stopReading = () => {};

  constructor(root, told, script) {
    this.root = root;
    this.told = told;
    this.script = script;
    this.explorerHtml = this.part("explorer").querySelector("template");
    this.listen();
  }

  part(name) {
    return this.root.querySelector(`[data-part="${name}"]`);
  }

  say(name, text) {
    this.part(name).textContent = text;
    this.part(name).hidden = !text;
  }

  listen() {
    const file = this.part("file");
    file.addEventListener("change", () => this.take([...file.files]));
    this.part("read").addEventListener("click", () => this.receive([{ name: "pasted table", text: this.part("paste").value }]));
    this.part("sample").addEventListener("click", () => this.receive([this.told.sample]));
    this.part("answer").addEventListener("click", () => this.answer());
    this.part("save").addEventListener("click", () => this.save());
    this.root.querySelectorAll("[name=weightlab-gaps]").forEach((one) => one.addEventListener("change", () => this.changed()));
    this.root.querySelectorAll("[data-corner], [data-corner-name]").forEach((one) => one.addEventListener("change", () => this.drawTriangle()));
    document.addEventListener("dragover", (event) => event.preventDefault());
    document.addEventListener("drop", (event) => {
      event.preventDefault();
      if (event.dataTransfer.files.length) this.take([...event.dataTransfer.files]);
    });
  }

  /** Read files that were dropped or chosen. */
  async take(files) {
    try {
      this.receive(await Promise.all(files.map(textOf)));
    } catch (fault) {
      this.refuse(fault);
    }
  }

  refuse(fault) {
    if (!(fault instanceof Fault)) throw fault;
    this.say("fault", fault.message);
  }

  /** Take texts: one table at most, and documents, which are checked against it. Long ones are read in a worker. */
  receive(texts) {
    this.say("fault", "");
    this.stopReading();
    const isLong = texts.reduce((total, { text }) => total + text.length, 0) > LONG_TEXT;
    this.say("reading", isLong ? `Reading ${listed(texts.map(({ name }) => quoted(name)))} …` : "");
    this.stopReading = worked({ job: "files", texts }, isLong ? this.script : null, (message) => {
      this.say("reading", "");
      if (message.kind === "read") this.received(message.read);
      else this.say("fault", message.text);
    });
  }

  /** What was read is a table, documents, or both. */
  received(read) {
    const given = read.find((one) => one.table);
    this.waiting = read.filter((one) => one.document);
    if (given) {
      this.forget();
      const said = this.waiting.length ? this.waiting[0].document : null;
      this.open(given.table, given.name, { said });
    } else if (this.payload && !this.fromDocument) this.check();
    else if (this.waiting[0].document.table) this.open(this.waiting[0].document.table, this.waiting[0].name, { fromDocument: true });
    else this.check();
  }

  /** Open a table, show its columns, and answer where nothing is ambiguous; a document alone has places for scores. */
  open({ sheet, columns, questions }, name, { said = null, fromDocument = false } = {}) {
    this.clear();
    // A document beside its table says how that was read: then there is nothing to ask.
    Object.assign(this, { sheet, name, columns, fromDocument, questions: fromDocument || said ? [] : questions });
    if (said) takeFlags(columns, said.flags);
    this.root.querySelector(`[name=weightlab-gaps][value=${said && said.complete ? "complete" : "ties"}]`).checked = true;
    this.part("columns-section").hidden = false;
    this.showColumns();
    this.part("questions").replaceChildren(...this.questions.map((one) => element("li", {}, one)));
    const tasks = columns.filter((one) => one.role === "scores").length;
    this.say("source", `${plainName(name)}: ${counted(sheet.rows.length, "row")}, ${counted(tasks, "column")} of scores${sheet.comma ? ", with decimal commas" : ""}.`);
    this.part("answer").hidden = !this.questions.length;
    if (this.questions.length) this.say("sentence-wait", "Check these, then press the button.");
    else setTimeout(() => sheet === this.sheet && !this.answered && this.answer());
  }

  showColumns() {
    showColumns(this.part("columns"), this.sheet, this.columns, (roles) => {
      if (roles) this.showColumns();
      this.changed();
    });
    this.part("gaps").hidden = !this.columns.some((one) => one.role === "scores" && one.scores && one.scores.includes(null));
  }

  /** A choice was made: the answer, once there is one, follows it. */
  changed() {
    if (this.answered) this.answer();
  }

  /** Nothing of an earlier table stays beside what is said of a new one. */
  forget() {
    this.clear();
    this.part("columns-section").hidden = true;
    this.stopChecks();
    this.part("checked").replaceChildren();
  }

  clear() {
    this.stop();
    this.part("sentence").textContent = "";
    Object.assign(this, { payload: null, answered: false, table: null, explorer: null, late: [] });
    for (const name of ["answer-section", "map-section"]) this.part(name).hidden = true;
    this.say("sentence-wait", "");
    this.part("explorer").replaceChildren(this.explorerHtml);
  }

  answer() {
    this.clear();
    this.say("fault", "");
    this.answered = true;
    this.part("answer").hidden = true;
    try {
      const complete = this.root.querySelector("[name=weightlab-gaps]:checked").value === "complete";
      this.complete = complete && !this.part("gaps").hidden;
      this.payload = payloadOf(this.sheet, this.columns, { complete: this.complete, offers: this.told.offers });
    } catch (fault) {
      this.refuse(fault);
      return;
    }
    this.part("answer-section").hidden = false;
    this.part("verdicts").replaceChildren();
    this.part("names").replaceChildren();
    this.say("shares", "");
    this.part("save").disabled = true;
    this.root.classList.toggle("large", this.payload.models.length > LARGE_TABLE);
    this.part("progress").max = this.payload.models.length;
    this.part("progress").value = 0;
    this.part("progress").hidden = false;
    this.stop = worked({ job: "table", payload: this.payload }, this.script, (message) => this.hear(message));
    this.check();
  }

  hear(message) {
    const { payload } = this;
    if (message.kind === "verdict") {
      payload.prospects[message.model] = message.prospect;
      this.part("progress").value = message.model + 1;
    } else if (message.kind === "table") {
      this.table = message.table;
      this.showVerdicts();
    } else if (message.kind === "fault") this.say("fault", message.text);
    else {
      this.late.push(message);
      if (this.late.length === 1) setTimeout(() => this.showLate(payload), payload.models.length > LARGE_TABLE ? PAUSE : 0);
    }
  }

  /** Show the shares and distances that came in since the last time; of the shares only the last ones. */
  showLate(payload) {
    if (payload !== this.payload) return;
    const [late, shares] = [this.late, this.late.filter((one) => one.kind === "shares").pop()];
    this.late = [];
    for (const message of late) if (message.kind === "distance") this.shown.showDistance(message);
    if (!shares) return;
    this.shown.showShares(shares);
    const winners = shares.wins.reduce((total, one) => total + one, 0);
    const free = ((100 * (shares.drawn - winners)) / shares.drawn).toFixed(1);
    this.say("shares", `Shares are estimated from ${shares.drawn.toLocaleString("en")} weightings drawn evenly; under ${free}% of them no model wins.`);
  }

  /** All verdicts are proved: the sentence, the table, the map and the explorer. */
  showVerdicts() {
    const { payload } = this;
    this.part("progress").hidden = true;
    const left = payload.leftOut ? ` ${counted(payload.leftOut, "model")} with missing scores left out.` : "";
    const gaps = payload.tasks.some((one) => one.scores.includes(null)) ? " Missing scores count as ties." : "";
    const places = this.fromDocument ? " Its table is the one that the document carries, with places for scores." : "";
    this.part("sentence").textContent = `${verdictSentence(payload.prospects)}${left}${gaps}${places}`;
    this.part("names").replaceChildren(...verdictNames(this.table));
    const { table } = this;
    this.shown = verdictTable(table, (model) => this.explore(model), () => table !== this.table);
    this.part("verdicts").replaceChildren(this.shown.table);
    this.part("save").disabled = false;
    // The sentence first: what is below it comes in the frames after, unless another table came in between.
    const apart = payload.models.length > LARGE_TABLE ? PAUSE / 4 : 0;
    [() => this.showMap(), () => this.showExplorer()].forEach((later, at) => setTimeout(() => table === this.table && later(), apart * (at + 1)));
  }

  showExplorer() {
    this.part("explorer").replaceChildren(this.explorerHtml, this.explorerHtml.content.cloneNode(true));
    const root = this.part("explorer").querySelector("#weightlab-explorer");
    root.querySelector('[data-part="body"]').hidden = false;
    this.explorer = new Explorer(root, this.table);
  }

  explore(model) {
    if (!this.explorer) return;
    this.explorer.set({ model });
    const chosen = this.part("explorer").querySelector("#weightlab-explorer-choose-model");
    chosen.scrollIntoView({ block: "center" });
    chosen.focus();
  }

  showMap() {
    const { tasks } = this.table;
    this.part("map-section").hidden = tasks.length < 3;
    this.root.querySelectorAll("[data-corner]").forEach((one, corner) => {
      this.root.querySelectorAll("[data-corner-name]")[corner].value = "";
      one.replaceChildren(...tasks.map((name, at) => element("option", { value: at }, name)));
      if (tasks.length > 2) one.options[corner].selected = true;
    });
    if (tasks.length > 2) this.drawTriangle();
  }

  drawTriangle() {
    const chosen = [...this.root.querySelectorAll("[data-corner]")].map((one) => [...one.selectedOptions].map((option) => Number(option.value)));
    const given = [...this.root.querySelectorAll("[data-corner-name]")].map((one) => plainName(one.value.trim()));
    const names = chosen.map((own, corner) => given[corner] || listed(own.map((task) => this.table.tasks[task])));
    const fits = chosen.every((own) => own.length) && new Set(names).size === 3;
    if (!fits) this.part("map").replaceChildren(element("p", {}, "Choose a task or several for each corner, three different choices."));
    this.mapped = [chosen, names];
    const { mapped } = this;
    if (fits) drawMap(this.part("map"), this.table, chosen, names, () => mapped !== this.mapped);
  }

  save() {
    const { version } = this.told;
    const about = { version, file: this.name, complete: this.complete, flags: flagsOf(this.sheet, this.columns) };
    const address = URL.createObjectURL(new Blob([documentOf(this.payload, about)], { type: "application/json" }));
    const link = element("a", { href: address, download: `${this.name.replace(/\.[^.]*$/, "")}-proof.json` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
  }

  /** Where a document's table was read otherwise than this one, as weightlab verify would note. */
  differs({ complete, flags }) {
    const own = [...flagsOf(this.sheet, this.columns), ...(this.complete ? ["--complete"] : [])].sort();
    const its = [...flags, ...(complete ? ["--complete"] : [])].sort();
    if (its.join("\n") === own.join("\n")) return "";
    return ` It was made with ${its.length ? its.map((one) => quoted(one)).join(" ") : "no options"}; here the table is read with ${own.length ? own.map((one) => quoted(one)).join(" ") : "none"}.`;
  }

  /** Check the documents that wait, against the table if one was given beside them. */
  check() {
    if (!this.waiting.length) return;
    const { waiting } = this;
    const payload = this.fromDocument ? null : this.payload;
    const against = payload ? `against ${plainName(this.name)}` : "no table was compared";
    this.stopChecks();
    const items = waiting.map(({ name }) => [element("li", {}, `${quoted(name)}: being checked …`)]);
    const show = () => this.part("checked").replaceChildren(...items.flat());
    const notes = waiting.map(({ document }) => this.noteOn(document, payload));
    const declared = payload !== null && flagsOf(this.sheet, this.columns).length > 0;
    this.stopChecks = worked({ job: "documents", texts: waiting.map(({ text }) => text), payload, declared }, this.script, (message) => {
      if (message.kind === "fault") this.say("fault", message.text);
      if (message.kind !== "checked") return;
      const { at, found } = message;
      items[at] = found.map(({ kind, holds, sentence }) =>
        element("li", { class: holds === false ? "fault" : "" }, `${quoted(waiting[at].name)}, ${quoted(kind)} (${against}): ${sentence}${notes[at]}`),
      );
      show();
    });
    show();
  }

  /** What is to be said of a document besides what it proves: its version, and how its table was read. */
  noteOn({ version, complete, flags, hasRows }, payload) {
    const own = this.told.version;
    const note = version !== null && version !== own ? ` It was written by weightlab ${cut(plainName(version), 20)}, and this page is of ${own}.` : "";
    const rows = hasRows ? " The rows of its own table are rounded words that follow from its results; they were not compared." : "";
    return `${payload ? this.differs({ complete, flags }) : ""}${note}${rows}`;
  }
}

/** Read columns as the flags of a document say, as far as this page knows them. */
function takeFlags(columns, flags) {
  for (const flag of flags) {
    const [, what, rest] = /^--(lower|higher|drop|weight)=([^]*)$/.exec(flag) || [];
    const at = what === "weight" ? rest.lastIndexOf("=") : -1;
    const one = columns.find((column) => column.name === (at < 0 ? rest : rest.slice(0, at)));
    if (!one) continue;
    if (what === "lower") one.lower = true;
    if (what === "drop") Object.assign(one, { role: "out", silent: false });
    if (at >= 0) one.weight = rest.slice(at + 1);
  }
}

/** The text of a file, or a Fault where it is none. */
async function textOf(file) {
  const name = quoted(file.name);
  if (file.size > MOST_BYTES) {
    throw new Fault(`${name} has ${Math.round(file.size / 1e6)} MB, and this page reads up to ${MOST_BYTES / 1e6}: weightlab win FILE reads it.`);
  }
  const bytes = new Uint8Array(await file.arrayBuffer());
  const begin = String.fromCharCode(...bytes.slice(0, 4));
  const binary = BINARY.find(([mark]) => begin.startsWith(mark));
  if (binary) throw new Fault(`${name} is ${binary[1]}, which this page does not read: weightlab win FILE does, or save the table as CSV.`);
  const encoding = { "\xff\xfe": "utf-16le", "\xfe\xff": "utf-16be" }[begin.slice(0, 2)] || "utf-8";
  try {
    return { name: file.name, text: new TextDecoder(encoding, { fatal: true }).decode(bytes) };
  } catch {
    throw new Fault(`${name} is not UTF-8: save it as UTF-8, or weightlab win FILE with encoding in a TOML file reads it.`);
  }
}

if (typeof document === "undefined") serve();
else {
  const told = JSON.parse(document.getElementById("weightlab-page-data").textContent);
  const page = new TablePage(document.getElementById("weightlab-page"), told, document.currentScript.textContent);
  /** @type {any} */ (window).weightlabPage = Object.freeze({ page, sheetOf, recognised, payloadOf, work, readTable, areasOf, exactText, documentOf, documentIn, checks, flagsOf });
}
