/** The options of a ruleset, folded: each with its values, at first as the house has them. */

import { element } from "../replay/moves.js";

export class HouseOptions {
  /** `root` is the `details` of templates/records/_setup.html. */
  constructor(root, words) {
    this.root = root;
    this.default = words.default;
    this.list = root.querySelector("[data-options]");
    this.count = root.querySelector("[data-changed]");
    this.shown = null;
    root.addEventListener("input", () => this.mark());
  }

  /** Offers the options of a house; what was chosen stays while it is the same. */
  show(rules, house) {
    if (this.shown === house) return;
    this.shown = house;
    this.defaults = house.options;
    const groups = rules.options
      .map((group) => ({ ...group, names: group.names.filter(({ id }) => id in this.defaults) }))
      .filter(({ names }) => names.length);
    this.list.replaceChildren(...groups.map((group) => this.group(group)));
    this.root.hidden = groups.length === 0;
    this.mark();
  }

  group(group) {
    const field = element("fieldset", {}, element("legend", {}, group.note));
    field.append(...group.names.map((one) => this.option(group, one, group.note)));
    return field;
  }

  option(group, { id, name }, note) {
    const line = element("div", { class: "option" }, element("span", {}, name), element("code", {}, id));
    line.append(group.values ? this.words(group.values, id) : this.number(group, id, name || note));
    const own = group.values?.find((value) => value.id === this.defaults[id])?.name || this.defaults[id];
    line.append(element("small", { class: "own" }, this.default.replace("%(value)s", own)));
    return line;
  }

  number({ low, high }, id, label) {
    const field = element("input", { type: "number", name: `option.${id}`, min: low, max: high, required: "", inputmode: "numeric", "aria-label": label });
    field.value = this.defaults[id];
    return element("span", {}, field, " ", element("small", {}, `${low}–${high}`));
  }

  words(values, id) {
    const choices = values.map((value) => {
      const input = element("input", { type: "radio", name: `option.${id}`, value: value.id });
      input.checked = value.id === this.defaults[id];
      return element("label", {}, input, " ", value.name || element("code", {}, value.id));
    });
    return element("span", { class: "values", role: "radiogroup", "aria-label": id }, ...choices);
  }

  /** The options that differ from those of the house. */
  chosen() {
    const found = new FormData(this.root.closest("form"));
    const all = Object.entries(this.defaults).map(([id, own]) => [id, String(found.get(`option.${id}`) ?? own), own]);
    return Object.fromEntries(all.filter(([, value, own]) => value !== own).map(([id, value]) => [id, value]));
  }

  mark() {
    const count = Object.keys(this.chosen()).length;
    this.count.textContent = count ? String(count) : "";
    for (const line of this.list.querySelectorAll("code")) {
      line.parentElement?.classList.toggle("changed", (line.textContent ?? "") in this.chosen());
    }
  }
}
