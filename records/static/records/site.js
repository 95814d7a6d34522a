// @ts-check
/**
 * Every page: shows times in the reader's zone, keeps the hash when the language changes or tells that
 * cookies are blocked, closes the menu by Escape or a tap elsewhere, and clears the account's drafts at
 * log-out. Card letters and the panel "Share" are loaded after the page, because they would delay the first
 * paint; the offer of use without a network when it is opened.
 */

const ignoreLeaving = () => {}; // while a module loads: pages work without these modules

if (document.querySelector("time[data-minute]")) {
  import("./times.js").then(({ showLocalTimes }) => showLocalTimes(), ignoreLeaving);
}
addEventListener("load", () => {
  import("./replay/settings.js").then(({ showLetters }) => showLetters(), ignoreLeaving);
  if (document.querySelector("[data-sharing]")) import("./share.js").catch(ignoreLeaving);
});
document.querySelector("[data-device]")?.addEventListener("toggle", () => {
  import("./device.js").catch(ignoreLeaving);
});
document.querySelector("form.language")?.addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  const next = /** @type {HTMLInputElement} */ (form.elements.namedItem("next"));
  next.value = location.pathname + location.search + location.hash;
  if (navigator.cookieEnabled) return;
  event.preventDefault(); // the server would not learn the language
  document.querySelector("[data-no-cookies]").toggleAttribute("hidden", false);
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
