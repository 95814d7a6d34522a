/** On the page of one's own games: adds to the account what was sent from this browser without one. */

import { element } from "../replay/elements.js";
import { minute } from "../times.js";
import { claim, follow } from "./claiming.js";
import { sent } from "./sent.js";

const form = /** @type {HTMLFormElement} */ (document.querySelector("[data-claims]"));
const message = /** @type {HTMLElement} */ (document.querySelector("[data-claimed]"));
const button = form.querySelector("button");
const { claims, mine } = form.dataset;

function list() {
  const uploads = sent();
  form.hidden = uploads.length === 0;
  form.querySelector("ul").replaceChildren(
    ...uploads.map(({ key, secret, when, title }) => {
      const box = element("input", { type: "checkbox", name: "upload", value: key, checked: "" });
      const href = mine.replace("KEY", key).replace("SECRET", secret);
      const link = element("a", { href }, title || form.dataset.untitled);
      return element("li", {}, element("label", {}, box, ` ${minute(when)}`), " ", link);
    }),
  );
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const chosen = new FormData(form).getAll("upload");
  button.disabled = true;
  const outcomes = [];
  for (const upload of sent().filter(({ key }) => chosen.includes(key))) outcomes.push(await claim(claims, upload));
  button.disabled = false;
  list();
  message.textContent = form.dataset[["failed", "gone"].find((one) => outcomes.includes(one)) ?? "added"];
  message.hidden = chosen.length === 0;
  if (!outcomes.length || outcomes.some((outcome) => outcome !== "added")) return;
  const followed = await Promise.all(chosen.map((key) => follow(claims, key)));
  if (followed.every(Boolean)) location.reload();
});

list();
