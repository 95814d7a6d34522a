// @ts-check
/** The table of the progress of each player towards all captured yaku. */
import { element } from "./elements.js";
import { computeStanding, setsOf } from "./progress.js";
import { formatWorth } from "./sums.js";

/** The table in the `<details>` element of the player, filled only while the element is open. */
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

  /** Shows the progress at a step of a deal. */
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
        element("th", { scope: "row" }, goal.name, " ", element("small", {}, formatWorth(goal.value, units))),
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
    const opponents = step.captured.filter((_, seat) => seat !== i).join("");
    const { have, need, open } = computeStanding(goal, step.captured[i], opponents);
    const isMade = step.yaku[i].some(({ id }) => id === goal.id);
    const state = isMade ? "made" : open ? "" : "closed";
    const cell = element("td", state ? { class: state } : {}, `${have}/${need}`);
    if (state) cell.append(" ", element("span", { class: "hidden" }, this.words[state]));
    return cell;
  }
}
