/**
 * One player: holds where it stands and who looks, and lets its parts show it.
 *
 * `root` is the section of templates/records/_frame.html, `data` the replay JSON.
 */
import { Autoplay } from "./autoplay.js";
import { cardMaker } from "./cards.js";
import { Chart } from "./chart.js";
import { Controls } from "./controls.js";
import { Dialogs } from "./dialogs.js";
import { taps, wheel } from "./gestures.js";
import { askedBy } from "./keys.js";
import { glide, still } from "./motion.js";
import { Moment } from "./moment.js";
import { made, stopsOf } from "./moments.js";
import { MoveList } from "./moves.js";
import { clamp, courseOf, format, parse, same, toIndex, ways } from "./position.js";
import { Standings } from "./standings.js";
import { Table } from "./table.js";
import { Words } from "./words.js";

const FAST = 300; // milliseconds a step: below it cards do not glide
const EDITED = "input:not([type=range], [type=checkbox]), textarea, select, [contenteditable]";
const PRESSED = "button, a, summary, input[type=checkbox], label";

function wordsOf(root) {
  const words = [...root.querySelectorAll("[data-word]")];
  return Object.fromEntries(words.map((one) => [one.dataset.word, one.textContent]));
}

export class Player {
  /**
   * `options`: `sprite` where cards are, `src` the game's address, `hash` whether the address of
   * the page follows, `settings`, `moved(position)`, `signal` that ends all listening.
   */
  constructor(root, data, options) {
    const { src, sprite, settings, signal } = options;
    this.root = root;
    this.data = data;
    this.options = options;
    this.settings = settings;
    this.here = null;
    this.view = 0;
    const words = wordsOf(root);
    this.course = courseOf(data.deals);
    this.course.stops = stopsOf(data, this.course);
    const address = (position) => (options.hash ? `#${format(position)}` : this.link(position));
    this.table = new Table(root, data, cardMaker(sprite, data, words.down), words);
    this.moment = new Moment(root, data, this.table, words, address);
    this.moves = new MoveList(root.querySelector("[data-moves]"), data, address, sprite);
    this.words = new Words(root, data, this.course, words);
    this.standings = new Standings(root.querySelector("[data-progress]"), data, words);
    const plot = root.querySelector("[data-plot]");
    this.chart = plot && new Chart(plot, data, words, address);
    this.sound = null; // made when it is first wanted
    const changed = (name, value) => this.set(name, value);
    const texts = () => this.texts();
    const language = root.lang;
    const clips = {
      step: () => `${src}${format(this.here)}.png?lang=${language}`,
      strip: () => `${src}month-${this.here.deal}.png?lang=${language}`,
      gif: () => `${src}month-${this.here.deal}.gif?lang=${language}`,
    };
    this.dialogs = new Dialogs(root, settings, words, { changed, texts, clips }, signal);
    this.autoplay = new Autoplay(settings.get("speed"), () => this.go("next"), () => this.played());
    const ask = (name) => this.ask(name);
    const scrub = (position) => this.manual(() => this.show(position));
    this.controls = new Controls(root, this.course, words, { ask, scrub }, signal);
    this.src = src;
    this.listen(signal);
    this.dress();
    this.played();
  }

  /**
   * Goes to a position; true if it was another one. A position that is not there is mended, and
   * the page says so; `past` that it was already.
   */
  show(asked, past = false) {
    const position = clamp(this.course, asked);
    const mended = past || !same(asked, position);
    const before = this.here;
    if (before && same(before, position) && !mended) return false;
    this.here = position;
    this.draw(before, mended);
    // What else the address names on the page stays there until the first step.
    const isElsewhere = !before && location.hash && !parse(location.hash);
    if (this.options.hash && !isElsewhere) {
      // Not a new entry each step: "back" leaves the game, as a reader expects.
      history.replaceState(history.state, "", `#${format(position)}`);
    }
    this.options.moved(position);
    return true;
  }

  /** Sounds a step that brought `yaku` (how many); few readers need the module. */
  async ring(step, yaku) {
    const { Sound } = await import("./sound.js");
    this.sound ??= new Sound();
    this.sound.play(step, yaku);
  }

  draw(before, mended) {
    const deal = this.data.deals[this.here.deal - 1];
    const step = deal.steps[this.here.step];
    const hidden = this.settings.get("spoilers");
    const glided = this.glideFrom(before, step);
    this.table.draw(deal, this.here.step, this.view);
    glided?.();
    this.moment.show(this.here);
    if (this.settings.get("sound") && before && this.follows(before)) {
      this.ring(step, made(deal.steps, this.here.step).length);
    }
    this.words.show(this.here, mended);
    this.moves.show(this.here);
    this.standings.show(step, deal);
    this.chart?.show(this.here, hidden);
    this.controls.show(this.here, `${this.words.time(this.here)}: ${step.text}`, hidden);
  }

  /** Marks costly choices on the bar and in the list: `[{at, text}]`, positions as addresses write them. */
  mark(costly) {
    this.course.stops.costly = costly.map(({ at }) => toIndex(this.course, parse(at)));
    this.controls.remark();
    const notes = new Map(costly.map(({ at, text }) => [at, text]));
    this.moves.note(notes);
    this.words.note(notes);
    if (this.here) this.draw(null, false);
  }

  /** Whether a position is the one before. */
  follows(before) {
    return before.deal === this.here.deal && before.step === this.here.step - 1;
  }

  /** Cards glide on a single step of the same deal, on or back. */
  glideFrom(before, step) {
    if (before?.deal !== this.here.deal || !this.settings.get("motion") || still()) return null;
    if (this.autoplay.playing && this.autoplay.pause < FAST) return null;
    const by = this.here.step - before.step;
    if (Math.abs(by) !== 1) return null;
    const moved = by > 0 ? step : this.data.deals[before.deal - 1].steps[before.step];
    const find = (letter) => this.table.find(letter);
    return glide(moved.card + moved.take, find, () => this.table.origin(moved));
  }

  /** Takes a way (see position.js); false at the end of it. */
  go(way) {
    return this.show(ways[way](this.course, this.here));
  }

  /** A way or a deed that a button or key asks for. */
  ask(name) {
    if (ways[name]) this.manual(() => this.go(name));
    else if (name === "play") this.play();
    else if (name === "faster") this.autoplay.shift(1);
    else if (name === "slower") this.autoplay.shift(-1);
    else if (name === "turn") this.table.turn();
    else this.dialogs.show(name);
  }

  /** Who steps by hand has stopped the autoplay. */
  manual(step) {
    this.autoplay.stop();
    return step();
  }

  play() {
    if (this.autoplay.playing) {
      this.autoplay.stop();
      return;
    }
    if (same(this.here, ways.last(this.course))) this.show(ways.first());
    this.autoplay.start();
  }

  played() {
    this.root.classList.toggle("playing", this.autoplay.playing);
    this.controls.playing(this.autoplay.playing, this.autoplay.speed);
    const { speed } = this.autoplay;
    if (speed !== this.settings.get("speed")) this.settings.set("speed", speed);
  }

  set(name, value) {
    this.settings.set(name, value);
    this.dress();
    this.draw(null, false);
  }

  dress() {
    const { classList } = this.root;
    classList.toggle("show-letters", this.settings.get("letters"));
    classList.toggle("show-months", this.settings.get("months"));
    classList.toggle("show-kinds", this.settings.get("kinds"));
    classList.toggle("back-black", this.settings.get("black"));
    classList.toggle("no-spoilers", this.settings.get("spoilers"));
    classList.toggle("still", still() || !this.settings.get("motion"));
  }

  /** The address of the game at a position. */
  link(position = this.here) {
    return `${this.src}?at=${format(position)}`;
  }

  /** What can be copied to show the game elsewhere. */
  texts() {
    const at = format(this.here);
    const game = new URL(this.src);
    const embed = new URL(game.pathname.replace("/games/", "/embed/"), game);
    const module = new URL("./kafu-replay.js", import.meta.url);
    const size = 'width="960" height="780" frameborder="0" loading="lazy"';
    const tag = `<kafu-replay src="${game}" at="${at}"></kafu-replay>`;
    return {
      title: this.data.players.join(" – "),
      link: this.link(),
      iframe: `<iframe src="${embed}?at=${at}" ${size} title="HanaArchive"></iframe>`,
      script: `<script type="module" src="${module}"></script>\n${tag}`,
    };
  }

  listen(signal) {
    const felt = this.root.querySelector("[data-felt]");
    const step = (way) => this.manual(() => this.go(way));
    wheel(felt, step, signal);
    taps(felt, this.root.querySelector("[data-cue]"), step, signal);
    this.root.addEventListener("click", (event) => this.followed(event), { signal });
    const view = this.root.querySelector("[data-view]");
    view.disabled = false;
    view.addEventListener("change", () => this.look(Number(view.value)), { signal });
    if (!this.chart) return;
    const resized = new ResizeObserver(() => {
      if (this.here) this.chart.show(this.here, this.settings.get("spoilers"));
    });
    resized.observe(this.chart.place);
    signal.addEventListener("abort", () => resized.disconnect());
  }

  /** Seat `number` looks (0: all hands are open), and sits at the bottom. */
  look(number) {
    this.view = number;
    // What comes would tell what the other hands hold.
    this.root.classList.toggle("one-view", number > 0);
    if (number) this.table.turn(number);
    this.draw(null, false);
  }

  followed(event) {
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const asked = parse(Controls.positionOf(event.target));
    if (!asked) return;
    event.preventDefault();
    this.manual(() => this.show(asked));
  }

  /** Does what a key asks for; `target` is where it was pressed. */
  key(event, target) {
    if (event.defaultPrevented || this.dialogs.open || target.closest?.(EDITED)) return;
    const asked = askedBy(event);
    if (!asked || (event.key === " " && target.closest?.(PRESSED))) return;
    event.preventDefault();
    this.ask(asked);
  }
}
