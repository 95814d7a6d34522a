/** The running totals over the deals as lines; each deal is a link to its first step. */
import { svg } from "./elements.js";
import { brief } from "./progress.js";
import { sum } from "./sums.js";

const HEIGHT = 190;
const MONTH = 17; // pixels that the number of a month takes
const EDGE = { top: 12, bottom: 24, left: 58, right: 96 };
const stroke = (d) => svg("path", { d, class: "stroke" });
/** A shape a seat, so that lines are told apart without their colours too. */
const MARKS = [
  (x, y) => svg("circle", { cx: x, cy: y, r: 4 }),
  (x, y) => svg("rect", { x: x - 3.6, y: y - 3.6, width: 7.2, height: 7.2 }),
  (x, y) => svg("path", { d: `M${x} ${y - 5}L${x + 5} ${y + 4}H${x - 5}Z` }),
  (x, y) => svg("path", { d: `M${x} ${y - 5.4}L${x + 5.4} ${y}L${x} ${y + 5.4}L${x - 5.4} ${y}Z` }),
  (x, y) => stroke(`M${x - 4} ${y - 4}L${x + 4} ${y + 4}M${x + 4} ${y - 4}L${x - 4} ${y + 4}`),
  (x, y) => stroke(`M${x - 5} ${y}H${x + 5}M${x} ${y - 5}V${y + 5}`),
  (x, y) => svg("path", { d: `M${x} ${y + 5}L${x + 5} ${y - 4}H${x - 5}Z` }),
];

/** The totals after each deal, from those before the first: one list a seat. */
export function lines(deals, seats) {
  return Array.from({ length: seats }, (_, seat) => [
    deals[0].before[seat],
    ...deals.map((deal) => deal.totals[seat]),
  ]);
}

/** Labels' heights, moved apart so that none covers another; within `low` to `high`. */
export function apart(heights, space, low, high) {
  const order = heights.map((_, i) => i).sort((a, b) => heights[a] - heights[b]);
  const placed = [...heights];
  let least = low;
  for (const i of order) least = (placed[i] = Math.max(placed[i], least)) + space;
  let most = high;
  for (const i of order.toReversed()) most = (placed[i] = Math.min(placed[i], most)) - space;
  return placed;
}

/** Round values between the ends of a scale. */
function ticks(low, high) {
  const rough = (high - low) / 4 || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const size = Math.max(1, [1, 2, 5, 10].map((one) => one * power).find((one) => one >= rough));
  const from = Math.ceil(low / size);
  return Array.from({ length: Math.floor(high / size) - from + 1 }, (_, i) => (from + i) * size);
}

/** The chart in `place`, so many pixels high; `address` gives a position's link. */
export class Chart {
  constructor(place, data, address, height = HEIGHT) {
    this.height = height;
    this.place = place;
    this.data = data;
    this.address = address;
    this.shown = "";
    this.lines = lines(data.deals, data.players.length);
  }

  /** Draws all deals, or with `hidden` only those up to this position; marks the deal. */
  show({ deal, step }, hidden) {
    const over = step === this.data.deals[deal - 1].steps.length - 1 ? deal : deal - 1;
    const known = hidden ? over : this.data.deals.length;
    const width = this.place.clientWidth;
    if (width === 0) return;
    const count = hidden ? deal : this.data.deals.length;
    const shown = `${known} ${count} ${width}`;
    if (shown !== this.shown) {
      this.shown = shown;
      this.place.replaceChildren(this.draw(known, count, width));
    }
    for (const link of this.place.querySelectorAll("[data-at]")) {
      const here = link.dataset.at === `${deal}.0`;
      link.setAttribute("tabindex", here ? "0" : "-1"); // as in the strip of deals
      if (here) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
  }

  draw(known, count, width) {
    const { players, units } = this.data;
    const deals = this.data.deals.slice(0, count);
    const [inner, high] = [width - EDGE.left - EDGE.right, this.height - EDGE.bottom];
    const values = this.lines.flatMap((line) => line.slice(0, known + 1));
    const scale = units ? 12 : 1;
    const [low, top] = [Math.min(0, ...values) / scale, Math.max(1, ...values) / scale];
    const x = (i) => EDGE.left + (inner * i) / deals.length;
    const y = (value) => EDGE.top + ((high - EDGE.top) * (top - value / scale)) / (top - low);
    const size = { viewBox: `0 0 ${width} ${this.height}`, width, height: this.height };
    const chart = svg("svg", { ...size, role: "group" });
    for (const value of ticks(low, top)) {
      const at = y(value * scale);
      const d = `M${EDGE.left} ${at}H${width - EDGE.right}`;
      const place = { x: EDGE.left - 6, y: at + 4, "text-anchor": "end" };
      chart.append(
        svg("path", { class: value === 0 ? "zero" : "grid", d }),
        svg("text", place, sum(value * scale, units)),
      );
    }
    const wide = inner / deals.length;
    deals.forEach((deal, i) => chart.append(this.band(deal, i, x, i < known, wide)));
    const ends = this.lines.map((line) => y(line[known]));
    const names = apart(ends, 15, EDGE.top + 4, high);
    this.lines.forEach((line, seat) => {
      const points = line.slice(0, known + 1).map((value, i) => [x(i), y(value)]);
      chart.append(
        svg(
          "g",
          { class: `line seat-${seat + 1}`, "aria-hidden": "true" },
          svg("polyline", { points: points.map((point) => point.join()).join(" ") }),
          ...points.map(([px, py]) => MARKS[seat % MARKS.length](px, py)),
          MARKS[seat % MARKS.length](x(known) + 12, names[seat]),
          svg("text", { x: x(known) + 20, y: names[seat] + 4 }, cut(players[seat])),
        ),
      );
    });
    return chart;
  }

  /** A deal's part of the chart: a link, with what was scored as its name. */
  band(deal, i, x, known, width) {
    const scores = known && deal.scores.length ? `: ${deal.scores.join(", ")}` : "";
    const label = `${deal.title}${scores}`;
    const at = { deal: i + 1, step: 0 };
    const number = width < MONTH && i % 2 ? "" : deal.month; // every other one, where they touch
    return svg(
      "a",
      { href: this.address(at), "data-at": `${at.deal}.0`, "aria-label": label },
      svg("title", {}, label),
      svg("rect", { x: x(i), y: EDGE.top - 8, width, height: this.height - EDGE.top + 6 }),
      svg("text", { x: x(i) + width / 2, y: this.height - 6, "text-anchor": "middle" }, number),
    );
  }
}

const cut = (name) => (brief(name).length > 11 ? `${[...name].slice(0, 10).join("")}…` : name);
