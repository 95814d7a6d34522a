/** The links that keep a step lead to the one that the player shows, or to the branch played from it. */

const links = [...document.querySelectorAll("[data-keep], [data-keep-branch]")];
const player = /** @type {any} */ (document.querySelector("kafu-replay"));

function lead(isBranch, query) {
  for (const link of /** @type {HTMLAnchorElement[]} */ (links)) {
    if ("keepBranch" in link.dataset !== isBranch) continue;
    const address = new URL(link.href);
    for (const [name, value] of new URLSearchParams(query)) address.searchParams.set(name, value);
    link.href = address.href;
  }
}

document.addEventListener("kafu-step", (event) => lead(false, `at=${/** @type {CustomEvent} */ (event).detail}`));
document.addEventListener("kafu-branch", (event) => lead(true, /** @type {CustomEvent} */ (event).detail));
// The player may have come first.
if (player?.position) lead(false, `at=${player.position}`);
