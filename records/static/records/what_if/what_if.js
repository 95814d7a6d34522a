// @ts-check
/**
 * "Try another move": plays a game on from a step by taps, next to the real continuation. After each
 * action the archive returns the legal moves (`POST /api/v1/positions`). The address of the page
 * contains the branch.
 */

import { cachePage } from "../editor/page_cache.js";
import { post, Refused } from "../editor/server.js";
import { EditTable } from "../editor/table.js";
import { cardMaker } from "../replay/cards.js";
import { element } from "../replay/elements.js";
import { formatFigure, formatSum } from "../replay/sums.js";
import { openCache } from "../storage.js";
import { branchQuery, formatBranch, removeLastAction } from "./branch.js";

const MOST = 20; // games that a device keeps

/** Loads the style sheet of the table, unless the page has it. */
function loadStyle(root) {
  const { style } = root.dataset;
  if (document.querySelector(`link[href="${style}"]`)) return undefined;
  const link = /** @type {HTMLLinkElement} */ (element("link", { rel: "stylesheet", href: style }));
  const loaded = new Promise((resolve) => {
    link.addEventListener("load", resolve);
    link.addEventListener("error", resolve);
  });
  document.head.append(link);
  return loaded;
}

/** Keeps the page of a game and its table on a device that was made ready, in place of older games. */
export async function keepGame(root) {
  await loadStyle(root);
  await cachePage("/games/");
  const cache = await openCache("hana-offline");
  const games = (await cache.keys()).filter(({ url }) => new URL(url).pathname.startsWith("/games/"));
  // Each game has two addresses: the page and its steps.
  await Promise.all(games.slice(0, -2 * MOST).map((request) => cache.delete(request)));
}

/** The table of a branch. */
export class WhatIf {
  /** `root` is templates/records/_what_if.html, `replay` a `<kafu-replay>`, `button` opens the table. */
  constructor(root, replay, button) {
    this.root = root;
    this.replay = replay;
    this.button = button;
    this.find = (name) => root.querySelector(`[data-${name}]`);
    const { data } = replay.player;
    const pageData = JSON.parse(document.getElementById("what-if-data").textContent);
    this.data = data;
    this.words = pageData.words;
    const { dealer, finalUnit } = pageData;
    const rulesets = [{ id: data.rules, dealer, units: data.units, finalUnit }];
    this.createCard = cardMaker(root.dataset.sprite, data, "");
    this.queue = Promise.resolve();
    this.table = new EditTable(this.find("table"), { ...data, ...pageData, rulesets }, this.createCard, {
      act: (move) => this.play([...this.actions, move.do]),
      enqueue: (task) => this.enqueue(task),
    });
    this.find("close").addEventListener("click", () => this.close());
    this.find("undo").addEventListener("click", () => this.enqueue(() => this.undo()));
    this.find("copy").addEventListener("click", () => this.copy());
    root.addEventListener("keydown", (event) => this.onKeydown(event));
  }

  /** Runs a task after the response to all earlier tasks. */
  enqueue(task) {
    const result = this.queue.then(task);
    this.queue = result.then(() => {}, () => {});
    return result;
  }

  /**
   * Hides the replay and shows the table of the step `at` (`3.14`) after some actions. `worths` are the
   * values of actions at this step, as texts, or null: then no moves have values.
   */
  async open(at, actions, worths) {
    await loadStyle(this.root);
    this.at = at;
    this.worths = worths && new Map([[formatBranch([]), worths]]); // by branch
    this.actions = [];
    this.automatic = ""; // the action that turned a card of the draw pile before the first choice
    const [deal, step] = at.split(".").map(Number);
    this.deal = this.data.deals[deal - 1];
    this.step = step;
    this.find("when").textContent = `${this.deal.title} · ${this.deal.steps[step].text}`;
    const real = this.deal.steps.slice(step + 1);
    this.showSteps("real", real.map(({ card, take, text }) => ({ card, take, words: text })));
    this.replay.player.autoplay.stop();
    this.replay.hidden = true;
    this.button.hidden = true;
    this.root.hidden = false;
    await this.enqueue(() => this.play(actions));
    this.find("real-came").textContent = this.describeScore(this.deal.score);
    this.root.querySelector("h2").focus();
    this.root.scrollIntoView({ block: "nearest" });
  }

  close() {
    this.root.hidden = true;
    this.replay.hidden = false;
    this.button.hidden = false;
    history.replaceState(history.state, "", `${location.pathname}#${this.at}`);
    this.replay.position = this.at;
    this.button.focus();
  }

  /**
   * Shows the position after some actions; of actions that do not fit, the longest fitting part.
   * Ignores more actions than an address can have.
   */
  async play(actions) {
    if (formatBranch(actions) === null) return;
    const response = await this.request(actions);
    if (!response) return;
    this.say("");
    if (response.fault && actions.length) {
      // Only an address that was edited by hand contains impossible actions.
      await this.play(actions.slice(0, -1));
      this.say(this.words.strange);
      return;
    }
    this.actions = actions;
    const query = branchQuery(this.at, actions);
    history.replaceState(history.state, "", `${location.pathname}${query}`);
    this.root.dispatchEvent(new CustomEvent("kafu-branch", { detail: query, bubbles: true }));
    this.show(response);
    // A known card of the draw pile is turned automatically, unless the player chooses the capture.
    const [next, ...others] = response.legal;
    if (!others.length && next?.kind === "stock") {
      if (!actions.length) this.automatic = next.do;
      await this.play([...actions, next.do]);
    }
  }

  undo() {
    return this.play(removeLastAction(this.actions, this.automatic));
  }

  /**
   * Requests the position after some actions, with the known cards of the rest of the deal (`foresee`)
   * and without its real turns (`take_back`). Returns null after showing a refusal.
   */
  async request(actions) {
    this.root.setAttribute("aria-busy", "true");
    try {
      return await this.post({ do: actions });
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.say(error.message);
      return null;
    } finally {
      this.root.setAttribute("aria-busy", "false");
    }
  }

  /** Posts changes of the game at the step. Throws `Refused`. */
  post(changes) {
    const { key, positions } = this.root.dataset;
    const fields = { at: this.at, foresee: true, take_back: true, ...changes };
    const address = `${positions}?lang=${document.documentElement.lang}`;
    const { signal } = new AbortController();
    const kafu = document.querySelector("pre.text").textContent; // a device does not know the key
    return post(address, { record: key, ...fields }, this.words, signal, { kafu, ...fields });
  }

  /**
   * Computes the values of the moves after some actions, and shows them unless the reader went on. After a
   * failure the moves have no values.
   */
  async loadWorths(actions) {
    const { worths } = this;
    const response = await this.post({ do: actions, worths: true }).catch(() => null);
    if (!response) return;
    const texts = new Map(Object.entries(response.worths).map(([move, { mean }]) => [move, formatFigure(mean)]));
    worths.set(formatBranch(actions), texts);
    if (this.worths === worths && this.actions === actions) this.table.showWorths(texts);
  }

  show(response) {
    const isOver = Boolean(response.due) || !response.legal.length;
    const worths = this.worths?.get(formatBranch(this.actions));
    this.table.show(response, worths);
    if (this.worths && !worths && response.legal.length > 1) void this.loadWorths(this.actions);
    this.find("undo").disabled = removeLastAction(this.actions, this.automatic).length === this.actions.length;
    this.showSteps("branch", response.steps.slice(this.step + 1));
    this.find("branch-came").textContent = isOver ? this.describeScore(response.deals.at(-1)?.result?.score) : "";
  }

  /** Shows steps in the list `name`, each with its cards and words. */
  showSteps(name, steps) {
    const items = steps.map(({ card, take, words }) => {
      const item = element("li", {});
      if (card) {
        const row = element("span", { class: "pictures", "aria-hidden": "true" }, this.createCard(card));
        if (take) row.append("→", ...[...take].map((letter) => this.createCard(letter)));
        item.append(row);
      }
      item.append(words);
      return item;
    });
    const list = this.find(name);
    list.replaceChildren(...items);
    if (name === "branch") list.scrollTop = list.scrollHeight;
  }

  /** Returns the scores of a month with the names of the players; "" before the first response. */
  describeScore(score) {
    if (!this.table.response) return "";
    const { players, units } = this.data;
    const sign = (points) => (points > 0 && !units ? "+" : "");
    return (score ?? []).map((points, i) => `${players[i]} ${sign(points)}${formatSum(points, units)}`).join(" · ");
  }

  async copy() {
    try {
      await navigator.clipboard.writeText(location.href);
      this.say(this.words.copied);
    } catch {
      this.say(location.href);
    }
  }

  onKeydown(event) {
    event.stopPropagation(); // the replay player listens to the same keys
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { key } = event;
    if (key === "Escape") this.close();
    else if (key === "Backspace") this.enqueue(() => this.undo());
    else if (key in this.data.kinds) this.enqueue(() => this.table.press(key));
    else return;
    event.preventDefault();
  }

  say(text) {
    this.find("status").textContent = text;
  }
}
