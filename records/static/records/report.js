// @ts-check
/**
 * The report of an upload: while the server reads games or changes their visibility, polls the API,
 * shows the counts, and refreshes the lists of the page when they have changed.
 */

import { deleteDraft, editor, isWritten } from "./drafts/previous_page.js";
import { copy } from "./replay/sharing.js";
import { showLocalTimes } from "./times.js";
import { forgetUpload, rememberUpload } from "./upload/sent_uploads.js";

const report = document.getElementById("report");
const PAUSE = 1000; // milliseconds between requests
const { key: uploadKey, secret, api } = report?.dataset ?? {};
const headers = { Accept: "application/json", ...(secret ? { "Upload-Secret": secret } : {}) };

/** Returns the leaves of a nested object as pairs of a dotted path and a value. */
function flatten(object, path = "") {
  return Object.entries(object).flatMap(([key, value]) =>
    value !== null && typeof value === "object" && !Array.isArray(value)
      ? flatten(value, `${path}${key}.`)
      : [[path + key, value]],
  );
}

/** Returns whether the server is still changing the visibility of the upload's games. */
function isChanging(progress) {
  return ["waiting", "leased", "failed"].includes(progress.change?.state);
}

function showCounts(progress) {
  for (const [name, value] of flatten(progress)) {
    for (const place of report.querySelectorAll(`[data-count="${name}"]`)) {
      place.textContent = value ?? "…";
    }
  }
  const bar = report.querySelector("progress");
  const { read, total } = progress.games;
  if (bar && total) {
    bar.max = total;
    bar.value = read;
  }
  /** @type {NodeListOf<HTMLElement>} */
  const states = report.querySelectorAll("[data-state]");
  for (const state of states) {
    state.hidden = state.dataset.state !== progress.state;
  }
  for (const part of report.querySelectorAll("[data-unread]")) part.toggleAttribute("hidden", progress.state === "done");
  report.querySelector("[data-changing]")?.toggleAttribute("hidden", !isChanging(progress));
}

/** Replaces the lists of the page by the server's. Returns false if the request fails. */
async function refreshLists() {
  const response = await fetch(location.href, { headers: { Accept: "text/html" } });
  if (!response.ok) return false;
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  /** @type {NodeListOf<HTMLElement>} */
  const parts = report.querySelectorAll("[data-refresh]");
  for (const part of parts) {
    const fresh = page.querySelector(`[data-refresh="${part.dataset.refresh}"]`);
    if (fresh) part.replaceWith(document.adoptNode(fresh));
  }
  showLocalTimes(report);
  keepSecret();
  return true;
}

/** Stores the upload's secret in the browser, with its title and the key of its only game. */
function keepSecret() {
  if (!secret) return;
  const { title } = /** @type {HTMLElement} */ (report.querySelector("[data-title]")).dataset;
  /** @type {HTMLElement | null} */
  const game = report.querySelector("[data-game]");
  const isStored = rememberUpload(uploadKey, secret, { game: game?.dataset.game, title });
  document.querySelector("[data-remembered]")?.toggleAttribute("hidden", !isStored);
}

/**
 * Shows the game of an upload with one game. A game that was written on the previous page is opened
 * and its draft deleted.
 */
async function showGame() {
  /** @type {HTMLAnchorElement | null} */
  const game = report?.querySelector("[data-game]");
  if (game && isWritten) {
    await deleteDraft();
    location.replace(game.href);
  } else if (report?.querySelector("kafu-replay")) import("./replay/kafu-replay.js").catch(() => {}); // the table remains
  const back = /** @type {HTMLAnchorElement | null} */ (report?.querySelector("[data-back]"));
  if (back && editor) {
    back.href = editor;
    back.hidden = false;
  }
}

/** Polls the API until all games are read. */
async function watch() {
  let readBefore = -1;
  for (;;) {
    try {
      const response = await fetch(api, { headers });
      if (response.ok) {
        const progress = await response.json();
        showCounts(progress);
        const done = progress.state === "done" && !isChanging(progress);
        if ((done || progress.games.read !== readBefore) && (await refreshLists())) {
          if (done) return showGame();
          readBefore = progress.games.read;
        }
      }
    } catch {
      // The server may be restarting: try again after the pause.
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
}

/** Copies the address of the page. */
async function copyLink() {
  /** @type {HTMLElement} */
  const message = document.querySelector("[data-told]");
  const field = { value: location.origin + location.pathname, select() {} };
  message.textContent = (await copy(field)) ? message.dataset.done : message.dataset.byHand;
}

/** @type {HTMLElement | null} */
const copyButton = document.querySelector("[data-copy-link]");
copyButton?.toggleAttribute("hidden", false);
copyButton?.addEventListener("click", copyLink);
keepSecret();
if (uploadKey && !secret) forgetUpload(uploadKey); // an account owns the upload: its secret is void
if (report && report.dataset.now !== "done") watch();
else showGame();
