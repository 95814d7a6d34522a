// @ts-check
/**
 * The reader's device in place of the server: once the reader asks, it keeps the engine of the rules
 * (`kafu/engine.js`) and the page, and responds to the editors while the server cannot be reached.
 */

import { cachePage } from "./editor/page_cache.js";
import { isDeviceReady, openCache, storeText } from "./storage.js";

const CACHE = "hana-offline";

/** @type {HTMLElement} templates/records/_device.html */
const section = document.querySelector("[data-device]");
const base = new URL(section.dataset.engine, location.href);
const manifestAddress = new URL("engine.json", base).href;
const modules = [...["../engine.js", "../engine_worker.js"].map((path) => new URL(path, base).href), import.meta.url];
const part = (name) => /** @type {any} */ (section.querySelector(`[data-${name}]`));

/** @type {Promise<any> | null} */
let engine = null;

/** Returns the engine, and tells while it starts. */
async function startEngine() {
  const loading = /** @type {HTMLElement} */ (document.querySelector("[data-device-loading]"));
  loading.hidden = false;
  try {
    return await (await import(modules[0])).Engine.start({ base });
  } finally {
    loading.hidden = true;
  }
}

/**
 * Calls a function of the engine in the page's language; the first call starts the engine. Rejects with
 * an `EngineError`, after telling beside the offer if the engine failed.
 * @param {string} name
 * @param {object} parameters
 * @returns {Promise<any>}
 */
export async function callEngine(name, parameters) {
  engine ??= startEngine();
  try {
    return await (await engine).call(name, { ...parameters, lang: document.documentElement.lang });
  } catch (error) {
    if (!("code" in error) || error.code === "engine-failed") {
      engine = null; // the next call tries again
      show("failed");
    }
    throw error;
  }
}

/**
 * Returns the response to the fields of a request in place of the server.
 * @param {string} address
 * @param {object} fields
 */
export function respond(address, fields) {
  return callEngine(new URL(address, location.href).pathname.split("/").at(-1), { fields });
}

/** Returns whether a list of files in a manifest lacks a file, or has another version of it. */
function lacks(list, { name, integrity }) {
  return !list.some((file) => file.name === name && file.integrity === integrity);
}

/** Loads what the device lacks of the engine, and replaces files of an older version. */
export async function update() {
  const cache = await openCache(CACHE);
  const manifest = await fetch(manifestAddress, { cache: "no-cache" });
  const { files } = await manifest.clone().json();
  const old = await cache.match(manifestAddress, { ignoreVary: true });
  const oldFiles = old ? (await old.json()).files : [];
  const newFiles = files.filter((file) => lacks(oldFiles, file));
  const total = newFiles.reduce((sum, { bytes }) => sum + bytes, 0);
  part("progress").hidden = !total;
  const responses = [];
  for (const { name, bytes, integrity } of newFiles) {
    const response = await fetch(new URL(name, base), { cache: "no-cache", integrity });
    if (!response.ok) throw new Error(`${name}: ${response.status}`);
    responses.push([new URL(name, base).href, response]);
    part("progress").value += bytes / total;
  }
  // The old files serve until all new ones are there.
  const oldNames = oldFiles.filter((file) => lacks(files, file)).map(({ name }) => name);
  await Promise.all(oldNames.map((name) => cache.delete(new URL(name, base).href)));
  await Promise.all(responses.map(([address, response]) => cache.put(address, response)));
  /** @type {NodeListOf<HTMLElement>} */
  const sprites = document.querySelectorAll("[data-sprite]"); // loaded with the first cards
  const others = [...modules, ...[...sprites].map(({ dataset }) => dataset.sprite)];
  await cache.addAll(others.map((address) => new Request(address, { cache: "no-cache" })));
  await cache.put(manifestAddress, manifest);
}

/** Shows one of the parts `offer`, `ready` and `failed`, the offer with the last one. */
function show(name) {
  for (const other of ["offer", "ready", "failed"]) part(other).hidden = other !== name;
  if (name === "failed") part("offer").hidden = false;
}

part("prepare").addEventListener("click", async () => {
  part("prepare").disabled = true;
  try {
    await cachePage();
    await update();
    await import(modules[0]); // the service worker serves this page only after a reload
    storeText("device", "ready");
    show("ready");
  } catch {
    show("failed");
  }
  part("prepare").disabled = false;
});

show(isDeviceReady() ? "ready" : "offer");
if ("offline" in document.documentElement.dataset) {
  engine = startEngine(); // while the reader looks at the page
  engine.catch(() => {}); // the first call tells
}
