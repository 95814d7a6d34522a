// @ts-check
/** The last table or sheet of this tab, shown after a reload without a network. */

import { loadText, storeText } from "../storage.js";

const KEY = "last-table";

/**
 * Stores the server's response for a state of the editor. Without storage a reload shows the text
 * alone.
 * @param {object} state
 * @param {object} response
 */
export function storeTable(state, response) {
  storeText(KEY, JSON.stringify([JSON.stringify(state), response]), "sessionStorage");
}

/**
 * Returns the stored response if it is the one for this state, else null.
 * @param {object} state
 * @returns {any}
 */
export function loadTable(state) {
  const [of, response] = JSON.parse(loadText(KEY, "sessionStorage") ?? "[]");
  return of === JSON.stringify(state) ? response : null;
}
