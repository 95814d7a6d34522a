/** The status line of the form: the verdict so far, and what is wrong first. */

import { resultOf } from "../editor/result.js";
import { element } from "../replay/elements.js";

export class Status {
  constructor(root, words) {
    this.root = root;
    this.words = words;
  }

  find(name) {
    return this.root.querySelector(`[data-${name}]`);
  }

  /** Says what an answer judges by the ruleset `rules`; the month that is shown is `at`. */
  judge(answer, at, rules) {
    const { words } = this;
    const verdict = this.find("verdict");
    verdict.textContent = this.root.querySelector(`[data-status="${answer.status}"]`)?.textContent ?? answer.status;
    verdict.dataset.kind = answer.status;
    const wrong = answer.faults.find((one) => !one.doubt) ?? answer.faults[0];
    const isFar = Boolean(wrong) && wrong.month !== at;
    this.find("go").hidden = !isFar;
    if (isFar) this.find("go").dataset.at = String(wrong.month);
    if (wrong) {
      const { name } = answer.months[wrong.month - 1];
      this.say(words.in.replace("%(month)s", name).replace("%(message)s", wrong.message), !wrong.doubt);
    } else if (answer.error && answer.error.code !== "no-months") this.say(answer.error.words, true);
    else this.say(answer.over ? resultOf(answer, rules, words) : words.noFault);
  }

  say(text, wrong = false) {
    const status = this.find("said");
    status.textContent = text;
    status.classList.toggle("error", wrong);
  }
}

/** Shows what an opened sheet has, and the form has no place for. */
export function showUnsaid(place, title, lines) {
  place.hidden = lines.length === 0;
  place.querySelector("h2").textContent = title;
  place.querySelector("ul").replaceChildren(...lines.map((line) => element("li", {}, line)));
}
