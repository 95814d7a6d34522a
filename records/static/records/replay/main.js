/**
 * The replay of a game page: reads the game from the page's JSON, and goes where buttons, keys,
 * the list of moves and the URL's hash say.
 */
import { cardMaker } from "./cards.js";
import { moveList } from "./moves.js";
import { formatHash, moveOfKey, moves, parseHash } from "./position.js";
import { tableDrawer } from "./table.js";

const json = (id) => JSON.parse(document.getElementById(id).textContent);

function start(root) {
  const game = json("replay-data");
  const names = json("replay-names");
  const counts = game.deals.map((deal) => deal.steps.length);
  const draw = tableDrawer(root, cardMaker(root.dataset.sprite, names.cards), names);
  const mark = moveList(root.querySelector("[data-moves]"));
  const felt = root.querySelector(".felt");
  const telling = root.querySelector("[data-telling]");
  const fault = root.querySelector("[data-fault]");
  const picker = [...root.querySelectorAll("[data-pick]")];
  const buttons = [...root.querySelectorAll("[data-go]")];
  let here = null;

  function show(position) {
    if (here && formatHash(here) === formatHash(position)) return;
    here = position;
    const { deal, step } = here;
    const before = deal > 1 ? game.deals[deal - 2].totals : game.deals[0].totals.map(() => 0);
    draw(game.deals[deal - 1], step, before);
    telling.textContent = mark(here);
    const end = formatHash(here) === formatHash(moves.last(counts));
    if (fault) fault.hidden = !end;
    for (const link of picker) {
      if (Number(link.dataset.pick) === deal) pick(link);
      else link.removeAttribute("aria-current");
    }
    for (const button of buttons) {
      const target = moves[button.dataset.go](counts, here);
      button.setAttribute("aria-disabled", formatHash(target) === formatHash(here));
    }
    // Not a new entry each step: "back" leaves the game, as a reader expects.
    history.replaceState(history.state, "", formatHash(here));
  }

  function pick(link) {
    link.setAttribute("aria-current", "true");
    const strip = link.parentElement;
    strip.scrollLeft = link.offsetLeft - strip.offsetLeft - (strip.clientWidth - link.offsetWidth) / 2;
  }

  const go = (name) => show(moves[name](counts, here));

  for (const button of buttons) button.addEventListener("click", () => go(button.dataset.go));
  document.addEventListener("keydown", (event) => {
    const name = moveOfKey(event);
    if (!name || event.target.closest("input, textarea, select, [contenteditable]")) return;
    if (root.dataset.keys === "inside" && !root.contains(event.target)) return;
    event.preventDefault();
    go(name);
  });
  window.addEventListener("hashchange", () => {
    const asked = parseHash(location.hash, counts);
    if (!asked) return;
    show(asked);
    // A link of the score table may have led here from far below.
    const { top, bottom } = felt.getBoundingClientRect();
    if (bottom < 0 || top > window.innerHeight) root.scrollIntoView();
  });
  // The other language begins at the same step.
  document.querySelector("form.language")?.addEventListener("submit", ({ target }) => {
    target.elements.next.value = location.pathname + location.search + location.hash;
  });
  root.classList.add("live");
  for (const part of root.querySelectorAll("[data-live]")) part.hidden = false;
  show(parseHash(location.hash, counts) ?? moves.first());
}

const root = document.getElementById("replay");
if (root) start(root);
