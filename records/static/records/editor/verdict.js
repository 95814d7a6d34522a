// @ts-check
/** The verdict on the unfinished game: status, fault with its line, and possible remedies. */

import { element, faultMessage } from "../replay/elements.js";

/** The verdict below the text. */
export class Verdict {
  /** `change(fields)` requests a change of the record. */
  constructor(root, words, change) {
    this.root = root;
    this.words = words;
    this.change = change;
    this.status = root.querySelector("[data-verdict]");
    this.message = root.querySelector("[data-status]");
    this.remedies = root.querySelector("[data-instead]");
  }

  /** Shows the verdict of a response. */
  show(response) {
    const { status, error, mismatches } = response;
    this.status.textContent = this.root.querySelector(`[data-status="${status}"]`)?.textContent ?? status;
    this.status.dataset.kind = status;
    const line = error?.line ? `${this.words.line.replace("%(line)s", String(error.line))}: ` : "";
    const claims = mismatches.map(({ words }) => words).join(" ");
    this.say(error ? [line, ...faultMessage(error)] : [claims || this.words.noFault], Boolean(error || claims));
    const remedies = [...this.createRemedies(response)];
    this.remedies.hidden = remedies.length === 0;
    this.remedies.replaceChildren(...remedies);
  }

  /** Clears the status and the remedies, but not the message. */
  clear() {
    this.status.textContent = this.status.dataset.kind = "";
    this.remedies.hidden = true;
  }

  /** Yields buttons that replace the faulty move, remove the rest of the game, or correct the sums. */
  *createRemedies({ fault, mismatches, table, error }) {
    if (fault) {
      if (fault.instead.length) yield `${this.words.instead} `;
      for (const { text, words } of fault.instead) {
        yield this.button({ instead: text, at: undefined }, element("code", { class: "lettered" }, text), ` ${words}`);
      }
      const cut = this.button({ take_back: true, at: `${fault.deal}.${fault.step}` }, this.words.cut);
      cut.dataset.cut = "";
      yield cut;
    } else if (table && mismatches.length && !error) {
      yield this.button({ compute: true }, this.words.compute);
    }
  }

  button(fields, ...parts) {
    const button = element("button", { type: "button", class: "second" }, ...parts);
    button.addEventListener("click", () => this.change(fields));
    return button;
  }

  say(parts, wrong = false) {
    this.message.replaceChildren(...parts);
    this.message.classList.toggle("error", wrong);
  }
}
