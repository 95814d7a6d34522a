// @ts-check
/**
 * The form of drafts, and the restoration of drafts that older versions stored with missing or
 * different fields.
 */

/** The version of the form; increased when older pages cannot show newer drafts. */
export const VERSION = 1;

/**
 * Returns an empty draft with a new id. `fields` are further fields of the draft.
 * @param {Record<string, unknown>} [fields]
 */
export function createDraft(fields = {}) {
  // `crypto.randomUUID` needs https or localhost, which a club's laptop in a Wi-Fi does not have.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const id = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return { id, version: VERSION, ...fields, changed: 0, title: "", state: null, past: [], future: [], last: null };
}

const isText = (value) => typeof value === "string";

/** Returns the ruleset and players of a game; null if invalid. Older drafts have `rules`. */
function restoreBeginning(value) {
  const { rules, ruleset = rules, ...fields } = value ?? {};
  return isText(ruleset) && Array.isArray(fields.players) ? { ruleset, ...fields } : null;
}

/**
 * Returns a draft of the record editor with all fields; null if the draft contains no game.
 * @param {any} draft
 */
export function restoreGame(draft) {
  if (!(Number(draft.version ?? 0) <= VERSION)) return null;
  const state = restoreState(draft.state) ?? (findKafu(draft) && restoreState({ kafu: findKafu(draft) }));
  if (!state) return null;
  const states = (list) => (Array.isArray(list) ? list.map(restoreState).filter(Boolean) : []);
  return { ...restoreCommonFields(draft), state, past: states(draft.past), future: states(draft.future) };
}

function restoreState(state) {
  const begin = restoreBeginning(state?.begin);
  if (!begin && !isText(state?.kafu)) return null;
  const { kafu, at, open } = state;
  return { begin, kafu: kafu ?? "", at: isText(at) ? at : "", open: isText(open) ? open : "" };
}

/**
 * Returns a draft of the score-sheet form with all fields; null if the draft contains no sheet.
 * @param {any} draft
 * @param {() => object} blank returns an empty month
 */
export function restoreSheet(draft, blank) {
  if (!(Number(draft.version ?? 0) <= VERSION)) return null;
  const restored = (state) => restoreEntries(state, blank);
  const state = restored(draft.state);
  if (!state) return null;
  const states = (list) => (Array.isArray(list) ? list.map(restored).filter(Boolean) : []);
  const [past, future] = [states(draft.past), states(draft.future)];
  return { ...restoreCommonFields(draft), kind: "sheet", state, past, future };
}

function restoreEntries(entries, blank) {
  const state = restoreBeginning(entries);
  if (!state) return null;
  const stored = Array.isArray(state.months) && state.months.length ? state.months : [{}];
  const months = stored.map((month) => ({ ...blank(), ...month }));
  const at = Math.min(Math.max(Number(state.at) || months.length, 1), months.length);
  const { options = {}, tags = {} } = state;
  return { ...state, options, tags, months, at };
}

/**
 * Returns the fields of both kinds of draft: `owner` and `sent` for a draft of an account, `replaces`
 * for a correction of a game, `club` for a game of a club, `last` with the server's last response.
 */
function restoreCommonFields({ id, changed, title, owner, sent, replaces, club, last }) {
  const account = owner === undefined ? {} : { owner, sent };
  const corrected = isText(replaces) ? { replaces } : {};
  const shared = isText(club) ? { club } : {};
  const fields = { id, version: VERSION, changed: Number(changed) || 0, title: isText(title) ? title : "" };
  return { ...fields, ...account, ...corrected, ...shared, ...(Array.isArray(last) ? { last } : {}) };
}

/**
 * Returns the text to download for an unreadable draft: its game as Kafu, else the draft as JSON.
 * @param {any} draft
 * @returns {string}
 */
export function exportText(draft) {
  return findKafu(draft) || JSON.stringify(draft, null, 2);
}

/** Returns the first Kafu text inside a draft; "" without one. */
function findKafu(value) {
  if (isText(value)) return value.includes("[Kafu") ? value : "";
  if (!value || typeof value !== "object") return "";
  for (const child of Object.values(value)) {
    const text = findKafu(child);
    if (text) return text;
  }
  return "";
}
