// The page: a table comes in, its columns are shown, it is answered, and the proof is written.

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
  /** The text of a table that is in no file yet. */
  unsaved = "";
  complete = false;
  answered = false;
  payload = null;
  table = null;
  explorer = null;
  shown = null;
  late = [];
  mapped = null;
  stop = () => {};
  stopReading = () => {};

  constructor(root, told, script) {
    this.root = root;
    this.told = told;
    this.script = script;
    learnWords(told.words); // a long table is read in a worker, and its rule is found here
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
    this.part("save-table").addEventListener("click", () => download(this.name, this.unsaved));
    this.part("save-checker").addEventListener("click", () => download("checker.py", this.told.checker));
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

  /** Take texts, of which one at a time is read: a long one in a worker. */
  receive(texts) {
    this.say("fault", "");
    this.stopReading();
    const isLong = texts.reduce((total, { text }) => total + text.length, 0) > LONG_TEXT;
    this.say("reading", isLong ? `Reading ${listed(texts.map(({ name }) => quoted(name)))} …` : "");
    this.stopReading = worked({ job: "files", texts, words: this.told.words }, isLong ? this.script : null, (message) => {
      this.say("reading", "");
      if (message.kind === "read") this.open(message);
      else this.say("fault", message.text);
    });
  }

  /** Open a table, show its columns, and answer where nothing is ambiguous. */
  open({ name, text, isFile, table: { sheet, columns, questions } }) {
    this.clear();
    const file = isFile || /\.[a-z]+$/.test(name) ? name : `${name.replace(/ /g, "-")}.${sheet.ending}`;
    Object.assign(this, { sheet, name: file, columns, questions, unsaved: isFile ? "" : text });
    this.root.querySelector("[name=weightlab-gaps][value=ties]").checked = true;
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

  clear() {
    this.stop();
    this.part("sentence").textContent = "";
    Object.assign(this, { payload: null, answered: false, table: null, explorer: null, late: [] });
    for (const name of ["answer-section", "map-section"]) this.part(name).hidden = true;
    this.say("sentence-wait", "");
    this.showCommands();
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
    this.part("line").textContent = readingLine(this.name, this.payload.models.length + this.payload.leftOut, this.columns);
    this.part("verdicts").replaceChildren();
    this.part("names").replaceChildren();
    this.say("shares", "");
    this.part("save").disabled = true;
    this.root.classList.toggle("large", this.payload.models.length > LARGE_TABLE);
    this.part("progress").max = this.payload.ways.reduce((total, way) => total + way.models.length, 0);
    this.part("progress").value = 0;
    this.part("progress").hidden = false;
    this.stop = worked({ job: "table", payload: this.payload }, this.script, (message) => this.hear(message));
  }

  hear(message) {
    const { payload } = this;
    if (message.kind === "verdict") {
      payload.ways[message.at].prospects.push(message.prospect);
      this.part("progress").value += 1;
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
    const winners = shares.wins[shares.wins.length - 1].reduce((total, one) => total + one, 0);
    const free = ((100 * (shares.drawn - winners)) / shares.drawn).toFixed(1);
    this.say("shares", `Shares are estimated from ${shares.drawn.toLocaleString("en")} weightings drawn evenly; under ${free}% of them no model wins head-to-head.`);
  }

  /** All verdicts are proved: the sentence, the table, the map and the explorer. */
  showVerdicts() {
    const { payload } = this;
    this.part("progress").hidden = true;
    const left = payload.leftOut ? ` ${counted(payload.leftOut, "model")} with missing scores left out.` : "";
    const { table } = this;
    const gaps = payload.tasks.some((one) => one.scores.includes(null)) ? " Missing scores count as ties head-to-head." : "";
    this.part("sentence").textContent = `${table.ways.map(verdictSentence).join("\n")}${left}${gaps}`;
    this.part("names").replaceChildren(...[...payload.told, ...contrastSentences(table)].map((one) => element("p", {}, one)));
    this.shown = verdictTable(table, (model) => this.explore(model), () => table !== this.table);
    this.part("verdicts").replaceChildren(this.shown.table);
    this.part("save").disabled = false;
    this.part("save-table").hidden = !this.unsaved;
    this.showCommands();
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

  get proofName() {
    return `${this.name.replace(/\.[^.]*$/, "")}-proof.json`;
  }

  save() {
    const { version } = this.told;
    const about = { version, file: this.name, complete: this.complete, flags: flagsOf(this.sheet, this.columns), columns: this.columns };
    download(this.proofName, documentOf(this.payload, about));
  }

  /** The commands that check the proof of this table, or any proof where there is none yet. */
  showCommands() {
    const [proof, table] = this.payload ? [this.proofName, this.name] : ["proof.json", "table.csv"];
    const flags = this.payload ? flagsOf(this.sheet, this.columns) : [];
    const known = this.payload ? checkerOptions(this.sheet, this.columns, flags) : [];
    this.part("alone").hidden = known !== null;
    this.part("checker-command").textContent = commandOf("python", "checker.py", proof, ...(known ? [table, ...known] : []));
    const whole = this.payload && this.complete ? ["--complete"] : [];
    for (const name of ["win", "ask", "shortlist"]) {
      this.part(`${name}-command`).textContent = commandOf("weightlab", name, table, ...flags, ...whole);
    }
    this.part("verify-command").textContent = commandOf("weightlab", "verify", proof, table, ...flags);
  }
}

/** Let a text be saved as a file. */
function download(name, text) {
  const address = URL.createObjectURL(new Blob([text], { type: "application/octet-stream" }));
  element("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
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
    return { name: file.name, isFile: true, text: new TextDecoder(encoding, { fatal: true }).decode(bytes) };
  } catch {
    throw new Fault(`${name} is not UTF-8: save it as UTF-8, or weightlab win FILE with encoding in a TOML file reads it.`);
  }
}

if (typeof document === "undefined") serve();
else {
  const told = JSON.parse(document.getElementById("weightlab-page-data").textContent);
  const page = new TablePage(document.getElementById("weightlab-page"), told, document.currentScript.textContent);
  /** @type {any} */ (window).weightlabPage = Object.freeze({ page, sheetOf, recognised, payloadOf, work, readTable, areasOf, exactText, documentOf, flagsOf, readingLine });
}
