// @ts-check
/**
 * The panel "Share" of a page (`records/_share.html`): sends or copies a link, and offers pictures.
 * On a game's page, opens the player's panel instead, because the player knows the displayed step.
 */
import { canSend, copy, send } from "./replay/sharing.js";

const panel = /** @type {HTMLDetailsElement} */ (document.querySelector("[data-sharing]"));
const find = (name) => /** @type {any} */ (panel.querySelector(`[data-${name}]`));
const link = find("link");
const message = find("told");

/** Opens the panel of the player if the page has a loaded game, else the panel of the page. */
export function openPanel() {
  const player = /** @type {any} */ (document.querySelector("kafu-replay[hash]"));
  if (!player?.share?.()) panel.open = true;
}

async function copyLink() {
  message.textContent = (await copy(link)) ? message.dataset.done : message.dataset.byHand;
}

panel.querySelector("summary").addEventListener("click", (event) => {
  if (panel.open) return;
  event.preventDefault();
  openPanel();
});
// Close the panel by a click elsewhere or Escape.
document.addEventListener("click", ({ target }) => {
  if (!panel.contains(/** @type {Node} */ (target))) panel.open = false;
});
panel.addEventListener("keydown", ({ key }) => {
  if (key !== "Escape") return;
  panel.open = false;
  panel.querySelector("summary").focus();
});
find("copy").hidden = false;
find("copy").addEventListener("click", copyLink);
find("send").hidden = !canSend();
find("send").addEventListener("click", async () => {
  if (!(await send(document.title, link.value))) await copyLink();
});
