/** Who sent a game from this browser without an account may replace it: by the secret that is kept here. */

import { sent } from "./sent.js";

/** @type {HTMLFieldSetElement | null} */
const own = document.querySelector("fieldset[data-sent]");
const kept = sent().find(({ key, game }) => [key, game].includes(own?.dataset.sent));
if (own && kept) {
  /** @type {HTMLInputElement} */ (own.querySelector("[name=words]")).value = kept.words;
  own.disabled = false;
  own.hidden = false;
}
