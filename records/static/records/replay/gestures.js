// @ts-check
/** The mouse wheel and taps over the table. */

const NOTCH = 50; // pixels of wheel travel per step
const SCROLL_PAUSE = 250; // milliseconds without scrolling before the wheel steps through the game
const TAP = { time: 500, distance: 12 }; // milliseconds and pixels
const LINE = 20; // pixels

/**
 * Steps by the mouse wheel. At the first and last step, and while the page is being scrolled, the
 * wheel scrolls the page.
 * @param {HTMLElement} felt
 * @param {(command: "next" | "previous") => boolean} go returns false if there is no further step
 * @param {AbortSignal} signal
 */
export function listenToWheel(felt, go, signal) {
  let travel = 0;
  let scrolled = -Infinity;
  const scroll = ({ timeStamp }) => (scrolled = timeStamp);
  document.addEventListener("scroll", scroll, { passive: true, signal });
  felt.addEventListener(
    "wheel",
    (event) => {
      if (/** @type {Element} */ (event.target).closest("[data-ledger]")) return; // a scrollable table
      if (event.ctrlKey || event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) return;
      if (event.timeStamp - scrolled < SCROLL_PAUSE) {
        scrolled = event.timeStamp;
        return;
      }
      const delta = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? event.deltaY : event.deltaY * LINE;
      if (Math.sign(delta) !== Math.sign(travel)) travel = 0;
      travel += delta;
      if (Math.abs(travel) < NOTCH) {
        event.preventDefault();
        return;
      }
      travel = 0;
      if (go(delta > 0 ? "next" : "previous")) event.preventDefault();
    },
    { passive: false, signal },
  );
}

/**
 * Steps by taps: on the left half of the table back, on the right half forward. `cue` is the element
 * that flashes at a tap.
 * @param {any} felt
 * @param {HTMLElement} cue
 * @param {(command: "next" | "previous") => boolean} go
 * @param {AbortSignal} signal
 */
export function listenToTaps(felt, cue, go, signal) {
  let down = null;
  felt.addEventListener("pointerdown", (event) => (down = event.isPrimary ? event : null), { signal });
  felt.addEventListener(
    "pointerup",
    (event) => {
      const start = down;
      down = null;
      if (event.pointerType !== "touch" || start === null) return;
      if (event.target.closest("a, button, [data-ledger], input, select")) return;
      const distance = Math.hypot(event.clientX - start.clientX, event.clientY - start.clientY);
      if (distance > TAP.distance || event.timeStamp - start.timeStamp > TAP.time) return;
      const box = felt.getBoundingClientRect();
      const isRight = event.clientX > box.left + box.width / 2;
      go(isRight ? "next" : "previous");
      cue.className = isRight ? "cue right" : "cue left";
      cue.animate([{ opacity: 0.5 }, { opacity: 0 }], { duration: 250 });
    },
    { signal },
  );
}
