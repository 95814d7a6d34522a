/** The house rules of a game: questions, and all other rules folded, at first as a preset has them. */

import { element } from "../replay/elements.js";

export class RuleFields {
  /** `form` is that of templates/records/_setup.html. */
  constructor(form, words) {
    this.form = form;
    this.words = words;
    this.questions = form.querySelector("[data-questions]");
    this.all = form.querySelector("[data-all-rules]");
    this.sections = this.all.querySelector("[data-sections]");
    this.count = this.all.querySelector("[data-changed]");
    this.values = {};
    form.addEventListener("input", () => this.mark());
    // A closed part can't show which of its fields is wrong.
    this.all.addEventListener("invalid", () => (this.all.open = true), { capture: true });
  }

  /** Offers the options of a ruleset with the `values` of a preset. */
  show(rules, values) {
    this.values = values;
    const [legend] = this.questions.children;
    this.questions.replaceChildren(legend, ...rules.questions.map((option) => this.line(option)));
    this.questions.hidden = rules.questions.length === 0;
    this.sections.replaceChildren(...rules.sections.map((section) => this.section(section)));
    this.all.hidden = rules.sections.length === 0;
    this.mark();
  }

  section({ title, href, options }) {
    const link = element("a", { href, target: "_blank", rel: "noopener" }, title);
    const legend = element("legend", {}, link);
    return element("fieldset", { class: "rules" }, legend, ...options.map((option) => this.line(option)));
  }

  line(option) {
    const { id, label, href } = option;
    const field = "low" in option ? this.number(option) : this.choice(option);
    const zero = "low" in option && option.names[0] ? ` (0: ${option.names[0]})` : "";
    const about = element(
      "a",
      { href, target: "_blank", rel: "noopener", "aria-label": this.words.rule.replace("%(rule)s", label) },
      element("span", {}, "?"),
    );
    const own = this.words.default.replace("%(value)s", said(option, this.values[id]));
    return element(
      "div",
      { class: "option", "data-option": id },
      element("label", { for: field.id }, label, element("small", {}, zero)),
      element("span", { class: "value" }, field, " ", element("small", {}, option.unit ?? "")),
      about,
      element("small", { class: "own" }, own),
    );
  }

  number({ id, low, high }) {
    const limits = { min: String(low), max: String(high), required: "", inputmode: "numeric" };
    const field = element("input", { type: "number", ...named(id), ...limits });
    field.value = this.values[id];
    return field;
  }

  choice({ id, names }) {
    const choices = Object.entries(names).map(([value, name]) => new Option(name, value));
    const field = element("select", named(id), ...choices);
    field.value = this.values[id];
    return field;
  }

  /** The value of every option. */
  chosen() {
    const written = new FormData(this.form);
    return Object.fromEntries(
      Object.entries(this.values).map(([id, value]) => [id, String(written.get(`option.${id}`) ?? value)]),
    );
  }

  mark() {
    const chosen = this.chosen();
    for (const line of this.form.querySelectorAll("[data-option]")) {
      const id = line.getAttribute("data-option");
      line.classList.toggle("changed", chosen[id] !== this.values[id]);
    }
    const count = this.all.querySelectorAll(".changed").length;
    this.count.textContent = count ? this.words.changed.replace("%(count)s", String(count)) : "";
  }
}

/** All options of a ruleset but its house. */
export function optionsOf(rules) {
  return [...rules.questions, ...rules.sections.flatMap(({ options }) => options)];
}

/** A value of an option in words. */
export function said({ names, unit = "" }, value) {
  if (value in names) return names[value];
  return document.documentElement.lang === "ja" ? `${value}${unit}` : `${value} ${unit}`.trim();
}

/** The options of a game in full: what is not named is as the house has it. */
export function complete(rules, { profile = "", ...options }) {
  const [first] = Object.values(rules.houses);
  return { ...(rules.houses[profile] ?? first), ...options };
}

/** What a game's options say beside its house: those that differ from it, with the house. */
export function shortest(rules, profile, values) {
  const own = complete(rules, { profile });
  const differing = Object.entries(values).filter(([id, value]) => value !== own[id]);
  return { ...(profile ? { profile } : {}), ...Object.fromEntries(differing) };
}

function named(id) {
  return { name: `option.${id}`, id: `option-${id}` };
}
