// A button beside each question of the notebook that copies its SQL.

/** @type {NodeListOf<HTMLButtonElement>} */
const buttons = document.querySelectorAll("button[data-copy]");
for (const button of buttons) {
  const code = button.parentElement.querySelector("code");
  button.hidden = !navigator.clipboard; // not there without HTTPS: the text can be marked
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(code.textContent);
    button.textContent = button.dataset.copy;
  });
}
