// @ts-check
/**
 * The events of a step on the table: lifts and names the cards of a new yaku, shows decisions, the
 * ledger at the end of a month, and the settlement with the chart at the end of the game.
 */
import { Chart } from "./chart.js";
import { element } from "./elements.js";
import { findCards, findNewYaku } from "./moments.js";
import { setsOf, shortenName } from "./progress.js";
import { formatSum, formatWorth } from "./sums.js";

const GLOSS = / \([^)]*\)/g; // the text next to the table has the gloss
const CHART_HEIGHT = 150; // pixels
const DECLARATIONS = new Set(["show", "say", "call", "blind", "swap", "redeal", "void"]);

/** The banner and the ledger within `root`; `table` lifts cards, `words` are the texts of the page. */
export class Moment {
  constructor(root, data, table, words, address) {
    this.data = data;
    this.table = table;
    this.words = words;
    this.address = address;
    this.banner = root.querySelector("[data-banner]");
    this.panel = root.querySelector("[data-ledger]");
  }

  /** Shows the events of a position, if it has any. */
  show({ deal: number, step: i }) {
    const deal = this.data.deals[number - 1];
    const step = deal.steps[i];
    const yaku = findNewYaku(deal.steps, i);
    const declaration = DECLARATIONS.has(step.kind) ? step.text.replace(GLOSS, "") : "";
    this.showBanner(yaku.length ? this.describeYaku(yaku) : declaration, yaku[0]?.seat ?? step.seat);
    this.table.lift(this.findCardsToLift(deal, step, yaku));
    this.panel.hidden = step.kind !== "end";
    if (this.panel.hidden) return;
    const [head, ...tables] = this.panel.children;
    head.textContent = step.text;
    for (const table of tables) table.remove();
    this.panel.append(...this.createLedger(deal));
    if (number === this.data.deals.length && this.data.final) this.addSettlement();
    this.panel.scrollTop = 0;
  }

  showBanner(text, seat) {
    this.banner.textContent = text;
    this.banner.hidden = text === "";
    this.banner.classList.toggle("above", !this.table.isAtBottom(seat));
  }

  describeYaku(yaku) {
    const { players, yaku: names, units, lang } = this.data;
    const texts = yaku.map(({ id, value }) => `${shortenName(names[id] ?? id)} ${formatWorth(value, units)}`);
    return `${players[yaku[0].seat - 1]}${lang === "ja" ? "：" : ": "}${texts.join(" · ")}`;
  }

  /** Returns the cards of a new yaku, of a declared hand, or of the yaku of the deciding player. */
  findCardsToLift(deal, step, yaku) {
    if (step.kind === "show") return step.take;
    if (step.kind !== "say" && yaku.length === 0) return "";
    const seat = (yaku[0]?.seat ?? step.seat) - 1;
    const sets = setsOf(this.data, deal);
    return findCards(sets, yaku.length ? yaku : step.yaku[seat], step.captured[seat]);
  }

  /** Returns the ledger of a month: a row per payment, with the reason if one player pays alone. */
  createLedger({ ledger, score, totals, title }) {
    if (!score) return [];
    const rows = ledger.map(({ label, amounts, void: isVoid, why }) =>
      this.createRow(label, amounts, isVoid ? "void" : "", why),
    );
    rows.push(this.createRow(title, score, "total"), this.createRow(this.words.total, totals, "sum"));
    return [this.createTable(rows)];
  }

  /** Adds the steps of the settlement below the ledger, and the chart of the game. */
  addSettlement() {
    const { settlement, players, final } = this.data;
    const rows = settlement.map(({ name, amounts }) => this.createRow(name, amounts));
    const result = this.createRow(this.words.result, players.map(() => 0), "total");
    [...result.querySelectorAll("td")].forEach((cell, i) => (cell.textContent = final[i]));
    this.panel.lastElementChild.tBodies[0].append(...rows, result);
    if (this.data.deals.length < 2) return;
    const plot = element("div", { class: "plot" });
    this.panel.append(plot);
    const last = this.data.deals.length;
    const chart = new Chart(plot, this.data, this.words, this.address, CHART_HEIGHT);
    chart.show({ deal: last, step: this.data.deals[last - 1].steps.length - 1 }, false);
  }

  createRow(label, amounts, state = "", why = "") {
    const { units } = this.data;
    const cells = amounts.map((amount) => element("td", {}, amount || state ? formatSum(amount, units) : ""));
    const name = shortenName(label);
    const head = element("th", { scope: "row" }, name);
    if (name !== label) head.append(element("span", { class: "gloss" }, label.slice(name.length)));
    if (why) head.append(element("small", {}, why));
    return element("tr", state ? { class: state } : {}, head, ...cells);
  }

  createTable(rows) {
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
