/** The dialogs: settings, help, and what to copy for showing the game elsewhere. */

/** Opens dialogs of `root`; `changed` is told of settings, `texts()` gives what can be copied, `clip(form)` the
 *  address of the month that is shown as a picture of that form. */
export class Dialogs {
  constructor(root, settings, words, { changed, texts, clip }, signal) {
    this.root = root;
    this.words = words;
    this.texts = texts;
    this.clip = clip;
    this.toast = root.querySelector("[data-toast]");
    const form = this.dialog("settings").querySelector("form");
    for (const box of form.querySelectorAll("input")) {
      box.checked = settings.get(box.name);
      box.addEventListener("change", () => changed(box.name, box.checked), { signal });
    }
    for (const button of root.querySelectorAll("[data-copy]")) {
      const field = root.querySelector(`[data-text="${button.dataset.copy}"]`);
      const told = root.querySelector("[data-copied]");
      button.addEventListener("click", () => this.copy(field.value, told, field), { signal });
    }
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
      for (const [key, text] of Object.entries(this.texts())) {
        this.root.querySelector(`[data-text="${key}"]`).value = text;
      }
      this.root.querySelector("[data-copied]").textContent = "";
      for (const clip of this.root.querySelectorAll("[data-clip]")) clip.href = this.clip(clip.dataset.clip);
    }
    this.dialog(name).showModal();
  }

  /** Copies the link to the step that is shown; where the browser refuses, shows it to be copied. */
  async link() {
    await this.copy(this.texts().link, this.toast, null);
    setTimeout(() => (this.toast.textContent = ""), 2000);
  }

  async copy(text, told, field) {
    try {
      await navigator.clipboard.writeText(text);
      told.textContent = this.words.copied;
    } catch {
      if (!field) {
        this.show("share");
        return;
      }
      field.select();
      told.textContent = this.words.copyByHand;
    }
  }
}
