// @ts-check
/** The text next to the table: the step in words, comments, and at the end the fault or the result. */
import { element, faultMessage } from "./elements.js";
import { destinations, isSame } from "./position.js";

/** The text within `root`; `words` are the texts of the page (`data-word`). */
export class Words {
  constructor(root, data, course, words) {
    this.data = data;
    this.course = course;
    this.words = words;
    const find = (name) => root.querySelector(`[data-${name}]`);
    this.box = find("said");
    this.when = find("when");
    this.step = find("telling");
    this.comments = find("comments");
    this.note = find("note");
    this.fault = find("fault");
    this.result = find("result");
    if (data.error) this.fault.replaceChildren(...describeFault(data.error, words));
    if (data.final) {
      const sums = data.final.map((sum, i) => `${data.players[i]} ${sum}`).join(" · ");
      this.result.replaceChildren(element("b", {}, words.result), ` ${sums}`);
    }
  }

  /** Shows the text of a position, and with `showsNote` the note that the requested one is missing. */
  show(position, showsNote) {
    const deal = this.data.deals[position.deal - 1];
    const step = deal.steps[position.step];
    this.when.textContent = this.time(position);
    this.step.textContent = step.text;
    this.comments.replaceChildren(...step.comments.map((comment) => element("q", {}, comment)));
    this.note.hidden = !showsNote;
    const isEnd = isSame(position, destinations.last(this.course));
    this.fault.hidden = !(isEnd && this.data.error);
    this.result.hidden = !(isEnd && this.data.final);
    this.box.scrollTop = 0;
  }

  /** Returns month and turn of a position: `month 3 · turn 5`. */
  time({ deal, step }) {
    const { title, steps } = this.data.deals[deal - 1];
    const { turn } = steps[step];
    return turn ? `${title} · ${this.words.turn.replace("#", turn)}` : title;
  }
}

function describeFault(fault, words) {
  const { place, expected } = fault;
  const parts = [element("p", {}, element("b", {}, ...faultMessage(fault)))];
  if (place) parts.push(element("p", { class: "place" }, place));
  if (expected) parts.push(element("p", { class: "place" }, `${words.expected} ${expected}`));
  return parts;
}
