/**
 * The upload form: files and folders that are chosen, dropped or pasted make a list, which is sent
 * in parts; it can be paused, and goes on after a line that broke. Without this script the form posts
 * by itself.
 */

import { element } from "../replay/elements.js";
import { minute } from "../times.js";
import { Chosen, dropped, isNotebook, named } from "./chosen.js";
import { bodyOf, Sending } from "./sending.js";
import { sent } from "./sent.js";

const form = /** @type {HTMLFormElement} */ (document.getElementById("upload"));
const find = (selector) => /** @type {any} */ (form.querySelector(selector));
const text = find("textarea");
const message = find("[data-message]");
const bar = find("[data-all]");
const send = find("button[type=submit]");
const pause = find("[data-pause]");
const words = JSON.parse(document.getElementById("upload-words").textContent);
const limit = Number(form.dataset.limit);
const chosen = new Chosen(form, words, () => say(tooMuch() ? form.dataset.tooLarge : "", "error"));
let sending = null;

function say(said, kind = "") {
  message.textContent = said;
  message.className = kind;
  message.hidden = said === "";
}

/** What is to be sent: the files, and what was pasted as one more. */
function parts() {
  const pasted = text.value.trim() ? [{ file: new File([text.value], "paste.kafu", { lastModified: 0 }), name: "paste.kafu" }] : [];
  return [...chosen.files, ...pasted];
}

function tooMuch() {
  return parts().reduce((sum, { file }) => sum + file.size, 0) > limit;
}

/** The page that checks a game shows what was understood of a notebook before it is stored. */
function readNotebook(files) {
  const input = find("input[type=file]");
  input.name = "notebook";
  if (!text.value.trim()) {
    const chosenOne = new DataTransfer();
    chosenOne.items.add(files[0].file);
    input.files = chosenOne.files;
  }
  form.action = form.dataset.check;
  form.submit();
}

async function start() {
  const files = parts();
  if (!files.length) return say(words.nothing, "error");
  if (tooMuch()) return say(form.dataset.tooLarge, "error");
  if (isNotebook(files, text.value.trim())) return readNotebook(files);
  busy(true);
  say(words.sending);
  const print = JSON.stringify(files.map(({ file, name: path }) => [path, file.size, file.lastModified]));
  const secret = "mine" in form.dataset ? secretFor(print) : "";
  try {
    const { body, name } = await bodyOf(files, form.dataset.zip);
    const given = new FormData(form);
    sending = new Sending(
      {
        library: form.dataset.tus,
        endpoint: form.dataset.endpoint,
        body,
        name,
        visibility: String(given.get("visibility")),
        token: String(given.get("csrfmiddlewaretoken")),
        secret,
        print,
      },
      progress,
    );
    const key = await sending.run();
    location.assign(form.dataset.report.replace("KEY", key).replace("SECRET", secret));
  } catch (error) {
    busy(false);
    say(error.message || words.failed, "error");
  }
  return undefined;
}

/** A secret of who has no account; the same for what goes on after a reload. */
function secretFor(print) {
  const kept = sessionStorage.getItem(print);
  const letters = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0"));
  const secret = kept ?? letters.join("");
  try {
    sessionStorage.setItem(print, secret);
  } catch {
    // Too long, or forbidden: then what breaks off and is reloaded cannot be taken back.
  }
  return secret;
}

function progress(kind, share) {
  bar.value = share;
  chosen.sent(share);
  pause.textContent = kind === "paused" ? words.resume : words.pause;
  const state = { going: words.sending, broken: words.broken, paused: words.paused }[kind];
  say(`${state} ${Math.floor(100 * share)} %`);
}

/** While it is sent nothing else can be chosen. */
function busy(is) {
  bar.hidden = !is;
  pause.hidden = !is;
  send.disabled = is;
  for (const field of form.querySelectorAll("input[type=file], textarea, [data-clear]")) {
    field.toggleAttribute("disabled", is);
  }
  if (!is) {
    sending = null;
    chosen.sent(null);
  }
}

for (const input of /** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll("input[type=file]"))) {
  input.addEventListener("change", () => {
    chosen.add(named(input.files));
    input.value = ""; // chosen again after it was removed, it is a change
  });
}
text.addEventListener("input", () => say(tooMuch() ? form.dataset.tooLarge : "", "error"));
pause.addEventListener("click", () => (sending?.paused ? sending.resume() : sending?.pause()));
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
  if (!sending) chosen.add(await dropped(event.dataTransfer));
});
document.addEventListener("paste", (event) => {
  if (sending) return;
  if (event.clipboardData.files.length > 0) {
    event.preventDefault();
    chosen.add(named(event.clipboardData.files));
  } else if (event.target !== text) {
    event.preventDefault();
    text.value += event.clipboardData.getData("text/plain");
    text.focus();
  }
});
form.addEventListener("submit", (event) => {
  event.preventDefault();
  start();
});

const earlier = /** @type {HTMLElement} */ (document.querySelector("[data-sent]"));
earlier.hidden = sent().length === 0;
earlier.querySelector("ul").replaceChildren(
  ...sent().map(({ key, secret, when, title }) => {
    const href = earlier.dataset.sent.replace("KEY", key).replace("SECRET", secret);
    return element("li", {}, element("a", { href }, title || words.untitled), " ", element("small", {}, minute(when)));
  }),
);
