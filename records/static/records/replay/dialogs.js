/** The dialogs: settings, help, and sharing. */
import { canSend, copy, send } from "./sharing.js";

/** Opens dialogs of `root`; `changed` is told of settings, `texts()` gives what can be copied, `clips` functions
 *  that return the addresses of pictures. */
export class Dialogs {
  constructor(root, settings, words, { changed, texts, clips }, signal) {
    this.root = root;
    this.words = words;
    this.texts = texts;
    this.clips = clips;
    this.told = root.querySelector("[data-copied]");
    const form = this.dialog("settings").querySelector("form");
    for (const box of form.querySelectorAll("input")) {
      box.checked = settings.get(box.name);
      box.addEventListener("change", () => changed(box.name, box.checked), { signal });
    }
    for (const button of root.querySelectorAll("[data-copy]")) {
      button.addEventListener("click", () => this.copy(button.dataset.copy), { signal });
    }
    const sender = root.querySelector("[data-send]");
    sender.hidden = !canSend();
    sender.addEventListener("click", () => this.send(), { signal });
    // A click beside the dialog closes it.
    for (const dialog of root.querySelectorAll("dialog")) {
      dialog.addEventListener("click", (event) => event.target === dialog && dialog.close(), { signal });
    }
  }

  dialog(name) {
    return this.root.querySelector(`[data-dialog="${name}"]`);
  }

  /** Whether a dialog is open: the keys are its own then. */
  get open() {
    return this.root.querySelector("dialog[open]") !== null;
  }

  show(name) {
    if (name === "share") {
      const texts = this.texts();
      for (const field of this.root.querySelectorAll("[data-text]")) field.value = texts[field.dataset.text];
      this.told.textContent = "";
      for (const clip of this.root.querySelectorAll("[data-clip]")) clip.href = this.clips[clip.dataset.clip]();
    }
    this.dialog(name).showModal();
  }

  /** Copies the text of a field; where the browser refuses, selects it for copying by hand. */
  async copy(name) {
    const copied = await copy(this.root.querySelector(`[data-text="${name}"]`));
    this.told.textContent = copied ? this.words.copied : this.words.copyByHand;
  }

  /** Sends the link to the displayed step; where the browser refuses, copies it. */
  async send() {
    const { title, link } = this.texts();
    if (!(await send(title, link))) await this.copy("link");
  }
}
