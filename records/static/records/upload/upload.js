// @ts-check
/**
 * The upload form: collects chosen, dropped and pasted files and folders in a list and sends them in
 * parts. A transfer can be paused and is resumed after an interruption.
 */

import { element } from "../replay/elements.js";
import { canStore, loadText, storeText } from "../storage.js";
import { formatTime } from "../times.js";
import { ChosenFiles, isNotebook, nameFiles, readDroppedFiles } from "./chosen_files.js";
import { loadSentUploads } from "./sent_uploads.js";
import { createBody, Transfer } from "./transfer.js";

const form = /** @type {HTMLFormElement} */ (document.getElementById("upload"));
const find = (selector) => /** @type {any} */ (form.querySelector(selector));
const text = find("textarea");
const message = find("[data-message]");
const bar = find("[data-all]");
const send = find("button[type=submit]");
const pause = find("[data-pause]");
const words = JSON.parse(document.getElementById("upload-words").textContent);
const limit = Number(form.dataset.limit);
const chosen = new ChosenFiles(form, words, () => say(isTooLarge() ? form.dataset.tooLarge : "", "error"));
let transfer = null;

function say(sentence, kind = "") {
  message.textContent = sentence;
  message.className = kind;
  message.hidden = sentence === "";
}

/** Returns the files to send, with the pasted text as a file. */
function collectFiles() {
  const pasted = text.value.trim() ? [{ file: new File([text.value], "paste.kafu", { lastModified: 0 }), name: "paste.kafu" }] : [];
  return [...chosen.files, ...pasted];
}

function isTooLarge() {
  return collectFiles().reduce((sum, { file }) => sum + file.size, 0) > limit;
}

/** Submits a score notebook to the page that checks a game, which shows the result before storing it. */
function checkNotebook(files) {
  const input = find("input[type=file]");
  input.name = "notebook";
  if (!text.value.trim()) {
    const notebook = new DataTransfer();
    notebook.items.add(files[0].file);
    input.files = notebook.files;
  }
  form.action = form.dataset.check;
  form.submit();
}

async function start() {
  const files = collectFiles();
  if (!files.length) return say(words.nothing, "error");
  if (isTooLarge()) return say(form.dataset.tooLarge, "error");
  if (isNotebook(files, text.value.trim())) return checkNotebook(files);
  setBusy(true);
  say(words.sending);
  const fingerprint = JSON.stringify(files.map(({ file, name: path }) => [path, file.size, file.lastModified]));
  const secret = "mine" in form.dataset ? createSecret(fingerprint) : "";
  try {
    const { body, name } = await createBody(files, form.dataset.zip);
    const fields = new FormData(form);
    transfer = new Transfer(
      {
        library: form.dataset.tus,
        endpoint: form.dataset.endpoint,
        body,
        name,
        choices: { visibility: String(fields.get("visibility")), club: String(fields.get("club") ?? "") },
        token: String(fields.get("csrfmiddlewaretoken")),
        secret,
        fingerprint,
      },
      showProgress,
    );
    const key = await transfer.run();
    // The back button may restore the page as it is now.
    addEventListener("pageshow", () => finish(""), { once: true });
    location.assign(form.dataset.report.replace("KEY", key).replace("SECRET", secret));
  } catch (error) {
    // A library that does not load gives a TypeError with a message of the browser.
    finish((error instanceof TypeError ? "" : error.message) || words.failed);
  }
  return undefined;
}

/** Enables the form after a transfer and shows an error; "" without one. */
function finish(error) {
  setBusy(false);
  say(error, "error");
}

/** Returns the secret of an anonymous upload; the stored secret if a reload interrupted the upload. */
function createSecret(fingerprint) {
  const stored = loadText(fingerprint, "sessionStorage");
  const letters = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0"));
  const secret = stored ?? letters.join("");
  storeText(fingerprint, secret, "sessionStorage");
  return secret;
}

function showProgress(state, share) {
  bar.value = share;
  chosen.showProgress(share);
  pause.textContent = state === "paused" ? words.resume : words.pause;
  const sentence = { going: words.sending, broken: words.broken, paused: words.paused }[state];
  say(`${sentence} ${Math.floor(100 * share)} %`);
}

/** Disables the form and shows the progress bar during a transfer. */
function setBusy(isBusy) {
  bar.hidden = !isBusy;
  pause.hidden = !isBusy;
  send.disabled = isBusy;
  for (const field of form.querySelectorAll("input[type=file], textarea, [data-clear]")) {
    field.toggleAttribute("disabled", isBusy);
  }
  if (!isBusy) {
    transfer = null;
    chosen.showProgress(null);
  }
}

setBusy(false); // after a reload, Firefox restores disabled fields
for (const input of /** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll("input[type=file]"))) {
  input.addEventListener("change", () => {
    chosen.add(nameFiles(input.files));
    input.value = ""; // without a reset, choosing a removed file again fires no event
  });
}
text.addEventListener("input", () => say(isTooLarge() ? form.dataset.tooLarge : "", "error"));
pause.addEventListener("click", () => (transfer?.paused ? transfer.resume() : transfer?.pause()));
document.addEventListener("dragover", (event) => {
  event.preventDefault();
  form.classList.add("dropping");
});
document.addEventListener("dragleave", (event) => {
  if (!event.relatedTarget) form.classList.remove("dropping");
});
document.addEventListener("drop", async (event) => {
  event.preventDefault();
  form.classList.remove("dropping");
  if (!transfer) chosen.add(await readDroppedFiles(event.dataTransfer));
});
document.addEventListener("paste", (event) => {
  if (transfer) return;
  if (event.clipboardData.files.length > 0) {
    event.preventDefault();
    chosen.add(nameFiles(event.clipboardData.files));
  } else if (event.target !== text) {
    event.preventDefault();
    text.value += event.clipboardData.getData("text/plain");
    text.focus();
  }
});
if ("mine" in form.dataset) document.querySelector("[data-forgotten]").toggleAttribute("hidden", canStore());
form.addEventListener("submit", (event) => {
  event.preventDefault();
  start();
});

const earlier = /** @type {HTMLElement} */ (document.querySelector("[data-sent]"));
earlier.hidden = loadSentUploads().length === 0;
earlier.querySelector("ul").replaceChildren(
  ...loadSentUploads().map(({ key, secret, when, title }) => {
    const href = earlier.dataset.sent.replace("KEY", key).replace("SECRET", secret);
    return element("li", {}, element("a", { href }, title || words.untitled), " ", element("small", {}, formatTime(when)));
  }),
);
