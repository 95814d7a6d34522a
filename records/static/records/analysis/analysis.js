// @ts-check
/**
 * The analysis of a game: loads the section of the analysis page into a page, submits its form, and
 * polls while the server computes the analysis.
 */

const PAUSE = 2000; // milliseconds between requests
const PAUSE_AFTER_FAILURE = 15_000;

/** The section of an analysis. */
export class Analysis {
  /** `onShow(part)` is called with each part that the section `root` shows. */
  constructor(root, onShow) {
    this.root = root;
    this.onShow = onShow;
    this.root.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.submit(/** @type {HTMLFormElement} */ (event.target));
    });
  }

  /** Shows the part that the server rendered into the section, else loads the part. */
  start() {
    const part = this.root.querySelector("[data-part]");
    if (part) this.adopt(part);
    else void this.load();
  }

  async load(options = {}) {
    try {
      const response = await fetch(this.root.dataset.analysis, options);
      const page = new DOMParser().parseFromString(await response.text(), "text/html");
      const part = page.querySelector("[data-part]");
      if (!part) throw new Error(String(response.status));
      this.show(part);
    } catch {
      const button = this.root.querySelector("button");
      if (button) button.disabled = false;
      if (this.isUnfinished) this.loadLater(PAUSE_AFTER_FAILURE);
    }
  }

  /** Shows a part in place of the former one, unless they are equal: a tap on a button must not be lost. */
  show(part) {
    const old = this.root.querySelector("[data-part]");
    if (old?.isEqualNode(part)) {
      this.loadLater(PAUSE);
      return;
    }
    old?.remove();
    this.root.querySelector("[data-elsewhere]")?.remove();
    this.root.append(document.adoptNode(part));
    this.adopt(part);
  }

  submit(form) {
    form.querySelector("button").disabled = true;
    return this.load({ method: "POST", body: new FormData(form) });
  }

  adopt(part) {
    this.isUnfinished = ["waiting", "running"].includes(part.dataset.part);
    if (this.isUnfinished) this.loadLater(PAUSE);
    this.onShow(part);
    const offer = part.querySelector("[data-here]");
    if (offer) import("./here.js").then(({ AnalysisHere }) => new AnalysisHere(offer, this)).catch(() => {});
  }

  loadLater(pause) {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.load(), pause);
  }

  /** Stops polling until the next part or `loadLater`. */
  stop() {
    clearTimeout(this.waiting);
  }
}

/**
 * Returns the costly choices of a part with the texts of each step joined.
 * @param {any} part
 * @returns {{ before: string, at: string, text: string }[]}
 */
export function collectCostlyChoices(part) {
  const texts = new Map();
  const steps = new Map();
  for (const { dataset } of part.querySelectorAll("[data-mark]")) {
    steps.set(dataset.markAt, dataset.markBefore);
    texts.set(dataset.markAt, [...(texts.get(dataset.markAt) ?? []), dataset.mark]);
  }
  return [...texts].map(([at, choices]) => ({ before: steps.get(at), at, text: choices.join(" · ") }));
}
