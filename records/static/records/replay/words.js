/** What stands beside the table: the step in words, comments, the fault or the result at the end. */
import { element, sentence } from "./elements.js";
import { format, same, ways } from "./position.js";

/** The words within `root`; `words` are the page's own (`data-word`). */
export class Words {
  constructor(root, data, course, words) {
    this.data = data;
    this.course = course;
    this.words = words;
    const find = (name) => root.querySelector(`[data-${name}]`);
    this.box = find("said");
    this.when = find("when");
    this.telling = find("telling");
    this.comments = find("comments");
    this.mended = find("note");
    this.costly = find("costly");
    this.notes = new Map();
    this.fault = find("fault");
    this.result = find("result");
    if (data.error) this.fault.replaceChildren(...faultOf(data.error, words));
    if (data.final) {
      const sums = data.final.map((sum, i) => `${data.players[i]} ${sum}`).join(" · ");
      this.result.replaceChildren(element("b", {}, words.result), ` ${sums}`);
    }
  }

  /** Notes of costly choices: texts by position as addresses have it. */
  note(notes) {
    this.notes = notes;
  }

  /** Tells a position; `mended` says that one was asked for that the game has not. */
  show(position, mended) {
    const deal = this.data.deals[position.deal - 1];
    const step = deal.steps[position.step];
    this.when.textContent = this.time(position);
    this.telling.textContent = step.text;
    this.comments.replaceChildren(...step.comments.map((comment) => element("q", {}, comment)));
    this.costly.textContent = this.notes.get(format(position)) ?? "";
    this.mended.hidden = !mended;
    const end = same(position, ways.last(this.course));
    this.fault.hidden = !(end && this.data.error);
    this.result.hidden = !(end && this.data.final);
    this.box.scrollTop = 0;
  }

  /** `month 3 · turn 5`. */
  time({ deal, step }) {
    const { title, steps } = this.data.deals[deal - 1];
    const { turn } = steps[step];
    return turn ? `${title} · ${this.words.turn.replace("#", turn)}` : title;
  }
}

function faultOf(fault, words) {
  const { place, expected } = fault;
  const parts = [element("p", {}, element("b", {}, ...sentence(fault)))];
  if (place) parts.push(element("p", { class: "place" }, place));
  if (expected) parts.push(element("p", { class: "place" }, `${words.expected} ${expected}`));
  return parts;
}
