// @ts-check
/** The list of the moves of a deal: links with words, comments and notes. */
import { SYMBOLS } from "./cards.js";
import { element, svg } from "./elements.js";
import { format } from "./position.js";

const MARGIN = 40; // pixels below the upper edge that the heading covers

/** The list in `root`. Tab stops at the current move only. */
export class MoveList {
  /** `address(position)` returns the link to a position, `sprite` is the address of the cards. */
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

  /** Sets the notes next to moves. The keys of the map are positions as `deal.step`. */
  setNotes(notes) {
    this.notes = notes;
    this.lists.clear();
    this.deal = 0;
  }

  /** Marks a position. Builds the list of a deal at its first use. */
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

  /** Lists the moves of all deals, for print, unless the reader hides later moves. */
  showAll() {
    if (this.root.closest(".no-spoilers, .one-view")) return;
    this.deal = 0;
    this.root.replaceChildren(...this.data.deals.flatMap((_, i) => this.build(i + 1)));
    // Firefox prints a `use` element only if it has found the symbol before: layout finds all symbols.
    this.root.querySelector("use")?.getBBox();
  }

  build(deal) {
    const { title, steps } = this.data.deals[deal - 1];
    const items = steps.map((step, i) => {
      const at = { deal, step: i };
      const link = element("a", { href: this.address(at), "data-at": format(at), tabindex: "-1" });
      if (step.kind === "hand") link.append(element("b", { class: "turn" }, String(step.turn)), " ");
      if (step.notation) link.append(element("code", { class: "lettered" }, step.notation), " ");
      link.append(...this.createPictures(step), element("span", {}, step.text));
      const remarks = step.comments.map((comment) => element("q", {}, comment));
      const note = this.notes.get(format(at));
      if (note) remarks.push(element("p", { class: "costly" }, note));
      return element("li", { class: step.kind }, link, ...remarks);
    });
    return [element("h3", {}, title), element("ol", {}, ...items)];
  }

  /** Returns small pictures of the played or turned card and the captured cards. */
  createPictures({ card, take }) {
    return [...(card + take)].map((letter) =>
      svg(
        "svg",
        { class: "pic", viewBox: "0 0 100 160", "aria-hidden": "true" },
        svg("use", { href: `${this.sprite}#card-${SYMBOLS[letter] ?? letter}` }),
      ),
    );
  }

  /** Scrolls the list to an item without scrolling the page. */
  reveal(item) {
    const box = this.root.getBoundingClientRect();
    const { top, bottom, height } = item.getBoundingClientRect();
    if (top < box.top + MARGIN || bottom > box.bottom) {
      this.root.scrollTop += top - box.top - (box.height - height) / 2;
    }
  }
}
