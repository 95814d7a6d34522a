// @ts-check
/** The buttons, the scrub bar and the strip of deals. */
import { destinations, format, fromIndex, isSame, toIndex } from "./position.js";

function createMark(kind, fraction) {
  const mark = document.createElement("i");
  mark.className = kind;
  mark.style.left = `${100 * fraction}%`;
  return mark;
}

/** The controls within `root`. */
export class Controls {
  /** `execute(command)` is called by buttons, `scrub(position)` by the bar. */
  constructor(root, course, words, { execute, scrub }, signal) {
    this.course = course;
    this.words = words;
    this.goButtons = [...root.querySelectorAll("[data-go]")];
    this.otherButtons = [...root.querySelectorAll("[data-do]")];
    this.bar = root.querySelector("[data-scrub]");
    this.play = root.querySelector('[data-do="play"]');
    this.speed = root.querySelector("[data-speed]");
    this.strip = [...root.querySelectorAll("[data-pick]")];
    this.settled = root.querySelector("[data-settled]");
    if (this.settled) this.settled.tabIndex = -1; // the key End leads to the last step
    this.stops = root.querySelector("[data-stops]");
    this.farthest = 0;
    this.updateMoments();
    for (const button of [...this.goButtons, ...this.otherButtons]) {
      button.disabled = false;
      button.addEventListener("click", () => execute(button.dataset.go ?? button.dataset.do), { signal });
    }
    this.bar.disabled = false;
    const onInput = () => scrub(fromIndex(course, Number(this.bar.value)));
    this.bar.addEventListener("input", onInput, { signal });
  }

  /**
   * Shows a position, which the bar announces as `text`. With `hidden`, the bar ends at the farthest
   * visited step and reveals nothing of later steps.
   */
  show(position, text, hidden) {
    this.farthest = Math.max(this.farthest, toIndex(this.course, position));
    this.setEnd(hidden ? this.farthest : this.course.total - 1);
    for (const button of this.goButtons) {
      const isSecret = hidden && button.dataset.stop;
      const isDisabled = !isSecret && isSame(destinations[button.dataset.go](this.course, position), position);
      const wasDisabled = button.getAttribute("aria-disabled") === "true";
      if (wasDisabled !== isDisabled) button.setAttribute("aria-disabled", isDisabled);
    }
    this.bar.value = toIndex(this.course, position);
    this.bar.setAttribute("aria-valuetext", text);
    this.bar.style.setProperty("--done", `${(100 * this.bar.value) / Math.max(this.bar.max, 1)}%`);
    this.updateStrip(position, hidden);
  }

  /** Sets the index of the bar's last step and marks the moments up to the index. */
  setEnd(end) {
    if (Number(this.bar.max) === end && this.stops.dataset.most === String(end)) return;
    this.bar.max = end;
    this.stops.dataset.most = end;
    const marks = Object.entries(this.course.stops).flatMap(([kind, indices]) =>
      indices.filter((index) => index <= end).map((index) => createMark(kind, index / Math.max(end, 1))),
    );
    this.stops.replaceChildren(...marks);
  }

  /** Shows the buttons of all kinds of moments in the game, and lets the bar draw its marks again. */
  updateMoments() {
    delete this.stops.dataset.most;
    for (const button of this.goButtons.filter(({ dataset }) => dataset.stop)) {
      button.hidden = this.course.stops[button.dataset.stop].length === 0;
    }
  }

  updateStrip({ deal, step }, hidden) {
    const isDealOver = step === this.course.counts[deal - 1] - 1;
    this.settled?.classList.toggle("later", hidden && !(isDealOver && deal === this.course.counts.length));
    for (const link of this.strip) {
      const number = Number(link.dataset.pick);
      link.classList.toggle("later", hidden && number > deal);
      link.classList.toggle("open", hidden && number === deal && !isDealOver);
      // Tab stops at the current deal only: PageUp and PageDown move between deals.
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

  /** Shows whether autoplay is running, and its speed. */
  showAutoplay(isPlaying, speed) {
    const word = isPlaying ? this.words.pause : this.words.play;
    this.play.setAttribute("aria-pressed", isPlaying);
    this.play.setAttribute("aria-label", word);
    this.play.title = word;
    this.speed.textContent = `${speed}×`;
  }

  /** Returns the target of a link within the player as `deal.step`; null for other links. */
  static positionOf(target) {
    const link = target.closest?.("[data-pick], [data-at]");
    if (!link) return null;
    return link.dataset.at ?? format({ deal: Number(link.dataset.pick), step: 0 });
  }
}
