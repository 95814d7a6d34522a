/**
 * What every page does: times are shown in the reader's zone, and the other language begins where
 * the reader is, hash and all. Without this module it begins at the address that the server saw.
 */

import { showLocalTimes } from "./times.js";

showLocalTimes();
document.querySelector("form.language")?.addEventListener("submit", ({ target }) => {
  const { elements } = /** @type {HTMLFormElement} */ (target);
  const next = /** @type {HTMLInputElement} */ (elements.namedItem("next"));
  next.value = location.pathname + location.search + location.hash;
});
