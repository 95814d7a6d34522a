// @ts-check
/** The fields for the house rules of a game: main questions, and all other rules in a closed section. */

import { element } from "../replay/elements.js";

/** The fields of all options of a ruleset. */
export class RuleFields {
  /** `form` is the form of templates/records/_setup.html. */
  constructor(form, words) {
    this.form = form;
    this.words = words;
    this.questions = form.querySelector("[data-questions]");
    this.all = form.querySelector("[data-all-rules]");
    this.sections = this.all.querySelector("[data-sections]");
    this.count = this.all.querySelector("[data-changed]");
    this.values = {};
    form.addEventListener("input", () => this.markChanges());
    // The browser cannot show its message about an invalid field in a closed section.
    this.all.addEventListener("invalid", () => (this.all.open = true), { capture: true });
  }

  /** Shows the options of a ruleset with the `values` of a preset. */
  show(rules, values) {
    this.values = values;
    const [legend] = this.questions.children;
    this.questions.replaceChildren(legend, ...rules.questions.map((option) => this.line(option)));
    this.questions.hidden = rules.questions.length === 0;
    this.sections.replaceChildren(...rules.sections.map((section) => this.section(section)));
    this.all.hidden = rules.sections.length === 0;
    this.markChanges();
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
    const own = this.words.default.replace("%(value)s", describeValue(option, this.values[id]));
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
    const field = element("input", { type: "number", ...fieldAttributes(id), ...limits });
    field.value = this.values[id];
    return field;
  }

  choice({ id, names }) {
    const choices = Object.entries(names).map(([value, name]) => new Option(name, value));
    const field = element("select", fieldAttributes(id), ...choices);
    field.value = this.values[id];
    return field;
  }

  /** Returns the current value of every option. */
  currentValues() {
    const fields = new FormData(this.form);
    return Object.fromEntries(
      Object.entries(this.values).map(([id, value]) => [id, String(fields.get(`option.${id}`) ?? value)]),
    );
  }

  /** Marks and counts the options that differ from the preset. */
  markChanges() {
    const values = this.currentValues();
    for (const line of this.form.querySelectorAll("[data-option]")) {
      const id = line.getAttribute("data-option");
      line.classList.toggle("changed", values[id] !== this.values[id]);
    }
    const count = this.all.querySelectorAll(".changed").length;
    this.count.textContent = count ? this.words.changed.replace("%(count)s", String(count)) : "";
  }
}

/**
 * Returns all options of a ruleset, except its profile.
 * @param {any} rules
 */
export function optionsOf(rules) {
  return [...rules.questions, ...rules.sections.flatMap(({ options }) => options)];
}

/**
 * Returns the value of an option in words.
 * @param {any} option
 * @param {string} value
 * @returns {string}
 */
export function describeValue({ names, unit = "" }, value) {
  if (value in names) return names[value];
  return document.documentElement.lang === "ja" ? `${value}${unit}` : `${value} ${unit}`.trim();
}

/**
 * Returns the values of all options: options without a value have the profile's value.
 * @param {any} rules
 * @param {any} options
 * @returns {Record<string, string>}
 */
export function completeOptions(rules, { profile = "", ...options }) {
  const [first] = Object.values(rules.houses);
  return { ...(rules.houses[profile] ?? first), ...options };
}

/**
 * Returns the profile and the options that differ from the profile.
 * @param {any} rules
 * @param {string} profile
 * @param {Record<string, string>} values
 * @returns {Record<string, string>}
 */
export function shortenOptions(rules, profile, values) {
  const defaults = completeOptions(rules, { profile });
  const differing = Object.entries(values).filter(([id, value]) => value !== defaults[id]);
  return { ...(profile ? { profile } : {}), ...Object.fromEntries(differing) };
}

function fieldAttributes(id) {
  return { name: `option.${id}`, id: `option-${id}` };
}
