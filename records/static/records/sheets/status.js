// @ts-check
/** The status line of the score-sheet form: the verdict and the first fault. */

import { describeResult } from "../editor/result.js";
import { element } from "../replay/elements.js";

/** The status line. */
export class Status {
  constructor(root, words) {
    this.root = root;
    this.words = words;
  }

  find(name) {
    return this.root.querySelector(`[data-${name}]`);
  }

  /** Shows the verdict of a response. `at` is the current month, `rules` the ruleset. */
  showVerdict(response, at, rules) {
    const { words } = this;
    const verdict = this.find("verdict");
    verdict.textContent = this.root.querySelector(`[data-status="${response.status}"]`)?.textContent ?? response.status;
    verdict.dataset.kind = response.status;
    const fault = response.faults.find(({ doubt }) => !doubt) ?? response.faults[0];
    const isInOtherMonth = Boolean(fault) && fault.month !== at;
    this.find("go").hidden = !isInOtherMonth;
    if (isInOtherMonth) this.find("go").dataset.at = String(fault.month);
    if (fault) {
      const { name } = response.months[fault.month - 1];
      this.say(words.in.replace("%(month)s", name).replace("%(message)s", fault.message), !fault.doubt);
    } else if (response.error && response.error.code !== "no-months") this.say(response.error.words, true);
    else this.say(response.over ? describeResult(response, rules, words) : words.noFault);
  }

  say(text, wrong = false) {
    const status = this.find("said");
    status.textContent = text;
    status.classList.toggle("error", wrong);
  }
}

/**
 * Shows the parts of a stored sheet that the form cannot represent.
 * @param {HTMLElement} place
 * @param {string} title
 * @param {string[]} lines
 */
export function showUnsupported(place, title, lines) {
  place.hidden = lines.length === 0;
  place.querySelector("h2").textContent = title;
  place.querySelector("ul").replaceChildren(...lines.map((line) => element("li", {}, line)));
}
