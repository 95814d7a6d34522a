/** On the page of one's own games: adds to the account what was sent from this browser without one. */

import { csrf } from "../editor/server.js";
import { element } from "../replay/moves.js";
import { forget, sent } from "./sent.js";

const form = /** @type {HTMLFormElement} */ (document.querySelector("[data-claims]"));
const message = /** @type {HTMLElement} */ (document.querySelector("[data-claimed]"));
const button = form.querySelector("button");
const { claims, mine } = form.dataset;

const PAUSE = 500; // milliseconds between two looks at an upload
const LOOKS = 120; // after them the reader loads the page again

function list() {
  const uploads = sent();
  form.hidden = uploads.length === 0;
  form.querySelector("ul").replaceChildren(
    ...uploads.map(({ key, words, when }) => {
      const box = element("input", { type: "checkbox", name: "upload", value: key, checked: "" });
      const href = mine.replace("KEY", key).replace("WORDS", words);
      const time = new Date(when).toLocaleString(document.documentElement.lang);
      return element("li", {}, element("label", {}, box, ` ${time}`), " ", element("a", { href }, key));
    }),
  );
}

/** The outcome for an upload: "added", "gone" if its secret no longer opens it, or "failed". */
async function claim({ key, words }) {
  const headers = { Accept: "application/json", "Upload-Secret": words, ...csrf() };
  const answer = await fetch(claims.replace("KEY", key), { method: "POST", headers }).catch(() => null);
  const outcome = answer?.ok ? "added" : answer?.status === 404 ? "gone" : "failed";
  if (outcome !== "failed") forget(key);
  return outcome;
}

/** Waits until all games of an upload are the account's; false if that takes long. */
async function follow(key) {
  const address = claims.replace("KEY/claim", key);
  for (let left = LOOKS; left > 0; left--) {
    const answer = await fetch(address, { headers: { Accept: "application/json" } }).catch(() => null);
    const upload = answer?.ok ? await answer.json() : null;
    if (upload?.state === "done" && (upload.change?.state ?? "done") === "done") return true;
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
  return false;
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const chosen = new FormData(form).getAll("upload");
  button.disabled = true;
  const outcomes = [];
  for (const upload of sent().filter(({ key }) => chosen.includes(key))) outcomes.push(await claim(upload));
  button.disabled = false;
  list();
  message.textContent = form.dataset[["failed", "gone"].find((one) => outcomes.includes(one)) ?? "added"];
  message.hidden = chosen.length === 0;
  if (!outcomes.length || outcomes.some((outcome) => outcome !== "added")) return;
  const followed = await Promise.all(chosen.map(follow));
  if (followed.every(Boolean)) location.reload();
});

list();
