// @ts-check
/** Requests of pages to the archive: the CSRF header, and retries while the server is busy. */

const TRIES = 4;
const LONGEST_WAIT = 10; // seconds; after a longer Retry-After the caller gets the response

/** Resolves after some seconds; rejects when `signal` is aborted. */
function pause(seconds, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, 1000 * seconds);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}

/**
 * Returns the CSRF header, which the server requires together with a session cookie; no header
 * without a token in the page.
 * @returns {Record<string, string>}
 */
export function csrf() {
  const token = /** @type {HTMLInputElement | null} */ (document.querySelector("[name=csrfmiddlewaretoken]"));
  return token ? { "X-CSRFToken": token.value } : {};
}

/**
 * Fetches an address. After 429 or 503 with a short Retry-After, retries up to three times. Returns
 * the last response.
 * @param {string} address
 * @param {RequestInit} [options]
 * @returns {Promise<Response>}
 */
export async function fetchWithRetry(address, options = {}) {
  for (let retries = TRIES - 1; ; retries--) {
    const response = await fetch(address, options);
    const wait = Number(response.headers.get("Retry-After") ?? 1);
    const isBusy = response.status === 429 || response.status === 503;
    if (!isBusy || !retries || !(wait <= LONGEST_WAIT)) return response;
    await pause(Math.max(wait, 0.2) * (1 + Math.random() / 2), options.signal);
  }
}
