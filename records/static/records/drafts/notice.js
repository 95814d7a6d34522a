// @ts-check
/** A notice about the open draft: not stored, not readable, or changed in another tab. */

/** The notice above an editor, with a button that downloads the draft. */
export class Notice {
  /** `root` is the paragraph of templates/records/_notice.html. */
  constructor(root) {
    this.root = root;
    this.words = root.querySelector("span");
    this.button = root.querySelector("button");
    this.button.addEventListener("click", () => download(this.text()));
  }

  /** Shows a message. With `text`, offers the result of `text()` as a file. */
  show(words, text = null) {
    this.words.textContent = words;
    this.text = text;
    this.button.hidden = !text;
    this.root.hidden = false;
  }

  hide() {
    this.root.hidden = true;
  }
}

/** Downloads a text as a file. */
function download(text) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  link.download = "draft.kafu";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
