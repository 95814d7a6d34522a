// @ts-check
/**
 * The worker of engine.js: runs the Python library in Pyodide.
 *
 * It gets `{ number, start, version }` once and then `{ number, name, parameters }`, and posts
 * `{ number, value }`, `{ number, error }`, or during the start `{ number, share }`.
 */

/** Node's modules by name; undefined in a browser. */
const builtin = /** @type {any} */ (globalThis).process?.getBuiltinModule;
/** Sends and receives messages: the port of the thread in Node, the worker itself in a browser. */
const port = builtin ? builtin("node:worker_threads").parentPort : globalThis;
let call;

/** Returns the bytes of a file whose SHA-256 must be `integrity` (as in `fetch`); "" means any. */
async function load(address, integrity = "") {
  if (!builtin) {
    const response = await fetch(address, integrity ? { integrity } : {});
    if (!response.ok) throw new Error(`${address}: ${response.status}`);
    return new Uint8Array(await response.arrayBuffer());
  }
  const bytes = new Uint8Array(await builtin("node:fs/promises").readFile(new URL(address)));
  const digest = builtin("node:crypto").createHash("sha256").update(bytes).digest("base64");
  if (integrity && integrity !== `sha256-${digest}`) throw new Error(`${address} is not the file of this version`);
  return bytes;
}

/** Loads the files of engine.json, all of them checked, and then Python with the library. */
async function start(folder, version, report) {
  const manifest = JSON.parse(new TextDecoder().decode(await load(`${folder}engine.json`)));
  if (manifest.version !== version) {
    throw new Error(`engine.json is of version ${manifest.version}, the module of ${version}`);
  }
  const total = manifest.files.reduce((sum, file) => sum + file.bytes, 0);
  const loaded = new Map();
  let done = 0;
  await Promise.all(
    manifest.files.map(async ({ name, bytes, integrity }) => {
      loaded.set(name, await load(`${folder}${name}`, integrity));
      done += bytes;
      report(done / total);
    }),
  );
  const { loadPyodide } = await import(`${folder}pyodide.mjs`);
  const indexURL = builtin ? builtin("node:url").fileURLToPath(folder) : folder;
  const python = await loadPyodide({ indexURL });
  for (const name of manifest.archives) python.unpackArchive(loaded.get(name), name.split(".").at(-1));
  call = python.pyimport(manifest.module).call;
}

async function answer({ number, start: folder, version, name, parameters }) {
  const post = (message) => port.postMessage({ number, ...message }, []);
  try {
    if (folder !== undefined) {
      await start(folder, version, (share) => post({ share }));
      post({ value: null });
    } else {
      post(JSON.parse(call(name, parameters)));
    }
  } catch (error) {
    post({ error: { code: "engine-failed", message: String(error?.message ?? error) } });
  }
}

if (builtin) port.on("message", answer);
else port.addEventListener("message", ({ data }) => answer(data));
