/** Cards as SVG elements that use the sprite; `names` gives what a screen reader says. */

const SVG = "http://www.w3.org/2000/svg";
const SYMBOLS = { "?": "unknown", _: "blank" };

/** A maker of card elements: `card("A")` is the crane. */
export function cardMaker(sprite, names) {
  return (letter) => {
    const svg = document.createElementNS(SVG, "svg");
    svg.setAttribute("viewBox", "0 0 100 160");
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", names[letter] ?? letter);
    svg.dataset.card = letter;
    svg.classList.add("card");
    const title = document.createElementNS(SVG, "title");
    title.textContent = names[letter] ?? letter;
    const use = document.createElementNS(SVG, "use");
    use.setAttribute("href", `${sprite}#card-${SYMBOLS[letter] ?? letter}`);
    svg.append(title, use);
    return svg;
  };
}
