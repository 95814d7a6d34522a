/**
 * What every page does: the other language begins where the reader is, hash and all.
 * Without this module it begins at the address that the server saw.
 */

document.querySelector("form.language")?.addEventListener("submit", ({ target }) => {
  const { elements } = /** @type {HTMLFormElement} */ (target);
  const next = /** @type {HTMLInputElement} */ (elements.namedItem("next"));
  next.value = location.pathname + location.search + location.hash;
});
