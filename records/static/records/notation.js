// @ts-check
/** The page of the notation: marks the player's step in the list of the worked example. */

document.addEventListener("kafu-step", (event) => {
  const { detail } = /** @type {CustomEvent} */ (event);
  for (const link of document.querySelectorAll(".played a")) {
    if (link.getAttribute("href") === `#${detail}`) link.setAttribute("aria-current", "step");
    else link.removeAttribute("aria-current");
  }
});
