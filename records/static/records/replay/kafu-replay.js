/**
 * `<kafu-replay>`: a hanafuda game of the archive, to be stepped through, within any page.
 *
 *     <script type="module" src="https://archive.example/static/records/replay/kafu-replay.js"></script>
 *     <kafu-replay src="https://archive.example/games/KEY/" at="3.14"></kafu-replay>
 *
 * Attributes: `src` the game's page; `at` the deal and step to begin with; `lang` its language (`en`
 * or `ja`, else that of what is around it); `hash` lets the page's own address follow as `#3.14` and
 * the page's keys move it (for the one player of a page). Property `position` reads and sets the
 * place as `"3.14"`; each step fires `kafu-step` with it as `detail`. In the place of `src`, `game`
 * gives it a game that is being written (`/records/preview`).
 *
 * On the archive's pages the table stands in the page already (declarative shadow DOM); elsewhere
 * the element fetches it, and the moves in both cases.
 */
import { adoptSprite, dataOf, frameOf, parsed } from "./load.js";
import { Player } from "./player.js";
import { format, parse } from "./position.js";
import { Settings } from "./settings.js";

const MARGIN = 4; // above a player that the page was scrolled to

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

  /** The place, as `"3.14"`; empty until the game is there. */
  get position() {
    return this.player ? format(this.player.here) : "";
  }

  set position(text) {
    const asked = parse(text);
    if (asked && this.player) this.player.manual(() => this.player.show(asked));
  }

  /** Plays a game that is not stored: its drawn table, data and place, as the archive answers them. */
  set game(game) {
    this.given = game;
    this.setAttribute("at", game.at);
    this.shadowRoot?.replaceChildren();
    if (this.isConnected) this.start();
  }

  /** Marks costly choices, `[{at: "3.14", text}]`, now or once the game is there. */
  set costly(marks) {
    this.marked = marks;
    this.player?.mark(marks);
  }

  /** Opens the panel "Share" at the displayed step; false until the game is there. */
  share() {
    this.player?.ask("share");
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
      const own = new URL(this.src).origin === location.origin;
      if (!shadow.querySelector("[data-replay]")) {
        const at = this.hashed() ?? this.getAttribute("at") ?? "";
        const { frame } = this.given ?? {};
        shadow.replaceChildren(frame ? parsed(frame) : await frameOf(this.src, this.language, at, signal));
      }
      const root = /** @type {HTMLElement} */ (shadow.querySelector("[data-replay]"));
      this.reveal(root);
      const settings = new Settings(own);
      root.classList.toggle("no-spoilers", settings.get("spoilers"));
      root.classList.toggle("unstored", Boolean(this.given));
      const data = this.given?.data ?? (await dataOf(this.src, this.language, signal));
      const sprite = own ? root.dataset.sprite : await adoptSprite(shadow, root.dataset.sprite, signal);
      if (!signal.aborted) this.play(root, data, sprite, settings, signal);
    } catch (error) {
      if (!signal.aborted) this.fail(shadow, error);
    }
  }

  play(root, data, sprite, settings, signal) {
    root.querySelector("[data-failure]").hidden = true;
    this.player = new Player(root, data, {
      src: this.src,
      sprite,
      hash: this.hasAttribute("hash"),
      settings,
      moved: (position) => this.tell(position),
      signal,
    });
    const asked = parse(this.hashed());
    const drawn = parse(this.getAttribute("at")) ?? { deal: 1, step: 0 };
    if (this.marked) this.player.mark(this.marked);
    this.player.show(asked ?? drawn, !asked && !root.querySelector("[data-note]").hidden);
    root.classList.add("live");
    root.addEventListener("keydown", (event) => this.player.key(event, event.target), { signal });
    if (this.hasAttribute("hash")) this.followPage(signal);
  }

  /** The page's keys and its address lead here. */
  followPage(signal) {
    document.addEventListener(
      "keydown",
      (event) => {
        const inside = event.composedPath().some((one) => one instanceof KafuReplay);
        if (!inside && !this.hidden) this.player.key(event, event.target);
      },
      { signal },
    );
    window.addEventListener(
      "hashchange",
      () => {
        const asked = parse(this.hashed());
        if (!asked) return;
        this.player.manual(() => this.player.show(asked));
        // A link of the score table may have led here from far below.
        const { top, bottom } = this.shadowRoot.querySelector("[data-felt]").getBoundingClientRect();
        if (bottom < 0 || top > window.innerHeight) this.toTop();
      },
      { signal },
    );
    // The other language begins at the same step.
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

  /** A page opened at a step begins at its table, where that is not to be seen whole. */
  reveal(root) {
    const at = this.hashed() || new URLSearchParams(location.search).has("at");
    if (!this.hasAttribute("hash") || !at || window.scrollY > 0) return;
    const { bottom } = root.querySelector("[data-felt]").getBoundingClientRect();
    const { top } = root.querySelector("[data-controls]").getBoundingClientRect();
    if (bottom > Math.min(top, window.innerHeight)) this.toTop();
  }

  /** Scrolls the page (and not one that frames it) to the player, or to its table in a low window. */
  toTop() {
    const find = (name) => {
      const found = this.shadowRoot.querySelector(`[data-${name}]`);
      return /** @type {HTMLElement} */ (found);
    };
    const { top } = this.getBoundingClientRect();
    const felt = find("felt").getBoundingClientRect();
    const fixed = getComputedStyle(find("controls")).position === "sticky";
    const room = window.innerHeight - (fixed ? find("controls").offsetHeight : 0);
    window.scrollBy(0, (felt.bottom - top > room - MARGIN ? felt.top : top) - MARGIN);
  }

  /** What the page's address says after `#`, where it is ours to read. */
  hashed() {
    return this.hasAttribute("hash") && parse(location.hash) ? location.hash : null;
  }

  tell(position) {
    const detail = format(position);
    this.dispatchEvent(new CustomEvent("kafu-step", { detail, bubbles: true, composed: true }));
  }

  /** Says that the game did not come; the table that stands there stays. */
  fail(shadow, error) {
    const note = shadow.querySelector("[data-failure]") ?? ownNote(shadow, this.language);
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

/** A message where not even the frame came, with the words of a page. */
function ownNote(shadow, language) {
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
