// @ts-check
/**
 * The values of the next choice beside the table of a replay: bars, rings around cards, a second try.
 *
 * The rows come from the tables of the analysis page, which has the best actions of each choice. The
 * values of other actions are loaded from the API when the reader chooses one of them.
 */
import { SYMBOLS } from "../replay/cards.js";
import { element, svg } from "../replay/elements.js";
import { parse } from "../replay/position.js";
import { formatFigure } from "../replay/sums.js";

const RINGS = ["ring-best", "ring-chosen"];
/** The beginnings of actions in the address of a branch (what_if/branch.js), by kind of choice. */
const PREFIXES = { hand: "", stock: "/", say: "=" };

/**
 * Returns the best option with a card, or null.
 * @param {{ move: string, mean: number }[]} options the options of a choice in the API
 * @param {string} letter
 */
export function findBestOption(options, letter) {
  const matching = options.filter(({ move }) => move[0] === letter);
  return matching.sort((a, b) => b.mean - a.mean)[0] ?? null;
}

const parseFigure = (text) => Number(text.replace("−", "-"));

/** The panel of one replay. */
export class Review {
  /** `replay` is a `<kafu-replay>`, `template` the panel, `bodies` the table bodies of all choices. */
  constructor(replay, template, bodies) {
    this.replay = replay;
    this.template = template;
    this.choices = new Map();
    this.report = null; // the analysis in the API, once loaded
    this.ringed = [];
    for (const body of bodies) {
      const { before } = body.dataset;
      this.choices.set(before, [...(this.choices.get(before) ?? []), body]);
    }
  }

  /** Adds the panel to the replay as soon as the game is loaded. */
  start() {
    if (this.replay.player) this.open();
    else this.replay.addEventListener("kafu-step", () => this.open(), { once: true });
  }

  open() {
    const { player, shadowRoot } = this.replay;
    this.player = player;
    const content = this.template.content.cloneNode(true);
    this.panel = content.querySelector(".review");
    const find = (name) => this.panel.querySelector(`[data-${name}]`);
    this.heading = find("heading");
    this.answers = find("answers");
    this.rows = find("rows");
    const words = content.querySelectorAll("[data-word]");
    this.words = Object.fromEntries([...words].map((word) => [word.dataset.word, word.textContent]));
    // The page of a game that was analysed before has the styles and the place of the panel.
    if (!player.root.classList.contains("reviewing")) {
      shadowRoot.append(element("link", { rel: "stylesheet", href: this.template.dataset.style }));
      player.root.classList.add("reviewing");
    }
    player.root.querySelector("[data-said]").append(this.panel);
    find("again").addEventListener("click", () => this.ask());
    find("board").addEventListener("click", () => this.openBoard());
    this.replay.addEventListener("kafu-step", () => this.show());
    player.root.querySelector("[data-view]").addEventListener("change", () => this.show());
    this.show();
  }

  /** Shows the next choice at the position of the replay; of the seat whose view is shown, if any. */
  show() {
    const { position, player } = this.replay;
    const seat = player.view;
    const choices = this.choices.get(position) ?? [];
    this.choice = choices.find(({ dataset }) => !seat || Number(dataset.seat) === seat) ?? null;
    this.mine = null; // the action that the reader chose
    this.panel.classList.toggle("empty", !this.choice);
    if (!this.choice) this.clear("");
    else if (player.settings.get("spoilers")) this.ask();
    else this.reveal("");
  }

  clear(heading) {
    this.heading.textContent = heading;
    this.answers.replaceChildren();
    this.rows.replaceChildren();
    this.ring([]);
  }

  /** Asks the reader for the choice, without its values. */
  ask() {
    const { seat, kind } = this.choice.dataset;
    this.clear(this.words.ask.replace("#", this.player.data.players[Number(seat) - 1]));
    this.panel.classList.add("asking");
    const buttons = kind === "hand" ? this.createHand(Number(seat)) : this.createWords();
    this.answers.replaceChildren(...buttons);
  }

  /** Returns a button for each card of the hand. */
  createHand(seat) {
    const { deal, step } = parse(this.replay.position);
    const hand = this.player.data.deals[deal - 1].steps[step].hands[seat - 1];
    return [...hand].map((letter) => {
      const button = element("button", { type: "button", "aria-label": this.player.data.cards[letter] ?? letter });
      button.append(this.createPicture(letter));
      button.addEventListener("click", () => this.answer(letter));
      return button;
    });
  }

  /** Returns a button for each action of the table, in an order that does not show the values. */
  createWords() {
    const actions = [...this.choice.querySelectorAll("tr[data-move]")].map(({ dataset, cells }) => ({
      move: dataset.move,
      text: cells[0].querySelector("[data-action]").textContent,
    }));
    actions.sort((a, b) => (a.text < b.text ? -1 : 1));
    return actions.map(({ move, text }) => {
      const button = element("button", { type: "button" }, text);
      button.addEventListener("click", () => this.answer(move));
      return button;
    });
  }

  /** Shows the values after the reader chose a card of the hand (a letter), or an action. */
  async answer(choice) {
    const asked = this.choice;
    const rows = [...asked.querySelectorAll("tr[data-move]")];
    const row = rows.find(({ dataset: { move } }) => move === choice || (choice.length === 1 && move[0] === choice));
    const option = row ? null : findBestOption(await this.loadOptions(), choice);
    if (this.choice !== asked) return; // the reader went on
    this.mine = row?.dataset.move ?? option?.move ?? choice;
    const best = parseFigure(rows[0].dataset.mean);
    const mean = row ? parseFigure(row.dataset.mean) : option?.mean;
    let heading = "";
    if (row === rows[0]) heading = this.words.best;
    else if (mean !== undefined) heading = this.words.less.replace("#", formatFigure(mean - best).slice(1));
    this.reveal(heading, option);
  }

  /** Loads all actions of the current choice from the API; none without a network. */
  async loadOptions() {
    const { at, seat } = this.choice.dataset;
    const { deal, step } = parse(at);
    try {
      this.report ??= await (await fetch(this.template.dataset.report)).json();
    } catch {
      return [];
    }
    const isAsked = (choice) => choice.deal === deal && choice.step === step && choice.seat === Number(seat);
    return this.report.analysis.choices.find(isAsked)?.options ?? [];
  }

  /** Shows the bars and rings of the choice, with the reader's `option` if the table lacks it. */
  reveal(heading, option = null) {
    this.clear(heading || this.describe());
    this.panel.classList.remove("asking");
    this.panel.classList.toggle("answered", Boolean(this.mine));
    const rows = [...this.choice.querySelectorAll("tr[data-move]")].map((row) => this.createRow(row));
    if (option) rows.push(this.createOption(option));
    this.rows.replaceChildren(...rows);
    this.ring(rows);
  }

  /** Returns the player of the choice, and whether the choice was costly. */
  describe() {
    const { seat, costly } = this.choice.dataset;
    const name = this.player.data.players[Number(seat) - 1];
    return costly === undefined ? name : `${name} · ${this.words.costly}`;
  }

  /** Returns a copy of a row with pictures of its cards. */
  createRow(row) {
    const copy = row.cloneNode(true);
    const action = copy.querySelector("[data-action]");
    if (copy.dataset.cards) {
      action.className = "hidden";
      action.before(...[...copy.dataset.cards].map((letter) => this.createPicture(letter)));
    }
    if (this.mine === copy.dataset.move) {
      copy.classList.add("mine");
      action.after(" ", element("small", { class: "tag" }, this.words.yours));
    }
    return copy;
  }

  createOption({ move, mean, error, chance }) {
    const cards = move.replace("x", "");
    const names = [...cards].map((letter) => this.player.data.cards[letter] ?? letter).join(" ");
    const head = element("th", { scope: "row" }, ...[...cards].map((letter) => this.createPicture(letter)));
    head.append(element("span", { class: "hidden" }, names), " ", element("small", { class: "tag" }, this.words.yours));
    return element(
      "tr",
      { class: "mine", "data-move": move },
      head,
      element("td", { class: "bar" }),
      element("td", { class: "figure" }, `${formatFigure(mean)} `, element("small", {}, `± ${error.toFixed(1)}`)),
      element("td", { class: "figure" }, `${(100 * chance.value).toFixed(1)} %`),
    );
  }

  createPicture(letter) {
    const href = `${this.player.options.sprite}#card-${SYMBOLS[letter] ?? letter}`;
    return svg("svg", { class: "pic", viewBox: "0 0 100 160", "aria-hidden": "true" }, svg("use", { href }));
  }

  /** Rings the cards of the best action, and those of the chosen one that the best does not play. */
  ring(rows) {
    for (const card of this.ringed) card.classList.remove(...RINGS);
    const letters = (name) => [...(rows.find((row) => row.classList.contains(name))?.dataset.cards ?? "")];
    const best = letters("best");
    const ringed = [
      ...best.map((letter) => ({ letter, ring: RINGS[0] })),
      ...letters("chosen").filter((letter) => !best.includes(letter)).map((letter) => ({ letter, ring: RINGS[1] })),
    ];
    this.ringed = ringed.flatMap(({ letter, ring }) => {
      const card = this.player.table.findCard(letter);
      card?.classList.add(ring);
      return card ?? [];
    });
  }

  /**
   * Opens the table on which the reader plays on (what_if/begin.js), with the values of all actions of
   * the choice: after the reader's own choice, if there is one.
   */
  async openBoard() {
    const prefix = PREFIXES[this.choice.dataset.kind];
    const actions = this.mine && prefix !== undefined ? [`${prefix}${this.mine}`] : [];
    const options = prefix === undefined ? [] : await this.loadOptions();
    const worths = new Map(options.map(({ move, mean }) => [`${prefix}${move}`, formatFigure(mean)]));
    this.replay.dispatchEvent(new CustomEvent("kafu-try", { detail: { actions, worths } }));
  }
}
