/** What the archive makes of the months of a form: `POST /api/v1/sheets` (docs/api.md). */

import { ask, Refused } from "../editor/server.js";
import { sent, stored } from "./entered.js";

export class Archive {
  constructor(address, words) {
    this.address = address;
    this.words = words;
  }

  /**
   * Asks for the sheet of a state, in the place of what was asked before. The answer has its `entries`
   * as well; a refusal is said in words, and what is superseded has neither.
   */
  async ask({ ruleset, players, options, tags, months, at }) {
    this.running?.abort();
    this.running = new AbortController();
    const fields = { ruleset, players, options, tags, at, months: months.map(sent) };
    const entries = JSON.stringify(months.map(stored));
    try {
      const answer = await ask(this.address, fields, this.words, this.running.signal);
      return { answer: { ...answer, entries } };
    } catch (error) {
      if (error instanceof Refused) return { refusal: error.message };
      if (error.name === "AbortError") return {};
      throw error;
    }
  }
}
