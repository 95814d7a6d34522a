/**
 * The report of an upload: while its games are being read, or who may see them is being changed,
 * asks the API how far that is, writes the counts into the page, and takes over the page's own list when it has changed.
 */

import { deleteDraft, editor, isWritten } from "./drafts/saved.js";
import { copy } from "./replay/sharing.js";
import { showLocalTimes } from "./times.js";
import { forget, remember } from "./upload/sent.js";

const report = document.getElementById("report");
const PAUSE = 1000;
const { key: uploadKey, secret, api } = report?.dataset ?? {};
const asking = { Accept: "application/json", ...(secret ? { "Upload-Secret": secret } : {}) };

function flat(object, path = "") {
  return Object.entries(object).flatMap(([key, value]) =>
    value !== null && typeof value === "object" && !Array.isArray(value)
      ? flat(value, `${path}${key}.`)
      : [[path + key, value]],
  );
}

/** Whether games are still to be made as visible as the upload. */
function changing(progress) {
  return ["waiting", "leased", "failed"].includes(progress.change?.state);
}

function write(progress) {
  for (const [name, value] of flat(progress)) {
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
  report.querySelector("[data-changing]")?.toggleAttribute("hidden", !changing(progress));
}

/** Whether the lists of the page are now those that the server has. */
async function takeLists() {
  const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
  if (!answer.ok) return false;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
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

/** Remembers the secret of the upload, by its files or the players of its only game. */
function keepSecret() {
  if (!secret) return;
  const { title } = /** @type {HTMLElement} */ (report.querySelector("[data-title]")).dataset;
  /** @type {HTMLElement | null} */
  const game = report.querySelector("[data-game]");
  remember(uploadKey, secret, { game: game?.dataset.game, title });
}

/** A game that was sent alone is shown; one that was just written is gone on to. */
async function showGame() {
  /** @type {HTMLAnchorElement | null} */
  const game = report?.querySelector("[data-game]");
  if (game && isWritten) {
    await deleteDraft();
    location.replace(game.href);
  } else if (report?.querySelector("kafu-replay")) import("./replay/kafu-replay.js");
  const back = /** @type {HTMLAnchorElement | null} */ (report?.querySelector("[data-back]"));
  if (back && editor) {
    back.href = editor;
    back.hidden = false;
  }
}

async function watch() {
  let seen = -1;
  for (;;) {
    try {
      const answer = await fetch(api, { headers: asking });
      if (answer.ok) {
        const progress = await answer.json();
        write(progress);
        const done = progress.state === "done" && !changing(progress);
        if ((done || progress.games.read !== seen) && (await takeLists())) {
          if (done) return showGame();
          seen = progress.games.read;
        }
      }
    } catch {
      // The server may be starting anew: the next question will be answered.
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
}

/** Copies the link of this page, which its sender needs later. */
async function copyLink() {
  /** @type {HTMLElement} */
  const told = document.querySelector("[data-told]");
  const field = { value: location.origin + location.pathname, select() {} };
  told.textContent = (await copy(field)) ? told.dataset.done : told.dataset.byHand;
}

/** @type {HTMLElement | null} */
const copying = document.querySelector("[data-copy-link]");
copying?.toggleAttribute("hidden", false);
copying?.addEventListener("click", copyLink);
keepSecret();
if (uploadKey && !secret) forget(uploadKey); // an account has it: the secret no longer opens it
if (report && report.dataset.now !== "done") watch();
else showGame();
