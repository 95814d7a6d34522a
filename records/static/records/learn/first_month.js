// @ts-check
/**
 * The first month of a learner: the table of the editor, on which the archive plays the other hand
 * (`records/pages/learn/month.py`) and gives hints.
 */

import { post, Refused } from "../editor/server.js";
import { EditTable } from "../editor/table.js";
import { cardMaker } from "../replay/cards.js";
import { DOWN } from "../replay/knowledge.js";

const UNKNOWN = "?"; // a card of the other hand in a response

/** A month with undo and hints. */
export class FirstMonth {
  /**
   * @param {Element} root templates/records/learn/month.html
   * @param {string} sprite
   * @param {any} data
   */
  constructor(root, sprite, data) {
    this.root = /** @type {HTMLElement} */ (root);
    this.data = data;
    /** @type {(name: string) => any} */
    this.find = (name) => root.querySelector(`[data-${name}]`);
    this.number = 0; // of the deal in `data.seeds`
    /** The actions before each choice of the learner. */
    this.choices = [];
    this.queue = Promise.resolve();
    const createCard = cardMaker(sprite, data, data.words.faceDown);
    const createTableCard = (letter) => createCard(letter === UNKNOWN ? DOWN : letter);
    this.table = new EditTable(this.find("table"), data, createTableCard, {
      act: (move) => this.play([...this.actions, move.do]),
      enqueue: (task) => this.enqueue(task),
    });
  }

  /** Shows the board, and requests the first deal when the screen is seen. */
  start() {
    this.find("hint").addEventListener("click", () => this.showHint());
    this.find("undo").addEventListener("click", () => this.enqueue(() => this.undo()));
    this.find("another").addEventListener("click", () => this.enqueue(() => this.startAnother()));
    this.root.hidden = false;
    const watcher = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      watcher.disconnect();
      this.enqueue(() => this.play([]));
    });
    watcher.observe(this.root);
  }

  /** Runs a task after the response to all earlier tasks. */
  enqueue(task) {
    const result = this.queue.then(task);
    this.queue = result.then(() => {}, () => {});
    return result;
  }

  /** Shows the table after some actions and the replies of the archive; after a refusal the reason. */
  async play(actions) {
    const { ruleset, seeds } = this.data;
    const fields = { ruleset, seed: seeds[this.number], actions };
    this.root.setAttribute("aria-busy", "true");
    try {
      const { address } = this.root.dataset;
      const response = await post(address ?? "", fields, this.data.words, new AbortController().signal);
      if (actions.length) this.choices.push(this.actions);
      this.show(response);
      return true;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.say(error.message);
      return false;
    } finally {
      this.root.setAttribute("aria-busy", "false");
    }
  }

  show(response) {
    this.actions = response.actions;
    this.hint = response.hint;
    this.table.show(response);
    this.find("undo").disabled = !this.choices.length;
    this.find("hint").disabled = !this.hint;
    this.say(response.news.join(" "));
  }

  async undo() {
    const before = this.choices.slice(0, -1);
    if (!(await this.play(this.choices.at(-1)))) return;
    this.choices = before;
    this.find("undo").disabled = !before.length;
  }

  async startAnother() {
    const last = this.number;
    this.number = (this.number + 1) % this.data.seeds.length;
    if (await this.play([])) {
      this.choices = [];
      this.find("undo").disabled = true;
    } else {
      this.number = last;
    }
  }

  /** Shows the advised move in words, and moves the focus to its card or button. */
  showHint() {
    const { words, reasons, do: action } = this.hint;
    this.say(reasons ? `${words} (${reasons})` : words);
    const name = action.startsWith("=") ? `[data-do="${action}"]` : `[data-key="${action.replace("/", "")[0]}"]`;
    this.find("table").querySelector(name)?.focus();
  }

  /** @param {string} text */
  say(text) {
    this.find("says").textContent = text;
  }
}
