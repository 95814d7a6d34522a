/* A chart of a statistics page. Without this script its table alone is there.
 *
 *   <hana-chart tabindex="0" role="group" aria-label="Chart: the dealer's advantage"
 *     src="/api/v1/statistics/seats?ruleset=koikoi&format=vega-lite"
 *     library="/static/records/vendor/vega.0123456789ab.js" data-failed="The chart could not be loaded.">
 *     <svg height="320" aria-hidden="true"></svg>  (keeps the room until the chart is drawn)
 *     <svg class="tall" height="420" aria-hidden="true"></svg>  (the same on a phone)
 *   </hana-chart>
 *
 * `src` answers a Vega-Lite specification with its data. The library is fetched when the first chart
 * comes into view. Colours are the page's own custom properties and the palette of Okabe and Ito,
 * which the colour-blind can tell apart. Values are shown for the pointer, and for the arrow keys
 * when the chart has the focus. Where the room on a phone is taller, names stand above their marks.
 */

import { fetchWithRetry } from "./retry.js";

const DARK = matchMedia("(prefers-color-scheme: dark)");
/* Of the eight those that stand out from the paper, in light and in dark; the last two for lack of others. */
const PALETTE = {
  light: ["#0072b2", "#d55e00", "#009e73", "#a8487f", "#b37700", "#2b89bd"],
  dark: ["#56b4e9", "#e69f00", "#00b88a", "#cc79a7", "#f0e442", "#3b9fe0"],
};
/* What specifications call their colours, and the place of each in the palette. */
const COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"];
/* How near a chart is to the window, in px, when it is drawn. */
const NEAR = 300;
const NARROW = 520;
/* As in statistics.css. */
const PHONE = matchMedia("(max-width: 34rem)");
/* Names in a row of their own, above the marks, as wide as the plot, in front of its lines. */
const ABOVE = { labelAlign: "left", labelPadding: -3, ticks: false, zindex: 1 };
/* The height of a tick beneath a name. */
const LOW = 11;

let library;
const load = (address) => (library ??= import(address).catch((error) => {
  library = undefined;  // the next chart tries again
  throw error;
}));

const merge = (one, other) => {
  const merged = { ...one };
  for (const [name, value] of Object.entries(other)) {
    const both = value && typeof value === "object" && !Array.isArray(value);
    merged[name] = both ? merge(merged[name] ?? {}, value) : value;
  }
  return merged;
};

const palette = () => PALETTE[DARK.matches ? "dark" : "light"];

/* A specification in the colours of the page, and without widths that were meant for a wide one. */
function dressed(part) {
  if (Array.isArray(part)) return part.map(dressed);
  if (typeof part === "string") return palette()[COLOURS.indexOf(part.toLowerCase())] ?? part;
  if (!part || typeof part !== "object") return part;
  const kept = Object.entries(part).filter(([name]) => name !== "labelLimit");
  return Object.fromEntries(kept.map(([name, value]) => [name, name === "data" ? value : dressed(value)]));
}

/* What the page looks like, as Vega's configuration. */
function look(width) {
  const style = getComputedStyle(document.documentElement);
  const [ink, soft, line, sans] = ["--ink", "--soft", "--line", "--sans"].map((one) => style.getPropertyValue(one).trim());
  const size = parseFloat(style.fontSize);
  const category = palette();
  const mark = { color: category[0] };
  const text = { labelColor: ink, titleColor: soft, labelFontSize: 0.8 * size, titleFontSize: 0.8 * size, titleFontWeight: "normal" };
  return {
    background: null,
    padding: { left: 0, top: 5, right: 14, bottom: 0 },
    font: sans,
    view: { stroke: null },
    axis: { ...text, domainColor: soft, tickColor: soft, gridColor: line, labelLimit: Math.max(90, width * 0.38), labelOverlap: true },
    axisQuantitative: { tickCount: Math.max(3, Math.round(width / 130)) },
    legend: { ...text, orient: "top", columns: width < NARROW ? 2 : 0, labelLimit: width * 0.8, symbolType: "square" },
    header: text,
    title: { color: ink, fontSize: size, font: sans },
    range: { category },
    mark,
    bar: mark, line: mark, point: { ...mark, filled: true }, area: mark,
    rule: { color: ink }, tick: { color: ink, size: 18 }, errorbar: { color: ink, ticks: true, rule: { color: ink } },
    text: { color: ink, fontSize: 0.8 * size },
  };
}

/* Everything drawn that has a value to show, with the corners of its box on the plot. */
function shown(group, x, y, found = []) {
  for (const mark of group.items ?? []) {
    for (const item of mark.items ?? []) {
      if (item.tooltip && item.bounds) {
        const { x1, x2, y1, y2 } = item.bounds;
        found.push({ tooltip: item.tooltip, left: x + x1, top: y + y1, width: x2 - x1, height: y2 - y1 });
      }
      if (mark.marktype === "group") shown(item, x + (item.x ?? 0), y + (item.y ?? 0), found);
    }
  }
  return found;
}

class HanaChart extends HTMLElement {
  connectedCallback() {
    if (this.sight) return;
    this.rooms = [...this.children].map((one) => Number(one.getAttribute("height")));
    this.keepRoom();
    this.sight = new IntersectionObserver((seen) => {
      if (!seen.some((one) => one.isIntersecting)) return;
      this.sight.disconnect();
      this.start();
    }, { rootMargin: `${NEAR}px` });
    this.sight.observe(this);
  }

  /* The room that the chart takes: it is taller on a phone, if its names are long. */
  keepRoom() {
    this.style.minHeight = `${this.rooms[PHONE.matches ? 1 : 0]}px`;
  }

  async start() {
    this.setAttribute("aria-busy", "true");
    try {
      const [answer, { vegaEmbed }] = await Promise.all([fetchWithRetry(this.getAttribute("src")), load(this.getAttribute("library"))]);
      if (!answer.ok) throw new Error(`status ${answer.status}`);
      this.spec = await answer.json();
      this.embed = vegaEmbed;
      await this.draw();
    } catch (error) {
      this.fail(error);
      return;
    } finally {
      this.removeAttribute("aria-busy");
    }
    DARK.addEventListener("change", () => this.draw());
    new ResizeObserver(() => {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.clientWidth !== this.drawn && this.draw(), 100);
    }).observe(this);
    this.addEventListener("keydown", (event) => this.key(event));
    this.addEventListener("blur", () => this.point());
  }

  fail(error) {
    console.warn("chart", error.message);
    const told = document.createElement("p");
    told.className = "chart-failed";
    told.textContent = this.dataset.failed;
    this.replaceChildren(told);
    this.removeAttribute("tabindex");
    this.style.minHeight = "";
  }

  async draw() {
    const width = this.drawn = this.clientWidth;
    if (!width) return;  // folded away: drawn when it has a width again
    // The page has the title, and the names down the side say what they are.
    const { title, ...spec } = dressed(this.spec);
    const { y } = spec.encoding ?? {};
    if (y?.type === "nominal") spec.encoding.y = { ...y, title: null };
    // A plot of a height of its own gives of it to the axes, one of steps grows by them.
    const { step } = spec.height ?? {};
    if (step && y) {
      const rows = new Set(spec.data.values.map((row) => row[y.field])).size;
      const above = PHONE.matches ? (this.rooms[1] - this.rooms[0]) / rows : 0;
      spec.height = (step + above) * rows;
      if (above) spec.encoding.y.axis = { ...y.axis, ...ABOVE, labelOffset: 1 - above, labelLimit: width };
    }
    this.keepRoom();
    spec.width = width;
    spec.autosize = { type: step ? "fit-x" : "fit", contains: "padding" };
    spec.config = merge(spec.config ?? {}, look(width));
    if (spec.encoding?.y?.axis?.labelAlign) spec.config.tick.size = LOW;
    const plot = document.createElement("div");
    plot.className = "plot";
    plot.ariaHidden = "true";  // its values are told by the keys, and in the table
    this.replaceChildren(plot);
    const { view } = await this.embed(plot, spec, {
      mode: "vega-lite", renderer: "svg", ast: true, actions: false, defaultStyle: false,
      logLevel: 1,  // errors: that there is no interval among few games is no news
      tooltip: (_, event, item, value) => this.tell(value, event),
    });
    this.view?.finalize();
    this.view = view;
    this.chosen = -1;
    this.tip = document.createElement("div");
    this.tip.className = "chart-tip";
    this.tip.hidden = true;
    this.tip.setAttribute("role", "status");
    this.ring = document.createElement("div");
    this.ring.className = "chart-ring";
    this.ring.hidden = true;
    this.append(this.ring, this.tip);
    this.dataset.drawn = "";
  }

  /* The values of a mark beside the pointer; nothing for none. */
  tell(value, event) {
    if (!event) return;  // the plot is new
    const here = this.getBoundingClientRect();
    this.ring.hidden = true;
    this.chosen = -1;
    this.say(value, event.clientX - here.left, event.clientY - here.top);
  }

  say(value, x, y) {
    this.tip.hidden = !value;
    if (!value) return;
    const pairs = typeof value === "object" ? Object.entries(value) : [["", value]];
    this.tip.replaceChildren(...pairs.map(([name, said]) => {
      const line = document.createElement("div");
      const label = document.createElement("span");
      label.textContent = name;
      const figure = document.createElement("b");
      figure.textContent = said;
      line.append(label, " ", figure);
      return line;
    }));
    const left = x + this.tip.offsetWidth + 16 > this.clientWidth ? x - this.tip.offsetWidth - 12 : x + 12;
    this.tip.style.left = `${Math.max(0, left)}px`;
    this.tip.style.top = `${Math.max(0, y - this.tip.offsetHeight - 8)}px`;
  }

  /* Arrow keys go from mark to mark, each value once; Escape puts it away. */
  key(event) {
    const steps = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, Home: -Infinity, End: Infinity };
    if (event.key === "Escape") return this.point();
    if (!(event.key in steps) || event.ctrlKey || event.metaKey || event.altKey) return;
    const [x, y] = this.view.origin();
    const marks = new Map(shown(this.view.scenegraph().root.items[0], x, y).map((one) => [JSON.stringify(one.tooltip), one]));
    const all = [...marks.values()].sort((one, other) => one.left - other.left || one.top - other.top);
    if (!all.length) return;
    event.preventDefault();
    const next = (this.chosen ?? -1) + steps[event.key];
    this.chosen = Math.min(all.length - 1, Math.max(0, next));
    this.point(all[this.chosen]);
  }

  point(one) {
    if (!one) {
      this.chosen = -1;
      if (this.tip) this.tip.hidden = this.ring.hidden = true;
      return;
    }
    const plot = this.querySelector("svg").getBoundingClientRect();
    const here = this.getBoundingClientRect();
    const [x, y] = [plot.left - here.left, plot.top - here.top];
    this.ring.hidden = false;
    for (const side of ["left", "top"]) this.ring.style[side] = `${one[side] + (side === "left" ? x : y) - 3}px`;
    for (const side of ["width", "height"]) this.ring.style[side] = `${one[side] + 6}px`;
    this.say(one.tooltip, x + one.left + one.width, y + one.top);
  }
}

customElements.define("hana-chart", HanaChart);
