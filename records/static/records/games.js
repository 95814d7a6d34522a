/* The form above the list of games: the yaku are those of the ruleset. */

import { asking } from "./asking.js";

/* Only the yaku of the ruleset; one that it has not is given up. */
function narrow(ruleset, yaku) {
  const groups = [...yaku.querySelectorAll("optgroup")];
  const wanted = yaku.value;
  for (const group of groups) {
    group.hidden = group.disabled = Boolean(ruleset.value) && group.dataset.ruleset !== ruleset.value;
  }
  const fitting = groups.filter((group) => !group.disabled).flatMap((group) => [...group.children]);
  const kept = fitting.find((option) => option.selected) ?? fitting.find((option) => option.value === wanted);
  if (kept && wanted) kept.selected = true;
  else yaku.value = "";
}

const form = /** @type {HTMLFormElement} */ (document.querySelector("form.ask"));
for (const each of [form, document.querySelector("form.search")]) asking(each);
const ruleset = /** @type {HTMLSelectElement} */ (form.elements.namedItem("ruleset"));
const yaku = /** @type {HTMLSelectElement} */ (form.elements.namedItem("yaku"));
ruleset.addEventListener("change", () => narrow(ruleset, yaku));
narrow(ruleset, yaku);
