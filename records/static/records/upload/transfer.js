/**
 * Sends one body in parts (tus), so that a line that breaks costs nothing: by tus-js-client. Several
 * files become one ZIP, by client-zip. Both are loaded when something is sent.
 */

const BUNDLE = "files.zip"; // the archive leaves this name out of the names of the files within it
const PART = 2 << 20; // bytes; a line that breaks loses one
const WAITS = [1, 2, 4, 8, 15, ...Array.from({ length: 40 }, () => 30)].map((seconds) => seconds * 1000);

/** What is sent of some files: one as it is, several as a ZIP with their paths. */
export async function bodyOf(files, library) {
  if (files.length === 1) return { body: files[0].file, name: files[0].name };
  const { downloadZip } = await import(library);
  const entries = files.map(({ file, name }) => ({ input: file, name, lastModified: new Date(file.lastModified) }));
  return { body: await downloadZip(entries).blob(), name: BUNDLE };
}

export class Sending {
  /**
   * `given` is `{library, endpoint, body, name, visibility, token, secret, print}`; an interrupted
   * sending with the same `print` and `secret` is continued, also after a reload. `said(kind, share)`
   * is called with `going`, `broken` (it is tried again by itself) and `paused`.
   */
  constructor(given, said) {
    this.given = given;
    this.said = said;
    this.share = 0;
  }

  /** The key of the upload, once all has arrived. Rejects with an Error whose message is for people. */
  async run() {
    const { library, endpoint, body, name, visibility, token, secret, print } = this.given;
    await import(library);
    const { tus } = /** @type {any} */ (window);
    return new Promise((done, failed) => {
      let result = "";
      const upload = new tus.Upload(body, {
        endpoint,
        chunkSize: PART,
        retryDelays: WAITS,
        metadata: { filename: name, visibility },
        headers: {
          "X-CSRFToken": token,
          "Accept-Language": document.documentElement.lang,
          ...(secret ? { "Upload-Secret": secret } : {}),
        },
        fingerprint: async () => `hana-upload ${endpoint} ${visibility} ${secret} ${print}`,
        removeFingerprintOnSuccess: true,
        onAfterResponse: (_request, response) => {
          result = response.getHeader("Upload-Result") ?? result;
        },
        onProgress: (sent, all) => this.tell("going", all ? sent / all : 1),
        onShouldRetry: (error) => {
          const status = error.originalResponse?.getStatus() ?? 0;
          const again = status === 0 || status >= 500 || [409, 423, 429].includes(status);
          if (again) this.tell("broken");
          return again;
        },
        onError: (error) => failed(new Error(wordsOf(error))),
        onSuccess: () => done(result.split("/").at(-1)),
      });
      this.upload = upload;
      upload.findPreviousUploads().then(([earlier]) => {
        if (earlier) upload.resumeFromPreviousUpload(earlier);
        if (!this.paused) upload.start();
      }, failed);
    });
  }

  tell(kind, share = this.share) {
    this.share = share;
    this.said(this.paused ? "paused" : kind, share);
  }

  pause() {
    this.paused = true;
    this.upload?.abort();
    this.tell("paused");
  }

  resume() {
    this.paused = false;
    this.tell("going");
    this.upload?.start();
  }
}

/** What the archive says is wrong, or "" where it says nothing. */
function wordsOf(error) {
  try {
    return JSON.parse(error.originalResponse.getBody()).detail ?? "";
  } catch {
    return "";
  }
}
