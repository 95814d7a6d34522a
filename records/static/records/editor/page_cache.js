// @ts-check
/**
 * Stores the page and its files in the cache of the service worker (`offline.js`), and loads the module of
 * a device that was made ready.
 */

import { isDeviceReady, loadCookie, openCache } from "../storage.js";

const CACHE = "hana-offline";

/**
 * Registers the service worker and caches the page for use without a network, marked `data-offline`.
 * Rejects if the network or the storage fails. `scope` is the path of the pages of the same kind.
 */
export async function cachePage(scope = location.pathname) {
  const device = loadDevice();
  renewTokens();
  if (!("serviceWorker" in navigator)) return;
  const { pathname } = location;
  await navigator.serviceWorker.register("/offline.js", { scope });
  await navigator.serviceWorker.register("/offline.js", { scope: "/" });
  // A cached page is of no use before its worker runs.
  await navigator.serviceWorker.ready;
  const loaded = performance.getEntriesByType("resource").map(({ name }) => new URL(name));
  const files = loaded.filter(
    (address) => address.origin === location.origin && /\/static\/|\/replay\.json$/.test(address.pathname),
  );
  const cache = await openCache(CACHE);
  // Cache what everybody may see, so that a borrowed computer stores nothing of an account. Without
  // cookies the header alone tells the chosen language.
  const addresses = new Set(files.map(({ href }) => href));
  await cache.addAll([...addresses].map((address) => new Request(address, { credentials: "omit" })));
  const headers = { "Accept-Language": document.documentElement.lang };
  const page = await fetch(pathname, { credentials: "omit", headers });
  if (!page.ok || page.redirected) return;
  const text = (await page.text()).replace(/<html\b/, "<html data-offline");
  await cache.put(pathname, new Response(text, { headers: page.headers }));
  await (await device)?.update();
}

/** Returns the module `device.js` on a device that the reader made ready, else null. */
export async function loadDevice() {
  return isDeviceReady() ? import("../device.js").catch(() => null) : null;
}

/** Refreshes the CSRF tokens of forms: a cached page contains an expired one. */
export function renewTokens() {
  const token = loadCookie("csrftoken");
  if (!token) return;
  for (const field of document.querySelectorAll("[name=csrfmiddlewaretoken]")) {
    /** @type {HTMLInputElement} */ (field).value = token;
  }
}
