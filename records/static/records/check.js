// @ts-check
/**
 * The page that checks a game: warns before leaving with unsaved text, scrolls the verdict into view,
 * and shows the name of the chosen file.
 */

import "./upload/replacement.js";

const form = document.getElementById("check");
const text = form?.querySelector("textarea");

if (text) {
  const initialText = text.value;
  let isSubmitted = false;
  form.addEventListener("submit", () => {
    isSubmitted = true;
  });
  addEventListener("beforeunload", (event) => {
    if (!isSubmitted && text.value !== initialText) event.preventDefault();
  });
  document.getElementById("verdict")?.scrollIntoView({ block: "nearest" });
}

if (document.querySelector("[data-device]")) import("./check_offline.js");

/** @type {HTMLInputElement | null} */
const file = document.querySelector("input[type=file]");
file?.addEventListener("change", () => {
  document.querySelector("[data-chosen]").textContent = file.files[0]?.name ?? "";
});
