/** Keeps the page, and all that it has loaded, for when there is no network (`offline.js`). */

const KEPT = "hana-offline";

export async function keepPage() {
  renewTokens();
  if (!("serviceWorker" in navigator)) return;
  const { pathname } = location;
  await navigator.serviceWorker.register("/offline.js", { scope: pathname });
  const loaded = performance.getEntriesByType("resource").map(({ name }) => new URL(name));
  const files = loaded.filter(
    (one) => one.origin === location.origin && one.pathname.includes("/static/"),
  );
  const kept = await caches.open(KEPT);
  await kept.addAll([...new Set(files.map(({ href }) => href))]);
  // As it is for anybody: nothing of an account stays behind on a borrowed computer.
  const page = await fetch(pathname, { credentials: "omit" });
  if (!page.ok || page.redirected) return;
  const text = (await page.text()).replace("<html ", "<html data-offline ");
  await kept.put(pathname, new Response(text, { headers: page.headers }));
}

/** Gives the forms the token of this browser's cookie: a kept page has one that the server refuses. */
function renewTokens() {
  const token = document.cookie.match(/(?:^|; )csrftoken=([^;]+)/)?.[1];
  if (!token) return;
  for (const field of document.querySelectorAll("[name=csrfmiddlewaretoken]")) {
    /** @type {HTMLInputElement} */ (field).value = token;
  }
}
