// @ts-check
/** The list of files on the upload page, each with a button that removes it from the list. */

import { element } from "../replay/elements.js";

const SHOWN = 1000; // rows; the page only counts further files

/** @typedef {{ file: File, name: string }} NamedFile a file with its path */

/**
 * Returns a number of bytes in a readable unit.
 * @param {number} bytes
 * @returns {string}
 */
export function formatSize(bytes) {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < 1 << 20) return `${(bytes / 1024).toFixed(1)} kB`;
  return `${(bytes / (1 << 20)).toFixed(1)} MB`;
}

/**
 * Returns the readDroppedFiles files with their paths, including files in readDroppedFiles folders.
 * @param {DataTransfer} transfer
 * @returns {Promise<NamedFile[]>}
 */
export async function readDroppedFiles(transfer) {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  if (!entries.some((entry) => entry.isDirectory)) return nameFiles(transfer.files);
  return (await Promise.all(entries.map(readEntry))).flat();
}

/**
 * Returns files with their paths in the folder that the user chose.
 * @param {FileList} files
 * @returns {NamedFile[]}
 */
export function nameFiles(files) {
  return [...files].map((file) => ({ file, name: file.webkitRelativePath || file.name }));
}

/**
 * Returns whether an upload consists of a single score notebook. `text` is the pasted text.
 * @param {NamedFile[]} files
 * @param {string} text
 * @returns {boolean}
 */
export function isNotebook(files, text) {
  if (files.length !== 1) return false;
  if (!text) return /\.(csv|tsv|xlsx|ods)$/i.test(files[0].name);
  return !text.includes("[Kafu") && text.includes("\n") && /^[^\t;,{[\n]*[\t;,]/.test(text);
}

async function readEntry(entry) {
  if (entry.isFile) {
    const file = await new Promise((resolve, reject) => entry.file(resolve, reject));
    return [{ file, name: entry.fullPath.replace(/^\//, "") }];
  }
  const reader = entry.createReader();
  const files = [];
  for (;;) {
    // `readEntries` returns the entries in batches; an empty batch is the end.
    const batch = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (!batch.length) return files;
    for (const child of batch) files.push(...(await readEntry(child)));
  }
}

/** Returns a key that is equal for a file that the user adds twice. */
function fileKey({ file, name }) {
  return `${name}\n${file.size}\n${file.lastModified}`;
}

/** The files to upload and their list on the page. */
export class ChosenFiles {
  /** `onChange()` is called after each change. */
  constructor(root, words, onChange) {
    this.list = root.querySelector("[data-files]");
    this.summary = root.querySelector("[data-chosen]");
    this.words = words;
    this.onChange = onChange;
    this.files = [];
    root.querySelector("[data-clear]").addEventListener("click", () => this.set([]));
    this.clear = root.querySelector("[data-clear]");
    this.show();
  }

  get total() {
    return this.files.reduce((sum, { file }) => sum + file.size, 0);
  }

  add(files) {
    const listed = new Set(this.files.map(fileKey));
    this.set([...this.files, ...files.filter((file) => !listed.has(fileKey(file)))]);
  }

  set(files) {
    this.files = files;
    this.show();
    this.onChange();
  }

  show() {
    const { files, words } = this;
    const rows = files.slice(0, SHOWN).map((file) => this.row(file));
    if (files.length > SHOWN) {
      rows.push(element("li", {}, words.more.replace("%(count)s", String(files.length - SHOWN))));
    }
    this.list.replaceChildren(...rows);
    const summary = files.length === 1 ? words.chosenOne : words.chosen.replace("%(count)s", String(files.length));
    this.summary.textContent = files.length ? summary.replace("%(size)s", formatSize(this.total)) : "";
    this.clear.hidden = files.length < 2;
  }

  row(chosen) {
    const { file, name } = chosen;
    const remove = element("button", { type: "button", class: "plain", "aria-label": `${this.words.remove} ${name}` }, "×");
    remove.addEventListener("click", () => this.set(this.files.filter((other) => other !== chosen)));
    const bar = element("progress", { max: "1", value: "0", hidden: "", "aria-label": name });
    return element("li", {}, element("span", {}, name), ` (${formatSize(file.size)})`, remove, bar);
  }

  /**
   * Shows the progress of each file and hides the buttons that remove files. `share` is the fraction
   * of all bytes that has arrived, null when no upload is running.
   */
  showProgress(share) {
    let left = share === null ? 0 : share * this.total;
    for (const [i, { file }] of this.files.slice(0, SHOWN).entries()) {
      const row = this.list.children[i];
      const bar = row.querySelector("progress");
      row.querySelector("button").hidden = share !== null;
      bar.hidden = share === null;
      bar.value = file.size ? Math.max(0, Math.min(1, left / file.size)) : 1;
      left -= file.size;
    }
  }
}
