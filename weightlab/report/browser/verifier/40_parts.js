// Reading a document strictly: each part has one form; a part more, a part fewer or another form is refused. These
// modules are weightlab/checker.py in a third language: the same rules in the same order, and nothing else is believed.

const NUMBER_DIGITS = 4300;
const PROPER_FRACTION = /^(-?[0-9]{1,4300})(?:\/([0-9]{1,4300}))?$/;
const WHOLE_NUMBER = /^-?[0-9]+$/;
// What Python takes for white space, and halves of letters, which no file can hold.
const BLANK = /^[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]*$/;
const HALF = /\p{Cs}/u;
const ZERO = ratio(0n);
const ONE = ratio(1n);

/** What a document claims, or proves it by, does not hold. */
class FalseClaim extends Error {}

/** A claim with a proof that these modules do not check. */
class NotChecked extends Error {}

/**
 * Throw a FalseClaim unless something holds; a failure that takes work to say is a function.
 * @param {unknown} holds
 * @param {string | (() => string)} failure
 */
function ensure(holds, failure) {
  if (!holds) throw new FalseClaim(typeof failure === "string" ? failure : failure());
}

/**
 * Refuse a document of another form than is read here.
 * @param {string} message
 * @returns {never}
 */
function refuse(message) {
  throw new Fault(message);
}

/** Whether two ratios are the same number: both are in lowest terms. */
function same(/** @type {Ratio} */ one, /** @type {Ratio} */ other) {
  return one.top === other.top && one.bottom === other.bottom;
}

/** What a value looks like, shortened. */
function shown(/** @type {any} */ value) {
  if (value instanceof Written) return cut(value.text, 40);
  if (value instanceof Map) return "an object";
  return Array.isArray(value) ? "a list" : typeof value === "string" ? quoted(value) : String(value);
}

/** A value in a document, and what messages call it. */
class Part {
  /** @param {any} value @param {string} what */
  constructor(value, what) {
    this.value = value;
    this.what = what;
  }

  /** @returns {string} */
  text() {
    if (typeof this.value !== "string" || HALF.test(this.value)) refuse(`${this.what}: ${shown(this.value)} is no text`);
    return this.value;
  }

  /** @returns {any[]} */
  list() {
    if (!Array.isArray(this.value)) refuse(`${this.what}: ${shown(this.value)} is no list`);
    return this.value;
  }

  /** @returns {Map<string, any>} */
  object() {
    if (!(this.value instanceof Map)) refuse(`${this.what}: ${shown(this.value)} is no object`);
    return this.value;
  }

  /** @returns {boolean} */
  flag() {
    if (typeof this.value !== "boolean") refuse(`${this.what}: ${shown(this.value)} is neither true nor false`);
    return this.value;
  }

  /** @returns {bigint} */
  integer() {
    const written = this.value instanceof Written && WHOLE_NUMBER.test(this.value.text);
    if (!written) refuse(`${this.what}: ${shown(this.value)} is no whole number`);
    return BigInt(this.value.text);
  }

  /** A place in a list of so many, or -1 where there is none. */
  place(/** @type {number} */ count) {
    const found = this.integer();
    return found >= 0n && found < BigInt(count) ? Number(found) : -1;
  }

  /**
   * The parts of an object in the order of their names; it must have all of them and no others.
   * @param {string} names
   */
  parts(names) {
    const [found, wanted] = [this.object(), names.split(" ")];
    for (const name of found.keys()) if (!wanted.includes(name)) refuse(`${this.what} has ${quoted(name)}, a part that is not known`);
    for (const name of wanted) if (!found.has(name)) refuse(`${this.what} lacks ${quoted(name)}`);
    return wanted.map((name) => new Part(found.get(name), name));
  }

  items() {
    return this.list().map((one) => new Part(one, this.what));
  }

  texts() {
    return this.items().map((one) => one.text());
  }

  integers() {
    return this.items().map((one) => one.integer());
  }

  /** @returns {Map<string, Part>} */
  entries() {
    const found = [...this.object()];
    for (const [name] of found) new Part(name, this.what).text();
    return new Map(found.map(([name, one]) => [name, new Part(one, `${this.what} of ${quoted(name)}`)]));
  }

  /** Texts that are all different, none of them blank, and at least one. */
  names() {
    const found = this.texts();
    if (!found.length || found.some((one) => BLANK.test(one)) || new Set(found).size < found.length) {
      refuse(`${this.what}: names that differ are needed, none of them blank`);
    }
    return found;
  }

  /** @returns {Ratio} */
  fraction() {
    const found = typeof this.value === "string" ? PROPER_FRACTION.exec(this.value) : null;
    if (!found || (found[2] && BigInt(found[2]) === 0n)) refuse(`${this.what}: ${shown(this.value)} is no fraction p/q`);
    const [, top, bottom] = /** @type {RegExpExecArray} */ (found);
    return ratio(BigInt(top), BigInt(bottom || 1));
  }

  /** Ensure that a number that follows from the others is written as it is, in lowest terms. */
  ensureIs(/** @type {Ratio} */ value) {
    ensure(same(this.fraction(), value), `the ${this.what} is ${exactText(value)}, not ${shown(this.value)}`);
    ensure(this.value === `${value.top}/${value.bottom}`, `the ${this.what} is not in lowest terms`);
  }

  fractions() {
    return new Map([...this.entries()].map(([name, one]) => [name, one.fraction()]));
  }

  /**
   * Fractions in the order of names: those that are 0 may be left out, other names are refused.
   * @param {string[]} names
   */
  among(names) {
    const [found, known] = [this.fractions(), new Set(names)];
    for (const name of found.keys()) if (!known.has(name)) refuse(`${this.what}: ${quoted(name)} is not known`);
    return names.map((name) => found.get(name) || ZERO);
  }

  /**
   * Fractions written for just these names in this order.
   * @param {string[]} names
   */
  along(names) {
    const found = this.fractions();
    ensure(alike([...found.keys()], names), `${this.what}: the names are others, or in another order`);
    return [...found.values()];
  }

  /** A list of so many fractions. */
  listed(/** @type {number} */ count) {
    ensure(this.list().length === count, `${this.what}: there must be ${count} numbers`);
    return this.items().map((one) => one.fraction());
  }

  /** A list of so many fractions, null where there is none. */
  gapped(/** @type {number} */ count) {
    if (this.list().length !== count) refuse(`${this.what}: there must be ${count} numbers`);
    return this.items().map((one) => (one.value === null ? null : one.fraction()));
  }

  /**
   * A square table, each cell read.
   * @template T
   * @param {number} size
   * @param {(one: Part) => T} read
   */
  square(size, read) {
    const fits = this.list().length === size && this.items().every((row) => row.list().length === size);
    if (!fits) refuse(`${this.what}: ${size} rows of ${size} are needed`);
    return this.items().map((row) => row.items().map(read));
  }

  /**
   * Signs from one text of "+", "0" and "-" a row.
   * @param {number} rows
   * @param {number} columns
   */
  signs(rows, columns) {
    const found = this.texts();
    const fits = found.length === rows && rows * columns > 0 && found.every((row) => row.length === columns && /^[+0-]*$/.test(row));
    if (!fits) refuse(`${this.what}: ${rows} texts of ${columns} signs “+”, “0” and “-” are needed`);
    return found.map((row) => Int8Array.from(row, (sign) => (sign === "0" ? 0 : sign === "+" ? 1 : -1)));
  }
}

/** The only item of a list. */
function only(/** @type {Part} */ listed) {
  if (listed.list().length !== 1) refuse(`${listed.what}: there must be one`);
  return listed.items()[0];
}

/**
 * Whether two lists hold the same in the same order.
 * @param {any[]} one
 * @param {any[]} other
 */
function alike(one, other) {
  return one.length === other.length && one.every((value, at) => value === other[at]);
}

/**
 * Whether two lists hold the same, in whatever order.
 * @param {any[]} one
 * @param {any[]} other
 */
function alikeUnordered(one, other) {
  return alike([...one].sort(), [...other].sort());
}
