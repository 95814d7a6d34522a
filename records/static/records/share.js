/**
 * The panel "Share" of a page (`records/_share.html`): a link to send or to copy, and pictures. On
 * the page of a game the panel of the player opens instead, which knows the displayed step.
 */
import { canSend, copy, send } from "./replay/sharing.js";

const panel = /** @type {HTMLDetailsElement} */ (document.querySelector("[data-sharing]"));
const find = (name) => /** @type {any} */ (panel.querySelector(`[data-${name}]`));
const link = find("link");
const told = find("told");

/** Opens the panel, or that of the player once the game is there. */
export function openPanel() {
  const player = /** @type {any} */ (document.querySelector("kafu-replay[hash]"));
  if (!player?.share?.()) panel.open = true;
}

async function tell() {
  told.textContent = (await copy(link)) ? told.dataset.done : told.dataset.byHand;
}

panel.querySelector("summary").addEventListener("click", (event) => {
  if (panel.open) return;
  event.preventDefault();
  openPanel();
});
// A click beside the panel closes it, and so does Escape.
document.addEventListener("click", ({ target }) => {
  if (!panel.contains(/** @type {Node} */ (target))) panel.open = false;
});
panel.addEventListener("keydown", ({ key }) => {
  if (key !== "Escape") return;
  panel.open = false;
  panel.querySelector("summary").focus();
});
find("copy").hidden = false;
find("copy").addEventListener("click", tell);
find("send").hidden = !canSend();
find("send").addEventListener("click", async () => {
  if (!(await send(document.title, link.value))) await tell();
});
