/** The settlement of a sheet as a table. */

import { element } from "../replay/elements.js";
import { inUnits } from "./amount.js";

/** Shows the settlement of an answer in its section, once there is one. */
export function showSettlement(section, { settlement, players }, words, units) {
  section.hidden = settlement.length < 2;
  const tables = section.hidden ? [] : [settlementTable(settlement, players, words, units)];
  section.querySelector("[data-steps]").replaceChildren(...tables);
}

/** The settlement of an answer: each step, what it gives, and the sums after it. */
function settlementTable(steps, players, { left, final }, units) {
  const last = steps.length - 1;
  const head = element("tr", {}, element("td", {}), ...players.map((name) => element("th", { scope: "col", class: "figure" }, name)));
  const rows = steps.flatMap((step, i) => [
    ...(i ? [figures(step.name, step.amounts_words, "step", units)] : []),
    figures(i === last ? final : i ? left : step.name, step.sums_words, "sums", units),
  ]);
  return element("table", {}, element("thead", {}, head), element("tbody", {}, ...rows));
}

function figures(name, cells, kind, units) {
  return element(
    "tr",
    { class: kind },
    element("th", { scope: "row" }, name),
    ...cells.map((cell) => element("td", { class: "figure" }, inUnits(cell, units))),
  );
}
