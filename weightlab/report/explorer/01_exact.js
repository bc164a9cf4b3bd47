// Exact numbers: ratios of BigInt, read from and shown as text.

/** @typedef {{ top: bigint, bottom: bigint }} Ratio */

const MOST_DIGITS = 700;
const DECIMAL = /^(-?)([0-9]+)(?:\.([0-9]*))?$|^(-?)\.([0-9]+)$/;
const RATIO = /^(-?[0-9]+)\/([0-9]+)$/;

/**
 * @param {bigint} first
 * @param {bigint} second
 */
function gcd(first, second) {
  let [a, b] = [first < 0n ? -first : first, second < 0n ? -second : second];
  while (b) [a, b] = [b, a % b];
  return a;
}

/**
 * @param {bigint} first
 * @param {bigint} second
 */
function lcm(first, second) {
  return (first / gcd(first, second)) * second;
}

/**
 * The ratio of two integers in lowest terms; the bottom is positive.
 * @param {bigint} top
 * @returns {Ratio}
 */
function ratio(top, bottom = 1n) {
  const shared = gcd(top, bottom) || 1n;
  const sign = bottom < 0n ? -1n : 1n;
  return { top: (sign * top) / shared, bottom: (sign * bottom) / shared };
}

/** @param {Ratio} first @param {Ratio} second */
function plus(first, second) {
  return ratio(first.top * second.bottom + second.top * first.bottom, first.bottom * second.bottom);
}

/** @param {Ratio} first @param {Ratio} second */
function minus(first, second) {
  return ratio(first.top * second.bottom - second.top * first.bottom, first.bottom * second.bottom);
}

/** @param {Ratio} first @param {Ratio} second */
function times(first, second) {
  return ratio(first.top * second.top, first.bottom * second.bottom);
}

/** @param {Ratio} first @param {Ratio} second */
function over(first, second) {
  return ratio(first.top * second.bottom, first.bottom * second.top);
}

/** @param {Ratio} one */
function sizeOf(one) {
  return one.top < 0n ? ratio(-one.top, one.bottom) : one;
}

/**
 * Negative, zero or positive as the first is less than, equal to or greater than the second.
 * @param {Ratio} first
 * @param {Ratio} second
 */
function compare(first, second) {
  const [left, right] = [first.top * second.bottom, second.top * first.bottom];
  return left < right ? -1 : left > right ? 1 : 0;
}

/** The number that a decimal or a ratio such as "1/3" says, or null. */
function readNumber(text) {
  const trimmed = String(text).trim();
  if (trimmed.length > MOST_DIGITS) return null;
  const parts = RATIO.exec(trimmed);
  if (parts) return BigInt(parts[2]) === 0n ? null : ratio(BigInt(parts[1]), BigInt(parts[2]));
  const decimal = DECIMAL.exec(trimmed);
  if (!decimal) return null;
  const [whole, digits] = [decimal[2] || "0", decimal[3] || decimal[5] || ""];
  const size = BigInt(whole + digits);
  const negative = decimal[1] === "-" || decimal[4] === "-";
  return ratio(negative ? -size : size, 10n ** BigInt(digits.length));
}

/** "p/q" in lowest terms, or an integer: as Python writes fractions. */
function exactText(one) {
  return one.bottom === 1n ? String(one.top) : `${one.top}/${one.bottom}`;
}

/** A decimal where there is a short one, else "p/q". */
function shortText(one) {
  for (let digits = 0; digits <= 6; digits += 1) {
    const scaled = one.top * 10n ** BigInt(digits);
    if (scaled % one.bottom === 0n) return decimalText(scaled / one.bottom, digits);
  }
  return exactText(one);
}

function decimalText(scaled, digits) {
  if (!digits) return String(scaled);
  const size = String(scaled < 0n ? -scaled : scaled).padStart(digits + 1, "0");
  return `${scaled < 0n ? "-" : ""}${size.slice(0, -digits)}.${size.slice(-digits)}`;
}

/** The number rounded to some decimal places, halves away from zero, without needless zeros. */
function rounded(one, digits = 4) {
  const sign = one.top < 0n ? -1n : 1n;
  const doubled = 2n * sign * one.top * 10n ** BigInt(digits) + one.bottom;
  const text = decimalText((sign * doubled) / (2n * one.bottom), digits);
  return digits ? text.replace(/\.?0+$/, "") : text;
}

/** Decimal places, six or more, with which each of some different numbers in order is told from its neighbours. */
function digitsApart(numbers) {
  const digits = numbers.map(() => 6);
  for (let place = 1; place < numbers.length; place += 1) {
    const [one, other] = [numbers[place - 1], numbers[place]];
    while (compare(one, other) && rounded(one, digits[place]) === rounded(other, digits[place])) digits[place] += 1;
    digits[place - 1] = Math.max(digits[place - 1], digits[place]);
  }
  return digits;
}

/** A number that is not negative: rounded, with a sign that says so where it was. */
function about(one, digits = 4) {
  const text = rounded(one, digits);
  if (compare(readNumber(text), one) === 0) return text;
  return Number(text) === 0 ? `less than ${decimalText(1n, digits)}` : `≈ ${text}`;
}

/** A share in percent, to one decimal place; never 0 for what is not 0. */
function percent(one) {
  const text = rounded(times(one, ratio(100n)), 1);
  if (Number(text) === 0 && one.top !== 0n) return one.top > 0n ? "< 0.1%" : "> −0.1%";
  return `${text.replace("-", "−")}%`;
}

/** A share in percent, rounded down, to two decimal places where it is less than a tenth. */
function percentDown(one) {
  const digits = one.top * 10n < one.bottom ? 2 : 1;
  const text = decimalText((one.top * 100n * 10n ** BigInt(digits)) / one.bottom, digits);
  return `${text.replace(/\.?0+$/, "")}%`;
}

/** A number above 0 rounded down to three digits, or all digits before the point. */
function threeDigits(one) {
  const digits = Math.max(0, 2 - Math.floor(Math.log10(toFloat(one))));
  const text = decimalText((one.top * 10n ** BigInt(digits)) / one.bottom, digits);
  return digits ? text.replace(/\.?0+$/, "") : text;
}

/** The nearest double. */
function toFloat(one) {
  const size = one.top < 0n ? -one.top : one.top;
  const shift = BigInt(Math.max(0, one.bottom.toString(2).length - size.toString(2).length + 64));
  const scaled = Number((size << shift) / one.bottom);
  return (one.top < 0n ? -1 : 1) * scaled * 2 ** -Number(shift);
}

/** Integers over the least common denominator of some ratios, and that denominator. @param {Ratio[]} ratios */
function commonIntegers(ratios) {
  const bottom = ratios.reduce((found, one) => (found % one.bottom ? lcm(found, one.bottom) : found), 1n);
  return { values: ratios.map((one) => one.top * (bottom / one.bottom)), bottom };
}

/** @param {bigint[]} values */
function sum(values) {
  return values.reduce((total, one) => total + one, 0n);
}
