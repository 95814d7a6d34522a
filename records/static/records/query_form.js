// @ts-check
/**
 * Query forms: suggests names while the user types, and drops empty fields from the address. Without
 * the script the form is submitted as usual.
 *
 *   <div class="field"><label for="a">Player</label>
 *   <input id="a" data-suggest="/players/suggest"></div>
 *
 * `data-suggest` lists addresses, separated by spaces. A response to `?q=` is
 * {"results": [{"value", "games"}]}: names with their numbers of games. With `data-send`, accepting a
 * suggestion submits the form. The pattern is ARIA's list combobox: the focus stays in the field,
 * arrows select, Enter accepts, Escape closes.
 */

const WAIT = 150; // milliseconds after the last key before a request

/** The suggestions below one field. */
class Suggestions {
  constructor(input) {
    this.input = input;
    this.list = document.createElement("ul");
    this.list.id = `${input.id}-list`;
    this.list.className = "suggestions";
    this.list.hidden = true;
    this.list.setAttribute("role", "listbox");
    this.list.setAttribute("aria-label", input.labels[0].textContent.trim());
    input.after(this.list);
    for (const [name, value] of Object.entries({
      role: "combobox", "aria-autocomplete": "list", "aria-expanded": "false", "aria-controls": this.list.id,
    })) input.setAttribute(name, value);
    this.chosen = -1;
    this.requests = 0; // the number of the last request; earlier responses are outdated
    input.addEventListener("input", () => this.suggestLater());
    input.addEventListener("keydown", (event) => this.onKeydown(event));
    input.addEventListener("blur", () => this.close());
    // A click event comes too late: the field has lost the focus and the list is closed.
    this.list.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      const option = /** @type {Element} */ (event.target).closest("[role=option]");
      if (option) this.accept(option);
    });
  }

  suggestLater() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.suggest(), WAIT);
  }

  /** Requests and shows the suggestions for the entered text. */
  async suggest() {
    const request = ++this.requests;
    const part = this.input.value.trim();
    const addresses = part ? this.input.dataset.suggest.split(" ") : [];
    const results = (await Promise.all(addresses.map((address) => fetchSuggestions(address, part)))).flat();
    // Ignore a response that is outdated, or arrives after the user has left the field.
    if (request === this.requests && document.activeElement === this.input) this.show(results);
  }

  show(results) {
    this.list.replaceChildren(...results.map((result, number) => {
      const option = document.createElement("li");
      option.id = `${this.list.id}-${number}`;
      option.setAttribute("role", "option");
      option.setAttribute("aria-selected", "false");
      option.dataset.value = result.value;
      const name = document.createElement("bdi");
      name.textContent = result.value;
      const games = document.createElement("small");
      games.textContent = result.games;
      option.append(name, " ", games);
      return option;
    }));
    this.chosen = -1;
    this.input.removeAttribute("aria-activedescendant");
    this.setOpen(results.length > 0);
  }

  setOpen(isOpen) {
    this.list.hidden = !isOpen;
    this.input.setAttribute("aria-expanded", String(isOpen));
  }

  /** Closes the list. A response that arrives later is outdated. */
  close() {
    clearTimeout(this.timer);
    this.requests++;
    this.input.removeAttribute("aria-activedescendant");
    this.setOpen(false);
  }

  onKeydown(event) {
    const options = [...this.list.children];
    const isOpen = !this.list.hidden;
    if (event.isComposing) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (!isOpen) return void this.suggest();
      const step = event.key === "ArrowDown" ? 1 : -1;
      this.choose(options, this.chosen < 0 && step < 0 ? options.length - 1 : this.chosen + step);
    } else if (event.key === "Escape" && isOpen) {
      event.preventDefault();
      this.close();
    } else if (event.key === "Enter" && isOpen && this.chosen >= 0) {
      event.preventDefault();
      this.accept(options[this.chosen]);
    }
  }

  /** Selects an option by its index. Beyond either end, clears the selection. */
  choose(options, number) {
    this.chosen = number >= options.length ? -1 : number;
    options.forEach((option, place) => {
      option.setAttribute("aria-selected", String(place === this.chosen));
    });
    const option = options[this.chosen];
    if (!option) return void this.input.removeAttribute("aria-activedescendant");
    this.input.setAttribute("aria-activedescendant", option.id);
    option.scrollIntoView({ block: "nearest" });
  }

  accept(option) {
    this.input.value = option.dataset.value;
    this.close();
    if ("send" in this.input.dataset) this.input.form.requestSubmit();
  }
}

/** Returns the suggestions whose names contain `part`; an empty list if the request fails. */
async function fetchSuggestions(address, part) {
  try {
    const response = await fetch(`${address}?q=${encodeURIComponent(part)}`);
    return response.ok ? (await response.json()).results : [];
  } catch {
    return [];
  }
}

/**
 * Adds suggestions to the fields of a query form, and drops empty fields from its address.
 * @param {HTMLFormElement} form
 */
export function enhanceQueryForm(form) {
  form.querySelectorAll("[data-suggest]").forEach((input) => new Suggestions(input));
  form.addEventListener("submit", () => {
    for (const field of /** @type {any} */ (form.elements)) if (field.name && !field.value.trim()) field.disabled = true;
  });
  // The back button restores the page with its empty fields still disabled.
  addEventListener("pageshow", () => {
    for (const field of /** @type {any} */ (form.elements)) field.disabled = false;
  });
}
