// @ts-check
/** The replay player: has the current position and view, and lets its parts display them. */
import { Autoplay } from "./autoplay.js";
import { cardMaker } from "./cards.js";
import { Chart } from "./chart.js";
import { Controls } from "./controls.js";
import { Dialogs } from "./dialogs.js";
import { listenToTaps, listenToWheel } from "./gestures.js";
import { commandForKey } from "./keys.js";
import { Moment } from "./moment.js";
import { findMoments, findNewYaku } from "./moments.js";
import { glide, prefersReducedMotion } from "./motion.js";
import { MoveList } from "./moves.js";
import { buildCourse, clamp, destinations, format, isSame, parse, toIndex } from "./position.js";
import { Standings } from "./standings.js";
import { Table } from "./table.js";
import { Words } from "./words.js";

const FAST = 300; // milliseconds per step; autoplay without animations below this duration
// Elements that need all keys, and elements that the space key activates.
const EDITED = "input:not([type=range], [type=checkbox]), textarea, select, [contenteditable]";
const PRESSED = "button, a, summary, input[type=checkbox], label";

/** Returns the texts that the frame contains for the player. */
function collectWords(root) {
  const words = [...root.querySelectorAll("[data-word]")];
  return Object.fromEntries(words.map((word) => [word.dataset.word, word.textContent]));
}

/** The player of one game. */
export class Player {
  /**
   * `root` is the section of templates/records/_frame.html, `data` the replay JSON. `options` has the
   * address of the cards `sprite`, the address of the game `src`, `hash` (whether the page's address
   * follows), `settings`, `onMove(position)` and `signal`, which removes all listeners.
   */
  constructor(root, data, options) {
    const { src, sprite, settings, signal } = options;
    this.root = root;
    this.data = data;
    this.options = options;
    this.settings = settings;
    this.here = null;
    this.showsNote = false;
    this.view = 0;
    const words = collectWords(root);
    this.course = buildCourse(data.deals);
    this.course.stops = findMoments(data, this.course);
    const address = (position) => (options.hash ? `#${format(position)}` : this.formatAddress(position));
    this.table = new Table(root, data, cardMaker(sprite, data, words.down), words);
    this.moment = new Moment(root, data, this.table, words, address);
    this.moves = new MoveList(root.querySelector("[data-moves]"), data, address, sprite);
    this.words = new Words(root, data, this.course, words);
    this.standings = new Standings(root.querySelector("[data-progress]"), data, words);
    const plot = root.querySelector("[data-plot]");
    this.chart = plot && new Chart(plot, data, words, address);
    this.sound = null; // loaded at the first sound
    const onChange = (name, value) => this.changeSetting(name, value);
    const texts = () => this.createTexts();
    const language = root.lang;
    const clips = {
      step: () => `${src}${format(this.here)}.png?lang=${language}`,
      strip: () => `${src}month-${this.here.deal}.png?lang=${language}`,
      gif: () => `${src}month-${this.here.deal}.gif?lang=${language}`,
    };
    this.dialogs = new Dialogs(root, settings, words, { onChange, texts, clips }, signal);
    this.autoplay = new Autoplay(settings.get("speed"), () => this.go("next"), () => this.onAutoplayChange());
    const execute = (command) => this.execute(command);
    const scrub = (position) => this.stepManually(() => this.show(position));
    this.controls = new Controls(root, this.course, words, { execute, scrub }, signal);
    this.src = src;
    this.listen(signal);
    this.applySettings();
    this.onAutoplayChange();
  }

  /**
   * Shows the nearest existing position. Returns false if nothing changed. The page shows a note if
   * the requested position does not exist, or the server has corrected the position (`isCorrected`).
   */
  show(requested, isCorrected = false) {
    const position = clamp(this.course, requested);
    const showsNote = isCorrected || !isSame(requested, position);
    const before = this.here;
    if (before && isSame(before, position) && !showsNote) return false;
    this.here = position;
    this.showsNote = showsNote;
    this.draw(before, showsNote);
    // Retain a hash for another part of the page, such as a comment, until the first step.
    const isOtherHash = !before && location.hash && !parse(location.hash);
    if (this.options.hash && !isOtherHash) {
      // Replace the history entry, so that the back button leaves the game.
      history.replaceState(history.state, "", `#${format(position)}`);
    }
    this.options.onMove(position);
    return true;
  }

  /** Plays the sound of a step with a number of new yaku. Loads the module at the first sound. */
  async playSound(step, yakuCount) {
    const { Sound } = await import("./sound.js");
    this.sound ??= new Sound();
    this.sound.play(step, yakuCount);
  }

  /** Draws all parts at the current position, with an animation from the position `before` if given. */
  draw(before, showsNote) {
    const deal = this.data.deals[this.here.deal - 1];
    const step = deal.steps[this.here.step];
    const hidesSpoilers = this.settings.get("spoilers");
    const animate = this.prepareGlide(before, step);
    this.table.draw(deal, this.here.step, this.view);
    animate?.();
    this.moment.show(this.here);
    if (this.settings.get("sound") && before && this.follows(before)) {
      this.playSound(step, findNewYaku(deal.steps, this.here.step).length).catch(() => {}); // without a network
    }
    this.words.show(this.here, showsNote);
    this.moves.show(this.here);
    this.standings.show(step, deal);
    this.chart?.show(this.here, hidesSpoilers);
    this.controls.show(this.here, `${this.words.time(this.here)}: ${step.text}`, hidesSpoilers);
  }

  /**
   * Marks an analysis's costly choices, `[{before: "3.13", at: "3.14", text}]`: the step before each on
   * the bar, and the choice in the list of moves.
   */
  markCostly(choices) {
    const indices = choices.map(({ before }) => toIndex(this.course, parse(before)));
    this.course.stops.costly = [...new Set(indices)].sort((a, b) => a - b);
    this.controls.updateMoments();
    this.moves.setNotes(new Map(choices.map(({ at, text }) => [at, text])));
    if (this.here) this.draw(null, this.showsNote);
  }

  /** Returns whether the current step is the next step after `before`. */
  follows(before) {
    return before.deal === this.here.deal && before.step === this.here.step - 1;
  }

  /** Returns the function that animates a single step within a deal; null for other changes. */
  prepareGlide(before, step) {
    if (before?.deal !== this.here.deal || !this.settings.get("motion") || prefersReducedMotion()) return null;
    if (this.autoplay.isPlaying && this.autoplay.pause < FAST) return null;
    const difference = this.here.step - before.step;
    if (Math.abs(difference) !== 1) return null;
    const moved = difference > 0 ? step : this.data.deals[before.deal - 1].steps[before.step];
    const find = (letter) => this.table.findCard(letter);
    return glide(moved.card + moved.take, find, () => this.table.findOrigin(moved));
  }

  /** Goes to a destination of position.js. Returns false if the position does not change. */
  go(destination) {
    return this.show(destinations[destination](this.course, this.here));
  }

  /** Executes the command of a button or key: a destination, or the name of an action or dialog. */
  execute(command) {
    if (destinations[command]) this.stepManually(() => this.go(command));
    else if (command === "play") this.toggleAutoplay();
    else if (command === "faster") this.autoplay.shiftSpeed(1);
    else if (command === "slower") this.autoplay.shiftSpeed(-1);
    else if (command === "turn") this.table.turn();
    else this.dialogs.show(command);
  }

  /** Stops autoplay and then calls `move`, which the user requested. */
  stepManually(move) {
    this.autoplay.stop();
    return move();
  }

  toggleAutoplay() {
    if (this.autoplay.isPlaying) {
      this.autoplay.stop();
      return;
    }
    if (isSame(this.here, destinations.last(this.course))) this.show(destinations.first());
    this.autoplay.start();
  }

  /** Shows whether autoplay is on, and shows and stores its speed. */
  onAutoplayChange() {
    this.root.classList.toggle("playing", this.autoplay.isPlaying);
    this.controls.showAutoplay(this.autoplay.isPlaying, this.autoplay.speed);
    const { speed } = this.autoplay;
    if (speed !== this.settings.get("speed")) this.settings.set("speed", speed);
  }

  /** Changes a setting and shows its effect. */
  changeSetting(name, value) {
    this.settings.set(name, value);
    this.applySettings();
    this.draw(null, false);
  }

  applySettings() {
    const { classList } = this.root;
    classList.toggle("show-letters", this.settings.get("letters"));
    classList.toggle("show-months", this.settings.get("months"));
    classList.toggle("show-kinds", this.settings.get("kinds"));
    classList.toggle("back-black", this.settings.get("black"));
    classList.toggle("no-spoilers", this.settings.get("spoilers"));
    classList.toggle("still", prefersReducedMotion() || !this.settings.get("motion"));
  }

  /** Returns the address of the game at a position. */
  formatAddress(position = this.here) {
    return `${this.src}?at=${format(position)}`;
  }

  /** Creates the texts of the panel "Share": title, link and code for other sites. */
  createTexts() {
    const at = format(this.here);
    const game = new URL(this.src);
    const embed = new URL(game.pathname.replace("/games/", "/embed/"), game);
    const module = new URL("./kafu-replay.js", import.meta.url);
    const size = 'width="960" height="780" frameborder="0" loading="lazy"';
    const tag = `<kafu-replay src="${game}" at="${at}"></kafu-replay>`;
    return {
      title: this.data.players.join(" – "),
      link: this.formatAddress(),
      iframe: `<iframe src="${embed}?at=${at}" ${size} title="HanaArchive"></iframe>`,
      script: `<script type="module" src="${module}"></script>\n${tag}`,
    };
  }

  listen(signal) {
    addEventListener("beforeprint", () => this.moves.showAll(), { signal });
    addEventListener("afterprint", () => this.moves.show(this.here), { signal });
    const felt = this.root.querySelector("[data-felt]");
    const step = (destination) => this.stepManually(() => this.go(destination));
    listenToWheel(felt, step, signal);
    listenToTaps(felt, this.root.querySelector("[data-cue]"), step, signal);
    this.root.addEventListener("click", (event) => this.onClick(event), { signal });
    const view = this.root.querySelector("[data-view]");
    view.disabled = false;
    view.addEventListener("change", () => this.setView(Number(view.value)), { signal });
    if (!this.chart) return;
    const observer = new ResizeObserver(() => {
      if (this.here) this.chart.show(this.here, this.settings.get("spoilers"));
    });
    observer.observe(this.chart.place);
    signal.addEventListener("abort", () => observer.disconnect());
  }

  /** Shows the game as seen from a seat at the bottom of the table (0: all hands open). */
  setView(number) {
    this.view = number;
    // The style hides later moves, which would reveal the cards of the opponents.
    this.root.classList.toggle("one-view", number > 0);
    if (number) this.table.turn(number);
    this.draw(null, false);
  }

  /** Goes to the position of a clicked link of the player. */
  onClick(event) {
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const position = parse(Controls.positionOf(event.target));
    if (!position) return;
    event.preventDefault();
    this.stepManually(() => this.show(position));
  }

  /**
   * Executes the command of a key, unless the focused element `target` uses the key. The element
   * `<kafu-replay>` listens to the keys.
   */
  onKeydown(event, target) {
    if (event.defaultPrevented || this.dialogs.isOpen || target.closest?.(EDITED)) return;
    const command = commandForKey(event);
    if (!command || (event.key === " " && target.closest?.(PRESSED))) return;
    event.preventDefault();
    this.execute(command);
  }
}
