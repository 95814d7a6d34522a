/** Sends a link to another app, or copies it. */

/** Whether the browser offers the apps of its system. */
export const canSend = () => typeof navigator.share === "function";

/** Offers the apps of the system; false if the browser refuses, as in a frame of another site. */
export async function send(title, url) {
  try {
    await navigator.share({ title, url });
    return true;
  } catch (error) {
    return error.name === "AbortError"; // the reader closed the list of apps
  }
}

/** Copies the text of a field. Where the browser refuses, selects the text and returns false. */
export async function copy(field) {
  try {
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    field.select();
    return document.execCommand("copy"); // works without https, where there is no `clipboard`
  }
}
