// @ts-check
/** Requests of the element: the moves, and on other sites the frame and the cards. */

import { fetchWithRetry } from "../retry.js";

async function get(url, signal) {
  const response = await fetchWithRetry(url, { signal });
  if (response.ok) return response;
  const hasMessage = response.headers.get("Content-Type")?.startsWith("text/plain");
  throw new Error(hasMessage ? await response.text() : `${response.status}`);
}

/**
 * Returns the replay JSON of a game (docs/api.md). Throws if the request fails.
 * @param {string} src the address of the game
 * @param {string} lang
 * @param {AbortSignal} signal
 * @returns {Promise<any>}
 */
export async function fetchReplay(src, lang, signal) {
  return (await get(`${src}replay.json?lang=${lang}`, signal)).json();
}

/**
 * Returns the frame of a response of the page's own site as a fragment.
 * @param {string} html
 * @returns {DocumentFragment}
 */
export function parseFrame(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  return document.adoptNode(template.content);
}

/**
 * Fetches the frame with the table at the step `at`.
 * @param {string} src the address of the game
 * @param {string} lang
 * @param {string} at
 * @param {AbortSignal} signal
 * @returns {Promise<DocumentFragment>}
 */
export async function fetchFrame(src, lang, at, signal) {
  const query = new URLSearchParams({ lang, at: at.replace("#", "") });
  const template = document.createElement("template");
  template.innerHTML = await (await get(`${src}frame?${query}`, signal)).text();
  if (new URL(src).origin === location.origin) return document.adoptNode(template.content);
  // Change the addresses inside the template, where browsers load nothing: `<use>` elements in a
  // document cause errors in the console for cards of another origin.
  for (const use of template.content.querySelectorAll("use")) {
    use.setAttribute("href", new URL(use.getAttribute("href"), src).hash);
  }
  return document.adoptNode(template.content);
}

/**
 * Fetches the sprite as an element for the shadow root, because `<use>` does not load files of another
 * origin.
 * @param {string} address
 * @param {AbortSignal} signal
 * @returns {Promise<Element>}
 */
export async function fetchSprite(address, signal) {
  const text = await (await get(address, signal)).text();
  const cards = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  cards.setAttribute("class", "sprite");
  cards.setAttribute("aria-hidden", "true");
  return document.adoptNode(cards);
}
