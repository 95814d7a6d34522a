// @ts-check
/** The text box of the record: numbers the lines, underlines and selects the first fault. */

import { element } from "../replay/elements.js";

const LEAST = 8; // lines

/** The text box with its line numbers and the underline. */
export class TextBox {
  /** `onInput()` is called at each change by the user; `selectsFault` selects the next fault. */
  constructor(box, numbers, under, onInput, selectsFault) {
    this.box = box;
    this.numbers = numbers;
    this.under = under; // an element of equal size behind the text
    box.addEventListener("scroll", () => (under.scrollLeft = box.scrollLeft));
    this.selectsFault = selectsFault;
    box.addEventListener("input", onInput);
    box.addEventListener("paste", () => (this.selectsFault = true));
  }

  get value() {
    return this.box.value;
  }

  set value(text) {
    if (text !== this.box.value) this.box.value = text;
  }

  /** Underlines a fault, or nothing for null. Selects the fault if the text was just opened or pasted. */
  markFault(fault) {
    const lines = this.box.value.split("\n");
    const faulty = fault?.line ?? 0;
    this.numbers.replaceChildren(
      ...lines.map((_, i) => element("span", i + 1 === faulty ? { class: "faulty" } : {}, String(i + 1))),
    );
    this.box.rows = Math.max(LEAST, lines.length + 1);
    const place = faulty ? locateWord(lines[faulty - 1] ?? "", fault.column ?? 0) : null;
    this.underline(faulty, place);
    if (this.selectsFault && place) this.selectFault(lines, faulty, place);
    this.selectsFault = false;
  }

  /** Positions the marker from the text that precedes it. */
  underline(line, place) {
    if (!place) return this.under.replaceChildren();
    return this.under.replaceChildren("\n".repeat(line - 1) + place.before, element("mark", {}, place.word || " "));
  }

  selectFault(lines, line, { before, word }) {
    const from = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, before.length);
    this.box.closest("details").open = true;
    this.box.focus({ preventScroll: true });
    this.box.setSelectionRange(from, from + word.length);
    this.numbers.children[line - 1]?.scrollIntoView({ block: "center" });
  }
}

/** Returns the word at a column of a line and the text before it; without a column, the whole line. */
function locateWord(text, column) {
  if (!column) return { before: "", word: text };
  const letters = [...text];
  const after = letters.slice(column - 1).join("");
  return { before: letters.slice(0, column - 1).join(""), word: /^\S+/.exec(after)?.[0] ?? after };
}
