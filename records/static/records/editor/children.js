// @ts-check
/** Child elements that are replaced only when their item changes, because a card is slow to draw. */

/** The serialised items of each parent. */
const itemsByParent = new WeakMap();

/**
 * Makes the children of `root` show `items`. Creates elements by `create(item, index)` for new and
 * changed items only.
 * @template T
 * @param {Element} root
 * @param {T[]} items
 * @param {(item: T, index: number) => Node} create
 */
export function updateChildren(root, items, create) {
  const previous = itemsByParent.get(root) ?? [];
  const current = items.map((item) => JSON.stringify(item));
  for (const [i, item] of items.entries()) {
    const child = root.children[i];
    if (!child) root.append(create(item, i));
    else if (current[i] !== previous[i]) child.replaceWith(create(item, i));
  }
  while (root.children.length > items.length) root.lastElementChild.remove();
  itemsByParent.set(root, current);
}
