// @ts-check
/** The analysis below a replay: links to steps of the replay and marks its costly choices. */
import { Analysis, collectCostlyChoices } from "./analysis.js";

const replay = /** @type {any} */ (document.querySelector("kafu-replay[hash]"));

new Analysis(document.querySelector("[data-analysis]"), (part) => {
  for (const link of part.querySelectorAll("[data-to]")) link.setAttribute("href", `#${link.dataset.to}`);
  const choices = collectCostlyChoices(part);
  if (choices.length > 0) replay.costly = choices;
}).start();
