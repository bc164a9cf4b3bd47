// Making elements: text is only ever text, and nothing is styled but by classes and attributes of geometry.

const SVG = "http://www.w3.org/2000/svg";
let counter = 0;

/**
 * An element with attributes and children; children are elements or text.
 * @param {string} name
 * @param {Record<string, unknown>} attributes
 * @param {any} children
 * @returns {any}
 */
function element(name, attributes = {}, children = []) {
  return filled(document.createElement(name), attributes, children);
}

/**
 * @param {string} name
 * @param {Record<string, unknown>} attributes
 * @param {any} children
 * @returns {any}
 */
function drawn(name, attributes = {}, children = []) {
  return filled(document.createElementNS(SVG, name), attributes, children);
}

function filled(made, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  made.append(...[children].flat().filter((one) => one !== null));
  return made;
}

/** A number that shows rounded and carries its exact value. */
function numeral(one, text = about(one)) {
  return element("data", { value: exactText(one) }, text);
}

function freshId(word) {
  counter += 1;
  return `explorer-${word}-${counter}`;
}

function listed(names) {
  if (names.length < 2) return names.join("");
  return `${names.slice(0, -1).join(", ")} and ${names[names.length - 1]}`;
}

/** The first names, and how many more there are. */
function firstOf(names, most = 4) {
  if (names.length <= most + 1) return listed(names);
  return `${names.slice(0, most).join(", ")} and ${names.length - most} more`;
}

function counted(count, noun, plural = `${noun}s`) {
  return `${count.toLocaleString("en")} ${count === 1 ? noun : plural}`;
}

/** Call `work` once, so many milliseconds after the last call. */
function settled(work, delay) {
  let waiting = 0;
  return () => {
    clearTimeout(waiting);
    waiting = setTimeout(work, delay);
  };
}
