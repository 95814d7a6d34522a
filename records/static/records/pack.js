// @ts-check
/**
 * The switches of the card page: marks and the colour of the back. The address takes precedence over
 * the settings of the replay player; a change updates both.
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

function storeSwitches() {
  for (const box of marks) settings.set(box.value, box.checked);
  const black = back.value === "black";
  settings.set("black", black);
  const address = new URL(location.href);
  address.search = "";
  const checkedMarks = [...marks].filter((box) => box.checked).map((box) => box.value);
  if (checkedMarks.length) address.searchParams.set("marks", checkedMarks.join(","));
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
  storeSwitches();
});
