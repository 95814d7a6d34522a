/* A form that asks for a list: names are suggested while they are written, and the address says only
 * what is asked for. Without this script the form is an ordinary one.
 *
 *   <div class="field"><label for="a">Player</label>
 *   <input id="a" data-suggest="/players/suggest"></div>
 *
 * The address answers `?q=` by {"results": [{"value", "games"}]}; of several addresses the answers
 * follow each other. With `data-send` a suggestion that is taken sends the form. The pattern is
 * ARIA's combobox with a list: the focus stays in the field, arrows choose, Enter takes, Escape
 * closes.
 */

const WAIT = 150;

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
    this.asked = 0;
    input.addEventListener("input", () => this.later());
    input.addEventListener("keydown", (event) => this.key(event));
    input.addEventListener("blur", () => this.close());
    // Not click: the field would lose the focus before it, and with it the list.
    this.list.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      const option = /** @type {Element} */ (event.target).closest("[role=option]");
      if (option) this.take(option);
    });
  }

  later() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.ask(), WAIT);
  }

  async ask() {
    const asked = ++this.asked;
    const part = this.input.value.trim();
    const addresses = part ? this.input.dataset.suggest.split(" ") : [];
    const results = (await Promise.all(addresses.map((address) => fetchNames(address, part)))).flat();
    // An answer that comes late, or after the field was left, is no answer.
    if (asked === this.asked && document.activeElement === this.input) this.show(results);
  }

  show(results) {
    this.list.replaceChildren(...results.map((one, number) => {
      const option = document.createElement("li");
      option.id = `${this.list.id}-${number}`;
      option.setAttribute("role", "option");
      option.setAttribute("aria-selected", "false");
      option.dataset.value = one.value;
      const name = document.createElement("bdi");
      name.textContent = one.value;
      const games = document.createElement("small");
      games.textContent = one.games;
      option.append(name, " ", games);
      return option;
    }));
    this.chosen = -1;
    this.input.removeAttribute("aria-activedescendant");
    this.open(results.length > 0);
  }

  open(shown) {
    this.list.hidden = !shown;
    this.input.setAttribute("aria-expanded", String(shown));
  }

  close() {
    clearTimeout(this.timer);
    this.asked++;
    this.input.removeAttribute("aria-activedescendant");
    this.open(false);
  }

  key(event) {
    const options = [...this.list.children];
    const shown = !this.list.hidden;
    if (event.isComposing) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (!shown) return void this.ask();
      const step = event.key === "ArrowDown" ? 1 : -1;
      this.choose(options, this.chosen < 0 && step < 0 ? options.length - 1 : this.chosen + step);
    } else if (event.key === "Escape" && shown) {
      event.preventDefault();
      this.close();
    } else if (event.key === "Enter" && shown && this.chosen >= 0) {
      event.preventDefault();
      this.take(options[this.chosen]);
    }
  }

  /* Past either end nothing is chosen: what was written stands. */
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

  take(option) {
    this.input.value = option.dataset.value;
    this.close();
    if ("send" in this.input.dataset) this.input.form.requestSubmit();
  }
}

/* The names with a part; none if the server does not answer: a field without suggestions is still a field. */
async function fetchNames(address, part) {
  try {
    const response = await fetch(`${address}?q=${encodeURIComponent(part)}`);
    return response.ok ? (await response.json()).results : [];
  } catch {
    return [];
  }
}

export function asking(form) {
  form.querySelectorAll("[data-suggest]").forEach((input) => new Suggestions(input));
  // An address says what is asked for, and nothing else.
  form.addEventListener("submit", () => {
    for (const field of form.elements) if (field.name && !field.value.trim()) field.disabled = true;
  });
  // Back from the list: what was switched off for the address is there again.
  addEventListener("pageshow", () => {
    for (const field of form.elements) field.disabled = false;
  });
}
