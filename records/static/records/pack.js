/**
 * The switches of the page of cards: marks and the colour of the back. What the address says goes
 * first; without it the cards are as the reader has them in replays, and a choice holds there too.
 */
import { Settings } from "./replay/settings.js";

const pack = document.querySelector("[data-pack]");
const form = /** @type {HTMLFormElement} */ (document.querySelector("[data-switches]"));
/** @type {NodeListOf<HTMLInputElement>} */
const marks = form.querySelectorAll("[name=marks]");
const back = /** @type {RadioNodeList} */ (form.elements.namedItem("back"));
const settings = new Settings(true);

function show() {
  for (const box of marks) pack.classList.toggle(`show-${box.value}`, box.checked);
  pack.classList.toggle("back-black", back.value === "black");
}

function keep() {
  for (const box of marks) settings.set(box.value, box.checked);
  const black = back.value === "black";
  settings.set("black", black);
  const address = new URL(location.href);
  address.search = "";
  const chosen = [...marks].filter((box) => box.checked).map((box) => box.value);
  if (chosen.length) address.searchParams.set("marks", chosen.join(","));
  if (black) address.searchParams.set("back", "black");
  history.replaceState(null, "", address);
}

if (!location.search) {
  for (const box of marks) box.checked = settings.get(box.value);
  back.value = settings.get("black") ? "black" : "red";
}
show();
form.addEventListener("change", () => {
  show();
  keep();
});
