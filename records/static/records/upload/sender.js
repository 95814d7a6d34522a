// @ts-check
/** A game's page for its sender: links to the upload, sharing, and adding the upload to the account. */

import { openPanel } from "../share.js";
import { forgetUpload, loadSentUploads } from "./sent_uploads.js";

const own = /** @type {HTMLElement} */ (document.querySelector("[data-own]"));
const find = (name) => /** @type {any} */ (own.querySelector(`[data-${name}]`));
const upload = loadSentUploads().find(({ game }) => game === own.dataset.own);
const manage = find("manage");
const share = find("share");
const button = find("claim");

if (upload && manage.href.includes("KEY")) {
  manage.href = manage.href.replace("KEY", upload.key).replace("SECRET", upload.secret);
  own.hidden = false;
} else if (upload) forgetUpload(upload.key); // an account owns the upload: its secret is void

// Remove the note "saved" from the address before the reader shares or bookmarks the page.
const address = new URL(location.href);
if (address.searchParams.has("saved")) {
  address.searchParams.delete("saved");
  history.replaceState(history.state, "", address);
}

share.disabled = false;
share.addEventListener("click", (event) => {
  event.stopPropagation(); // share.js closes the panel at a click elsewhere
  openPanel();
});

button?.addEventListener("click", async () => {
  button.disabled = true;
  const claims = await import("./claims.js").catch(() => null);
  const outcome = (await claims?.claimUpload(button.dataset.claim, upload)) ?? "failed";
  if (outcome === "added" && (await claims.waitForGames(button.dataset.claim, upload.key))) return location.reload();
  button.disabled = false;
  const claimed = find("claimed");
  claimed.textContent = claimed.dataset[outcome] ?? "";
  claimed.hidden = false;
  return undefined;
});
