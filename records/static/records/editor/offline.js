/**
 * A service worker: the pages on which games are written down open without the server too, as they
 * were when they were last there. Its own address is /offline.js; pages register it for themselves.
 */

const KEPT = "hana-offline";
const worker = /** @type {any} */ (self);

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const address = new URL(request.url);
  if (request.method !== "GET" || address.origin !== location.origin) return;
  // Of pages only the empty one is kept: another may have a game that not everybody may see.
  if (request.mode === "navigate") event.respondWith(answer(request, address.pathname));
  else if (address.pathname.includes("/static/")) event.respondWith(answer(request, request.url));
});

/** What the server answers; without it, what was kept. */
async function answer(request, kept) {
  try {
    return await fetch(request);
  } catch (error) {
    const found = await (await caches.open(KEPT)).match(kept, { ignoreVary: true });
    if (found) return found;
    throw error;
  }
}
