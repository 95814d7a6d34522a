/**
 * Makes what is shown the same as a tree that was made anew, changing only what differs: who is
 * typing keeps focus and cursor. Elements with another `data-key` are other elements.
 */
function morph(old, fresh) {
  for (const name of old.getAttributeNames()) {
    if (!fresh.hasAttribute(name)) old.removeAttribute(name);
  }
  for (const name of fresh.getAttributeNames()) {
    const value = fresh.getAttribute(name);
    if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  children(old, fresh);
  if (old instanceof HTMLInputElement && fresh instanceof HTMLInputElement) {
    old.checked = fresh.checked;
    if (old.value !== fresh.value) old.value = fresh.value;
  } else if (old instanceof HTMLSelectElement && fresh instanceof HTMLSelectElement) {
    if (old.value !== fresh.value) old.value = fresh.value;
  }
}

/** Makes the content of an element the same as some nodes. */
export function morphContent(place, ...nodes) {
  const fresh = document.createElement(place.nodeName);
  fresh.append(...nodes);
  children(place, fresh);
}

function children(old, fresh) {
  const wanted = [...fresh.childNodes];
  for (const [i, node] of wanted.entries()) {
    const there = old.childNodes[i];
    if (!there) old.append(node);
    else if (!same(there, node)) there.replaceWith(node);
    else if (node.nodeType === Node.ELEMENT_NODE) morph(there, node);
    else if (there.nodeValue !== node.nodeValue) there.nodeValue = node.nodeValue;
  }
  while (old.childNodes.length > wanted.length) old.lastChild.remove();
}

function same(one, other) {
  return (
    one.nodeName === other.nodeName &&
    (one.nodeType !== Node.ELEMENT_NODE || one.dataset.key === other.dataset.key)
  );
}
