// @ts-check
/** Completes the form for saving on a page from the service worker's cache. */

import { element } from "../replay/elements.js";
import { loadSentUploads } from "../upload/sent_uploads.js";

/**
 * Adds the club and the corrected game of the address, which the cached page lacks, with the secret of
 * an anonymous game. The archive then chooses the visibility, unless the user does.
 * @param {HTMLFormElement} form
 */
export function completeOfflineForm(form) {
  const query = new URLSearchParams(location.search);
  const [club, replaces] = [query.get("club"), query.get("record")];
  if (club) form.append(hiddenInput("club", club));
  if (replaces) {
    const secret = loadSentUploads().find(({ game }) => game === replaces)?.secret ?? "";
    const inputs = [hiddenInput("replaces", replaces), hiddenInput("secret", secret)];
    form.append(element("span", { "data-replaces": "" }, ...inputs));
  }
  const visibility = /** @type {HTMLSelectElement} */ (form.elements.namedItem("visibility"));
  if (club || replaces) visibility.prepend(new Option("–", "", true, true));
}

function hiddenInput(name, value) {
  return element("input", { type: "hidden", name, value });
}
