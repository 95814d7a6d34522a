/** What is said of the draft itself: that it is not kept, cannot be shown, or was changed elsewhere. */

export class Notice {
  /** `root` is the paragraph of templates/records/_notice.html. */
  constructor(root) {
    this.root = root;
    this.words = root.querySelector("span");
    this.button = root.querySelector("button");
    this.button.addEventListener("click", () => download(this.text()));
  }

  /** Says it; `text()` is what can be taken away as a file, null for nothing. */
  tell(words, text = null) {
    this.words.textContent = words;
    this.text = text;
    this.button.hidden = !text;
    this.root.hidden = false;
  }

  hide() {
    this.root.hidden = true;
  }
}

/** Hands a text out as a file. */
function download(text) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  link.download = "draft.kafu";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
