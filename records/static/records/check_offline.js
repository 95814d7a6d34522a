// @ts-check
/**
 * Checking a game without a network: once the reader asks, the device keeps the page and the engine of
 * the rules (`kafu/engine.js`), which judges while the server cannot be reached.
 */

import { cachePage, renewTokens } from "./editor/page_cache.js";
import { openCache } from "./storage.js";

const CACHE = "hana-offline";
/** How long to wait for the server before the device judges, in milliseconds. */
const PATIENCE = 4000;

/** @type {HTMLElement} */
const section = document.querySelector("[data-device]");
const base = new URL(section.dataset.engine, location.href);
const manifestAddress = new URL("engine.json", base).href;
const modules = ["../engine.js", "../engine_worker.js"].map((path) => new URL(path, base).href);
/** @type {HTMLFormElement} */
const form = document.querySelector("#check");
const part = (name) => /** @type {HTMLElement} */ (section.querySelector(`[data-${name}]`));

let isReady = false;
let isOnline = false;
let engine = null;

/** Shows one of the parts `offer`, `ready` and `failed`, the offer with the last one. */
function show(name) {
  part("offer").hidden = name === "ready";
  part("ready").hidden = name !== "ready";
  part("failed").hidden = name !== "failed";
}

/** Keeps the engine's files, each checked, and the page. The manifest comes last: then all are there. */
async function prepare(progress) {
  const cache = await openCache(CACHE);
  const manifest = await fetch(manifestAddress, { cache: "no-cache" });
  const { files } = await manifest.clone().json();
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  progress.hidden = false;
  for (const { name, bytes, integrity } of files) {
    const address = new URL(name, base).href;
    const response = await fetch(address, { integrity });
    if (!response.ok) throw new Error(`${address}: ${response.status}`);
    await cache.put(address, response);
    progress.value += bytes / total;
  }
  await cache.addAll(modules);
  await cachePage();
  await cache.put(manifestAddress, manifest);
}

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
  const { Engine } = await import(modules[0]);
  engine ??= await Engine.start({ base });
  const verdict = await engine.verify(text, { lang: document.documentElement.lang });
  const { content } = section.querySelector("template");
  const shown = /** @type {HTMLElement} */ (content.cloneNode(true)).querySelector("section");
  for (const label of /** @type {NodeListOf<HTMLElement>} */ (shown.querySelectorAll(".status"))) {
    label.hidden = !label.classList.contains(verdict.status);
  }
  const fault = verdict.error;
  shown.classList.add(fault ? "faulty" : "good");
  shown.querySelector("[data-fault]").textContent = fault
    ? [fault.line && `${fault.line}:${fault.column ?? 1}`, fault.message].filter(Boolean).join(" ")
    : "";
  document.getElementById("verdict")?.remove();
  shown.id = "verdict";
  form.before(shown);
  shown.scrollIntoView({ block: "nearest" });
}

form.addEventListener("submit", async (event) => {
  const button = /** @type {HTMLButtonElement} */ (event.submitter);
  /** @type {HTMLInputElement | null} */
  const notebook = form.querySelector("[type=file]"); // the archive alone reads tables
  if (!isReady || isOnline || notebook?.files.length || button?.formAction !== form.action) return;
  event.preventDefault();
  if (await reachServer()) {
    isOnline = true;
    renewTokens();
    form.requestSubmit(button);
    return;
  }
  form.setAttribute("aria-busy", "true");
  try {
    await judge(form.querySelector("textarea").value);
  } catch {
    show("failed");
  }
  form.removeAttribute("aria-busy");
});

section.querySelector("button").addEventListener("click", async ({ currentTarget }) => {
  const button = /** @type {HTMLButtonElement} */ (currentTarget);
  button.disabled = true;
  try {
    await prepare(section.querySelector("progress"));
    isReady = true;
    show("ready");
  } catch {
    show("failed");
  }
  button.disabled = false;
});

openCache(CACHE)
  .then((cache) => cache.match(manifestAddress, { ignoreVary: true }))
  .then((manifest) => {
    isReady = Boolean(manifest);
    show(isReady ? "ready" : "offer");
  })
  .catch(() => {}); // a browser without storage is not offered any
