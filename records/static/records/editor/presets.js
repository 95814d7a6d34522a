/** Sets of house rules to choose from: those that people know by name, and the last game's. */

import { element } from "../replay/elements.js";
import { complete, optionsOf, said } from "./options.js";

const KEY = "hana-rules";
/** The preset of the last game's rules. */
const LAST = "last";
/** So many of its rules are named. */
const NAMED = 4;

export class Presets {
  /** `root` is the `fieldset` of templates/records/_setup.html. */
  constructor(root, words) {
    this.root = root;
    this.words = words;
    this.presets = [];
  }

  /** Offers the presets of a ruleset; the last game's are chosen, else the first. */
  show(rules) {
    const last = lastOptions(rules);
    this.presets = rules.presets.length && last ? [this.last(rules, last), ...rules.presets] : rules.presets;
    const cards = this.presets.map(({ id, name, differs }, i) => {
      const button = element("input", { type: "radio", name: "preset", value: id });
      button.checked = i === 0;
      const text = element("span", {}, element("b", {}, name), " ", element("small", {}, differs));
      return element("label", {}, button, text);
    });
    const [legend] = this.root.children;
    this.root.replaceChildren(legend, ...cards);
    this.root.hidden = cards.length === 0;
  }

  /** The options of the chosen preset. */
  options() {
    const chosen = this.root.querySelector("[name=preset]:checked");
    return this.presets.find(({ id }) => id === chosen?.value)?.options ?? {};
  }

  /** The rules of the last game: the nearest preset, and what they have changed in it. */
  last(rules, options) {
    const values = complete(rules, options);
    const near = rules.presets.map((preset) => {
      const own = complete(rules, preset.options);
      return { preset, changed: optionsOf(rules).filter(({ id }) => values[id] !== own[id]) };
    });
    const [{ preset, changed }] = near.sort((a, b) => a.changed.length - b.changed.length);
    const parts = changed.slice(0, NAMED).map((option) => `${option.label}: ${said(option, values[option.id])}`);
    const more = changed.length > NAMED ? ["…"] : [];
    return { id: LAST, name: this.words.last, differs: [preset.name, ...parts, ...more].join(" · "), options };
  }
}

/** Keeps the rules of a game that is begun, for the next one. */
export function remember(ruleset, options) {
  try {
    const { games } = stored();
    localStorage.setItem(KEY, JSON.stringify({ ruleset, games: { ...games, [ruleset]: options } }));
  } catch {
    // The next game begins with the first preset then.
  }
}

/** The ruleset of the last game; undefined where there was none. */
export function lastRuleset() {
  return stored().ruleset;
}

/** The options of the last game of a ruleset, undefined if these rules have no such options. */
export function lastOptions(rules) {
  const options = stored().games?.[rules.id];
  if (!options || typeof options !== "object") return undefined;
  const { profile, ...others } = options;
  const known = Object.fromEntries(optionsOf(rules).map((option) => [option.id, option]));
  const isHouse = profile === undefined || Object.hasOwn(rules.houses, profile);
  const areValid = Object.entries(others).every(([id, value]) => id in known && isValue(known[id], value));
  return isHouse && areValid ? options : undefined;
}

function isValue({ names, low, high }, value) {
  if (typeof value !== "string") return false;
  if (low === undefined) return Object.hasOwn(names, value);
  return String(Number(value)) === value && Number.isInteger(Number(value)) && low <= Number(value) && Number(value) <= high;
}

function stored() {
  try {
    const found = JSON.parse(localStorage.getItem(KEY));
    return found && typeof found === "object" ? found : {};
  } catch {
    return {}; // private windows may refuse
  }
}
