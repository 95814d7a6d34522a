/** What the element fetches: the game's moves, and on other sites its frame and the cards. */

import { fetchWithRetry } from "../retry.js";

async function get(url, signal) {
  const answer = await fetchWithRetry(url, { signal });
  if (answer.ok) return answer;
  const told = answer.headers.get("Content-Type")?.startsWith("text/plain");
  throw new Error(told ? await answer.text() : `${answer.status}`);
}

/** The replay JSON of the game at `src` (docs/api.md has its shape). Throws where it does not come. */
export async function dataOf(src, lang, signal) {
  return (await get(`${src}replay.json?lang=${lang}`, signal)).json();
}

/** A table that the server has drawn, of the page's own origin. */
export function parsed(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  return document.adoptNode(template.content);
}

/** The table with the step `at`, drawn by the server, as a fragment. */
export async function frameOf(src, lang, at, signal) {
  const query = new URLSearchParams({ lang, at: at.replace("#", "") });
  const template = document.createElement("template");
  template.innerHTML = await (await get(`${src}frame?${query}`, signal)).text();
  if (new URL(src).origin === location.origin) return document.adoptNode(template.content);
  // Here nothing loads yet: out of the template a card of another origin would be refused, and said.
  for (const use of template.content.querySelectorAll("use")) {
    use.setAttribute("href", new URL(use.getAttribute("href"), src).hash);
  }
  return document.adoptNode(template.content);
}

/**
 * Puts the cards of another origin into the shadow root, since `<use>` takes none from there; the
 * address that cards then have.
 */
export async function adoptSprite(shadow, sprite, signal) {
  if (shadow.querySelector(".sprite")) return "";
  const text = await (await get(sprite, signal)).text();
  const cards = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  cards.setAttribute("class", "sprite");
  cards.setAttribute("aria-hidden", "true");
  shadow.prepend(document.adoptNode(cards));
  return "";
}
