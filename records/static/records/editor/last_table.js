// @ts-check
/** The last table of this tab, shown after a reload without a network. */

const KEY = "last-table";

/**
 * Stores the server's response for a state of the editor. Does nothing if the browser refuses.
 * @param {object} state
 * @param {object} response
 */
export function storeTable(state, response) {
  try {
    sessionStorage.setItem(KEY, JSON.stringify([JSON.stringify(state), response]));
  } catch {
    // Without storage a reload shows the text alone.
  }
}

/**
 * Returns the stored response if it is the one for this state, else null.
 * @param {object} state
 * @returns {any}
 */
export function loadTable(state) {
  try {
    const [of, response] = JSON.parse(sessionStorage.getItem(KEY) ?? "[]");
    return of === JSON.stringify(state) ? response : null;
  } catch {
    return null;
  }
}
