/** A score sheet as it is kept, with the states before it (`past`) and those undone (`future`). */

import { createDraft } from "../drafts/restored.js";

const MOST = 100; // changes that can be undone

export class History {
  constructor() {
    this.draft = createDraft({ kind: "sheet" });
    this.before = null;
  }

  /** Goes on with a draft. */
  take(draft) {
    this.draft = draft;
    this.keep();
  }

  /** Notes the state that an undo of the next change goes back to. */
  keep() {
    this.before = structuredClone(this.draft.state);
  }

  /** Notes that the state was changed; what belongs to the change before is not undone by itself. */
  note(isNew) {
    if (isNew) this.draft.past = [...this.draft.past, this.before].slice(-MOST);
    this.draft.future = [];
    this.keep();
  }

  /** One change back (`undo`) or on (`redo`): the state goes from one list to the other. */
  step(way) {
    const [from, to] = way === "undo" ? ["past", "future"] : ["future", "past"];
    const state = this.draft[from].pop();
    if (!state) return false;
    this.draft[to].push(this.before);
    this.draft.state = state;
    this.keep();
    return true;
  }
}

/** Where Ctrl-Z and Ctrl-Y lead, but where somebody is typing: `undo`, `redo` or "". */
export function wayOf(event) {
  const letter = (event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase();
  const typing = event.target.closest("input:not([type=radio], [type=checkbox]), select");
  if (typing || (letter !== "z" && letter !== "y")) return "";
  return letter === "z" && !event.shiftKey ? "undo" : "redo";
}
