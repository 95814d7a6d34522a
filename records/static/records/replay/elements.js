/** Makers of elements for the modules of all pages. */

const SVG = "http://www.w3.org/2000/svg";

function filled(made, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** An HTML element with attributes and children. */
export function element(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

/** An SVG element with attributes and children. */
export function svg(name, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, name), attributes, children);
}

/** The message of a fault, plain and with letters of cards: styles show one, by the reader's setting. */
export function sentence({ words, message }) {
  if (words === message) return [words];
  return [element("span", { class: "worded" }, words), element("span", { class: "lettered" }, message)];
}
