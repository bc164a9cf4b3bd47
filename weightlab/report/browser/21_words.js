// Words in headers and numbers in cells, as weightlab/io/reading/words.py and spelled.py take them apart.

/** The words of words.csv, as the page is given them: {roles, ends, weak, joined, keys}. */
let WORD_LIST = null;
let KNOWN_WORDS = new Set();
let HITS = new Map();
const LINK = /!?\[([^[\]]*)\]\((?:[^()]|\([^()]*\))*\)/g;
const TAG = /<(?:sub|sup)>[^<\w]*<\/(?:sub|sup)>|<\/?(?:sub|sup|ins|del|br|strong|em|span|a)\s*\/?>|<[a-zA-Z]+ [^<>]*>/g;
const MARKUP = /\*\*|`|\\(?:textbf|textit|underline|emph)\b|\\(?=[%$&_#])/g;
const PARTS = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|(?:(?![A-Za-z])[\p{L}\p{Nl}\p{No}])+/gu;

function learnWords(list) {
  WORD_LIST = list;
  KNOWN_WORDS = new Set(Object.values(list.roles).flat());
  HITS = new Map();
}

/** A name as weightlab reads it: without blanks or signs for bold around it, links as text, in composed letters. */
function nameOf(text) {
  const shown = text.replace(/(?<!!)\[([^[\]]*)\]\((?:[^()]|\([^()]*\))*\)|<a\s[^<>]*>([^<>]*)<\/a>/g, "$1$2");
  const bold = /^[ \t]*\*\*((?:\\\*|(?!\*\*).)+)\*\*[ \t]*$/s.exec(shown);
  const plain = bold ? bold[1].replaceAll("\\*", "*") : shown;
  return plain.normalize("NFC").replace(/\u00a0/g, " ").replace(/^[ \t]+|[ \t]+$/g, "");
}

/** A name without blanks around it, links, tags and marks. */
function cleaned(name) {
  const text = name.normalize("NFC").replace(LINK, "$1").replace(TAG, "").replace(MARKUP, "");
  return text.split(/\s+/).filter(Boolean).join(" ");
}

function bare(name) {
  return cleaned(name).replace(/[[(][^[\]()]*[\])]/g, " ");
}

/** The words of a header in small letters: those of the list whole, others parted at changes of case. */
function wordsOf(name) {
  const pieces = cleaned(name).match(/[\p{L}\p{N}]+/gu) || [];
  const parts = pieces.flatMap((one) => (knownWord(one.toLowerCase()) || /^[0-9]+[A-Z][A-Z0-9]*$/.test(one) ? [one.toLowerCase()] : (one.match(PARTS) || []).map((part) => part.toLowerCase())));
  return parts.map((one) => knownWord(one) || one);
}

function knownWord(word) {
  if (KNOWN_WORDS.has(word)) return word;
  return word.length > 4 && word.endsWith("s") && KNOWN_WORDS.has(word.slice(0, -1)) ? word.slice(0, -1) : "";
}

function withoutMathematics(name) {
  return name.replace(/\$[^$]*\$/g, "");
}

/** The word in a header that says it has a role: {word, at: "whole" | "first" | "last" | ""}, or null. */
function hit(name, role) {
  const key = `${role}\n${name}`;
  if (!HITS.has(key)) HITS.set(key, foundWord(name, role));
  return HITS.get(key);
}

function foundWord(name, role) {
  const small = withoutMathematics(cleaned(name).toLowerCase());
  const [parts, core, list] = [wordsOf(name), wordsOf(bare(name)), WORD_LIST.roles[role] || []];
  const sign = ["#", "$", "±"].find((one) => list.includes(one) && small.includes(one) && (one !== "#" || small === "#"));
  if (sign) return { word: sign, at: small === sign ? "whole" : "last" };
  if (role === "count" && small.startsWith("n_")) {
    const measured = ["lower", "higher", "success"].some((one) => (hit(name, one) || {}).at === "last");
    return measured ? null : { word: "n_", at: "whole" };
  }
  if (list.includes("#") && /^#\s*\p{L}+$/u.test(small)) return { word: "#", at: "first" };
  const same = (some, at, want) => want.every((one, place) => some[at + place] === one);
  for (const word of list) {
    const want = wordsOf(word);
    if (!want.length || !parts.some((_, at) => same(parts, at, want))) continue;
    if (WORD_LIST.ends.includes(word) && !isAtEnd(small, bare(name).toLowerCase().trimEnd(), word) && !inCapitals(name, word)) continue;
    const ends = (some) => some.length >= want.length && same(some, some.length - want.length, want);
    let [first, last] = [same(core, 0, want), ends(core)];
    if (!last && (role === "lower" || role === "higher")) {
      last = ends(withoutStatistic(core)); // loss_mean is a loss
      first = first && !last;
    }
    if (role === "aggregate" && !first && !last) continue;
    if (word === "all" && !(first && core.length === want.length)) continue;
    return { word, at: first && core.length === want.length ? "whole" : first ? "first" : last ? "last" : "" };
  }
  return null;
}

/** The words of a header without those behind them that say what was made of several values. */
function withoutStatistic(words) {
  let most = words.length;
  while (most > 1 && WORD_LIST.roles.statistic.includes(words[most - 1])) most -= 1;
  return words.slice(0, most);
}

/** Whether a short word ends a header in capitals of its own, as in TeamId. */
function inCapitals(name, word) {
  const core = bare(name).trimEnd();
  const written = [word[0].toUpperCase() + word.slice(1), word.toUpperCase()];
  return word.length > 1 && written.some((one) => core.endsWith(one)) && /\p{Ll}$/u.test(core.slice(0, -word.length));
}

function isAtEnd(small, core, word) {
  const before = core.slice(0, -word.length);
  const last = core.endsWith(word) && (WORD_LIST.joined.includes(word) ? /(?:^|[_.])$/ : /(?:^|[_./\s])$/).test(before);
  return small === word || last || ["()", "[]", "(]", "[)"].some(([open, close]) => small.includes(open + word + close));
}

/** Words behind what is named. */
const NAMING = new Set(["alias", "display", "label", "name", "title"]);

/** Whether a header is a word of the list and nothing else. */
function isCalled(name, role) {
  const [known, words] = [WORD_LIST.roles[role] || [], wordsOf(name)];
  if (role === "key" && words.length > 1 && NAMING.has(words.at(-1))) words.pop(); // the display of a model
  return known.includes(words.join(" ")) || known.includes(cleaned(name).toLowerCase().replace(/_/g, " "));
}

const NUMBER = /^[-+\u2212]?(?:[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]*)?|[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?/;
const CLOCK = /^(?:([0-9]+):)?([0-5]?[0-9]):([0-5][0-9](?:\.[0-9]+)?)/;
const BEHIND = /^(?:\s*(?:±|\+\/-|\+-)\s*\S.*|(?:\s*\([^()]*\)){1,3}|\s*\[[^[\]]*\]|\s+\+\s*(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+))$/;
const UNIT = /^\s*(ms|µs|us|ns|s|secs|sec|min|h|MB|MiB|GB|GiB|kB|J|kJ|W|kWh|x|\u00d7)(?![\p{L}\p{N}])/u;
const NOT_YET = new Set(["?", "??", "tbd", "tba", "pending", "fail", "failed", "err", "error", "oom", "timeout", "dnf", "dns", "crash", "n.a.", "--", "---", "----", "\u2013\u2013", "\u2014\u2014"]);
const BESIDE = /^[~≈*_↑↓†‡§▲▼🥇🥈🥉★☆✓✔⊘●○◆◇■□ ]+|[~≈*_↑↓†‡§▲▼🥇🥈🥉★☆✓✔⊘●○◆◇■□ ]+$/gu;

/** What a cell holds: {kind: "number" | "missing" | "not yet" | "text", value, unit, decimals, dressed}. */
function takenApart(cell) {
  const [text, none] = [cell.trim(), { value: NaN, unit: "", decimals: 0, dressed: false }];
  if (MISSING.has(text.toLowerCase())) return { kind: "missing", ...none };
  const plain = NUMBER.exec(text);
  if (plain && plain[0] === text && !text.includes("\u2212")) return numberOf(text, "", false);
  const inside = cleaned(text).split("@@")[0].trim().replace(/^[{}]+|[{}]+$/g, "");
  if (NOT_YET.has(inside.toLowerCase())) return { kind: "not yet", ...none };
  if (MISSING.has(inside.toLowerCase())) return { kind: inside ? "not yet" : "missing", ...none };
  const dressed = inside.replace(BESIDE, "");
  const clock = CLOCK.exec(dressed);
  const found = clock || NUMBER.exec(dressed);
  if (!found) return { kind: "text", ...none };
  let [rest, unit] = [dressed.slice(found[0].length), clock ? "time" : ""];
  const named = UNIT.exec(rest);
  if (rest.trimStart().startsWith("%")) [rest, unit] = [rest.trimStart().slice(1), "%"];
  else if (!clock && named) [rest, unit] = [rest.slice(named[0].length), named[1]];
  rest = rest.replace(BESIDE, "");
  if (rest && !BEHIND.test(rest) && !BEHIND.test(` ${rest}`)) return { kind: "text", ...none };
  const digits = clock ? String(Number(clock[1] || 0) * 3600 + Number(clock[2]) * 60 + Number(clock[3])) : found[0].replace("\u2212", "-");
  return numberOf(digits, unit, true);
}

function numberOf(text, unit, dressed) {
  const [mantissa, power] = text.replace(/,/g, "").toLowerCase().split("e");
  const value = Number(text.replace(/,/g, ""));
  const decimals = (mantissa.split(".")[1] || "").length - Number(power || 0);
  return { kind: "number", value: Number.isFinite(value) ? value : NaN, unit, decimals, dressed };
}
