/** The list of the worked deal follows its player. */

document.addEventListener("kafu-step", (event) => {
  const { detail } = /** @type {CustomEvent} */ (event);
  for (const link of document.querySelectorAll(".played a")) {
    if (link.getAttribute("href") === `#${detail}`) link.setAttribute("aria-current", "step");
    else link.removeAttribute("aria-current");
  }
});
