/** Below a replay: the analysis of its game, whose links lead to steps of it, and which marks them. */
import { Analysis, costlyIn } from "./analysis.js";

const replay = /** @type {any} */ (document.querySelector("kafu-replay[hash]"));

new Analysis(document.querySelector("[data-analysis]"), (part) => {
  for (const link of part.querySelectorAll("[data-to]")) link.setAttribute("href", `#${link.dataset.to}`);
  const costly = costlyIn(part);
  if (costly.length > 0) replay.costly = costly;
}).start();
