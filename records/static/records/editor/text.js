/** The text beside the table: its lines are numbered, what is wrong is underlined and gone to. */

import { element } from "../replay/elements.js";

const LEAST = 8; // lines

export class TextBox {
  /** `typed()` is called with each change by hand; `arrives`: its first fault is gone to. */
  constructor(box, numbers, under, typed, arrives) {
    this.box = box;
    this.numbers = numbers;
    this.under = under; // as wide and high as the text, behind it
    box.addEventListener("scroll", () => (under.scrollLeft = box.scrollLeft));
    this.arrives = arrives;
    box.addEventListener("input", typed);
    box.addEventListener("paste", () => (this.arrives = true));
  }

  get value() {
    return this.box.value;
  }

  set value(text) {
    if (text !== this.box.value) this.box.value = text;
  }

  /** Marks the place of a fault (null: none), and goes there when a text has just come in. */
  mark(fault) {
    const lines = this.box.value.split("\n");
    const faulty = fault?.line ?? 0;
    this.numbers.replaceChildren(
      ...lines.map((_, i) => element("span", i + 1 === faulty ? { class: "faulty" } : {}, String(i + 1))),
    );
    this.box.rows = Math.max(LEAST, lines.length + 1);
    const place = faulty ? placeOf(lines[faulty - 1] ?? "", fault.column ?? 0) : null;
    this.underline(faulty, place);
    if (this.arrives && place) this.goTo(lines, faulty, place);
    this.arrives = false;
  }

  /** Only the lines before, and what is before it in its own, put the mark at its place. */
  underline(line, place) {
    if (!place) return this.under.replaceChildren();
    return this.under.replaceChildren("\n".repeat(line - 1) + place.before, element("mark", {}, place.word || " "));
  }

  /** Selects what is wrong. */
  goTo(lines, line, { before, word }) {
    const from = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, before.length);
    this.box.closest("details").open = true;
    this.box.focus({ preventScroll: true });
    this.box.setSelectionRange(from, from + word.length);
    this.numbers.children[line - 1]?.scrollIntoView({ block: "center" });
  }
}

/** The word at a column of a line, and what stands before it; without a column the whole line. */
function placeOf(text, column) {
  if (!column) return { before: "", word: text };
  const letters = [...text];
  const rest = letters.slice(column - 1).join("");
  return { before: letters.slice(0, column - 1).join(""), word: /^\S+/.exec(rest)?.[0] ?? rest };
}
