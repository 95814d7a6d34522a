/** The deals of a game as buttons, and the steps of the one that is shown as a list. */

import { element } from "../replay/elements.js";
import { renew } from "./renew.js";

export class Steps {
  /** `look(at)` shows another step, as `deal.step`. */
  constructor(deals, list, data, card, look) {
    this.deals = deals;
    this.list = list;
    this.data = data;
    this.card = card;
    this.look = look;
  }

  /** Shows an answer of the server. */
  show(answer) {
    const [deal, at] = (answer.at ?? "0.0").split(".").map(Number);
    const step = answer.open ? answer.steps.length - 1 : at;
    const names = namesOf(answer.deals, this.data.monthNames, this.data.words.again);
    this.deals.replaceChildren(...answer.deals.map(({ steps }, i) => this.deal(names[i], steps, i + 1, deal)));
    const month = /** @type {HTMLElement} */ (this.deals.querySelector("[aria-current]"));
    if (month) this.deals.scrollLeft = month.offsetLeft - this.deals.clientWidth / 2;
    const items = answer.steps.map((one, i) => ({ ...one, at: `${deal}.${i}`, isHere: i === step }));
    renew(this.list, items, (one) => this.item(one));
    const here = this.list.querySelector("[aria-current]");
    if (here) this.list.scrollTop = here.offsetTop - this.list.clientHeight / 2;
  }

  deal(name, steps, number, shown) {
    const button = element("button", { type: "button", class: "second" }, name);
    button.disabled = steps === 0;
    if (number === shown) button.setAttribute("aria-current", "true");
    button.addEventListener("click", () => this.look(`${number}.${steps - 1}`));
    return button;
  }

  item({ notation, words, comments, card, take, at, isHere }) {
    const button = element("button", { type: "button" }, element("code", { class: "lettered" }, notation), this.pictures(card, take), words);
    if (isHere) button.setAttribute("aria-current", "step");
    button.addEventListener("click", () => this.look(at));
    return element("li", {}, button, ...comments.map((comment) => element("q", {}, comment)));
  }

  /** The cards of a step, as pictures beside the words that name them. */
  pictures(card, take) {
    const shown = element("span", { class: "pictures", "aria-hidden": "true" });
    if (card) shown.append(this.card(card));
    if (take) shown.append("→", ...[...take].map((letter) => this.card(letter)));
    return shown;
  }
}

/** The names of deals: of several in one month the later ones with their numbers, as `again` says it. */
export function namesOf(deals, monthNames, again) {
  const counts = new Map();
  return deals.map(({ month }) => {
    const name = monthNames[(month - 1) % 12];
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return count === 1 ? name : again.replace("%(month)s", name).replace("%(number)s", String(count));
  });
}
