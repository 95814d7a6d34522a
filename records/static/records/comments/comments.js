/**
 * The comments of a game at the step that the player shows, and what can be done with them. With
 * results hidden, nothing is said of steps to come.
 */

import { csrf } from "../retry.js";
import { element } from "../replay/elements.js";
import { parse } from "../replay/position.js";

const root = /** @type {HTMLElement} */ (document.querySelector("[data-discussion]"));
const player = /** @type {any} */ (document.querySelector("kafu-replay"));
const find = (name) => /** @type {any} */ (root.querySelector(`[data-${name}]`));
const words = Object.fromEntries(
  [...root.querySelectorAll("[data-word]")].map((/** @type {HTMLElement} */ one) => [one.dataset.word, one.textContent]),
);
const language = document.documentElement.lang;
const day = language === "en" ? "en-GB" : language; // as the pages write dates

let comments = [];
let at = "";

async function asked(address, method = "GET", fields = null) {
  const sent = fields && { "Content-Type": "application/json" };
  const headers = { Accept: "application/json", ...csrf(), ...sent };
  const options = fields ? { method, headers, body: JSON.stringify(fields) } : { method, headers };
  const answer = await fetch(address, options).catch(() => null);
  if (answer?.status === 204) return {};
  const told = await answer?.json().catch(() => null);
  if (answer?.ok && told) return told;
  throw new Error(told?.detail ?? words.failed);
}

/** All comments; there is a bound on how many a game has. */
async function load() {
  let query = `?lang=${language}&page_size=200`;
  const found = [];
  while (query) {
    const page = await asked(`${root.dataset.address}${query}`);
    found.push(...page.results);
    query = page.next ? new URL(page.next).search : "";
  }
  comments = found;
}

const order = (position) => {
  const { deal, step } = parse(position) ?? { deal: 0, step: 0 };
  return deal * 100_000 + step;
};

const isHiding = () => /(^|; )spoilers=hide(;|$)/.test(document.cookie);

function show() {
  find("at").textContent = at;
  const here = comments.filter((one) => one.at === at);
  find("list").replaceChildren(...here.map((one) => item(one)));
  find("none").hidden = here.length > 0;
  const others = [...new Set(comments.map((one) => one.at))]
    .filter((one) => one !== at && (!isHiding() || order(one) < order(at)))
    .sort((one, other) => order(one) - order(other));
  find("others").hidden = others.length === 0;
  find("steps").replaceChildren(...others.flatMap((one) => [element("a", { href: `#${one}` }, one), " "]));
}

function item(comment) {
  const head = element("div", { class: "by" }, element("bdi", {}, comment.author), " ");
  const when = new Date(comment.created);
  head.append(element("time", { datetime: comment.created }, when.toLocaleDateString(day, { dateStyle: "long" })), " ");
  if (comment.own) head.append(button(words.remove, () => remove(comment)));
  else if (root.dataset.known) head.append(button(words.report, (self) => report(comment, self)));
  return element("li", { id: `comment-${comment.key}` }, head, element("p", { class: "text" }, comment.text));
}

function button(label, act) {
  const made = element("button", { type: "button", class: "second" }, label);
  made.addEventListener("click", () => doing(() => act(made)));
  return made;
}

async function remove(comment) {
  await asked(address(comment), "DELETE");
  comments = comments.filter((one) => one !== comment);
  show();
  say(words.removed);
}

async function report(comment, self) {
  await asked(`${address(comment)}/reports`, "POST", {});
  self.disabled = true;
  say(words.reported);
}

const address = (comment) => `${root.dataset.comment}${comment.key}`;

async function doing(what) {
  say("");
  try {
    await what();
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
  doing(async () => {
    const made = await asked(`${root.dataset.address}?lang=${language}`, "POST", { at, text: field.value });
    comments.push(made);
    field.value = "";
    show();
  });
});

/** Shows the comment that the address names: its step, in its tab. */
function showNamed(hash) {
  const named = comments.find(({ key }) => hash === `#comment-${key}`);
  if (!named) return;
  player.position = named.at;
  at = named.at;
  show();
  root.closest("details").open = true;
  document.getElementById(`comment-${named.key}`).scrollIntoView({ block: "center" });
}

window.addEventListener("hashchange", () => showNamed(location.hash));
await doing(load);
at = player.position || at;
show();
root.hidden = false;
if (!player.position) await new Promise((resolve) => player.addEventListener("kafu-step", resolve, { once: true }));
showNamed(location.hash);
