// @ts-check
/**
 * Every page: shows times in the reader's zone, keeps the hash when the language changes, closes the
 * menu by Escape or a tap elsewhere, and clears the account's drafts at log-out. Card letters and the
 * panel "Share" are loaded after the page, because they would delay the first paint.
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
  await import("./drafts/logout.js").then(({ clearDrafts }) => clearDrafts()).catch(() => {});
  form.submit();
});
