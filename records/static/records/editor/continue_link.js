/** "Continue from here" opens the editor at the step that the player shows; at its beginning, the game's last. */

const link = /** @type {HTMLAnchorElement} */ (document.querySelector("[data-go-on]"));
const player = /** @type {any} */ (document.querySelector("kafu-replay"));

function lead(at) {
  const address = new URL(link.href);
  address.searchParams.set("at", at === "1.0" ? "" : at);
  link.href = address.href;
}

document.addEventListener("kafu-step", (event) => lead(/** @type {CustomEvent} */ (event).detail));
// The player may have come first.
if (player?.position) lead(player.position);
