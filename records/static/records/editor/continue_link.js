// @ts-check
/**
 * The link "Continue from here": opens the editor at the displayed step, or at the last step of the
 * game if the player is at the beginning.
 */

const link = /** @type {HTMLAnchorElement} */ (document.querySelector("[data-go-on]"));
const player = /** @type {any} */ (document.querySelector("kafu-replay"));

function setStep(at) {
  const address = new URL(link.href);
  address.searchParams.set("at", at === "1.0" ? "" : at);
  link.href = address.href;
}

document.addEventListener("kafu-step", (event) => setStep(/** @type {CustomEvent} */ (event).detail));
// The player may have been loaded before the listener was added.
if (player?.position) setStep(player.position);
