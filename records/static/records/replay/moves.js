/** The list of moves that the server wrote: marks the current one and reads out what it says. */

/** Takes the list's root; gives a function that shows a position and returns its sentence. */
export function moveList(root) {
  const deals = [...root.querySelectorAll("details[data-deal]")];
  let current = null;

  /** Scrolls the list, never the page. */
  function reveal(item) {
    const box = root.getBoundingClientRect();
    const own = item.getBoundingClientRect();
    if (own.top < box.top || own.bottom > box.bottom) {
      root.scrollTop += own.top - box.top - (box.height - own.height) / 2;
    }
  }

  return ({ deal, step }) => {
    for (const details of deals) details.open = Number(details.dataset.deal) === deal;
    current?.removeAttribute("aria-current");
    current = root.querySelector(`a[href="#${deal}.${step}"]`);
    current.setAttribute("aria-current", "step");
    reveal(current);
    return current.querySelector("span").textContent;
  };
}
