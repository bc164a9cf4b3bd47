// JSON whose numbers stay as they are written: 0.10000000000000001 is another number than 0.1.

const DEEPEST = 200;
const JSON_TOKEN =
  /[ \t\n\r]*(?:([{}[\],:])|("[^"\\]*(?:\\.[^"\\]*)*")|(-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|NaN|-?Infinity)|(true|false|null))/y;
const WORDS = { true: true, false: false, null: null };

/** What is wrong with a file, in one sentence for whoever gave it. */
class Fault extends Error {}

/** A number of a JSON text. */
class Written {
  constructor(text) {
    this.text = text;
  }
}

/** The value of a JSON text: objects as Map (a key that occurs twice is refused), numbers as Written. */
function readJson(text) {
  const source = text.replace(/^\ufeff/, "");
  const reader = { source, at: 0, depth: 0 };
  const value = jsonValue(reader, jsonToken(reader));
  if (source.slice(reader.at).trim()) throw jsonFault(reader);
  return value;
}

function jsonFault({ source, at }) {
  const line = source.slice(0, at).split("\n").length;
  return new Fault(`This is not JSON: line ${line} cannot be read from ${quoted(source.slice(at, at + 20).trim() || "its end")} on.`);
}

function jsonToken(reader) {
  JSON_TOKEN.lastIndex = reader.at;
  const found = JSON_TOKEN.exec(reader.source);
  if (!found) throw jsonFault(reader);
  reader.at = JSON_TOKEN.lastIndex;
  return found;
}

/** @param {any} reader @param {string[]} found */
function jsonValue(reader, [, sign, string, number, word]) {
  if (number) return new Written(number);
  if (word) return WORDS[word];
  if (string) return jsonString(reader, string);
  if (sign !== "{" && sign !== "[") throw jsonFault(reader);
  reader.depth += 1;
  if (reader.depth > DEEPEST) throw new Fault("This JSON is too deeply nested to be a table or a document.");
  const value = sign === "{" ? jsonObject(reader) : jsonList(reader);
  reader.depth -= 1;
  return value;
}

function jsonString(reader, string) {
  try {
    return JSON.parse(string);
  } catch {
    throw jsonFault(reader);
  }
}

function jsonObject(reader) {
  const made = new Map();
  let found = jsonToken(reader);
  while (found[1] !== "}") {
    if (!found[2]) throw jsonFault(reader);
    const key = jsonString(reader, found[2]);
    if (made.has(key)) throw new Fault(`The key ${quoted(key)} occurs twice in one object.`);
    if (jsonToken(reader)[1] !== ":") throw jsonFault(reader);
    made.set(key, jsonValue(reader, jsonToken(reader)));
    found = jsonToken(reader);
    if (found[1] === ",") found = jsonToken(reader);
    else if (found[1] !== "}") throw jsonFault(reader);
  }
  return made;
}

function jsonList(reader) {
  const made = [];
  let found = jsonToken(reader);
  while (found[1] !== "]") {
    made.push(jsonValue(reader, found));
    found = jsonToken(reader);
    if (found[1] === ",") found = jsonToken(reader);
    else if (found[1] !== "]") throw jsonFault(reader);
  }
  return made;
}

/** A text as messages show it: what has no shape is spelt, and no more than so many letters. */
function quoted(text, most = 40) {
  return `“${cut(plainName(String(text)), most)}”`;
}
