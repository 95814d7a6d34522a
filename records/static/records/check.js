/**
 * The page that checks a game: while something was pasted or mended that was not uploaded, leaving
 * the page asks first; the verdict is brought into view. Without this script the form posts by itself.
 */

import { sent as uploads } from "./upload/sent.js";

const form = document.getElementById("check");
const text = form?.querySelector("textarea");

if (text) {
  const before = text.value;
  let sent = false;
  form.addEventListener("submit", () => {
    sent = true;
  });
  addEventListener("beforeunload", (event) => {
    if (!sent && text.value !== before) event.preventDefault();
  });
  document.getElementById("verdict")?.scrollIntoView({ block: "nearest" });
}

/** Who sent the game from this browser without an account may replace it: by the secret kept here. */
/** @type {HTMLFieldSetElement | null} */
const own = document.querySelector("fieldset[data-sent]");
const kept = uploads().find((one) => one.key === own?.dataset.sent);
if (own && kept) {
  /** @type {HTMLInputElement} */ (own.querySelector("[name=words]")).value = kept.words;
  own.disabled = false;
  own.hidden = false;
}
