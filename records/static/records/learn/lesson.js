// @ts-check
/**
 * The lesson: buttons to the next screen, and taps on cards. The style sheet shows the screen that the
 * address names; the browser stores the last screen, from which the lesson continues.
 */

import { cachePage } from "../editor/page_cache.js";
import { loadText, storeText } from "../storage.js";
import { startCollection } from "./collection.js";
import { FirstMonth } from "./first_month.js";
import { startPack } from "./pack.js";
import { Practice } from "./practice.js";

const root = /** @type {HTMLElement} */ (document.querySelector("[data-lesson]"));
const data = JSON.parse(/** @type {HTMLElement} */ (document.getElementById("lesson-data")).textContent ?? "{}");
const screens = [...root.querySelectorAll(".screen")].map(({ id }) => id);
const key = `lesson-${root.dataset.lesson}`;
const sprite = root.dataset.sprite ?? "";

let current = screens[0];

/** Updates the links to the other screens, and stores the current screen. */
function showScreen() {
  const named = location.hash.slice(1) || screens[0];
  if (!screens.includes(named)) {
    location.replace(`#${current}`); // the link that skips the head leads to the current screen
    return;
  }
  current = named;
  const number = screens.indexOf(current);
  storeText(key, current);
  for (const anchor of root.querySelectorAll("header nav a")) {
    if (anchor.getAttribute("href") === `#${current}`) anchor.setAttribute("aria-current", "step");
    else anchor.removeAttribute("aria-current");
  }
  const onward = /** @type {HTMLElement} */ (root.querySelector("[data-onward]"));
  const find = (name) => /** @type {HTMLAnchorElement} */ (onward.querySelector(`[data-${name}]`));
  link(find("previous"), screens[number - 1]);
  link(find("next"), screens[number + 1]);
  find("finish").hidden = number < screens.length - 1;
  onward.hidden = false;
}

/** Links to a screen; hides the link if there is no such screen. */
function link(anchor, screen) {
  anchor.hidden = !screen;
  if (screen) anchor.href = `#${screen}`;
}

const stored = loadText(key);
if (!location.hash && stored && screens.indexOf(stored) > 0) location.replace(`#${stored}`);
addEventListener("hashchange", showScreen);
showScreen();
for (const pack of root.querySelectorAll("[data-pack]")) startPack(pack, data);
for (const practice of root.querySelectorAll("[data-practice]")) new Practice(practice, sprite, data).start();
startCollection(root, data);
const month = root.querySelector("[data-month]");
if (month) new FirstMonth(month, sprite, data).start();
cachePage().catch(() => {}); // without a cache the lesson needs the network
