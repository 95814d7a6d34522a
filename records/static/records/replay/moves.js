/** The list of a deal's moves: links, each with its words and the record's comments. */
import { SYMBOLS } from "./cards.js";
import { element, svg } from "./elements.js";
import { format } from "./position.js";

const SKIM = 40;

/** The list in `root`; `address` gives a position's link, `sprite` is where cards are. Of its links one
 *  is in the way of Tab, the current one: who goes on to the controls need not pass all. */
export class MoveList {
  constructor(root, data, address, sprite) {
    this.root = root;
    this.sprite = sprite;
    this.data = data;
    this.address = address;
    this.lists = new Map();
    this.deal = 0;
    this.current = null;
    this.notes = new Map();
  }

  /** Writes notes beside steps: texts by position as addresses have it. */
  note(notes) {
    this.notes = notes;
    this.lists.clear();
    this.deal = 0;
  }

  /** Marks a position; its deal's list is made when it is first asked for. */
  show({ deal, step }) {
    if (deal !== this.deal) {
      this.deal = deal;
      if (!this.lists.has(deal)) this.lists.set(deal, this.build(deal));
      this.root.replaceChildren(...this.lists.get(deal));
      this.root.scrollTop = 0;
    }
    const item = this.lists.get(deal)[1].children[step];
    this.current?.classList.remove("current");
    this.current?.firstChild.removeAttribute("aria-current");
    this.current?.firstChild.setAttribute("tabindex", "-1");
    item.classList.add("current");
    item.firstChild.setAttribute("aria-current", "step");
    item.firstChild.removeAttribute("tabindex");
    this.current = item;
    this.reveal(item);
  }

  build(deal) {
    const { title, steps } = this.data.deals[deal - 1];
    const items = steps.map((step, i) => {
      const at = { deal, step: i };
      const link = element("a", { href: this.address(at), "data-at": format(at), tabindex: "-1" });
      if (step.kind === "hand") link.append(element("b", { class: "turn" }, String(step.turn)), " ");
      if (step.notation) link.append(element("code", { class: "lettered" }, step.notation), " ");
      link.append(...this.pictures(step), element("span", {}, step.text));
      const said = step.comments.map((comment) => element("q", {}, comment));
      const note = this.notes.get(format(at));
      if (note) said.push(element("p", { class: "costly" }, note));
      return element("li", { class: step.kind }, link, ...said);
    });
    return [element("h3", {}, title), element("ol", {}, ...items)];
  }

  /** The cards of a step, small: the one played or turned, then those it takes. */
  pictures({ card, take }) {
    return [...(card + take)].map((letter) =>
      svg(
        "svg",
        { class: "pic", viewBox: "0 0 100 160", "aria-hidden": "true" },
        svg("use", { href: `${this.sprite}#card-${SYMBOLS[letter] ?? letter}` }),
      ),
    );
  }

  /** Scrolls the list, never the page. */
  reveal(item) {
    const box = this.root.getBoundingClientRect();
    const own = item.getBoundingClientRect();
    if (own.top < box.top + SKIM || own.bottom > box.bottom) {
      this.root.scrollTop += own.top - box.top - (box.height - own.height) / 2;
    }
  }
}
