// @ts-check
/**
 * The comments of a game: shows, adds, reports and removes comments at the displayed step. With hidden
 * results, shows no links to later steps.
 */

import { csrf } from "../retry.js";
import { element } from "../replay/elements.js";
import { parse } from "../replay/position.js";
import { hidesSpoilers } from "../replay/settings.js";

const root = /** @type {HTMLElement} */ (document.querySelector("[data-discussion]"));
const player = /** @type {any} */ (document.querySelector("kafu-replay"));
const find = (name) => /** @type {any} */ (root.querySelector(`[data-${name}]`));
const words = Object.fromEntries(
  [...root.querySelectorAll("[data-word]")].map((/** @type {HTMLElement} */ text) => [text.dataset.word, text.textContent]),
);
const language = document.documentElement.lang;
const day = language === "en" ? "en-GB" : language; // the server's pages write the day first too

let comments = [];
let at = "";

/** Returns the content of a response. Throws an Error with the detail of a problem. */
async function request(address, method = "GET", fields = null) {
  const contentType = fields && { "Content-Type": "application/json" };
  const headers = { Accept: "application/json", ...csrf(), ...contentType };
  const options = fields ? { method, headers, body: JSON.stringify(fields) } : { method, headers };
  const response = await fetch(address, options).catch(() => null);
  if (response?.status === 204) return {};
  const content = await response?.json().catch(() => null);
  if (response?.ok && content) return content;
  throw new Error(content?.detail ?? words.failed);
}

/** Loads all comments; the server limits their number per game. */
async function load() {
  let query = `?lang=${language}&page_size=200`;
  const results = [];
  while (query) {
    const page = await request(`${root.dataset.address}${query}`);
    results.push(...page.results);
    query = page.next ? new URL(page.next).search : "";
  }
  comments = results;
}

const stepOrder = (position) => {
  const { deal, step } = parse(position) ?? { deal: 0, step: 0 };
  return deal * 100_000 + step;
};

function show() {
  find("at").textContent = at;
  const current = comments.filter((comment) => comment.at === at);
  find("list").replaceChildren(...current.map((comment) => createItem(comment)));
  find("none").hidden = current.length > 0;
  const otherSteps = [...new Set(comments.map((comment) => comment.at))]
    .filter((step) => step !== at && (!hidesSpoilers() || stepOrder(step) < stepOrder(at)))
    .sort((a, b) => stepOrder(a) - stepOrder(b));
  find("others").hidden = otherSteps.length === 0;
  find("steps").replaceChildren(...otherSteps.flatMap((step) => [element("a", { href: `#${step}` }, step), " "]));
}

function createItem(comment) {
  const head = element("div", { class: "by" }, element("bdi", {}, comment.author), " ");
  const when = new Date(comment.created);
  head.append(element("time", { datetime: comment.created }, when.toLocaleDateString(day, { dateStyle: "long" })), " ");
  if (comment.own) head.append(createButton(words.remove, () => remove(comment)));
  else if (root.dataset.known) head.append(createButton(words.report, (button) => report(comment, button)));
  return element("li", { id: `comment-${comment.key}` }, head, element("p", { class: "text" }, comment.text));
}

function createButton(label, act) {
  const button = element("button", { type: "button", class: "second" }, label);
  button.addEventListener("click", () => runTask(() => act(button)));
  return button;
}

async function remove(comment) {
  await request(address(comment), "DELETE");
  comments = comments.filter((remaining) => remaining !== comment);
  show();
  say(words.removed);
}

async function report(comment, button) {
  await request(`${address(comment)}/reports`, "POST", {});
  button.disabled = true;
  say(words.reported);
}

const address = (comment) => `${root.dataset.comment}${comment.key}`;

/** Runs a task and shows the message of its error. */
async function runTask(task) {
  say("");
  try {
    await task();
  } catch (error) {
    say(error.message);
  }
}

function say(text) {
  find("status").textContent = text;
}

document.addEventListener("kafu-step", (event) => {
  at = /** @type {CustomEvent} */ (event).detail;
  show();
});
find("form")?.addEventListener("submit", (event) => {
  event.preventDefault();
  const field = event.target.elements.namedItem("text");
  runTask(async () => {
    const comment = await request(`${root.dataset.address}?lang=${language}`, "POST", { at, text: field.value });
    comments.push(comment);
    field.value = "";
    show();
  });
});

/** Shows the comment in the hash of the address: opens its step and its tab. */
function showLinkedComment(hash) {
  const comment = comments.find(({ key }) => hash === `#comment-${key}`);
  if (!comment) return;
  player.position = comment.at;
  at = comment.at;
  show();
  root.closest("details").open = true;
  document.getElementById(`comment-${comment.key}`).scrollIntoView({ block: "center" });
}

window.addEventListener("hashchange", () => showLinkedComment(location.hash));
await runTask(load);
at = player.position || at;
show();
root.hidden = false;
if (!player.position) await new Promise((resolve) => player.addEventListener("kafu-step", resolve, { once: true }));
showLinkedComment(location.hash);
