// @ts-check
/** Functions that create elements, for the modules of all pages. */

const SVG = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

/** Creates an HTML element with attributes and children. */
export function element(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

/** Creates an SVG element with attributes and children. */
export function svg(name, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, name), attributes, children);
}

/**
 * Returns the message of a fault in two versions, with names and with letters of cards; the style
 * sheet shows the version of the reader's setting.
 * @param {{ words: string, message: string }} fault
 * @returns {(string | Node)[]}
 */
export function faultMessage({ words, message }) {
  if (words === message) return [words];
  return [element("span", { class: "worded" }, words), element("span", { class: "lettered" }, message)];
}
