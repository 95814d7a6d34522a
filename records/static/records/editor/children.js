/** Children that stay while what they are made of stays: a card is dear to draw. */

const made = new WeakMap();

/** Makes `root` show `items`, each by `make(item, number)`; only those are made that have changed. */
export function renew(root, items, make) {
  const before = made.get(root) ?? [];
  const signs = items.map((item) => JSON.stringify(item));
  for (const [i, item] of items.entries()) {
    const there = root.children[i];
    if (!there) root.append(make(item, i));
    else if (signs[i] !== before[i]) there.replaceWith(make(item, i));
  }
  while (root.children.length > items.length) root.lastElementChild.remove();
  made.set(root, signs);
}
