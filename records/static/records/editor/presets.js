// @ts-check
/** Presets of house rules: the named presets of a ruleset, the rules of a club and of the last game. */

import { element } from "../replay/elements.js";
import { loadValue, storeText } from "../storage.js";
import { completeOptions, describeValue, optionsOf } from "./options.js";

const KEY = "hana-rules";
const CLUB = "club"; // id of the preset with the house rules of the club
const LAST = "last"; // id of the preset with the rules of the last game
const NAMED = 4; // changed rules in the description of the last game's preset

/** The list of presets of the chosen ruleset. */
export class Presets {
  /** `root` is the `fieldset` of templates/records/_setup.html. */
  constructor(root, words) {
    this.root = root;
    this.words = words;
    this.presets = [];
  }

  /** Shows the presets of a ruleset and selects the club's preset, else the last game's, else the first. */
  show(rules, club = undefined) {
    const house = club?.houses[rules.id];
    const last = loadLastOptions(rules);
    const named = [
      ...(house ? [this.describePreset(CLUB, club.rules, rules, house)] : []),
      ...(last ? [this.describePreset(LAST, this.words.last, rules, last)] : []),
    ];
    this.presets = rules.presets.length ? [...named, ...rules.presets] : [];
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

  /** Returns the options of the selected preset. */
  options() {
    const chosen = this.root.querySelector("[name=preset]:checked");
    return this.presets.find(({ id }) => id === chosen?.value)?.options ?? {};
  }

  /** Returns a preset with a name, described by the nearest preset of the rules and the differences. */
  describePreset(presetId, name, rules, options) {
    const values = completeOptions(rules, options);
    const comparisons = rules.presets.map((preset) => {
      const defaults = completeOptions(rules, preset.options);
      return { preset, changed: optionsOf(rules).filter(({ id }) => values[id] !== defaults[id]) };
    });
    const [{ preset, changed }] = comparisons.sort((a, b) => a.changed.length - b.changed.length);
    const parts = changed.slice(0, NAMED).map((option) => `${option.label}: ${describeValue(option, values[option.id])}`);
    const more = changed.length > NAMED ? ["…"] : [];
    return { id: presetId, name, differs: [preset.name, ...parts, ...more].join(" · "), options };
  }
}

/**
 * Stores the rules of a game in the browser as the preset of the next game.
 * @param {string} ruleset
 * @param {Record<string, string>} options
 */
export function storeLastRules(ruleset, options) {
  const { games } = loadRules();
  storeText(KEY, JSON.stringify({ ruleset, games: { ...games, [ruleset]: options } }));
}

/**
 * Returns the id of the last game's ruleset; undefined before the first game.
 * @returns {string | undefined}
 */
export function loadLastRuleset() {
  return loadRules().ruleset;
}

/**
 * Returns the options of the last game of a ruleset; undefined if the stored options are not valid.
 * @param {any} rules
 * @returns {Record<string, string> | undefined}
 */
export function loadLastOptions(rules) {
  const options = loadRules().games?.[rules.id];
  if (!options || typeof options !== "object") return undefined;
  const { profile, ...values } = options;
  const optionById = Object.fromEntries(optionsOf(rules).map((option) => [option.id, option]));
  const isProfileValid = profile === undefined || Object.hasOwn(rules.houses, profile);
  const areValuesValid = Object.entries(values).every(([id, value]) => id in optionById && isValidValue(optionById[id], value));
  return isProfileValid && areValuesValid ? options : undefined;
}

function isValidValue({ names, low, high }, value) {
  if (typeof value !== "string") return false;
  if (low === undefined) return Object.hasOwn(names, value);
  return String(Number(value)) === value && Number.isInteger(Number(value)) && low <= Number(value) && Number(value) <= high;
}

function loadRules() {
  const rules = loadValue(KEY);
  return rules && typeof rules === "object" ? rules : {};
}
