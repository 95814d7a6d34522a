/**
 * Drafts as pages keep them. One that an older version kept may lack fields, or have others: what it
 * has of a game is shown all the same.
 */

/** The form of a draft, which grows where an older page could not show a newer draft. */
export const VERSION = 1;

/** Returns an empty draft with an id of its own. `fields` are further fields of the draft. */
export function createDraft(fields = {}) {
  // `crypto.randomUUID` exists on https and localhost only; a club's laptop in a Wi-Fi is neither.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const id = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return { id, version: VERSION, ...fields, changed: 0, title: "", state: null, past: [], future: [] };
}

const isText = (value) => typeof value === "string";

/** A game as it begins; drafts of older versions name its ruleset `rules`. */
function restoredBegin(value) {
  const { rules, ruleset = rules, ...rest } = value ?? {};
  return isText(ruleset) && Array.isArray(rest.players) ? { ruleset, ...rest } : null;
}

/** A draft of the record editor with all that it needs; null where there is no game in it. */
export function restoredGame(draft) {
  if (!(Number(draft.version ?? 0) <= VERSION)) return null;
  const state = restoredState(draft.state) ?? (textIn(draft) && restoredState({ kafu: textIn(draft) }));
  if (!state) return null;
  const states = (list) => (Array.isArray(list) ? list.map(restoredState).filter(Boolean) : []);
  return { ...common(draft), state, past: states(draft.past), future: states(draft.future) };
}

function restoredState(state) {
  const begin = restoredBegin(state?.begin);
  if (!begin && !isText(state?.kafu)) return null;
  const { kafu, at, open } = state;
  return { begin, kafu: kafu ?? "", at: isText(at) ? at : "", open: isText(open) ? open : "" };
}

/** A draft of the score-sheet form; `blank()` is a month with nothing in it. */
export function restoredSheet(draft, blank) {
  if (!(Number(draft.version ?? 0) <= VERSION)) return null;
  const restored = (state) => restoredEntries(state, blank);
  const state = restored(draft.state);
  if (!state) return null;
  const states = (list) => (Array.isArray(list) ? list.map(restored).filter(Boolean) : []);
  const [past, future] = [states(draft.past), states(draft.future)];
  return { ...common(draft), kind: "sheet", state, past, future };
}

function restoredEntries(entries, blank) {
  const state = restoredBegin(entries);
  if (!state) return null;
  const written = Array.isArray(state.months) && state.months.length ? state.months : [{}];
  const months = written.map((month) => ({ ...blank(), ...month }));
  const at = Math.min(Math.max(Number(state.at) || months.length, 1), months.length);
  const { options = {}, tags = {} } = state;
  return { ...state, options, tags, months, at };
}

/**
 * What drafts of both kinds have; `owner` and `sent` where an account has it too, `replaces` where
 * it corrects a game.
 */
function common({ id, changed, title, owner, sent, replaces }) {
  const account = owner === undefined ? {} : { owner, sent };
  const corrected = isText(replaces) ? { replaces } : {};
  const fields = { id, version: VERSION, changed: Number(changed) || 0, title: isText(title) ? title : "" };
  return { ...fields, ...account, ...corrected };
}

/** What can be taken away of a draft that cannot be shown: its game as Kafu, else all that it has. */
export function textOf(draft) {
  return textIn(draft) || JSON.stringify(draft, null, 2);
}

/** The first text within a draft that is a game; "" for none. */
function textIn(value) {
  if (isText(value)) return value.includes("[Kafu") ? value : "";
  if (!value || typeof value !== "object") return "";
  for (const one of Object.values(value)) {
    const found = textIn(one);
    if (found) return found;
  }
  return "";
}
