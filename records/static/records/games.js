// @ts-check
/** The form above the list of games: offers only the yaku of the chosen ruleset. */

import { enhanceQueryForm } from "./query_form.js";

/** Hides the yaku of other rulesets. Clears the selection if the ruleset lacks the selected yaku. */
function limitYaku(ruleset, yaku) {
  const groups = [...yaku.querySelectorAll("optgroup")];
  const selectedId = yaku.value;
  for (const group of groups) {
    group.hidden = group.disabled = Boolean(ruleset.value) && group.dataset.ruleset !== ruleset.value;
  }
  const options = groups.filter((group) => !group.disabled).flatMap((group) => [...group.children]);
  const selected = options.find((option) => option.selected) ?? options.find((option) => option.value === selectedId);
  if (selected && selectedId) selected.selected = true;
  else yaku.value = "";
}

const form = /** @type {HTMLFormElement} */ (document.querySelector("form.ask"));
enhanceQueryForm(form);
enhanceQueryForm(document.querySelector("form.search"));
const ruleset = /** @type {HTMLSelectElement} */ (form.elements.namedItem("ruleset"));
const yaku = /** @type {HTMLSelectElement} */ (form.elements.namedItem("yaku"));
ruleset.addEventListener("change", () => limitYaku(ruleset, yaku));
limitYaku(ruleset, yaku);
