// @ts-check
/**
 * The service worker of the editors, the check of games and the lessons: serves a page and its files
 * from the cache while the server is unreachable. All other pages then lead to an editor, which lists
 * the drafts, or to one of the others. The pages register it at the address /offline.js, for
 * themselves and for the site.
 */

const CACHE = "hana-offline";
const worker = /** @type {any} */ (self);
const isForSite = new URL(worker.registration.scope).pathname === "/";

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const address = new URL(request.url);
  if (request.method !== "GET" || address.origin !== location.origin) return;
  if (isForSite) {
    if (request.mode === "navigate") event.respondWith(fetch(request).catch(leadToDrafts));
    // The worker with the engine of the rules is no part of a page.
    else if (address.pathname.includes("/static/kafu/")) event.respondWith(serve(request, request.url));
    return;
  }
  // The cache has only the empty form (an address without query): other pages may be private.
  if (request.mode === "navigate") event.respondWith(serve(request, address.pathname));
  else if (address.pathname.includes("/static/")) event.respondWith(serve(request, request.url));
});

/** Returns the server's response; without a network, the cached response for `key`. */
async function serve(request, key) {
  try {
    return await fetch(request);
  } catch (error) {
    const cached = await (await caches.open(CACHE)).match(key, { ignoreVary: true });
    if (cached) return cached;
    throw error;
  }
}

/** Returns a redirect to a cached page, first an editor; throws the error of the network without one. */
async function leadToDrafts(error) {
  const keys = await (await caches.open(CACHE)).keys();
  const pages = keys.map(({ url }) => url).filter((url) => !url.includes("/static/"));
  const page = pages.find((url) => !/\/(learn|check)\//.test(url)) ?? pages[0];
  if (!page) throw error;
  return Response.redirect(page);
}
