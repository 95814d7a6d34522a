/** The files that are chosen on the upload page: a list of bounded height, each to be removed. */

import { element } from "../replay/elements.js";

const SHOWN = 1000; // rows that are drawn

/** A number of bytes for people. */
export function size(bytes) {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < 1 << 20) return `${(bytes / 1024).toFixed(1)} kB`;
  return `${(bytes / (1 << 20)).toFixed(1)} MB`;
}

/** The files that were dropped, those in folders too, each with its path. */
export async function dropped(transfer) {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  if (!entries.some((entry) => entry.isDirectory)) return named(transfer.files);
  return (await Promise.all(entries.map(inside))).flat();
}

/** Files with their paths, as the browser says them. */
export function named(files) {
  return [...files].map((file) => ({ file, name: file.webkitRelativePath || file.name }));
}

/** Whether what is to be sent is a score notebook alone: `text` is what was pasted of it. */
export function isNotebook(files, text) {
  if (files.length !== 1) return false;
  if (!text) return /\.(csv|tsv|xlsx)$/i.test(files[0].name);
  return !text.includes("[Kafu") && text.includes("\n") && /^[^\t;,{[\n]*[\t;,]/.test(text);
}

async function inside(entry) {
  if (entry.isFile) {
    const file = await new Promise((found, failed) => entry.file(found, failed));
    return [{ file, name: entry.fullPath.replace(/^\//, "") }];
  }
  const reader = entry.createReader();
  const found = [];
  for (;;) {
    // A reader gives some entries at a time, none when there are no more.
    const some = await new Promise((read, failed) => reader.readEntries(read, failed));
    if (!some.length) return found;
    for (const one of some) found.push(...(await inside(one)));
  }
}

/** By this a file that is chosen twice is known. */
function keyOf({ file, name }) {
  return `${name}\n${file.size}\n${file.lastModified}`;
}

export class Chosen {
  /** `changed()` is called after each change. */
  constructor(root, words, changed) {
    this.list = root.querySelector("[data-files]");
    this.summary = root.querySelector("[data-chosen]");
    this.words = words;
    this.changed = changed;
    this.files = [];
    root.querySelector("[data-clear]").addEventListener("click", () => this.set([]));
    this.clear = root.querySelector("[data-clear]");
    this.show();
  }

  get total() {
    return this.files.reduce((sum, { file }) => sum + file.size, 0);
  }

  add(files) {
    const known = new Set(this.files.map(keyOf));
    this.set([...this.files, ...files.filter((one) => !known.has(keyOf(one)))]);
  }

  set(files) {
    this.files = files;
    this.show();
    this.changed();
  }

  show() {
    const { files, words } = this;
    const rows = files.slice(0, SHOWN).map((one) => this.row(one));
    if (files.length > SHOWN) {
      rows.push(element("li", {}, words.more.replace("%(count)s", String(files.length - SHOWN))));
    }
    this.list.replaceChildren(...rows);
    this.summary.textContent = files.length
      ? words.chosen.replace("%(count)s", String(files.length)).replace("%(size)s", size(this.total))
      : "";
    this.clear.hidden = files.length < 2;
  }

  row(one) {
    const remove = element("button", { type: "button", class: "plain", "aria-label": `${this.words.remove} ${one.name}` }, "×");
    remove.addEventListener("click", () => this.set(this.files.filter((other) => other !== one)));
    const bar = element("progress", { max: "1", value: "0", hidden: "", "aria-label": one.name });
    return element("li", {}, element("span", {}, one.name), ` (${size(one.file.size)})`, remove, bar);
  }

  /** While they are sent nothing is removed; each file shows how much of it has arrived. */
  sent(share) {
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
