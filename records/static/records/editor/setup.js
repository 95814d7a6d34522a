import { HouseOptions } from "./options.js";

/** The form with which a game that is written down begins: rules, house, seats and names. */

export class Setup {
  /** `begun(game)` is called with `{ruleset, players, options}`. */
  constructor(form, data, begun) {
    this.form = form;
    this.data = data;
    this.options = new HouseOptions(form.querySelector("[data-house-options]"), data.words);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      begun(this.game());
    });
    form.addEventListener("change", () => this.chooseRules());
    this.chooseRules();
  }

  /** A ruleset by its id; without one, that which is chosen. */
  ruleset(id = null) {
    const wanted = id ?? this.form.elements.namedItem("ruleset").value;
    return this.data.rulesets.find((one) => one.id === wanted) ?? this.data.rulesets[0];
  }

  /** The number of seats and the houses are those of the chosen rules. */
  chooseRules() {
    const { elements } = this.form;
    const rules = this.ruleset();
    const [seats, house] = [elements.namedItem("seats"), elements.namedItem("house")];
    fill(seats, rules.seats.map((count) => ({ id: String(count), name: String(count) })));
    fill(house, rules.houses);
    seats.parentElement.hidden = rules.seats.length < 2;
    house.parentElement.hidden = rules.houses.length < 2;
    this.options.show(rules, this.house(rules));
    for (const [i, field] of [...this.form.querySelectorAll("[name=player]")].entries()) {
      field.closest("label").hidden = i >= Number(seats.value);
    }
  }

  /** The chosen house of the rules. */
  house(rules) {
    const { value } = this.form.elements.namedItem("house");
    return rules.houses.find(({ id }) => id === value) ?? rules.houses[0];
  }

  game() {
    const form = new FormData(this.form);
    const rules = this.ruleset();
    const names = form.getAll("player").slice(0, Number(form.get("seats")));
    const players = names.map(
      (name, i) => String(name).trim() || this.data.words.seat.replace("%(number)s", String(i + 1)),
    );
    const house = this.house(rules);
    const profile = house === rules.houses[0] ? {} : { profile: house.id };
    return { ruleset: rules.id, players, options: { ...profile, ...this.options.chosen() } };
  }
}

/** Options of a `select`, which keeps its choice where it still is one. */
function fill(select, options) {
  const before = select.value;
  select.replaceChildren(...options.map(({ id, name }) => new Option(name, id)));
  if (options.some(({ id }) => id === before)) select.value = before;
}
