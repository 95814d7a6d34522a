/** The game so far in the site's own player, while one wants to see it: as the text stands, at its step. */

import { fetchWithRetry } from "../retry.js";

const PAUSE = 400; // milliseconds after the last change

export class Preview {
  /** `root` holds the switch and the place of templates/records/editor.html. */
  constructor(root, words) {
    this.root = root;
    this.words = words;
    this.switch = root.querySelector("[data-watch]");
    this.place = root.querySelector("[data-player]");
    this.said = root.querySelector("[data-unseen]");
    this.shown = null;
    this.switch.addEventListener("click", () => this.toggle());
  }

  get isOn() {
    return this.switch.getAttribute("aria-pressed") === "true";
  }

  async toggle() {
    this.switch.setAttribute("aria-pressed", String(!this.isOn));
    this.place.hidden = !this.isOn;
    this.said.textContent = "";
    if (!this.isOn) return;
    await import("../replay/kafu-replay.js");
    this.draw();
  }

  /** The record stands at another step, or is another one. */
  update(kafu, at) {
    this.wanted = { kafu, at };
    clearTimeout(this.waiting);
    if (this.isOn) this.waiting = setTimeout(() => this.draw(), PAUSE);
  }

  async draw() {
    const { kafu, at } = this.wanted;
    const player = this.place.firstElementChild;
    this.running?.abort();
    if (this.shown === kafu && player) {
      player.position = at;
      return;
    }
    this.running = new AbortController();
    const { signal } = this.running;
    try {
      const body = new FormData();
      body.append("text", kafu);
      body.append("at", at);
      const answer = await fetchWithRetry(this.root.dataset.address, { method: "POST", body, signal });
      const game = await answer.json();
      if (!answer.ok) throw new Error(game.detail);
      this.said.textContent = "";
      this.shown = kafu;
      this.show(game);
    } catch (error) {
      if (signal.aborted) return;
      this.said.textContent = error instanceof TypeError ? this.words.offline : error.message;
    }
  }

  show(game) {
    const before = /** @type {any} */ (this.place.firstElementChild);
    const player = /** @type {any} */ (before ?? document.createElement("kafu-replay"));
    player.game = game;
    if (!before) this.place.append(player);
  }
}
