/** The verdict so far: the status, what is wrong with its line, and what can be done about it. */

import { element, sentence } from "../replay/elements.js";

export class Verdict {
  /** `change(fields)` asks the archive for a change of the record. */
  constructor(root, words, change) {
    this.root = root;
    this.words = words;
    this.change = change;
    this.status = root.querySelector("[data-verdict]");
    this.said = root.querySelector("[data-status]");
    this.ways = root.querySelector("[data-instead]");
  }

  /** Shows the verdict of an answer. */
  show(answer) {
    const { status, error, mismatches } = answer;
    this.status.textContent = this.root.querySelector(`[data-status="${status}"]`)?.textContent ?? status;
    this.status.dataset.kind = status;
    const line = error?.line ? `${this.words.line.replace("%(line)s", String(error.line))}: ` : "";
    const claims = mismatches.map(({ words }) => words).join(" ");
    this.say(error ? [line, ...sentence(error)] : [claims || this.words.noFault], Boolean(error || claims));
    const ways = [...this.waysOut(answer)];
    this.ways.hidden = ways.length === 0;
    this.ways.replaceChildren(...ways);
  }

  /** Shows no verdict; what was said stays. */
  clear() {
    this.status.textContent = this.status.dataset.kind = "";
    this.ways.hidden = true;
  }

  /** What stands in the place of the fault with a tap; what takes it and all behind it away. */
  *waysOut({ fault, mismatches, table, error }) {
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
    this.said.replaceChildren(...parts);
    this.said.classList.toggle("error", wrong);
  }
}
