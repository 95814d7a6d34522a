// @ts-check
/** Renders a button per deal and the list of steps of the current deal. */

import { element } from "../replay/elements.js";
import { updateChildren } from "./children.js";

/** The navigation of the editor. */
export class Steps {
  /** `look(at)` is called with the step to show, as `deal.step`. */
  constructor(deals, list, data, card, look) {
    this.deals = deals;
    this.list = list;
    this.data = data;
    this.card = card;
    this.look = look;
  }

  /** Shows the deals and steps of a response. */
  show(response) {
    const [deal, at] = (response.at ?? "0.0").split(".").map(Number);
    const step = response.open ? response.steps.length - 1 : at;
    const names = nameDeals(response.deals, this.data.monthNames, this.data.words.again);
    this.deals.replaceChildren(...response.deals.map(({ steps }, i) => this.deal(names[i], steps, i + 1, deal)));
    const month = /** @type {HTMLElement} */ (this.deals.querySelector("[aria-current]"));
    if (month) this.deals.scrollLeft = month.offsetLeft - this.deals.clientWidth / 2;
    const items = response.steps.map((fields, i) => ({ ...fields, at: `${deal}.${i}`, isCurrent: i === step }));
    updateChildren(this.list, items, (item) => this.item(item));
    const current = this.list.querySelector("[aria-current]");
    if (current) this.list.scrollTop = current.offsetTop - this.list.clientHeight / 2;
  }

  deal(name, steps, number, shown) {
    const button = element("button", { type: "button", class: "second" }, name);
    button.disabled = steps === 0;
    if (number === shown) button.setAttribute("aria-current", "true");
    button.addEventListener("click", () => this.look(`${number}.${steps - 1}`));
    return button;
  }

  item({ notation, words, comments, card, take, at, isCurrent }) {
    const button = element("button", { type: "button" }, element("code", { class: "lettered" }, notation), this.pictures(card, take), words);
    if (isCurrent) button.setAttribute("aria-current", "step");
    button.addEventListener("click", () => this.look(at));
    return element("li", {}, button, ...comments.map((comment) => element("q", {}, comment)));
  }

  /** Returns the cards of a step as pictures; the words of the step name the cards. */
  pictures(card, take) {
    const row = element("span", { class: "pictures", "aria-hidden": "true" });
    if (card) row.append(this.card(card));
    if (take) row.append("→", ...[...take].map((letter) => this.card(letter)));
    return row;
  }
}

/**
 * Returns the names of deals. The second and later deals of a month get a number by the text `again`.
 * @param {{ month: number }[]} deals
 * @param {string[]} monthNames
 * @param {string} again
 * @returns {string[]}
 */
export function nameDeals(deals, monthNames, again) {
  const counts = new Map();
  return deals.map(({ month }) => {
    const name = monthNames[(month - 1) % 12];
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return count === 1 ? name : again.replace("%(month)s", name).replace("%(number)s", String(count));
  });
}
