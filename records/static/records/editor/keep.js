/** Keeps the page, and all that it has loaded, for when there is no network (`offline.js`). */

const KEPT = "hana-offline";

export async function keepPage() {
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
  if (page.ok && !page.redirected) await kept.put(pathname, page);
}
