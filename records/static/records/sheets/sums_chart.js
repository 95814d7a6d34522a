// @ts-check
/** Draws the running sums of a saved score sheet, with the chart and the styles of the player. */
import { Chart } from "../replay/chart.js";
import { element } from "../replay/elements.js";

/** @type {HTMLElement} */
const place = document.querySelector("[data-sums]");
const data = JSON.parse(document.getElementById("sums").textContent);
const plot = element("div", { class: "plot" });
const styles = element("link", { rel: "stylesheet", href: place.dataset.styles });
place.attachShadow({ mode: "open" }).append(styles, plot);
const chart = new Chart(plot, data, data.words, ({ deal }) => `#month-${deal}`);
new ResizeObserver(() => chart.show({ deal: data.deals.length, step: 1 }, false)).observe(plot);
