// Exact sums: integers over one denominator, and in doubles wherever these hold every sum exactly.

// Beyond so many bits of a common denominator a sum takes too long.
const LARGEST_UNIT = 1n << 400_000n;

/**
 * Integers that, over the unit beside them, are the values.
 * @param {Ratio[]} values
 */
function whole(values) {
  let unit = 1n;
  for (const { bottom } of values) {
    if (unit % bottom) unit = lcm(unit, bottom);
    if (unit >= LARGEST_UNIT) refuse("the denominators of the numbers are too many and too long");
  }
  return { values: values.map((one) => one.top * (unit / one.bottom)), unit };
}

/** An exact sum. */
function total(/** @type {Ratio[]} */ values) {
  const { values: tops, unit } = whole(values);
  return ratio(sum(tops), unit);
}

/**
 * The sums of multiples of signs: `signAt(at, place)` times each value, for so many sums, over one unit.
 * @param {number} count
 * @param {Ratio[]} values
 * @param {(at: number, place: number) => number} signAt
 */
function signedSums(count, values, signAt) {
  const { values: tops, unit } = whole(values);
  const used = tops.flatMap((one, place) => (one ? [place] : []));
  const size = sum(used.map((place) => (tops[place] < 0n ? -tops[place] : tops[place])));
  // No partial sum is larger than the sum of all sizes: below 2^53 doubles hold them.
  if (size <= BigInt(Number.MAX_SAFE_INTEGER)) {
    const floats = used.map((place) => Number(tops[place]));
    const sums = Array.from({ length: count }, (_, at) => {
      let found = 0;
      for (let one = 0; one < used.length; one += 1) found += signAt(at, used[one]) * floats[one];
      return BigInt(found);
    });
    return { sums, unit };
  }
  const sums = Array.from({ length: count }, (_, at) => used.reduce((found, place) => found + BigInt(signAt(at, place)) * tops[place], 0n));
  return { sums, unit };
}

/**
 * G w: the lead of each row.
 * @param {Int8Array[]} rows
 * @param {Ratio[]} weights
 */
function leadsUnder(rows, weights) {
  return signedSums(rows.length, weights, (at, task) => rows[at][task]);
}

/**
 * y G: the lead over a mixture of the rows on each of so many tasks.
 * @param {Int8Array[]} rows
 * @param {Ratio[]} shares
 * @param {number} width
 * @returns {Ratio[]}
 */
function columnSums(rows, shares, width) {
  const { sums, unit } = signedSums(width, shares, (task, row) => rows[row][task]);
  return sums.map((one) => ratio(one, unit));
}

/** The least of some ratios, of which there is one at least. */
function least(/** @type {Ratio[]} */ values) {
  return values.reduce((found, one) => (compare(one, found) < 0 ? one : found));
}

/** The greatest of some ratios, of which there is one at least. */
function greatest(/** @type {Ratio[]} */ values) {
  return values.reduce((found, one) => (compare(one, found) > 0 ? one : found));
}

/** Values with the other sign: a bound from above is one of the opposite from below. */
function turned(/** @type {Ratio[]} */ values) {
  return values.map((one) => ({ top: -one.top, bottom: one.bottom }));
}
