// @ts-check
/** Requests of the score-sheet form: `POST /api/v1/sheets` (docs/api.md). */

import { post, Refused } from "../editor/server.js";
import { toRequestMonth, toStoredMonth } from "./entered.js";

/** The archive as a service that computes sheets. */
export class Archive {
  constructor(address, words) {
    this.address = address;
    this.words = words;
  }

  /**
   * Requests the sheet of a state and cancels the previous request. Returns `{response}` with the stored
   * form as `entries`, `{refusal}` with a readable message, or `{}` if a newer request cancels this one.
   */
  async requestSheet({ ruleset, players, options, tags, months, at }) {
    this.running?.abort();
    this.running = new AbortController();
    const fields = { ruleset, players, options, tags, at, months: months.map(toRequestMonth) };
    const entries = JSON.stringify(months.map(toStoredMonth));
    try {
      const response = await post(this.address, fields, this.words, this.running.signal);
      return { response: { ...response, entries } };
    } catch (error) {
      if (error instanceof Refused) return { refusal: error.message };
      if (error.name === "AbortError") return {};
      throw error;
    }
  }
}
