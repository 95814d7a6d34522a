// @ts-check
/**
 * `<kafu-replay>`: an element that replays a hanafuda game of the archive on any page.
 *
 *     <script type="module" src="https://archive.example/static/records/replay/kafu-replay.js"></script>
 *     <kafu-replay src="https://archive.example/games/KEY/" at="3.14"></kafu-replay>
 *
 * Attributes: `src` is the address of the game, `at` the deal and step at the beginning, `lang` the
 * language (`en` or `ja`, by default the language of the page). With `hash`, the page's address follows
 * as `#3.14` and the page's keys control the player; a page has only one such player. The property
 * `position` reads and sets the position as `"3.14"`; each step fires `kafu-step` with the position as
 * `detail`. The property `game` replaces `src` for an unfinished game (`/records/preview`).
 *
 * The archive's pages contain the table (declarative shadow DOM); on other sites the element fetches
 * the table. The element always fetches the moves.
 */
import { fetchFrame, fetchReplay, fetchSprite, parseFrame } from "./load.js";
import { Player } from "./player.js";
import { format, parse } from "./position.js";
import { Settings } from "./settings.js";

const MARGIN = 4; // pixels above the player after scrolling to the player

/** The custom element. */
class KafuReplay extends HTMLElement {
  static observedAttributes = ["src", "at"];

  connectedCallback() {
    this.start();
  }

  disconnectedCallback() {
    this.end();
  }

  attributeChangedCallback(name, old, value) {
    if (!this.isConnected || !this.ending || old === value) return;
    if (name === "at") {
      this.position = value;
    } else {
      this.shadowRoot?.replaceChildren();
      this.start();
    }
  }

  /** The position as `"3.14"`; "" until the game is loaded. */
  get position() {
    return this.player ? format(this.player.here) : "";
  }

  set position(text) {
    const position = parse(text);
    if (position && this.player) this.player.stepManually(() => this.player.show(position));
  }

  /** Plays an unstored game from a response of the archive: frame, data and position. */
  set game(game) {
    this.unstored = game;
    this.setAttribute("at", game.at);
    this.shadowRoot?.replaceChildren();
    if (this.isConnected) this.start();
  }

  /** Marks costly choices (see `Player.markCostly`) as soon as the game is loaded. */
  set costly(choices) {
    this.costlyChoices = choices;
    this.player?.markCostly(choices);
  }

  /** Opens the panel "Share" at the displayed step. Returns false until the game is loaded. */
  share() {
    this.player?.execute("share");
    return Boolean(this.player);
  }

  get src() {
    const url = new URL(this.getAttribute("src") ?? "", document.baseURI);
    return `${url.origin}${url.pathname.replace(/\/*$/, "/")}`;
  }

  get language() {
    const lang = /** @type {HTMLElement} */ (this.closest("[lang]"))?.lang || navigator.language;
    return lang.toLowerCase().startsWith("ja") ? "ja" : "en";
  }

  end() {
    this.player?.autoplay.stop();
    this.ending?.abort();
    this.player = null;
  }

  async start() {
    this.end();
    this.ending = new AbortController();
    const { signal } = this.ending;
    const shadow = this.shadowRoot ?? this.attachShadow({ mode: "open" });
    try {
      const isOwnSite = new URL(this.src).origin === location.origin;
      if (!shadow.querySelector("[data-replay]")) {
        const at = this.hashPosition() ?? this.getAttribute("at") ?? "";
        const { frame } = this.unstored ?? {};
        const table = frame ? parseFrame(frame) : await fetchFrame(this.src, this.language, at, signal);
        const { sprite } = /** @type {HTMLElement} */ (table.querySelector("[data-replay]")).dataset;
        // WebKit leaves a `use` element blank whose symbol is inserted later.
        shadow.replaceChildren(...(isOwnSite ? [] : [await fetchSprite(sprite, signal)]));
        shadow.append(table);
      }
      const root = /** @type {HTMLElement} */ (shadow.querySelector("[data-replay]"));
      this.scrollToTable(root);
      const settings = new Settings(isOwnSite);
      root.classList.toggle("no-spoilers", settings.get("spoilers"));
      root.classList.toggle("unstored", Boolean(this.unstored));
      const data = this.unstored?.data ?? (await fetchReplay(this.src, this.language, signal));
      if (!signal.aborted) this.play(root, data, isOwnSite ? root.dataset.sprite : "", settings, signal);
    } catch (error) {
      if (!signal.aborted) this.showFailure(shadow, error);
    }
  }

  play(root, data, sprite, settings, signal) {
    root.querySelector("[data-failure]").hidden = true;
    this.player = new Player(root, data, {
      src: this.src,
      sprite,
      hash: this.hasAttribute("hash"),
      settings,
      onMove: (position) => this.fireStep(position),
      signal,
    });
    const requested = parse(this.hashPosition());
    const drawn = parse(this.getAttribute("at")) ?? { deal: 1, step: 0 };
    if (this.costlyChoices) this.player.markCostly(this.costlyChoices);
    this.player.show(requested ?? drawn, !requested && !root.querySelector("[data-note]").hidden);
    root.classList.add("live");
    root.addEventListener("keydown", (event) => this.player.onKeydown(event, event.target), { signal });
    if (this.hasAttribute("hash")) this.listenToPage(signal);
  }

  /** Follows the page's keys, its hash and its change of language. */
  listenToPage(signal) {
    document.addEventListener(
      "keydown",
      (event) => {
        const isInPlayer = event.composedPath().some((node) => node instanceof KafuReplay);
        if (!isInPlayer && !this.hidden) this.player.onKeydown(event, event.target);
      },
      { signal },
    );
    window.addEventListener(
      "hashchange",
      () => {
        const position = parse(this.hashPosition());
        if (!position) return;
        this.player.stepManually(() => this.player.show(position));
        // The link may be in the score table, far below the player.
        const { top, bottom } = this.shadowRoot.querySelector("[data-felt]").getBoundingClientRect();
        if (bottom < 0 || top > window.innerHeight) this.toTop();
      },
      { signal },
    );
    // Open the page in the other language at the same step.
    document.querySelector("form.language")?.addEventListener(
      "submit",
      ({ target }) => {
        const { elements } = /** @type {HTMLFormElement} */ (target);
        const next = /** @type {HTMLInputElement} */ (elements.namedItem("next"));
        next.value = location.pathname + location.search + location.hash;
      },
      { signal },
    );
  }

  /** Scrolls a page with a step in its address to the table, unless the whole table is visible. */
  scrollToTable(root) {
    const at = this.hashPosition() || new URLSearchParams(location.search).has("at");
    if (!this.hasAttribute("hash") || !at || window.scrollY > 0) return;
    const { bottom } = root.querySelector("[data-felt]").getBoundingClientRect();
    const { top } = root.querySelector("[data-controls]").getBoundingClientRect();
    if (bottom > Math.min(top, window.innerHeight)) this.toTop();
  }

  /** Scrolls the page, but not an embedding page, to the player, or in a low window to the table. */
  toTop() {
    const find = (name) => {
      const part = this.shadowRoot.querySelector(`[data-${name}]`);
      return /** @type {HTMLElement} */ (part);
    };
    const { top } = this.getBoundingClientRect();
    const felt = find("felt").getBoundingClientRect();
    const fixed = getComputedStyle(find("controls")).position === "sticky";
    const room = window.innerHeight - (fixed ? find("controls").offsetHeight : 0);
    window.scrollBy(0, (felt.bottom - top > room - MARGIN ? felt.top : top) - MARGIN);
  }

  /** Returns the hash of the page if the player has the attribute `hash` and the hash is a position. */
  hashPosition() {
    return this.hasAttribute("hash") && parse(location.hash) ? location.hash : null;
  }

  fireStep(position) {
    const detail = format(position);
    this.dispatchEvent(new CustomEvent("kafu-step", { detail, bubbles: true, composed: true }));
  }

  /** Shows that the game could not be loaded, without removing a table that the page contains. */
  showFailure(shadow, error) {
    const note = shadow.querySelector("[data-failure]") ?? createNote(shadow, this.language);
    const words = shadow.querySelector('[data-word="failed"]')?.textContent ?? FAILED[this.language][0];
    note.querySelector("[role=alert]").textContent = `${words} (${error.message})`;
    note.hidden = false;
    const retry = note.querySelector("[data-retry]");
    retry.addEventListener("click", () => this.start(), { once: true });
  }
}

const FAILED = {
  en: ["The game could not be loaded.", "Try again"],
  ja: ["手順を読み込めませんでした。", "もう一度"],
};

/** Creates the message for a failure before the frame with the texts was loaded. */
function createNote(shadow, language) {
  const note = document.createElement("p");
  note.dataset.failure = "";
  const words = document.createElement("span");
  words.setAttribute("role", "alert");
  const retry = document.createElement("button");
  retry.dataset.retry = "";
  retry.textContent = FAILED[language][1];
  note.append(words, " ", retry);
  shadow.replaceChildren(note);
  return note;
}

customElements.define("kafu-replay", KafuReplay);
