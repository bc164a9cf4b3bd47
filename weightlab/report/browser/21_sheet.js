// From the text of a file to rows of cells, as weightlab/io/tables reads them.

const SEPARATORS = [",", ";", "\t", "|"];
/** Texts that only weightlab reads: how they begin, what they are, and the command that reads them. */
/** @type {[RegExp, string, string][]} */
const OTHERS = [
  [/^<(?:!doctype html|html|table|body|div)\b/i, "HTML", "save the table as CSV"],
  [/^\\(?:begin|documentclass)\b/, "LaTeX", "save the rows as CSV"],
  [/^[^\n]*\|[^\n]*\n[|:\s-]*-[|: \t\r-]*(?:\n|$)/, "A Markdown table", "weightlab win FILE.md reads it"],
  [/^#\s*FILE NAME/, "A PrefLib file", "weightlab rank FILE reads it"],
];

/**
 * {header, rows, places, keyed, labelled, flags, ending, commas}: cells are text as written; `flags` let weightlab read
 * the same, a file of that `ending` is one of this form, and `commas` divide its cells.
 */
function sheetOf(text, name) {
  const begin = text.replace(/^\ufeff/, "").trimStart();
  if (!begin) throw new Fault("This file is empty.");
  if (text.includes("\0")) throw new Fault("This is no text file: it holds a NUL byte. Save the table as CSV in UTF-8.");
  const other = OTHERS.find(([form]) => form.test(begin));
  if (other) throw new Fault(`${other[1]} is not read here: ${other[2]}.`);
  if (/\.jsonl$/i.test(name) || /^\{[^\n]*\}[ \t\r]*\n\s*\{/.test(begin)) return { ...sheetOfLines(text), ending: "jsonl" };
  if (/^[[{]/.test(begin)) return { ...sheetOfJson(readJson(text)), ending: "json" };
  return { ...sheetOfRows(text, /\.(?:tsv|tab|txt)$/i.test(name) ? "\t" : ","), ending: "csv" };
}

function sheetOfRows(text, usual) {
  const body = text.replace(/^\ufeff/, "");
  const said = /^sep=([ -~\t])\r?\n/i.exec(body);
  const first = body.slice(said ? said[0].length : 0);
  const separator = said ? said[1] : separatorOf(first, usual);
  const records = [...recordsOf(first, separator, said ? 2 : 1)].filter(({ cells }) => cells.some((one) => one.trim()));
  if (!records.length) throw new Fault("There is no header, only blank lines.");
  const [{ cells: header }, ...below] = records;
  for (const { line, cells } of below) {
    if (cells.length !== header.length) {
      throw new Fault(`Line ${line} has ${counted(cells.length, "field")} where the header has ${header.length}.`);
    }
  }
  const flags = separator === usual || said ? [] : [`--separator=${separator}`];
  const places = below.map(({ line }) => `line ${line}`);
  const rows = below.map(({ cells }) => cells);
  const comma = hasDecimalCommas(rows);
  const commas = separator === "," && !said && !comma;
  return { header, rows, places, keyed: false, labelled: false, comma, commas, flags: comma ? [...flags, "--decimal=,"] : flags };
}

/** Whether numbers have decimal commas: some have commas that stand before no thousands, and none has a point. */
function hasDecimalCommas(rows) {
  const some = (form) => rows.some((row) => row.some((cell) => form.test(cell)));
  return some(/^\s*[+-]?[0-9]+,(?:[0-9]{1,2}|[0-9]{4,})\s*%?\s*$/) && !some(/^\s*[+-]?(?:[0-9]*\.[0-9]+|[0-9]+\.)\s*%?\s*$/);
}

/** The usual separator, or the one that the header has where it has none of the usual. */
function separatorOf(text, usual) {
  const header = /^\s*([^\r\n]*)/.exec(text)[1];
  if (header.includes(usual)) return usual;
  return SEPARATORS.find((sign) => header.includes(sign)) || usual;
}

/** The records of a delimited text with the line on which each begins; quotes are as spreadsheets write them. */
function* recordsOf(text, separator, firstLine) {
  const plain = new RegExp(`[^\\r\\n${separator.replace(/[\\\]^-]/g, "\\$&")}]*`, "y");
  let [at, line] = [0, firstLine];
  while (at < text.length) {
    const [cells, begins] = [[], line];
    for (;;) {
      if (text[at] === '"') {
        const [cell, end] = quotedCell(text, at, line);
        line += cell.split(/\r\n|\r|\n/).length - 1;
        cells.push(cell);
        at = end;
        if (at < text.length && text[at] !== separator && text[at] !== "\n" && text[at] !== "\r") {
          throw new Fault(`Line ${line}: text follows a closing quote; inside a quoted cell a quote is written twice.`);
        }
      } else {
        plain.lastIndex = at;
        cells.push(plain.exec(text)[0]);
        at = plain.lastIndex;
      }
      if (text[at] !== separator) break;
      at += 1;
    }
    at += text[at] === "\r" && text[at + 1] === "\n" ? 2 : 1;
    line += 1;
    yield { line: begins, cells };
  }
}

function quotedCell(text, start, line) {
  const parts = [];
  let at = start + 1;
  for (;;) {
    const end = text.indexOf('"', at);
    if (end < 0) throw new Fault(`Line ${line}: a quote opens here and is not closed.`);
    parts.push(text.slice(at, end));
    if (text[end + 1] !== '"') return [parts.join('"'), end + 1];
    at = end + 2;
  }
}

/** A list of records, an object of columns, or an object of lists, as weightlab and pandas write them. */
function sheetOfJson(document) {
  if (Array.isArray(document) && document.length && document.every((one) => one instanceof Map)) {
    return sheetOfRecords(document, document.map((_, at) => `record ${at + 1}`));
  }
  const columns = document instanceof Map ? [...document.values()] : [];
  const results = document instanceof Map && document.get("results");
  if (typeof columns[0] === "string" || (Array.isArray(results) && results[0] instanceof Map)) {
    const commands = ["python checker.py proof.json table.csv", "weightlab verify proof.json table.csv"];
    throw new Fault(`This is no table. A proof of weightlab is checked by ${commands.join(", or by ")}.`);
  }
  if (columns.length && columns.every((one) => one instanceof Map)) return sheetOfColumns(document);
  if (columns.length && columns.every(Array.isArray)) {
    const rows = columns[0].map((_, at) => columns.map((column) => column[at]));
    if (columns.some((one) => one.length !== rows.length)) throw new Fault("The lists of this JSON differ in length.");
    return jsonSheet([...document.keys()], rows, rows.map((_, at) => `record ${at + 1}`));
  }
  const forms = '[{"model": ..., "a task": ...}, ...] or {"a task": {"a model": ...}}';
  throw new Fault(`This JSON is no table, such as ${forms}.`);
}

function sheetOfLines(text) {
  const lines = text.replace(/^\ufeff/, "").split("\n").map((one, at) => [one, at + 1]).filter(([one]) => one.trim());
  const records = lines.map(([one]) => readJson(one));
  if (!records.every((one) => one instanceof Map)) throw new Fault("Each line of JSON Lines must be an object, {...}.");
  return sheetOfRecords(records, lines.map(([, line]) => `line ${line}`));
}

function sheetOfRecords(records, places) {
  const keys = [...new Set(records.flatMap((one) => [...one.keys()]))];
  return jsonSheet(keys, records.map((one) => keys.map((key) => one.get(key))), places);
}

function sheetOfColumns(document) {
  const labels = [...new Set([...document.values()].flatMap((one) => [...one.keys()]))];
  const rows = labels.map((label) => [...document.values()].map((column) => column.get(label)));
  const names = document.get("model");
  if (names && names.size && [...names.values()].every((one) => typeof one === "string")) {
    return jsonSheet([...document.keys()], rows, labels.map((_, at) => `record ${at + 1}`));
  }
  const sheet = jsonSheet(["", ...document.keys()], rows.map((row, at) => [labels[at], ...row]), labels.map((one) => quoted(one)));
  return { ...sheet, keyed: false, labelled: true };
}

function jsonSheet(header, rows, places) {
  const cellOf = (value, at, column) => {
    if (value === null || value === undefined) return "";
    if (value instanceof Written) return value.text;
    if (typeof value === "boolean") return value ? "1" : "0";
    if (typeof value === "string") return value;
    throw new Fault(`${capitalised(places[at])}, column ${quoted(header[column])}: a list or object where a name or a score is needed.`);
  };
  const cells = rows.map((row, at) => row.map((one, column) => cellOf(one, at, column)));
  return { header, rows: cells, places, keyed: true, labelled: false, flags: [] };
}
