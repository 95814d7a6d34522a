// @ts-check
/**
 * The offer to analyse a game on the reader's device, which is made while many games wait for the server:
 * loads the rules once the reader accepts, shows the progress, and can be cancelled between two parts.
 */

const PAUSE = 2000; // milliseconds until the server is asked again

/** The offer of a part of `Analysis`. */
export class AnalysisHere {
  /** `root` is the element `data-here` of templates/records/_analysis.html. */
  constructor(root, analysis) {
    this.root = root;
    this.analysis = analysis;
    this.isCancelled = false;
    this.find = (name) => root.querySelector(`[data-${name}]`);
    this.find("begin").addEventListener("click", () => this.run());
    this.find("cancel").addEventListener("click", () => {
      this.isCancelled = true;
      this.find("cancel").disabled = true;
    });
  }

  /** Analyses the game part by part, and shows the analysis unless the reader cancels. */
  async run() {
    this.isCancelled = false;
    this.analysis.stop();
    this.setRunning(true);
    this.find("failed").hidden = true;
    try {
      const { callEngine } = await import("../device.js");
      const response = await fetch(this.root.dataset.kafu);
      if (!response.ok) throw new Error(String(response.status));
      let fields = { kafu: await response.text(), page: this.root.dataset.page, choices: [], deals: [], html: "", report: null };
      while (!fields.html && !this.isCancelled) {
        const result = await callEngine("analysis", { fields });
        fields = { ...fields, ...result };
        this.find("progress").value = result.done / result.total;
      }
      if (fields.html) return this.show(fields);
    } catch {
      this.find("failed").hidden = false;
    }
    this.setRunning(false);
    return this.analysis.loadLater(PAUSE);
  }

  setRunning(isRunning) {
    this.find("begin").disabled = isRunning;
    for (const name of ["cancel", "progress"]) this.find(name).hidden = !isRunning;
    this.find("cancel").disabled = false;
    this.find("progress").value = 0;
  }

  show({ html, report }) {
    const page = new DOMParser().parseFromString(html, "text/html");
    const part = /** @type {any} */ (page.querySelector("[data-part]"));
    part.report = { analysis: report };
    this.analysis.show(part);
  }
}
