// @ts-check
/** The preview: shows the unfinished game in the replay player. */

import { fetchWithRetry } from "../retry.js";

const PAUSE = 400; // milliseconds after the last change

/** The switch of the preview and the player below it. */
export class Preview {
  /** `root` contains the switch and the player's place in templates/records/editor.html. */
  constructor(root, words) {
    this.root = root;
    this.words = words;
    this.switch = root.querySelector("[data-watch]");
    this.place = root.querySelector("[data-player]");
    this.message = root.querySelector("[data-unseen]");
    this.drawnKafu = null;
    this.switch.addEventListener("click", () => this.toggle());
  }

  get isOn() {
    return this.switch.getAttribute("aria-pressed") === "true";
  }

  toggle() {
    this.switch.setAttribute("aria-pressed", String(!this.isOn));
    this.place.hidden = !this.isOn;
    this.message.textContent = "";
    if (this.isOn) this.draw();
  }

  /** Sets the text and the step to show. Draws them after a pause if the preview is on. */
  update(kafu, at) {
    this.current = { kafu, at };
    clearTimeout(this.waiting);
    if (this.isOn) this.waiting = setTimeout(() => this.draw(), PAUSE);
  }

  async draw() {
    const { kafu, at } = this.current;
    const player = this.place.firstElementChild;
    this.running?.abort();
    if (this.drawnKafu === kafu && player) {
      player.position = at;
      return;
    }
    this.running = new AbortController();
    const { signal } = this.running;
    try {
      await import("../replay/kafu-replay.js");
      const body = new FormData();
      body.append("text", kafu);
      body.append("at", at);
      const response = await fetchWithRetry(this.root.dataset.address, { method: "POST", body, signal });
      const game = await response.json();
      if (!response.ok) throw new Error(game.detail);
      this.message.textContent = "";
      this.drawnKafu = kafu;
      this.show(game);
    } catch (error) {
      if (signal.aborted) return;
      this.message.textContent = error instanceof TypeError ? this.words.offline : error.message;
    }
  }

  show(game) {
    const current = /** @type {any} */ (this.place.firstElementChild);
    const player = /** @type {any} */ (current ?? document.createElement("kafu-replay"));
    player.game = game;
    if (!current) this.place.append(player);
  }
}
