// The sliders: one a task, and one a group that moves its tasks together in their ratio.

// The largest weight of today is so many steps of its slider, which has ten times as many, or more where it is needed.
const STEPS_OF_LARGEST = 10n;
const LEAST_STEPS = 100;
const MOST_OPEN = 12;
const WEIGHT_HINT = "Not a weight: write a number such as 3, 0.5 or 1/3.";

/** The sliders of a table; `changed(weights)` is called with the new weights when one of them moves. */
class Panel {
  constructor(holder, table, changed) {
    this.table = table;
    this.changed = changed;
    this.rows = [];
    this.weights = table.today;
    this.ratios = table.groups.map((group) => group.tasks.map((task) => table.today[task]));
    const ofGroups = table.groups.map((group) => totalOf(table.today, group.tasks));
    this.units = { task: stepOf(table.today), group: stepOf([...ofGroups, ...table.today]) };
    holder.replaceChildren(...this.fieldsets());
  }

  fieldsets() {
    const placed = new Set();
    const made = this.table.groups.map((group, place) => {
      const own = group.tasks.filter((task) => !placed.has(task));
      const elsewhere = group.tasks.filter((task) => placed.has(task)).map((task) => this.table.tasks[task]);
      own.forEach((task) => placed.add(task));
      const rows = [this.groupRow(group, place), ...this.ownRows(own)];
      if (elsewhere.length) rows.push(element("p", { class: "hint" }, `Also in this group: ${listed(elsewhere)}.`));
      return this.fieldset(group.name, rows);
    });
    const rest = this.table.tasks.map((_, task) => task).filter((task) => !placed.has(task));
    const name = made.length ? "Tasks of no group" : "Tasks";
    if (rest.length) made.push(this.fieldset(name, rest.map((task) => this.taskRow(task))));
    return made;
  }

  /** The sliders of the tasks of a group, folded away where the table has many tasks. */
  ownRows(tasks) {
    if (!tasks.length) return [];
    const rows = tasks.map((task) => this.taskRow(task));
    const fold = element("details", { class: "tasks" }, [element("summary", {}, counted(tasks.length, "task")), ...rows]);
    fold.open = this.table.tasks.length <= MOST_OPEN;
    return [fold];
  }

  fieldset(name, rows) {
    return element("fieldset", {}, [element("legend", {}, name), ...rows]);
  }

  taskRow(task) {
    const name = this.table.tasks[task];
    return this.row(name, {
      label: [name, this.table.lower[task] ? element("small", {}, " lower is better") : null],
      valueOf: (weights) => weights[task],
      withValue: (value) => this.weights.map((one, at) => (at === task ? value : one)),
      kind: "task",
    });
  }

  groupRow(group, place) {
    return this.row(`the group ${group.name}`, {
      label: "All together",
      rangeName: `Weight of the group ${group.name}`,
      valueOf: (weights) => totalOf(weights, group.tasks),
      withValue: (value) => this.shared(group.tasks, place, value),
      kind: "group",
    });
  }

  /** The weights in which a group has a value, in the ratio that its tasks had when they last weighed. */
  shared(tasks, place, value) {
    const now = tasks.map((task) => this.weights[task]);
    if (now.some((one) => one.top > 0n)) this.ratios[place] = now;
    const known = this.ratios[place].some((one) => one.top > 0n);
    const parts = known ? this.ratios[place] : tasks.map(() => ratio(1n));
    const total = parts.reduce(plus);
    const weights = [...this.weights];
    tasks.forEach((task, at) => {
      weights[task] = over(times(parts[at], value), total);
    });
    return weights;
  }

  row(name, { label, rangeName = "", valueOf, withValue, kind }) {
    const [rangeId, hintId] = [freshId("slider"), freshId("hint")];
    const unit = this.units[kind];
    const range = element("input", { type: "range", id: rangeId, min: 0, max: LEAST_STEPS, step: 1 });
    if (rangeName) range.setAttribute("aria-label", rangeName);
    const text = element("input", {
      type: "text",
      inputmode: "decimal",
      autocomplete: "off",
      spellcheck: "false",
      "aria-label": `Exact weight of ${name}`,
      "aria-describedby": hintId,
    });
    const share = element("output", { for: rangeId });
    const hint = element("p", { class: "fault", id: hintId });
    range.addEventListener("input", () => this.move(withValue(times(ratio(BigInt(range.value)), unit))));
    text.addEventListener("input", () => this.typed(text, hint, withValue));
    text.addEventListener("change", () => this.show(this.weights));
    this.rows.push({ range, text, share, hint, valueOf, unit, kind });
    const title = element("label", { for: rangeId, dir: "auto" }, label);
    return element("div", { class: `row ${kind}` }, [title, range, text, share, hint]);
  }

  typed(text, hint, withValue) {
    const value = readNumber(text.value);
    const good = value !== null && value.top >= 0n;
    this.mark(text, hint, good ? "" : WEIGHT_HINT);
    if (good) this.move(withValue(value));
  }

  mark(text, hint, fault) {
    if (fault) text.setAttribute("aria-invalid", "true");
    else text.removeAttribute("aria-invalid");
    hint.textContent = fault;
  }

  move(weights) {
    this.show(weights);
    this.changed(weights);
  }

  /** Show weights on all sliders; what is being typed is left alone. */
  show(weights) {
    this.weights = weights;
    const total = weights.reduce(plus);
    const values = this.rows.map((row) => row.valueOf(weights));
    const steps = values.map((value, at) => Math.round(toFloat(over(value, this.rows[at].unit))));
    const most = { task: LEAST_STEPS, group: LEAST_STEPS };
    this.rows.forEach(({ kind }, at) => (most[kind] = Math.max(most[kind], steps[at])));
    this.rows.forEach((row, at) => {
      const share = total.top === 0n ? "0%" : percent(over(values[at], total));
      const shown = shortText(values[at]);
      if (Number(row.range.max) !== most[row.kind]) row.range.setAttribute("max", String(most[row.kind]));
      row.range.value = String(steps[at]);
      row.range.setAttribute("aria-valuetext", `${shown}, ${share} of the weight`);
      row.share.textContent = share;
      if (document.activeElement === row.text && readNumber(row.text.value) !== null) {
        if (compare(readNumber(row.text.value), values[at]) === 0) return;
      }
      row.text.value = shown;
      this.mark(row.text, row.hint, "");
    });
  }
}

function totalOf(weights, tasks) {
  return tasks.map((task) => weights[task]).reduce(plus, ratio(0n));
}

/** What a step of a slider is worth: a part of the largest weight there is. */
function stepOf(weights) {
  const largest = weights.reduce((found, one) => (compare(one, found) > 0 ? one : found));
  return over(largest, ratio(STEPS_OF_LARGEST));
}
