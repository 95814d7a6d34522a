// @ts-check
/** The undo history of a score sheet: the draft with its previous (`past`) and undone (`future`) states. */

import { createDraft } from "../drafts/restored.js";

const MOST = 100; // states in the list of undo

/** The draft of a score sheet and its history. */
export class History {
  constructor() {
    this.draft = createDraft({ kind: "sheet" });
    this.before = null;
  }

  /** Opens a draft. */
  open(draft) {
    this.draft = draft;
    this.remember();
  }

  /** Remembers the current state for the undo of the next change. */
  remember() {
    this.before = structuredClone(this.draft.state);
  }

  /** Records a change. A change that is not new is undone together with the previous change. */
  record(isNew) {
    if (isNew) this.draft.past = [...this.draft.past, this.before].slice(-MOST);
    this.draft.future = [];
    this.remember();
  }

  /** Undoes or redoes a change. Returns false if the history has no further state. */
  step(command) {
    const [from, to] = command === "undo" ? ["past", "future"] : ["future", "past"];
    const state = this.draft[from].pop();
    if (!state) return false;
    this.draft[to].push(this.before);
    this.draft.state = state;
    this.remember();
    return true;
  }
}

/**
 * Returns the command of Ctrl-Z and Ctrl-Y: `undo` or `redo`; "" for other keys and in text fields.
 * @param {any} event
 * @returns {"" | "undo" | "redo"}
 */
export function commandForKey(event) {
  const letter = (event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase();
  const isTextField = event.target.closest("input:not([type=radio], [type=checkbox]), select");
  if (isTextField || (letter !== "z" && letter !== "y")) return "";
  return letter === "z" && !event.shiftKey ? "undo" : "redo";
}
