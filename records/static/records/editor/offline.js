// @ts-check
/**
 * The service worker of the editors, the check of games, the lessons and, on a device that was made ready,
 * of games: serves a page and its files from the cache while the server is unreachable. All other pages
 * then lead to an editor, which lists the drafts, or to one of the others. The pages register it at the
 * address /offline.js, for themselves and for the site.
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
    // The worker with the engine of the rules is no part of a page. `device.js` updates the files.
    else if (address.pathname.includes("/static/kafu/") && request.cache !== "no-cache") {
      event.respondWith(serveCached(request));
    }
    return;
  }
  // The cache has only the empty form (an address without query): other pages may be private.
  if (request.mode === "navigate") event.respondWith(serve(request, address.pathname).catch(leadToDrafts));
  else if (/\/static\/|\/replay\.json$/.test(address.pathname)) event.respondWith(serve(request, request.url));
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

/** Returns the cached response; without one, the server's. */
async function serveCached(request) {
  const cached = await (await caches.open(CACHE)).match(request.url, { ignoreVary: true });
  return cached ?? fetch(request);
}

/** Returns a redirect to a cached page, first an editor; throws the error of the network without one. */
async function leadToDrafts(error) {
  const keys = await (await caches.open(CACHE)).keys();
  const pages = keys.map(({ url }) => url).filter((url) => !/\/static\/|\/replay\.json/.test(url));
  const page = pages.find((url) => url.endsWith("/new")) ?? pages[0];
  if (!page) throw error;
  return Response.redirect(page);
}
