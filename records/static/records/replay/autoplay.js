// @ts-check
/** Autoplay: advances one step per interval until the last step. */
import { SPEEDS } from "./settings.js";

/** The timer of autoplay. */
export class Autoplay {
  /**
   * `advance()` goes to the next step and returns false at the end; `onChange()` is called at each
   * start, stop and change of speed.
   */
  constructor(speed, advance, onChange) {
    this.speed = speed;
    this.advance = advance;
    this.onChange = onChange;
    this.timer = 0;
  }

  get isPlaying() {
    return this.timer !== 0;
  }

  /** Milliseconds between two steps. */
  get pause() {
    return 1000 / this.speed;
  }

  start() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      if (this.advance()) this.start();
      else this.stop();
    }, this.pause);
    this.onChange();
  }

  stop() {
    if (!this.isPlaying) return;
    clearTimeout(this.timer);
    this.timer = 0;
    this.onChange();
  }

  /** Changes the speed to the next higher (1) or lower (-1) of `SPEEDS`. */
  shiftSpeed(direction) {
    const index = SPEEDS.indexOf(this.speed) + direction;
    this.speed = SPEEDS[Math.min(Math.max(index, 0), SPEEDS.length - 1)];
    if (this.isPlaying) this.start();
    else this.onChange();
  }
}
