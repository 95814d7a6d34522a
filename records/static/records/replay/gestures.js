/** Wheel and taps over the table. */

const NOTCH = 50; // of a wheel's travel for one step, in pixels
const SCROLLED = 250; // milliseconds after which the wheel is no longer the page's
const TAP = { time: 500, way: 12 };
const LINE = 20;

/**
 * The wheel over `felt` steps by `go(way)`, which says whether there was a step: at the ends the
 * page scrolls. A page that is being scrolled scrolls on over the table.
 */
export function wheel(felt, go, signal) {
  let travel = 0;
  let scrolled = -Infinity;
  const scroll = ({ timeStamp }) => (scrolled = timeStamp);
  document.addEventListener("scroll", scroll, { passive: true, signal });
  felt.addEventListener(
    "wheel",
    (event) => {
      if (event.target.closest("[data-ledger]")) return; // it scrolls itself
      if (event.ctrlKey || event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) return;
      if (event.timeStamp - scrolled < SCROLLED) {
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

/** A finger's tap on the left half of `felt` steps back, on the right half on; `cue` shows it. */
export function taps(felt, cue, go, signal) {
  let down = null;
  felt.addEventListener("pointerdown", (event) => (down = event.isPrimary ? event : null), { signal });
  felt.addEventListener(
    "pointerup",
    (event) => {
      const start = down;
      down = null;
      if (event.pointerType !== "touch" || start === null) return;
      if (event.target.closest("a, button, [data-ledger], input, select")) return;
      const way = Math.hypot(event.clientX - start.clientX, event.clientY - start.clientY);
      if (way > TAP.way || event.timeStamp - start.timeStamp > TAP.time) return;
      const box = felt.getBoundingClientRect();
      const right = event.clientX > box.left + box.width / 2;
      go(right ? "next" : "previous");
      cue.className = right ? "cue right" : "cue left";
      cue.animate([{ opacity: 0.5 }, { opacity: 0 }], { duration: 250 });
    },
    { signal },
  );
}
