/** On a game's page, for its sender: by the account, or by the secret that this browser keeps. */

import { openPanel } from "../share.js";
import { forget, sent } from "./sent.js";

const own = /** @type {HTMLElement} */ (document.querySelector("[data-own]"));
const find = (name) => /** @type {any} */ (own.querySelector(`[data-${name}]`));
const kept = sent().find(({ game }) => game === own.dataset.own);
const manage = find("manage");
const share = find("share");
const button = find("claim");

if (kept && manage.href.includes("KEY")) {
  manage.href = manage.href.replace("KEY", kept.key).replace("WORDS", kept.words);
  own.hidden = false;
} else if (kept) forget(kept.key); // the account has it

// What is shared or kept as a bookmark is the game, not that it was saved.
const address = new URL(location.href);
if (address.searchParams.has("saved")) {
  address.searchParams.delete("saved");
  history.replaceState(history.state, "", address);
}

share.disabled = false;
share.addEventListener("click", (event) => {
  event.stopPropagation(); // a click beside the panel closes it
  openPanel();
});

button?.addEventListener("click", async () => {
  button.disabled = true;
  const { claim, follow } = await import("./claiming.js");
  const outcome = await claim(button.dataset.claim, kept);
  if (outcome === "added" && (await follow(button.dataset.claim, kept.key))) return location.reload();
  button.disabled = false;
  const claimed = find("claimed");
  claimed.textContent = claimed.dataset[outcome] ?? "";
  claimed.hidden = false;
  return undefined;
});
