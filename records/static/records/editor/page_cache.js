// @ts-check
/** Stores the page and its files in the cache of the service worker (`offline.js`). */

import { loadCookie, openCache } from "../storage.js";

const CACHE = "hana-offline";

/**
 * Registers the service worker and caches the page for use without a network, marked `data-offline`.
 * Rejects if the network or the storage fails.
 */
export async function cachePage() {
  renewTokens();
  if (!("serviceWorker" in navigator)) return;
  const { pathname } = location;
  await navigator.serviceWorker.register("/offline.js", { scope: pathname });
  await navigator.serviceWorker.register("/offline.js", { scope: "/" });
  // A cached page is of no use before its worker runs.
  await navigator.serviceWorker.ready;
  const loaded = performance.getEntriesByType("resource").map(({ name }) => new URL(name));
  const files = loaded.filter(
    (address) => address.origin === location.origin && address.pathname.includes("/static/"),
  );
  const cache = await openCache(CACHE);
  await cache.addAll([...new Set(files.map(({ href }) => href))]);
  // Cache the anonymous page, so that a borrowed computer stores nothing of an account. Without
  // cookies the header alone tells the chosen language.
  const headers = { "Accept-Language": document.documentElement.lang };
  const page = await fetch(pathname, { credentials: "omit", headers });
  if (!page.ok || page.redirected) return;
  const text = (await page.text()).replace(/<html\b/, "<html data-offline");
  await cache.put(pathname, new Response(text, { headers: page.headers }));
}

/** Refreshes the CSRF tokens of forms: a cached page contains an expired one. */
export function renewTokens() {
  const token = loadCookie("csrftoken");
  if (!token) return;
  for (const field of document.querySelectorAll("[name=csrfmiddlewaretoken]")) {
    /** @type {HTMLInputElement} */ (field).value = token;
  }
}
