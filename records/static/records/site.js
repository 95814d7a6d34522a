/**
 * What every page does: times are shown in the reader's zone; the other language begins where the
 * reader is, hash and all (without this module at the address that the server saw); the menu closes
 * by Escape, and by a tap elsewhere; letters of cards are shown to readers who want them; the panel
 * "Share" works. The last two wait for the page, because they would delay its first paint. Logging out
 * clears the account's drafts from the browser.
 */

if (document.querySelector("time[data-minute]")) {
  import("./times.js").then(({ showLocalTimes }) => showLocalTimes());
}
addEventListener("load", async () => {
  const { showLetters } = await import("./replay/settings.js");
  showLetters();
  if (document.querySelector("[data-sharing]")) await import("./share.js");
});
document.querySelector("form.language")?.addEventListener("submit", ({ target }) => {
  const { elements } = /** @type {HTMLFormElement} */ (target);
  const next = /** @type {HTMLInputElement} */ (elements.namedItem("next"));
  next.value = location.pathname + location.search + location.hash;
});

const menu = /** @type {HTMLDetailsElement | null} */ (document.querySelector("details.write"));
if (menu) {
  addEventListener("click", ({ target }) => {
    if (!menu.contains(/** @type {Node} */ (target))) menu.open = false;
  });
  menu.addEventListener("keydown", ({ key }) => {
    if (key !== "Escape" || !menu.open) return;
    menu.open = false;
    menu.querySelector("summary")?.focus();
  });
}

addEventListener("submit", async (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (!new URL(form.action).pathname.endsWith("/account/logout/")) return;
  event.preventDefault();
  await import("./drafts/leaving.js").then(({ clearDrafts }) => clearDrafts()).catch(() => {});
  form.submit();
});
