// @ts-check
/**
 * Transfer of an upload in parts by the tus protocol, so that an interrupted transfer is resumed.
 * Several files are sent as one ZIP. The libraries tus-js-client and client-zip are loaded on demand.
 */

const BUNDLE = "files.zip"; // the archive omits this name from the paths of the files inside
const PART = 2 << 20; // bytes; an interruption loses one part
const WAITS = [1, 2, 4, 8, 15, ...Array.from({ length: 40 }, () => 30)].map((seconds) => seconds * 1000);

/**
 * Returns the body and the name of an upload: a single file unchanged, several files as a ZIP.
 * @param {import("./chosen_files.js").NamedFile[]} files
 * @param {string} library the address of client-zip
 * @returns {Promise<{ body: Blob, name: string }>}
 */
export async function createBody(files, library) {
  if (files.length === 1) return { body: files[0].file, name: files[0].name };
  const { downloadZip } = await import(library);
  const entries = files.map(({ file, name }) => ({ input: file, name, lastModified: new Date(file.lastModified) }));
  return { body: await downloadZip(entries).blob(), name: BUNDLE };
}

/** One transfer, which can be paused and resumed. */
export class Transfer {
  /**
   * `options` is `{library, endpoint, body, name, choices, token, secret, fingerprint}`: `library` is the
   * address of tus-js-client, `choices` are visibility and club, `token` is the CSRF token, `secret` proves the ownership of an anonymous
   * upload, and `fingerprint` identifies the files. A transfer with the `fingerprint` and `secret` of an
   * interrupted one continues it, also after a reload.
   * `onProgress(state, share)` is called with the state `going`, `broken` (retrying) or `paused`.
   */
  constructor(options, onProgress) {
    this.options = options;
    this.onProgress = onProgress;
    this.share = 0;
    this.isReady = false; // whether earlier transfers have been looked up
  }

  /** Sends the body. Returns the key of the upload; rejects with the server's message, "" without one. */
  async run() {
    const { library, endpoint, body, name, choices, token, secret, fingerprint } = this.options;
    await import(library);
    const { tus } = /** @type {any} */ (window);
    return new Promise((resolve, reject) => {
      let address = ""; // of the upload, once all parts have arrived
      const upload = new tus.Upload(body, {
        endpoint,
        chunkSize: PART,
        retryDelays: WAITS,
        metadata: { filename: name, ...choices },
        headers: {
          "X-CSRFToken": token,
          "Accept-Language": document.documentElement.lang,
          ...(secret ? { "Upload-Secret": secret } : {}),
        },
        fingerprint: async () => `hana-upload ${endpoint} ${JSON.stringify(choices)} ${secret} ${fingerprint}`,
        removeFingerprintOnSuccess: true,
        onAfterResponse: (_request, response) => {
          address = response.getHeader("Upload-Result") ?? address;
        },
        onProgress: (sent, all) => this.report("going", all ? sent / all : 1),
        onShouldRetry: (error) => {
          const status = error.originalResponse?.getStatus() ?? 0;
          const isTemporary = status === 0 || status >= 500 || [409, 423, 429].includes(status);
          if (isTemporary) this.report("broken");
          return isTemporary;
        },
        onError: (error) => reject(new Error(readProblemDetail(error))),
        onSuccess: () => resolve(address.split("/").at(-1)),
      });
      this.upload = upload;
      upload.findPreviousUploads().then(([earlier]) => {
        if (earlier) upload.resumeFromPreviousUpload(earlier);
        this.isReady = true;
        if (!this.paused) upload.start();
      }, reject);
    });
  }

  report(state, share = this.share) {
    this.share = share;
    this.onProgress(this.paused ? "paused" : state, share);
  }

  pause() {
    this.paused = true;
    this.upload?.abort();
    this.report("paused");
  }

  resume() {
    this.paused = false;
    this.report("going");
    if (this.isReady) this.upload.start(); // otherwise `run` starts it
  }
}

/** Returns the detail of the server's problem response; "" without a response. */
function readProblemDetail(error) {
  try {
    return JSON.parse(error.originalResponse.getBody()).detail ?? "";
  } catch {
    return "";
  }
}
