// @ts-check
/**
 * The analysis below a replay: links to steps of the replay, marks its costly choices, and shows the
 * values of the next choice beside the table.
 */
import { Analysis, collectCostlyChoices } from "./analysis.js";
import { Review } from "./review.js";

const replay = /** @type {any} */ (document.querySelector("kafu-replay[hash]"));

/** Lets a click on a month of the curve lead to the step below the pointer. */
function listenToCurve(part) {
  for (const link of part.querySelectorAll("[data-steps]")) {
    link.addEventListener("click", ({ clientX, detail }) => {
      if (!detail) return; // a key
      const { left, width } = link.getBoundingClientRect();
      const step = Math.floor((Number(link.dataset.steps) * (clientX - left)) / Math.max(width, 1));
      link.setAttribute("href", `#${link.dataset.to.split(".")[0]}.${step}`);
    });
  }
}

new Analysis(document.querySelector("[data-analysis]"), (part) => {
  for (const link of part.querySelectorAll("[data-to]")) link.setAttribute("href", `#${link.dataset.to}`);
  listenToCurve(part);
  const choices = collectCostlyChoices(part);
  if (choices.length > 0) replay.costly = choices;
  const panel = part.querySelector("[data-review-panel]");
  if (!panel) return;
  const review = new Review(replay, panel, part.querySelectorAll("[data-before]"));
  review.report = part.report ?? null; // of an analysis on this device, which the API lacks
  review.start();
}).start();
