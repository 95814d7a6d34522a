// @ts-check
/** The button "Try another move" and addresses with a branch: loads the table of `what_if.js` on demand. */

import { isDeviceReady } from "../storage.js";

const root = /** @type {HTMLElement} */ (document.querySelector("[data-what-if]"));
const button = /** @type {HTMLButtonElement} */ (document.querySelector("[data-what-if-begin]"));
const player = /** @type {any} */ (document.querySelector("kafu-replay"));

/** Resolves when the player has loaded the game. */
const ready = new Promise((resolve) => {
  if (player.position) resolve(null);
  else player.addEventListener("kafu-step", resolve, { once: true });
});

let table = null;

/** Opens the table after some actions; `worths` are values of actions at the step, null for none anywhere. */
async function open(actions, worths = null) {
  const module = await import("./what_if.js").catch(() => null);
  if (!module) return; // the reader left the page, or has no network: the button remains
  table ??= new module.WhatIf(root, player, button);
  await table.open(player.position, actions, worths);
}

button.addEventListener("click", () => open([]));
player.addEventListener("kafu-try", ({ detail }) => open(detail.actions, detail.worths));
await ready;
button.disabled = false;
if (isDeviceReady()) {
  import("./what_if.js").then(({ keepGame }) => keepGame(root)).catch(() => {}); // the game needs the network then
}
const branch = new URLSearchParams(location.search).get("then");
if (branch) {
  const module = await import("./branch.js").catch(() => null);
  const actions = module?.parseBranch(branch) ?? [];
  if (actions.length) await open(actions);
}
