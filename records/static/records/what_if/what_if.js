/**
 * What if: the table of a step to be played on by tapping, beside what really came. Each change asks
 * the archive, whose rules say what may follow (`POST /api/v1/positions`); the branch stands in the
 * page's address.
 */

import { ask, Refused } from "../editor/server.js";
import { EditTable } from "../editor/table.js";
import { cardMaker } from "../replay/cards.js";
import { element } from "../replay/elements.js";
import { sum } from "../replay/sums.js";
import { queryOf, undone, written } from "./branch.js";

export class WhatIf {
  /** `root` is templates/records/_what_if.html, `player` the replay, `button` what opens it. */
  constructor(root, player, button) {
    this.root = root;
    this.element = player;
    this.button = button;
    this.find = (name) => root.querySelector(`[data-${name}]`);
    const { data } = player.player;
    const own = JSON.parse(document.getElementById("what-if-data").textContent);
    this.replay = data;
    this.words = own.words;
    const rulesets = [{ id: data.rules, dealer: own.dealer, units: data.units, finalUnit: own.finalUnit }];
    this.card = cardMaker(root.dataset.sprite, data, "");
    this.turn = Promise.resolve();
    this.table = new EditTable(this.find("table"), { ...data, ...own, rulesets }, this.card, {
      act: (move) => this.go([...this.actions, move.do]),
      inTurn: (what) => this.inTurn(what),
    });
    this.find("close").addEventListener("click", () => this.close());
    this.find("undo").addEventListener("click", () => this.inTurn(() => this.undo()));
    this.find("copy").addEventListener("click", () => this.copy());
    root.addEventListener("keydown", (event) => this.key(event));
  }

  /** Does something once what was done before has its answer. */
  inTurn(what) {
    const done = this.turn.then(what);
    this.turn = done.then(() => {}, () => {});
    return done;
  }

  /** Shows the table of a step, with these actions done. */
  async open(at, actions) {
    await this.dress();
    this.at = at;
    this.actions = [];
    this.first = ""; // what came before anything was chosen
    const [deal, step] = at.split(".").map(Number);
    this.deal = this.replay.deals[deal - 1];
    this.step = step;
    this.find("when").textContent = `${this.deal.title} · ${this.deal.steps[step].text}`;
    const real = this.deal.steps.slice(step + 1);
    this.list("real", real.map(({ card, take, text }) => ({ card, take, words: text })));
    this.element.player.autoplay.stop();
    this.element.hidden = true;
    this.button.hidden = true;
    this.root.hidden = false;
    await this.inTurn(() => this.go(actions));
    this.find("real-came").textContent = this.came(this.deal.score);
    this.root.querySelector("h2").focus();
    this.root.scrollIntoView({ block: "nearest" });
  }

  /** The table's style, which the page needs only now. */
  dress() {
    const { style } = this.root.dataset;
    if (document.querySelector(`link[href="${style}"]`)) return undefined;
    const link = /** @type {HTMLLinkElement} */ (element("link", { rel: "stylesheet", href: style }));
    const done = new Promise((resolve) => {
      link.addEventListener("load", resolve);
      link.addEventListener("error", resolve);
    });
    document.head.append(link);
    return done;
  }

  close() {
    this.root.hidden = true;
    this.element.hidden = false;
    this.button.hidden = false;
    history.replaceState(history.state, "", `${location.pathname}#${this.at}`);
    this.element.position = this.at;
    this.button.focus();
  }

  /** The place in the game with all these actions done, where they fit. */
  async go(actions) {
    if (written(actions) === null) return;
    const answer = await this.asked(actions);
    if (!answer) return;
    this.say("");
    if (answer.fault && actions.length) {
      // Of an address that somebody wrote: what fits before the fault is shown.
      await this.go(actions.slice(0, -1));
      this.say(this.words.strange);
      return;
    }
    this.actions = actions;
    const query = queryOf(this.at, actions);
    history.replaceState(history.state, "", `${location.pathname}${query}`);
    this.root.dispatchEvent(new CustomEvent("kafu-branch", { detail: query, bubbles: true }));
    this.show(answer);
    // Where the draw pile is known its card turns by itself, unless it captures what one chooses.
    const [next, ...others] = answer.legal;
    if (!others.length && next?.kind === "stock") {
      if (!actions.length) this.first = next.do;
      await this.go([...actions, next.do]);
    }
  }

  undo() {
    return this.go(undone(this.actions, this.first));
  }

  async asked(actions) {
    this.root.setAttribute("aria-busy", "true");
    const { key, positions } = this.root.dataset;
    const fields = { record: key, at: this.at, foresee: true, take_back: true, do: actions };
    const language = document.documentElement.lang;
    try {
      return await ask(`${positions}?lang=${language}`, fields, this.words, new AbortController().signal);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.say(error.message);
      return null;
    } finally {
      this.root.setAttribute("aria-busy", "false");
    }
  }

  show(answer) {
    const isOver = Boolean(answer.due) || !answer.legal.length;
    this.table.show(answer);
    this.find("undo").disabled = undone(this.actions, this.first).length === this.actions.length;
    this.list("branch", answer.steps.slice(this.step + 1));
    this.find("branch-came").textContent = isOver ? this.came(answer.deals.at(-1)?.result?.score) : "";
  }

  /** Steps in a list, each with its cards and words. */
  list(name, steps) {
    const items = steps.map(({ card, take, words }) => {
      const item = element("li", {});
      if (card) {
        const shown = element("span", { class: "pictures", "aria-hidden": "true" }, this.card(card));
        if (take) shown.append("→", ...[...take].map((letter) => this.card(letter)));
        item.append(shown);
      }
      item.append(words);
      return item;
    });
    const list = this.find(name);
    list.replaceChildren(...items);
    if (name === "branch") list.scrollTop = list.scrollHeight;
  }

  /** What a month brought each player. */
  came(score) {
    if (!this.table.answer) return "";
    const { players, units } = this.replay;
    const sign = (points) => (points > 0 && !units ? "+" : "");
    return (score ?? []).map((points, i) => `${players[i]} ${sign(points)}${sum(points, units)}`).join(" · ");
  }

  async copy() {
    try {
      await navigator.clipboard.writeText(location.href);
      this.say(this.words.copied);
    } catch {
      this.say(location.href);
    }
  }

  key(event) {
    event.stopPropagation(); // the replay has keys of its own
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { key } = event;
    if (key === "Escape") this.close();
    else if (key === "Backspace") this.inTurn(() => this.undo());
    else if (key in this.replay.kinds) this.inTurn(() => this.table.press(key));
    else return;
    event.preventDefault();
  }

  say(text) {
    this.find("status").textContent = text;
  }
}
