/**
 * The analysis of a game in a section of its page: fetched from its own page, asked for by its form,
 * followed while it is made. Without this module the link in the section leads to that page.
 */

const WAIT = 2000;
const AGAIN = 15_000; // where the archive did not answer

/** The section `root`; `shown(part)` is told of each part that it shows. */
export class Analysis {
  constructor(root, shown) {
    this.root = root;
    this.shown = shown;
    this.root.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.ask(/** @type {HTMLFormElement} */ (event.target));
    });
  }

  /** Takes up what the section shows, or gets it. */
  start() {
    const part = this.root.querySelector("[data-part]");
    if (part) this.take(part);
    else void this.get();
  }

  async get(options = {}) {
    try {
      const answer = await fetch(this.root.dataset.analysis, options);
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const part = page.querySelector("[data-part]");
      if (!part) throw new Error(String(answer.status));
      this.root.querySelector("[data-part]")?.remove();
      this.root.querySelector("[data-elsewhere]")?.remove();
      this.root.append(document.adoptNode(part));
      this.take(part);
    } catch {
      const button = this.root.querySelector("button");
      if (button) button.disabled = false;
      if (this.making) this.later(AGAIN);
    }
  }

  ask(form) {
    form.querySelector("button").disabled = true;
    return this.get({ method: "POST", body: new FormData(form) });
  }

  take(part) {
    this.making = ["waiting", "running"].includes(part.dataset.part);
    if (this.making) this.later(WAIT);
    this.shown(part);
  }

  later(wait) {
    setTimeout(() => this.get(), wait);
  }
}

/** The costly choices of a part, those of a step together: `[{at, text}]`. */
export function costlyIn(part) {
  const texts = new Map();
  for (const { dataset } of part.querySelectorAll("[data-mark]")) {
    texts.set(dataset.markAt, [...(texts.get(dataset.markAt) ?? []), dataset.mark]);
  }
  return [...texts].map(([at, found]) => ({ at, text: found.join(" · ") }));
}
