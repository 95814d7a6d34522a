// @ts-check
/** The links "Add to a study": add the displayed step, or the displayed branch, to their addresses. */

const links = [...document.querySelectorAll("[data-keep], [data-keep-branch]")];
const player = /** @type {any} */ (document.querySelector("kafu-replay"));

function setQuery(isBranch, query) {
  for (const link of /** @type {HTMLAnchorElement[]} */ (links)) {
    if ("keepBranch" in link.dataset !== isBranch) continue;
    const address = new URL(link.href);
    for (const [name, value] of new URLSearchParams(query)) address.searchParams.set(name, value);
    link.href = address.href;
  }
}

document.addEventListener("kafu-step", (event) => setQuery(false, `at=${/** @type {CustomEvent} */ (event).detail}`));
document.addEventListener("kafu-branch", (event) => setQuery(true, /** @type {CustomEvent} */ (event).detail));
// The player may have been loaded before the listener was added.
if (player?.position) setQuery(false, `at=${player.position}`);
