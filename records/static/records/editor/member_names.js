// @ts-check
/** Buttons with the names of a club's members, below the fields for the names of players. */

import { element } from "../replay/elements.js";

const isEmpty = (/** @type {HTMLInputElement} */ { value }) => value.trim() === "";

/** The buttons: a tap writes a name into the next empty field, a second tap removes the name. */
export class MemberNames {
  /**
   * @param {HTMLElement} root the element of templates/records/_setup.html
   * @param {string[]} names the member's own name first
   * @param {import("./setup.js").Setup} setup
   */
  constructor(root, names, setup) {
    this.setup = setup;
    this.names = names;
    this.added = 0; // seats that taps added
    this.buttons = names.map((name) => element("button", { type: "button", class: "second" }, name));
    root.replaceChildren(...this.buttons);
    for (const [i, button] of this.buttons.entries()) button.addEventListener("click", () => this.toggle(names[i]));
    setup.form.addEventListener("input", () => this.markChosen());
    setup.form.addEventListener("change", () => this.markChosen());
  }

  /** Fills in the players of the address, by default the member. */
  choosePlayers() {
    const players = new URLSearchParams(location.search).getAll("player");
    const names = players.length ? players : this.names.slice(0, 1);
    while (this.fields.length < names.length && this.setup.addSeats());
    for (const [i, field] of this.fields.entries()) field.value = names[i] ?? "";
    this.markChosen();
  }

  get fields() {
    return this.setup.nameFields.filter((field) => !field.closest("label").hidden);
  }

  toggle(name) {
    const { fields } = this;
    const place = fields.findIndex(({ value }) => value === name);
    if (place < 0) this.add(name);
    else this.remove(fields, place);
    this.markChosen();
  }

  /** Writes a name into the first empty field, of a further seat if all fields are full. */
  add(name) {
    if (!this.fields.some(isEmpty)) {
      if (!this.setup.addSeats()) return;
      this.added += 1;
    }
    this.fields.find(isEmpty).value = name;
  }

  /** Removes a name, and moves the following names up. A seat that a tap added is removed again. */
  remove(fields, place) {
    for (const [i, field] of fields.entries()) if (i >= place) field.value = fields[i + 1]?.value ?? "";
    if (this.added && this.setup.addSeats(-1)) this.added -= 1;
  }

  markChosen() {
    const chosen = this.fields.map(({ value }) => value);
    for (const [i, button] of this.buttons.entries()) {
      button.setAttribute("aria-pressed", String(chosen.includes(this.names[i])));
    }
  }
}
