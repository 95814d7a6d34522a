/**
 * The upload form: files dropped on the page or pasted into it join the chosen ones, and sending
 * shows how far it is. Without this script the form posts by itself.
 */

const form = /** @type {HTMLFormElement} */ (document.getElementById("upload"));

function size(bytes) {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < 1 << 20) return `${(bytes / 1024).toFixed(1)} kB`;
  return `${(bytes / (1 << 20)).toFixed(1)} MB`;
}

function start() {
  const input = /** @type {HTMLInputElement} */ (form.querySelector("input[type=file]"));
  const text = form.querySelector("textarea");
  const list = form.querySelector("[data-files]");
  const message = /** @type {HTMLElement} */ (form.querySelector("[data-message]"));
  const bar = form.querySelector("progress");
  const send = /** @type {HTMLButtonElement} */ (form.querySelector("button[type=submit]"));
  const limit = Number(form.dataset.limit);
  const { tooLarge, nothing, failed, sending } = form.dataset;

  const total = () => [...input.files].reduce((sum, file) => sum + file.size, 0);

  function say(words, kind = "") {
    message.textContent = words;
    message.className = kind;
    message.hidden = words === "";
  }

  function show() {
    list.replaceChildren(
      ...[...input.files].map((file) => {
        const item = document.createElement("li");
        item.textContent = `${file.name} (${size(file.size)})`;
        return item;
      }),
    );
    say(total() > limit ? tooLarge : "", "error");
  }

  function add(files) {
    const all = new DataTransfer();
    for (const file of [...input.files, ...files]) all.items.add(file);
    input.files = all.files;
    show();
  }

  input.addEventListener("change", show);
  document.addEventListener("dragover", (event) => {
    event.preventDefault();
    form.classList.add("dropping");
  });
  document.addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) form.classList.remove("dropping");
  });
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    form.classList.remove("dropping");
    add(event.dataTransfer.files);
  });
  document.addEventListener("paste", (event) => {
    if (event.clipboardData.files.length > 0) {
      event.preventDefault();
      add(event.clipboardData.files);
    } else if (event.target !== text) {
      event.preventDefault();
      text.value += event.clipboardData.getData("text/plain");
      text.focus();
    }
  });

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (input.files.length === 0 && text.value.trim() === "") return say(nothing, "error");
    if (total() > limit) return say(tooLarge, "error");
    const request = new XMLHttpRequest();
    request.open("POST", form.action);
    request.upload.addEventListener("progress", ({ loaded, total: all }) => {
      bar.hidden = false;
      bar.max = all;
      bar.value = loaded;
    });
    request.addEventListener("load", () => {
      // A redirect was followed to the report; anything else is a page that says what is wrong.
      if (request.status === 200 && request.responseURL !== form.action) {
        location.assign(request.responseURL);
        return;
      }
      const page = new DOMParser().parseFromString(request.responseText, "text/html");
      stop(page.querySelector("[data-error]")?.textContent.trim() || failed);
    });
    request.addEventListener("error", () => stop(failed));
    send.disabled = true;
    say(sending);
    request.send(new FormData(form));
    return undefined;
  });

  function stop(words) {
    bar.hidden = true;
    send.disabled = false;
    say(words, "error");
  }

  // Coming back to the page, the browser may have kept the files.
  show();
}

if (form) start();
