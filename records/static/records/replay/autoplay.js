/** Autoplay: a step each so often, until there is none. */
import { SPEEDS } from "./settings.js";

/** `go` takes a step and says whether there was one; `changed` is told when it starts or stops. */
export class Autoplay {
  constructor(speed, go, changed) {
    this.speed = speed;
    this.go = go;
    this.changed = changed;
    this.timer = 0;
  }

  get playing() {
    return this.timer !== 0;
  }

  /** Milliseconds between two steps. */
  get pause() {
    return 1000 / this.speed;
  }

  start() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      if (this.go()) this.start();
      else this.stop();
    }, this.pause);
    this.changed();
  }

  stop() {
    if (!this.playing) return;
    clearTimeout(this.timer);
    this.timer = 0;
    this.changed();
  }

  /** One of `SPEEDS` up (1) or down (-1). */
  shift(by) {
    const place = SPEEDS.indexOf(this.speed) + by;
    this.speed = SPEEDS[Math.min(Math.max(place, 0), SPEEDS.length - 1)];
    if (this.playing) this.start();
    else this.changed();
  }
}
