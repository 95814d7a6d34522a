/** The sheet as it is drawn, and its settlement, as tables. */

import { element } from "../replay/moves.js";

const minus = (text) => text.replace("-", "−");

/** The table of an answer's `table`: heads, and groups of rows. */
export function drawnTable(table) {
  const heads = table.heads.map((head) =>
    element(
      "tr",
      {},
      ...head.map(({ text, columns, rows }) =>
        element("th", { scope: "col", colspan: String(columns), rowspan: String(rows) }, text),
      ),
    ),
  );
  const groups = table.groups.map(({ kind, head, rows }) =>
    element("tbody", { class: kind }, ...rows.map((row, i) => drawnRow(table, head, rows.length, row, i))),
  );
  return element("table", { class: "sheet" }, element("thead", {}, ...heads), ...groups);
}

function drawnRow(table, head, count, row, i) {
  const wide = head.length < table.lead ? String(table.lead) : "1";
  const lead = i
    ? []
    : head.map((text) => element("th", { scope: "rowgroup", rowspan: String(count), colspan: wide }, text));
  const cells = row.cells.map((cell) => element("td", { class: "figure" }, minus(cell)));
  const remark = table.remarks ? [element("td", { class: "remark" }, row.remark)] : [];
  return element("tr", row.void ? { class: "void" } : {}, ...lead, ...cells, ...remark);
}

/** The settlement of an answer: each step, what it gives, and the sums after it. */
export function settlementTable(steps, players) {
  const head = element("tr", {}, element("td", {}), ...players.map((name) => element("th", { scope: "col", class: "figure" }, name)));
  const rows = steps.flatMap((step, i) => [
    ...(i ? [figures(step.name, step.amounts_words, "step")] : []),
    figures(i ? "=" : step.name, step.sums_words, "sums"),
  ]);
  return element("table", { class: "settlement" }, element("thead", {}, head), element("tbody", {}, ...rows));
}

function figures(name, cells, kind) {
  return element(
    "tr",
    { class: kind },
    element("th", { scope: "row" }, name),
    ...cells.map((cell) => element("td", { class: "figure" }, cell)),
  );
}
