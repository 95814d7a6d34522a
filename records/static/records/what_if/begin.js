// @ts-check
/** The button "Try another move" and addresses with a branch: loads the table of `what_if.js` on demand. */

const root = /** @type {HTMLElement} */ (document.querySelector("[data-what-if]"));
const button = /** @type {HTMLButtonElement} */ (document.querySelector("[data-what-if-begin]"));
const player = /** @type {any} */ (document.querySelector("kafu-replay"));

/** Resolves when the player has loaded the game. */
const ready = new Promise((resolve) => {
  if (player.position) resolve(null);
  else player.addEventListener("kafu-step", resolve, { once: true });
});

let table = null;

async function open(actions) {
  const { WhatIf } = await import("./what_if.js");
  table ??= new WhatIf(root, player, button);
  await table.open(player.position, actions);
}

button.addEventListener("click", () => open([]));
await ready;
button.disabled = false;
const branch = new URLSearchParams(location.search).get("then");
if (branch) {
  const { parseBranch } = await import("./branch.js");
  const actions = parseBranch(branch);
  if (actions.length) await open(actions);
}
