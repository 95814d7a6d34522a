/** Buttons and scrub bar: what they ask, and how they show where the replay stands. */
import { format, fromIndex, same, toIndex, ways } from "./position.js";

function mark(kind, part) {
  const made = document.createElement("i");
  made.className = kind;
  made.style.left = `${100 * part}%`;
  return made;
}

/** The controls within `root`. `ask(name)` is told of buttons, `scrub(position)` of the bar. */
export class Controls {
  constructor(root, course, words, { ask, scrub }, signal) {
    this.course = course;
    this.words = words;
    this.ways = [...root.querySelectorAll("[data-go]")];
    this.deeds = [...root.querySelectorAll("[data-do]")];
    this.bar = root.querySelector("[data-scrub]");
    this.play = root.querySelector('[data-do="play"]');
    this.speed = root.querySelector("[data-speed]");
    this.strip = [...root.querySelectorAll("[data-pick]")];
    this.settled = root.querySelector("[data-settled]");
    if (this.settled) this.settled.tabIndex = -1; // as below; a key leads to the last step
    this.stops = root.querySelector("[data-stops]");
    this.farthest = 0;
    this.remark();
    for (const button of [...this.ways, ...this.deeds]) {
      button.disabled = false;
      button.addEventListener("click", () => ask(button.dataset.go ?? button.dataset.do), { signal });
    }
    this.bar.disabled = false;
    const dragged = () => scrub(fromIndex(course, Number(this.bar.value)));
    this.bar.addEventListener("input", dragged, { signal });
  }

  /** Shows a position; `told` is what the bar says of it. With `hidden` nothing to come is told: the
   *  bar ends where the reader has been. */
  show(position, told, hidden) {
    this.farthest = Math.max(this.farthest, toIndex(this.course, position));
    this.reach(hidden ? this.farthest : this.course.total - 1);
    for (const button of this.ways) {
      const secret = hidden && button.dataset.stop;
      const end = !secret && same(ways[button.dataset.go](this.course, position), position);
      const was = button.getAttribute("aria-disabled") === "true";
      if (was !== end) button.setAttribute("aria-disabled", end);
    }
    this.bar.value = toIndex(this.course, position);
    this.bar.setAttribute("aria-valuetext", told);
    this.bar.style.setProperty("--done", `${(100 * this.bar.value) / Math.max(this.bar.max, 1)}%`);
    this.pick(position, hidden);
  }

  /** Lets the bar end at a place among all steps, with the moments before it marked. */
  reach(most) {
    if (Number(this.bar.max) === most && this.stops.dataset.most === String(most)) return;
    this.bar.max = most;
    this.stops.dataset.most = most;
    const marks = Object.entries(this.course.stops).flatMap(([kind, all]) =>
      all.filter((at) => at <= most).map((at) => mark(kind, at / Math.max(most, 1))),
    );
    this.stops.replaceChildren(...marks);
  }

  /** Moments are there, or were added: what leads to them. */
  remark() {
    delete this.stops.dataset.most;
    for (const button of this.ways.filter(({ dataset }) => dataset.stop)) {
      button.hidden = this.course.stops[button.dataset.stop].length === 0;
    }
  }

  pick({ deal, step }, hidden) {
    const over = step === this.course.counts[deal - 1] - 1;
    this.settled?.classList.toggle("later", hidden && !(over && deal === this.course.counts.length));
    for (const link of this.strip) {
      const number = Number(link.dataset.pick);
      link.classList.toggle("later", hidden && number > deal);
      link.classList.toggle("open", hidden && number === deal && !over);
      // One of them is in the way of Tab: keys lead from deal to deal.
      link.tabIndex = number === deal ? 0 : -1;
      if (number !== deal) link.removeAttribute("aria-current");
      else if (this.picked !== link) {
        link.setAttribute("aria-current", "true");
        this.picked = link;
        const list = link.closest("ol");
        const spare = list.clientWidth - link.offsetWidth;
        list.scrollLeft = link.offsetLeft - list.offsetLeft - spare / 2;
      }
    }
  }

  /** Shows whether it plays, and how fast. */
  playing(plays, speed) {
    const word = plays ? this.words.pause : this.words.play;
    this.play.setAttribute("aria-pressed", plays);
    this.play.setAttribute("aria-label", word);
    this.play.title = word;
    this.speed.textContent = `${speed}×`;
  }

  /** The position that a link within the player leads to; null for other links. */
  static positionOf(target) {
    const link = target.closest?.("[data-pick], [data-at]");
    if (!link) return null;
    return link.dataset.at ?? format({ deal: Number(link.dataset.pick), step: 0 });
  }
}
