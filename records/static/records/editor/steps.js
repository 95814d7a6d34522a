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
    this.deals.replaceChildren(...answer.deals.map((one, i) => this.deal(one, i + 1, deal)));
    const items = answer.steps.map((one, i) => ({ ...one, at: `${deal}.${i}`, isHere: i === step }));
    renew(this.list, items, (one) => this.item(one));
    const here = this.list.querySelector("[aria-current]");
    if (here) this.list.scrollTop = here.offsetTop - this.list.clientHeight / 2;
  }

  deal({ month, steps }, number, shown) {
    const name = this.data.monthNames[(month - 1) % 12];
    const button = element("button", { type: "button", class: "second" }, name);
    button.disabled = steps === 0;
    if (number === shown) button.setAttribute("aria-current", "true");
    button.addEventListener("click", () => this.look(`${number}.${steps - 1}`));
    return button;
  }

  item({ notation, words, comments, card, take, at, isHere }) {
    const button = element("button", { type: "button", class: "plain" }, element("code", { class: "lettered" }, notation));
    if (card) button.append(this.pictures(card, take));
    button.append(` ${words}`);
    if (isHere) button.setAttribute("aria-current", "step");
    button.addEventListener("click", () => this.look(at));
    return element("li", {}, button, ...comments.map((comment) => element("q", {}, comment)));
  }

  /** The cards of a step, as pictures beside the words that name them. */
  pictures(card, take) {
    const shown = element("span", { class: "pictures", "aria-hidden": "true" }, this.card(card));
    if (take) shown.append("→", ...[...take].map((letter) => this.card(letter)));
    return shown;
  }
}
