/** Requests of pages to our server: their header of who is logged in, and another try while it is busy. */

const TRIES = 4;
const LONGEST_WAIT = 10; // seconds; a longer Retry-After is left to the reader

/** Waits; rejects when `signal` is aborted. */
function pause(seconds, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, 1000 * seconds);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}

/** The header that a request of who is logged in must have, with their cookie. */
export function csrf() {
  const token = /** @type {HTMLInputElement | null} */ (document.querySelector("[name=csrfmiddlewaretoken]"));
  return token ? { "X-CSRFToken": token.value } : {};
}

/**
 * As `fetch`. After 429 or 503 with a short Retry-After the request is sent again, a few times at most; the
 * last response is returned as it is.
 */
export async function fetchWithRetry(address, options = {}) {
  for (let left = TRIES - 1; ; left--) {
    const response = await fetch(address, options);
    const wait = Number(response.headers.get("Retry-After") ?? 1);
    const isBusy = response.status === 429 || response.status === 503;
    if (!isBusy || !left || !(wait <= LONGEST_WAIT)) return response;
    await pause(Math.max(wait, 0.2) * (1 + Math.random() / 2), options.signal);
  }
}
