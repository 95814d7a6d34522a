import { complete, RuleFields, shortest } from "./options.js";
import { lastRuleset, Presets, remember } from "./presets.js";

/** The form with which a game that is written down begins: rules, house rules, seats and names. */

export class Setup {
  /** `begun(game)` is called with `{ruleset, players, options}`. */
  constructor(form, data, begun) {
    this.form = form;
    this.data = data;
    this.presets = new Presets(form.querySelector("[data-presets]"), data.words);
    this.fields = new RuleFields(form, data.words);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const game = this.game();
      remember(game.ruleset, game.options);
      begun(game);
      scrollTo(0, 0); // the form may have been left at its foot
    });
    form.addEventListener("change", ({ target }) => {
      if (target.name === "ruleset") this.chooseRuleset();
      else if (target.name === "preset") this.choosePreset();
      else if (target.name === "seats") this.chooseSeats();
    });
    const last = lastRuleset();
    if (data.rulesets.some(({ id }) => id === last) && !new URLSearchParams(location.search).has("ruleset")) {
      form.elements.namedItem("ruleset").value = last;
    }
    this.chooseRuleset();
    form.classList.remove("waiting");
  }

  /** A ruleset by its id; without one, that which is chosen. */
  ruleset(id = null) {
    const wanted = id ?? this.form.elements.namedItem("ruleset").value;
    return this.data.rulesets.find((one) => one.id === wanted) ?? this.data.rulesets[0];
  }

  /** The numbers of seats and the presets are those of the chosen ruleset. */
  chooseRuleset() {
    const rules = this.ruleset();
    const seats = this.form.elements.namedItem("seats");
    fill(seats, rules.seats.map(String));
    seats.parentElement.hidden = rules.seats.length < 2;
    this.chooseSeats();
    this.presets.show(rules);
    this.choosePreset();
  }

  choosePreset() {
    const rules = this.ruleset();
    this.fields.show(rules, complete(rules, this.presets.options()));
  }

  chooseSeats() {
    const count = Number(this.form.elements.namedItem("seats").value);
    for (const [i, field] of [...this.form.querySelectorAll("[name=player]")].entries()) {
      field.closest("label").hidden = i >= count;
    }
  }

  game() {
    const form = new FormData(this.form);
    const rules = this.ruleset();
    const names = form.getAll("player").slice(0, Number(form.get("seats")));
    const players = names.map(
      (name, i) => String(name).trim() || this.data.words.seat.replace("%(number)s", String(i + 1)),
    );
    const { profile } = this.presets.options();
    return { ruleset: rules.id, players, options: shortest(rules, profile, this.fields.chosen()) };
  }
}

/** Options of a `select`, which keeps its choice where it still is one. */
function fill(select, values) {
  const before = select.value;
  select.replaceChildren(...values.map((value) => new Option(value, value)));
  if (values.includes(before)) select.value = before;
}
