// @ts-check
/** Sharing: sends a link to another app, or copies a text. */

/** Returns whether the browser can send links to apps of the system. */
export const canSend = () => typeof navigator.share === "function";

/**
 * Lets the reader send a link to an app. Returns false if the browser refuses, for example in a frame.
 * @param {string} title
 * @param {string} url
 * @returns {Promise<boolean>}
 */
export async function send(title, url) {
  try {
    await navigator.share({ title, url });
    return true;
  } catch (error) {
    return error.name === "AbortError"; // the reader closed the list of apps
  }
}

/**
 * Copies the text of a field. If the browser refuses, selects the text and returns false.
 * @param {{ value: string, select: () => void }} field
 * @returns {Promise<boolean>}
 */
export async function copy(field) {
  try {
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    field.select();
    return document.execCommand("copy"); // without https there is no `navigator.clipboard`
  }
}
