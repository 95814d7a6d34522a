/** The list of a deal's moves: links, each with its words and the record's comments. */
import { format } from "./position.js";

const SKIM = 40;

/** Makes an element with a class and children. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** The list in `root`; `address` gives a position's link. */
export class MoveList {
  constructor(root, data, address) {
    this.root = root;
    this.data = data;
    this.address = address;
    this.lists = new Map();
    this.deal = 0;
    this.current = null;
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
    item.classList.add("current");
    item.firstChild.setAttribute("aria-current", "step");
    this.current = item;
    this.reveal(item);
  }

  build(deal) {
    const { title, steps } = this.data.deals[deal - 1];
    const items = steps.map((step, i) => {
      const at = { deal, step: i };
      const link = element("a", { href: this.address(at), "data-at": format(at) });
      if (step.notation) {
        const number = step.kind === "hand" ? `${step.turn}. ` : "";
        link.append(element("code", {}, number + step.notation), " ");
      }
      link.append(element("span", {}, step.text));
      const said = step.comments.map((comment) => element("q", {}, comment));
      return element("li", { class: step.kind }, link, ...said);
    });
    return [element("h3", {}, title), element("ol", {}, ...items)];
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
