// @ts-check
/** The page of open data: adds a button to each query of the notebook, which copies its SQL. */

/** @type {NodeListOf<HTMLButtonElement>} */
const buttons = document.querySelectorAll("button[data-copy]");
for (const button of buttons) {
  const code = button.parentElement.querySelector("code");
  button.hidden = !navigator.clipboard; // undefined without HTTPS
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(code.textContent);
    button.textContent = button.dataset.copy;
  });
}
