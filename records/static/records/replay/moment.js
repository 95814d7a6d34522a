/**
 * A moment shown on the table: the cards of a yaku lift and are named, a decision stands on it, the
 * end of a month has its ledger, the end of the game its settlement and the curve.
 */
import { Chart } from "./chart.js";
import { cardsOf, made } from "./moments.js";
import { element } from "./elements.js";
import { brief, setsOf } from "./progress.js";
import { sum, worth } from "./sums.js";

const GLOSS = / \([^)]*\)/g; // the words beside the table have it
const LOW = 150; // pixels of the curve, which stands below the settlement
const SAID = new Set(["show", "say", "call", "blind", "swap", "redeal", "void"]);

/** The moments within `root`; `table` lifts cards, `words` are the page's own. */
export class Moment {
  constructor(root, data, table, words, address) {
    this.data = data;
    this.table = table;
    this.words = words;
    this.address = address;
    this.banner = root.querySelector("[data-banner]");
    this.panel = root.querySelector("[data-ledger]");
  }

  /** Shows what a position brings, and nothing where it brings nothing. */
  show({ deal: number, step: i }) {
    const deal = this.data.deals[number - 1];
    const step = deal.steps[i];
    const yaku = made(deal.steps, i);
    const said = SAID.has(step.kind) ? step.text.replace(GLOSS, "") : "";
    this.tell(yaku.length ? this.named(yaku) : said, yaku[0]?.seat ?? step.seat);
    this.table.lift(this.lifted(deal, step, yaku));
    this.panel.hidden = step.kind !== "end";
    if (this.panel.hidden) return;
    const [head, ...rest] = this.panel.children;
    head.textContent = step.text;
    for (const one of rest) one.remove();
    this.panel.append(...this.monthly(deal));
    if (number === this.data.deals.length && this.data.final) this.settle();
    this.panel.scrollTop = 0;
  }

  tell(text, seat) {
    this.banner.textContent = text;
    this.banner.hidden = text === "";
    this.banner.classList.toggle("above", !this.table.atBottom(seat));
  }

  named(yaku) {
    const { players, yaku: names, units, lang } = this.data;
    const each = yaku.map(({ id, value }) => `${brief(names[id] ?? id)} ${worth(value, units)}`);
    return `${players[yaku[0].seat - 1]}${lang === "ja" ? "：" : ": "}${each.join(" · ")}`;
  }

  /** The cards that step forward: of the yaku made, shown, or held by who decides. */
  lifted(deal, step, yaku) {
    if (step.kind === "show") return step.take;
    if (step.kind !== "say" && yaku.length === 0) return "";
    const seat = (yaku[0]?.seat ?? step.seat) - 1;
    const sets = setsOf(this.data, deal);
    return cardsOf(sets, yaku.length ? yaku : step.yaku[seat], step.captured[seat]);
  }

  /** The month's ledger: a row a line, who got and paid what, and why one pays for others. */
  monthly({ ledger, score, totals, title }) {
    if (!score) return [];
    const rows = ledger.map(({ label, amounts, void: no, why }) =>
      this.row(label, amounts, no ? "void" : "", why),
    );
    rows.push(this.row(title, score, "total"), this.row(this.words.total, totals, "sum"));
    return [this.ruled(rows)];
  }

  /** The settlement step by step under the sums of the months, and the curve of the game. */
  settle() {
    const { settlement, players, final } = this.data;
    const rows = settlement.map(({ name, amounts }) => this.row(name, amounts));
    const result = this.row(this.words.result, players.map(() => 0), "total");
    [...result.querySelectorAll("td")].forEach((cell, i) => (cell.textContent = final[i]));
    this.panel.lastElementChild.tBodies[0].append(...rows, result);
    if (this.data.deals.length < 2) return;
    const curve = element("div", { class: "plot" });
    this.panel.append(curve);
    const last = this.data.deals.length;
    const chart = new Chart(curve, this.data, this.words, this.address, LOW);
    chart.show({ deal: last, step: this.data.deals[last - 1].steps.length - 1 }, false);
  }

  row(label, amounts, state = "", why = "") {
    const { units } = this.data;
    const cells = amounts.map((one) => element("td", {}, one || state ? sum(one, units) : ""));
    const name = brief(label);
    const head = element("th", { scope: "row" }, name);
    if (name !== label) head.append(element("span", { class: "gloss" }, label.slice(name.length)));
    if (why) head.append(element("small", {}, why));
    return element("tr", state ? { class: state } : {}, head, ...cells);
  }

  ruled(rows) {
    const head = ["", ...this.data.players].map((name) => element("th", { scope: "col" }, name));
    head[0].append(element("span", { class: "hidden" }, this.words.yaku));
    return element(
      "table",
      {},
      element("thead", {}, element("tr", {}, ...head)),
      element("tbody", {}, ...rows),
    );
  }
}
