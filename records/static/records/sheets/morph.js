// @ts-check
/**
 * Updates of a displayed tree to a newly rendered tree. Only differences change, so that a text field
 * retains focus and cursor. Elements with different `data-key` are replaced.
 */

function morph(old, fresh) {
  for (const name of old.getAttributeNames()) {
    const isOpenedByUser = name === "open" && old instanceof HTMLDetailsElement;
    if (!fresh.hasAttribute(name) && !isOpenedByUser) old.removeAttribute(name);
  }
  for (const name of fresh.getAttributeNames()) {
    const value = fresh.getAttribute(name);
    if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  morphChildren(old, fresh);
  if (old instanceof HTMLInputElement && fresh instanceof HTMLInputElement) {
    old.checked = fresh.checked;
    if (old.value !== fresh.value) old.value = fresh.value;
  } else if (old instanceof HTMLSelectElement && fresh instanceof HTMLSelectElement) {
    if (old.value !== fresh.value) old.value = fresh.value;
  }
}

/**
 * Updates the content of an element to some nodes.
 * @param {Element} place
 * @param {...(Node | string)} nodes
 */
export function morphContent(place, ...nodes) {
  const fresh = document.createElement(place.nodeName);
  fresh.append(...nodes);
  morphChildren(place, fresh);
}

function morphChildren(old, fresh) {
  const nodes = [...fresh.childNodes];
  for (const [i, node] of nodes.entries()) {
    const current = old.childNodes[i];
    if (!current) old.append(node);
    else if (!isSameKind(current, node)) current.replaceWith(node);
    else if (node.nodeType === Node.ELEMENT_NODE) morph(current, node);
    else if (current.nodeValue !== node.nodeValue) current.nodeValue = node.nodeValue;
  }
  while (old.childNodes.length > nodes.length) old.lastChild.remove();
}

function isSameKind(a, b) {
  return a.nodeName === b.nodeName && (a.nodeType !== Node.ELEMENT_NODE || a.dataset.key === b.dataset.key);
}
