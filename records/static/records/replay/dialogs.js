// @ts-check
/** The dialogs of the player: settings, help and sharing. */
import { canStore } from "../storage.js";
import { canSend, copy, send } from "./sharing.js";

/** The dialogs within `root`. */
export class Dialogs {
  /**
   * `onChange(name, value)` is called for settings, `texts()` returns the texts to copy, `clips` has
   * functions that return the addresses of pictures.
   */
  constructor(root, settings, words, { onChange, texts, clips }, signal) {
    this.root = root;
    this.words = words;
    this.texts = texts;
    this.clips = clips;
    this.message = root.querySelector("[data-copied]");
    const form = this.dialog("settings").querySelector("form");
    for (const box of form.querySelectorAll("input")) {
      box.checked = settings.get(box.name);
      box.addEventListener("change", () => onChange(box.name, box.checked), { signal });
    }
    for (const button of root.querySelectorAll("[data-copy]")) {
      button.addEventListener("click", () => this.copy(button.dataset.copy), { signal });
    }
    const sender = root.querySelector("[data-send]");
    sender.hidden = !canSend();
    sender.addEventListener("click", () => this.send(), { signal });
    // Close a dialog by a click on its backdrop.
    for (const dialog of root.querySelectorAll("dialog")) {
      dialog.addEventListener("click", (event) => event.target === dialog && dialog.close(), { signal });
    }
  }

  dialog(name) {
    return this.root.querySelector(`[data-dialog="${name}"]`);
  }

  /** Whether a dialog is open and receives the keys. */
  get isOpen() {
    return this.root.querySelector("dialog[open]") !== null;
  }

  show(name) {
    if (name === "settings") this.root.querySelector("[data-forgotten]").hidden = canStore();
    if (name === "share") {
      const texts = this.texts();
      for (const field of this.root.querySelectorAll("[data-text]")) field.value = texts[field.dataset.text];
      this.message.textContent = "";
      for (const clip of this.root.querySelectorAll("[data-clip]")) clip.href = this.clips[clip.dataset.clip]();
    }
    this.dialog(name).showModal();
  }

  /** Copies the text of a field. If the browser refuses, selects the text for copying by hand. */
  async copy(name) {
    const isCopied = await copy(this.root.querySelector(`[data-text="${name}"]`));
    this.message.textContent = isCopied ? this.words.copied : this.words.copyByHand;
  }

  /** Sends the link to the displayed step. If the browser refuses, copies the link. */
  async send() {
    const { title, link } = this.texts();
    if (!(await send(title, link))) await this.copy("link");
  }
}
