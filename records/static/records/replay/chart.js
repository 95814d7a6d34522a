/**
 * The running totals over the deals and the settlement as lines; each deal is a link to its first
 * step, the settlement to the last one.
 */
import { svg } from "./elements.js";
import { format } from "./position.js";
import { brief } from "./progress.js";
import { sum, sumsAt } from "./sums.js";

const HEIGHT = 190;
const MONTH = 17; // pixels that the number of a month takes
const WIDEST = 120; // pixels of a deal: few deals make a narrow chart
const EDGE = { top: 12, bottom: 24, right: 96 };
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

/** The totals before the first deal, after each deal and after the settlement: one list a seat. */
export function lines({ deals, players, settlement }) {
  const last = deals.at(-1);
  const final = settlement.length ? [sumsAt({ deals, settlement }, last, last.steps.at(-1))] : [];
  return players.map((_, seat) =>
    [deals[0].before, ...deals.map((deal) => deal.totals), ...final].map((sums) => sums[seat]),
  );
}

/** The deals whose month has its number below: the first of each, `width` pixels a deal. */
export function numbered(deals, width) {
  let next = 0;
  return deals.map((deal, i) => {
    const shown = deal.month !== deals[i - 1]?.month && i * width >= next;
    if (shown) next = i * width + MONTH;
    return shown;
  });
}

/** The pixels that a label takes, at most. */
const widthOf = (text) => [...text].reduce((all, letter) => all + (letter > "\u2e7f" ? 12 : 7.5), 0);

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
  constructor(place, data, words, address, height = HEIGHT) {
    this.height = height;
    this.place = place;
    this.data = data;
    this.words = words;
    this.address = address;
    this.shown = "";
    this.lines = lines(data);
    this.end = { deal: data.deals.length, step: data.deals.at(-1).steps.length - 1 };
  }

  /** Draws all deals, or with `hidden` only those up to this position; marks the deal. */
  show({ deal, step }, hidden) {
    const over = step === this.data.deals[deal - 1].steps.length - 1;
    const ended = over && deal === this.end.deal;
    const all = this.lines[0].length - 1;
    const known = !hidden || ended ? all : over ? deal : deal - 1;
    const width = this.place.clientWidth;
    if (width === 0) return;
    const count = !hidden || ended ? all : deal;
    const shown = `${known} ${count} ${width}`;
    if (shown !== this.shown) {
      this.shown = shown;
      this.place.replaceChildren(this.draw(known, count, width));
    }
    const at = ended && all > deal ? format(this.end) : `${deal}.0`;
    for (const link of this.place.querySelectorAll("[data-at]")) {
      const here = link.dataset.at === at;
      link.setAttribute("tabindex", here ? "0" : "-1"); // as in the strip of deals
      if (here) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
  }

  draw(known, count, room) {
    const { players, units } = this.data;
    const deals = this.data.deals.slice(0, count);
    const values = this.lines.flatMap((line) => line.slice(0, known + 1));
    const scale = units ? 12 : 1;
    const [low, top] = [Math.min(0, ...values) / scale, Math.max(1, ...values) / scale];
    const marks = ticks(low, top).map((value) => [value * scale, sum(value * scale, units)]);
    const left = 10 + Math.max(...marks.map(([, label]) => widthOf(label)));
    const width = Math.min(room, left + EDGE.right + count * WIDEST);
    const [inner, high] = [width - left - EDGE.right, this.height - EDGE.bottom];
    const x = (i) => left + (inner * i) / count;
    const y = (value) => EDGE.top + ((high - EDGE.top) * (top - value / scale)) / (top - low);
    const size = { viewBox: `0 0 ${width} ${this.height}`, width, height: this.height };
    const chart = svg("svg", { ...size, role: "group" });
    for (const [value, label] of marks) {
      const d = `M${left} ${y(value)}H${width - EDGE.right}`;
      const place = { x: left - 6, y: y(value) + 4, "text-anchor": "end" };
      chart.append(
        svg("path", { class: value === 0 ? "zero" : "grid", d }),
        svg("text", place, label),
      );
    }
    const wide = inner / count;
    const shown = numbered(deals, wide);
    deals.forEach((deal, i) => {
      const scores = i < known && deal.scores.length ? `: ${deal.scores.join(", ")}` : "";
      const number = shown[i] ? `${deal.month}` : "";
      chart.append(this.band({ deal: i + 1, step: 0 }, `${deal.title}${scores}`, number, x(i), wide));
    });
    if (count > deals.length) {
      const { settlement } = this.words;
      chart.append(this.band(this.end, settlement, settlement, x(deals.length), wide));
    }
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

  /** A part of the chart: a link to a position, `label` its name, `text` below it. */
  band(at, label, text, x, width) {
    // A text wider than its part of the chart runs on to the right, where nothing is below the names.
    const middle = x + Math.max(width, widthOf(text)) / 2;
    return svg(
      "a",
      { href: this.address(at), "data-at": format(at), "aria-label": label },
      svg("title", {}, label),
      svg("rect", { x, y: EDGE.top - 8, width, height: this.height - EDGE.top + 6 }),
      svg("text", { x: middle, y: this.height - 6, "text-anchor": "middle" }, text),
    );
  }
}

const cut = (name) => (brief(name).length > 11 ? `${[...name].slice(0, 10).join("")}…` : name);
