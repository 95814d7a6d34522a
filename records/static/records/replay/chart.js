// @ts-check
/**
 * The chart of the running totals: a line per player over the deals and the settlement. Each deal is a
 * link to its first step, the settlement a link to the last step.
 */
import { svg } from "./elements.js";
import { format } from "./position.js";
import { shortenName } from "./progress.js";
import { formatSum, sumsAt } from "./sums.js";

const HEIGHT = 190;
const MONTH = 17; // pixels for the number of a month
const WIDEST = 120; // pixels per deal at most
const EDGE = { top: 12, bottom: 24, right: 96 };
const stroke = (d) => svg("path", { d, class: "stroke" });
/** One shape per seat, which distinguishes the lines without colours. */
const MARKS = [
  (x, y) => svg("circle", { cx: x, cy: y, r: 4 }),
  (x, y) => svg("rect", { x: x - 3.6, y: y - 3.6, width: 7.2, height: 7.2 }),
  (x, y) => svg("path", { d: `M${x} ${y - 5}L${x + 5} ${y + 4}H${x - 5}Z` }),
  (x, y) => svg("path", { d: `M${x} ${y - 5.4}L${x + 5.4} ${y}L${x} ${y + 5.4}L${x - 5.4} ${y}Z` }),
  (x, y) => stroke(`M${x - 4} ${y - 4}L${x + 4} ${y + 4}M${x + 4} ${y - 4}L${x - 4} ${y + 4}`),
  (x, y) => stroke(`M${x - 5} ${y}H${x + 5}M${x} ${y - 5}V${y + 5}`),
  (x, y) => svg("path", { d: `M${x} ${y + 5}L${x + 5} ${y - 4}H${x - 5}Z` }),
];

/**
 * Returns a list per seat: the totals before the first deal, after each deal and after the settlement.
 * @param {any} data
 * @returns {number[][]}
 */
export function computeLines({ deals, players, settlement }) {
  const last = deals.at(-1);
  const final = settlement.length ? [sumsAt({ deals, settlement }, last, last.steps.at(-1))] : [];
  return players.map((_, seat) =>
    [deals[0].before, ...deals.map((deal) => deal.totals), ...final].map((sums) => sums[seat]),
  );
}

/**
 * Returns for each deal whether the chart shows the month's number: at the first deal of a month, if
 * there is room. `width` is the number of pixels per deal.
 * @param {{ month: number }[]} deals
 * @param {number} width
 * @returns {boolean[]}
 */
export function selectNumberedDeals(deals, width) {
  let next = 0;
  return deals.map((deal, i) => {
    const isNumbered = deal.month !== deals[i - 1]?.month && i * width >= next;
    if (isNumbered) next = i * width + MONTH;
    return isNumbered;
  });
}

/** Returns the estimated width of a label in pixels. */
const estimateWidth = (text) => [...text].reduce((width, letter) => width + (letter > "\u2e7f" ? 12 : 7.5), 0);

/**
 * Returns the vertical positions of labels, moved apart to at least `space` within `low` and `high`.
 * @param {number[]} heights
 * @param {number} space
 * @param {number} low
 * @param {number} high
 * @returns {number[]}
 */
export function spreadLabels(heights, space, low, high) {
  const order = heights.map((_, i) => i).sort((a, b) => heights[a] - heights[b]);
  const placed = [...heights];
  let least = low;
  for (const i of order) least = (placed[i] = Math.max(placed[i], least)) + space;
  let most = high;
  for (const i of order.toReversed()) most = (placed[i] = Math.min(placed[i], most)) - space;
  return placed;
}

/** Returns round values between the ends of a scale. */
function computeTicks(low, high) {
  const rough = (high - low) / 4 || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const size = Math.max(1, [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= rough));
  const from = Math.ceil(low / size);
  return Array.from({ length: Math.floor(high / size) - from + 1 }, (_, i) => (from + i) * size);
}

/** The chart in the element `place`; `address(position)` returns the link to a position. */
export class Chart {
  constructor(place, data, words, address, height = HEIGHT) {
    this.height = height;
    this.place = place;
    this.data = data;
    this.words = words;
    this.address = address;
    this.drawn = "";
    this.lines = computeLines(data);
    this.end = { deal: data.deals.length, step: data.deals.at(-1).steps.length - 1 };
  }

  /** Draws all deals, or with `hidden` the deals up to a position, and marks the current deal. */
  show({ deal, step }, hidden) {
    const isDealOver = step === this.data.deals[deal - 1].steps.length - 1;
    const isGameOver = isDealOver && deal === this.end.deal;
    const all = this.lines[0].length - 1;
    const known = !hidden || isGameOver ? all : isDealOver ? deal : deal - 1;
    const width = this.place.clientWidth;
    if (width === 0) return;
    const count = !hidden || isGameOver ? all : deal;
    const drawing = `${known} ${count} ${width}`;
    if (drawing !== this.drawn) {
      this.drawn = drawing;
      this.place.replaceChildren(this.draw(known, count, width));
    }
    const at = isGameOver && all > deal ? format(this.end) : `${deal}.0`;
    for (const link of this.place.querySelectorAll("[data-at]")) {
      const isCurrent = link.dataset.at === at;
      link.setAttribute("tabindex", isCurrent ? "0" : "-1"); // Tab stops at the current deal only
      if (isCurrent) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
  }

  draw(known, count, room) {
    const { players, units } = this.data;
    const deals = this.data.deals.slice(0, count);
    const values = this.lines.flatMap((line) => line.slice(0, known + 1));
    const scale = units ? 12 : 1;
    const [low, top] = [Math.min(0, ...values) / scale, Math.max(1, ...values) / scale];
    const ticks = computeTicks(low, top).map((value) => [value * scale, formatSum(value * scale, units)]);
    const left = 10 + Math.max(...ticks.map(([, label]) => estimateWidth(label)));
    const width = Math.min(room, left + EDGE.right + count * WIDEST);
    const [inner, high] = [width - left - EDGE.right, this.height - EDGE.bottom];
    const x = (i) => left + (inner * i) / count;
    const y = (value) => EDGE.top + ((high - EDGE.top) * (top - value / scale)) / (top - low);
    const size = { viewBox: `0 0 ${width} ${this.height}`, width, height: this.height };
    const chart = svg("svg", { ...size, role: "group" });
    for (const [value, label] of ticks) {
      const d = `M${left} ${y(value)}H${width - EDGE.right}`;
      const place = { x: left - 6, y: y(value) + 4, "text-anchor": "end" };
      chart.append(
        svg("path", { class: value === 0 ? "zero" : "grid", d }),
        svg("text", place, label),
      );
    }
    const dealWidth = inner / count;
    const isNumbered = selectNumberedDeals(deals, dealWidth);
    deals.forEach((deal, i) => {
      const scores = i < known && deal.scores.length ? `: ${deal.scores.join(", ")}` : "";
      const number = isNumbered[i] ? `${deal.month}` : "";
      chart.append(this.drawBand({ deal: i + 1, step: 0 }, `${deal.title}${scores}`, number, x(i), dealWidth));
    });
    if (count > deals.length) {
      const { settlement } = this.words;
      chart.append(this.drawBand(this.end, settlement, settlement, x(deals.length), dealWidth));
    }
    const ends = this.lines.map((line) => y(line[known]));
    const names = spreadLabels(ends, 15, EDGE.top + 4, high);
    this.lines.forEach((line, seat) => {
      const points = line.slice(0, known + 1).map((value, i) => [x(i), y(value)]);
      chart.append(
        svg(
          "g",
          { class: `line seat-${seat + 1}`, "aria-hidden": "true" },
          svg("polyline", { points: points.map((point) => point.join()).join(" ") }),
          ...points.map(([px, py]) => MARKS[seat % MARKS.length](px, py)),
          MARKS[seat % MARKS.length](x(known) + 12, names[seat]),
          svg("text", { x: x(known) + 20, y: names[seat] + 4 }, truncate(players[seat])),
        ),
      );
    });
    return chart;
  }

  /** Returns a link to a position over a part of the chart, with the accessible name `label`. */
  drawBand(at, label, text, x, width) {
    // A text wider than the band extends to the right: the space below the names is empty. It keeps its
    // distance from the number before it.
    const middle = x + Math.max(width, estimateWidth(text) + 8) / 2;
    return svg(
      "a",
      { href: this.address(at), "data-at": format(at), "aria-label": label },
      svg("title", {}, label),
      svg("rect", { x, y: EDGE.top - 8, width, height: this.height - EDGE.top + 6 }),
      svg("text", { x: middle, y: this.height - 6, "text-anchor": "middle" }, text),
    );
  }
}

const truncate = (name) => (shortenName(name).length > 11 ? `${[...name].slice(0, 10).join("")}…` : name);
