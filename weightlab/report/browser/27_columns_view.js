// The recognised columns as a table of controls: what each is, which direction leads, and what it weighs.

/** Show the columns in an element; `changed()` is called after each choice, which is written into the columns. */
function showColumns(holder, sheet, columns, changed) {
  const rows = columns.filter((one) => one.name || one.why !== "empty").map((one) => columnRow(sheet, columns, one, changed));
  holder.replaceChildren(tableOf("Columns of the file", ["Column", "Holds", "Lower is better", "Weight", "Read as", "First cells"], rows));
}

function columnRow(sheet, columns, one, changed) {
  const shown = plainName(one.name) || "(no name)";
  const isTask = one.role === "scores";
  const role = element("select", { "aria-label": `What the column ${shown} holds` }, [
    element("option", { value: "models" }, "names of models"),
    element("option", { value: "scores" }, one.percent ? "scores in percent" : "scores"),
    element("option", { value: "out" }, "left out"),
  ]);
  role.value = one.role;
  role.addEventListener("change", () => {
    chooseRole(columns, one, role.value);
    changed(true);
  });
  const lower = element("input", { type: "checkbox", role: "switch", "aria-label": `Lower is better on ${shown}` });
  lower.checked = Boolean(one.lower);
  lower.disabled = !isTask;
  lower.addEventListener("change", () => {
    declare(one, "scores", lower.checked);
    changed(true);
  });
  const weight = element("input", { type: "text", inputmode: "decimal", size: 6, "aria-label": `Weight of ${shown}` });
  weight.value = one.weight;
  weight.disabled = !isTask;
  weight.addEventListener("change", () => {
    one.weight = weight.value;
    changed();
  });
  const cells = sheet.rows.slice(0, 3).map((row) => cut(plainName(row[one.column].trim()) || "–", 14));
  return element("tr", { class: one.role }, [
    element("th", { scope: "row", dir: "auto" }, shown),
    element("td", {}, role),
    element("td", {}, lower),
    element("td", {}, weight),
    element("td", { dir: "auto" }, `${one.what}: ${plainName(one.why)} (${one.certainty})`),
    element("td", { class: "sample", dir: "auto" }, cells.join(", ")),
  ]);
}

/** Give a column a role; there is one column of names. */
function chooseRole(columns, one, role) {
  for (const other of columns) if (role === "models" && other.role === "models") declare(other, other.fault ? "out" : "scores");
  declare(one, role);
}
