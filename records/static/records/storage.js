// @ts-check
/**
 * The browser's storage for all pages: texts, cookies, the channel between tabs, the database and the
 * cache. Browsers that block cookies, private windows and frames on other sites throw at the first
 * access: functions of this module return "nothing stored" instead, and promises reject.
 */

/**
 * Returns a stored text; null without one.
 * @param {string} name
 * @param {"localStorage" | "sessionStorage"} [area]
 * @returns {string | null}
 */
export function loadText(name, area = "localStorage") {
  try {
    return globalThis[area].getItem(name);
  } catch {
    return null;
  }
}

/**
 * Returns a stored JSON value; null without one, or if the text is not JSON.
 * @param {string} name
 * @returns {any}
 */
export function loadValue(name) {
  try {
    return JSON.parse(loadText(name) ?? "null");
  } catch {
    return null;
  }
}

/**
 * Returns whether the reader made the device ready for use without a network (`device.js`).
 * @returns {boolean}
 */
export function isDeviceReady() {
  return loadText("device") !== null;
}

/**
 * Stores a text; null removes the text. Returns false if the browser forbids storage or has no space.
 * @param {string} name
 * @param {string | null} text
 * @param {"localStorage" | "sessionStorage"} [area]
 * @returns {boolean}
 */
export function storeText(name, text, area = "localStorage") {
  try {
    if (text === null) globalThis[area].removeItem(name);
    else globalThis[area].setItem(name, text);
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns whether the browser stores texts beyond the open page.
 * @returns {boolean}
 */
export function canStore() {
  return storeText("hana-test", "") && storeText("hana-test", null);
}

/**
 * Returns the value of a cookie; "" without one.
 * @param {string} name
 * @returns {string}
 */
export function loadCookie(name) {
  try {
    const prefix = `${name}=`;
    return document.cookie.split("; ").find((cookie) => cookie.startsWith(prefix))?.slice(prefix.length) ?? "";
  } catch {
    return "";
  }
}

/**
 * Stores a cookie of the whole site for some seconds.
 * @param {string} name
 * @param {string} value
 * @param {number} seconds
 */
export function storeCookie(name, value, seconds) {
  try {
    document.cookie = `${name}=${value}; path=/; samesite=lax; max-age=${seconds}`;
  } catch {
    // Without cookies the value applies to the open page only.
  }
}

/**
 * Opens a channel between the tabs of the site; null if the browser forbids channels.
 * @param {string} name
 * @returns {BroadcastChannel | null}
 */
export function openChannel(name) {
  try {
    return new BroadcastChannel(name);
  } catch {
    return null;
  }
}

/**
 * Opens a database with one store of objects, whose key is their `id`. Rejects if the browser forbids
 * storage or has no space.
 * @param {string} name
 * @param {string} store
 * @returns {Promise<IDBDatabase>}
 */
export async function openDatabase(name, store) {
  const request = indexedDB.open(name, 1);
  request.addEventListener("upgradeneeded", () => {
    request.result.createObjectStore(store, { keyPath: "id" });
  });
  return awaitEvent(request, "success", ["error", "blocked"], () => request.result);
}

/**
 * Resolves with `result()` at the event `success` of a request or transaction; rejects at the events
 * `failures`.
 * @template Result
 * @param {IDBRequest | IDBTransaction} source
 * @param {string} success
 * @param {string[]} failures
 * @param {() => Result} result
 * @returns {Promise<Result>}
 */
export function awaitEvent(source, success, failures, result) {
  return new Promise((resolve, reject) => {
    source.addEventListener(success, () => resolve(result()));
    for (const name of failures) {
      source.addEventListener(name, () => reject(source.error ?? new Error(name)));
    }
  });
}

/**
 * Opens a cache of responses. Rejects if the browser forbids storage.
 * @param {string} name
 * @returns {Promise<Cache>}
 */
export async function openCache(name) {
  return caches.open(name);
}
