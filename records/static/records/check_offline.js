// @ts-check
/** Checking a game without a network: a device that was made ready judges while the server cannot be reached. */

import { cachePage, loadDevice, renewTokens } from "./editor/page_cache.js";
import { isDeviceReady } from "./storage.js";

/** How long to wait for the server before the device judges, in milliseconds. */
const PATIENCE = 4000;

/** @type {HTMLFormElement} */
const form = document.querySelector("#check");
/** @type {HTMLTemplateElement} */
const template = document.querySelector("[data-judged]");
/** @type {HTMLElement} */
const noTables = document.querySelector("[data-no-tables]");

let isOnline = false;

/** Returns whether the server answers. */
async function reachServer() {
  try {
    return (await fetch("/health/live", { cache: "no-store", signal: AbortSignal.timeout(PATIENCE) })).ok;
  } catch {
    return false;
  }
}

/** Shows the engine's verdict on a text in place of the former one. */
async function judge(text) {
  const verdict = await (await loadDevice()).callEngine("verify", { text });
  const shown = /** @type {HTMLElement} */ (template.content.cloneNode(true)).querySelector("section");
  for (const label of /** @type {NodeListOf<HTMLElement>} */ (shown.querySelectorAll(".status"))) {
    label.hidden = !label.classList.contains(verdict.status);
  }
  const fault = verdict.error;
  shown.classList.add(fault ? "faulty" : "good");
  shown.querySelector("[data-fault]").textContent = fault
    ? [fault.line && `${fault.line}:${fault.column ?? 1}`, fault.message].filter(Boolean).join(" ")
    : "";
  shown.id = "verdict";
  form.before(shown);
  shown.scrollIntoView({ block: "nearest" });
}

form.addEventListener("submit", async (event) => {
  const button = /** @type {HTMLButtonElement} */ (event.submitter);
  if (!isDeviceReady() || isOnline || button?.formAction !== form.action) return;
  event.preventDefault();
  if (await reachServer()) {
    isOnline = true;
    renewTokens();
    form.requestSubmit(button);
    return;
  }
  document.getElementById("verdict")?.remove();
  /** @type {HTMLInputElement | null} */
  const notebook = form.querySelector("[type=file]");
  noTables.hidden = !notebook?.files.length;
  if (!noTables.hidden) return;
  form.setAttribute("aria-busy", "true");
  await judge(form.querySelector("textarea").value).catch(() => {}); // `device.js` tells a failure
  form.removeAttribute("aria-busy");
});

if (isDeviceReady()) cachePage().catch(() => {});
