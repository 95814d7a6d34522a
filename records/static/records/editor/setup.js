// @ts-check
/** The form that begins a recorded game: ruleset, house rules, number of seats and names. */

import { MemberNames } from "./member_names.js";
import { completeOptions, RuleFields, shortenOptions } from "./options.js";
import { loadLastRuleset, Presets, storeLastRules } from "./presets.js";

/** The form of templates/records/_setup.html. */
export class Setup {
  /** `onBegin(game)` is called with `{ruleset, players, options}`. */
  constructor(form, data, onBegin) {
    this.form = form;
    this.data = data;
    this.presets = new Presets(form.querySelector("[data-presets]"), data.words);
    this.fields = new RuleFields(form, data.words);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const game = this.collectGame();
      storeLastRules(game.ruleset, game.options);
      onBegin(game);
      scrollTo(0, 0); // the submit button may be far down the page
    });
    form.addEventListener("change", ({ target }) => {
      if (target.name === "ruleset") this.chooseRuleset();
      else if (target.name === "preset") this.choosePreset();
      else if (target.name === "seats") this.chooseSeats();
    });
    form.querySelector(".names").addEventListener("keydown", (event) => this.onNameKeydown(event));
    const last = loadLastRuleset();
    if (data.rulesets.some(({ id }) => id === last) && !new URLSearchParams(location.search).has("ruleset")) {
      form.elements.namedItem("ruleset").value = last;
    }
    this.chooseRuleset();
    if (data.club) new MemberNames(form.querySelector("[data-members]"), data.club.names, this).choosePlayers();
    form.classList.remove("waiting");
  }

  /** Returns a ruleset by its id, by default the selected ruleset. */
  ruleset(id = this.form.elements.namedItem("ruleset").value) {
    return this.data.rulesets.find((ruleset) => ruleset.id === id) ?? this.data.rulesets[0];
  }

  /** Shows the numbers of seats and the presets of the selected ruleset. */
  chooseRuleset() {
    const rules = this.ruleset();
    const seats = this.form.elements.namedItem("seats");
    fillSelect(seats, rules.seats.map(String));
    seats.parentElement.hidden = rules.seats.length < 2;
    this.chooseSeats();
    this.presets.show(rules, this.data.club);
    this.choosePreset();
  }

  choosePreset() {
    const rules = this.ruleset();
    this.fields.show(rules, completeOptions(rules, this.presets.options()));
  }

  chooseSeats() {
    const count = Number(this.form.elements.namedItem("seats").value);
    for (const [i, field] of this.nameFields.entries()) {
      field.closest("label").hidden = i >= count;
      field.enterKeyHint = i < count - 1 ? "next" : "go";
    }
  }

  /** Adds seats, if the ruleset has tables for more players. Returns whether it did. */
  addSeats(count = 1) {
    const seats = this.form.elements.namedItem("seats");
    if (seats.selectedIndex + count >= seats.length) return false;
    seats.selectedIndex += count;
    this.chooseSeats();
    return true;
  }

  get nameFields() {
    return /** @type {HTMLInputElement[]} */ ([...this.form.querySelectorAll("[name=player]")]);
  }

  /** Moves from a name to the next name by Enter, which begins the game at the last name. */
  onNameKeydown(event) {
    const { key, isComposing, target } = event;
    if (key !== "Enter" || isComposing || target.enterKeyHint !== "next") return;
    event.preventDefault();
    this.nameFields[this.nameFields.indexOf(target) + 1].focus();
  }

  collectGame() {
    const form = new FormData(this.form);
    const rules = this.ruleset();
    const names = form.getAll("player").slice(0, Number(form.get("seats")));
    const players = names.map(
      (name, i) => String(name).trim() || this.data.words.seat.replace("%(number)s", String(i + 1)),
    );
    const { profile } = this.presets.options();
    return { ruleset: rules.id, players, options: shortenOptions(rules, profile, this.fields.currentValues()) };
  }
}

/** Replaces the options of a `select`, retaining a selected value that still exists. */
function fillSelect(select, values) {
  const before = select.value;
  select.replaceChildren(...values.map((value) => new Option(value, value)));
  if (values.includes(before)) select.value = before;
}
