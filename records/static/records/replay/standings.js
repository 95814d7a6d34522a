/** The table of all captured yaku: how near each seat is. Filled while it is open. */
import { element } from "./elements.js";
import { setsOf, standing } from "./progress.js";
import { worth } from "./sums.js";

/** The table in the `<details>` of a player. */
export class Standings {
  constructor(root, data, words) {
    this.root = root;
    this.data = data;
    this.words = words;
    this.step = null;
    this.deal = null;
    this.place = root.querySelector(".scroll");
    root.hidden = data.sets.length === 0;
    root.addEventListener("toggle", () => this.step && this.show(this.step, this.deal));
  }

  /** Tells the standing at a step of a deal, if anybody looks. */
  show(step, deal) {
    this.step = step;
    this.deal = deal;
    if (!this.root.open) return;
    const { players, units } = this.data;
    const sets = setsOf(this.data, deal);
    const head = [this.words.yaku, ...players].map((name) => element("th", { scope: "col" }, name));
    const rows = sets.map((goal) =>
      element(
        "tr",
        {},
        element("th", { scope: "row" }, goal.name, " ", element("small", {}, worth(goal.value, units))),
        ...players.map((_, i) => this.cell(goal, step, i)),
      ),
    );
    this.place.replaceChildren(
      element(
        "table",
        {},
        element("thead", {}, element("tr", {}, ...head)),
        element("tbody", {}, ...rows),
      ),
    );
  }

  cell(goal, step, i) {
    const others = step.captured.filter((_, other) => other !== i).join("");
    const { have, need, open } = standing(goal, step.captured[i], others);
    const made = step.yaku[i].some(({ id }) => id === goal.id);
    const state = made ? "made" : open ? "" : "closed";
    const cell = element("td", state ? { class: state } : {}, `${have}/${need}`);
    if (state) cell.append(" ", element("span", { class: "hidden" }, this.words[state]));
    return cell;
  }
}
