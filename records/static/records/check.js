/**
 * The page that checks a game: while something was pasted or mended that was not uploaded, leaving
 * the page asks first; the verdict is brought into view, and a chosen file is named. Without this
 * script the form posts by itself.
 */

import "./upload/replacing.js";

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

/** @type {HTMLInputElement | null} */
const file = document.querySelector("input[type=file]");
file?.addEventListener("change", () => {
  document.querySelector("[data-chosen]").textContent = file.files[0]?.name ?? "";
});
