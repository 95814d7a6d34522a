// @ts-check
/** The page "My games": offers to add the browser's anonymous uploads to the account. */

import { element } from "../replay/elements.js";
import { formatTime } from "../times.js";
import { claimUpload, waitForGames } from "./claims.js";
import { loadSentUploads } from "./sent_uploads.js";

const form = /** @type {HTMLFormElement} */ (document.querySelector("[data-claims]"));
const message = /** @type {HTMLElement} */ (document.querySelector("[data-claimed]"));
const button = form.querySelector("button");
const { claims, mine } = form.dataset;

function showUploads() {
  const uploads = loadSentUploads();
  form.hidden = uploads.length === 0;
  form.querySelector("ul").replaceChildren(
    ...uploads.map(({ key, secret, when, title }) => {
      const box = element("input", { type: "checkbox", name: "upload", value: key, checked: "" });
      const href = mine.replace("KEY", key).replace("SECRET", secret);
      const link = element("a", { href }, title || form.dataset.untitled);
      return element("li", {}, element("label", {}, box, ` ${formatTime(when)}`), " ", link);
    }),
  );
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const chosen = new FormData(form).getAll("upload").map(String);
  button.disabled = true;
  const outcomes = [];
  const uploads = loadSentUploads().filter(({ key }) => chosen.includes(key));
  for (const upload of uploads) outcomes.push(await claimUpload(claims, upload));
  button.disabled = false;
  showUploads();
  message.textContent = form.dataset[["failed", "gone"].find((outcome) => outcomes.includes(outcome)) ?? "added"];
  message.hidden = chosen.length === 0;
  if (!outcomes.length || outcomes.some((outcome) => outcome !== "added")) return;
  const areReady = await Promise.all(chosen.map((key) => waitForGames(claims, key)));
  if (areReady.every(Boolean)) location.reload();
});

showUploads();
