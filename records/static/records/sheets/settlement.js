// @ts-check
/** The table of the settlement of a sheet. */

import { element } from "../replay/elements.js";
import { addUnits } from "./amount.js";

/**
 * Shows the settlement of a response; hides the section without a settlement.
 * @param {HTMLElement} section
 * @param {any} response
 * @param {{ left: string, final: string }} words
 * @param {{ kan: string, rest: string }} units
 */
export function showSettlement(section, { settlement, players }, words, units) {
  section.hidden = settlement.length < 2;
  const tables = section.hidden ? [] : [createTable(settlement, players, words, units)];
  section.querySelector("[data-steps]").replaceChildren(...tables);
}

/** Creates a table with two rows per step of the settlement: the amounts, and the sums after them. */
function createTable(steps, players, { left, final }, units) {
  const last = steps.length - 1;
  const head = element("tr", {}, element("td", {}), ...players.map((name) => element("th", { scope: "col", class: "figure" }, name)));
  const rows = steps.flatMap((step, i) => [
    ...(i ? [createRow(step.name, step.amounts_words, "step", units)] : []),
    createRow(i === last ? final : i ? left : step.name, step.sums_words, "sums", units),
  ]);
  return element("table", {}, element("thead", {}, head), element("tbody", {}, ...rows));
}

function createRow(name, cells, kind, units) {
  return element(
    "tr",
    { class: kind },
    element("th", { scope: "row" }, name),
    ...cells.map((cell) => element("td", { class: "figure" }, addUnits(cell, units))),
  );
}
