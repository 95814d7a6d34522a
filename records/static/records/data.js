// A button beside each question of the notebook that copies its SQL.

for (const button of document.querySelectorAll("button[data-copy]")) {
  const code = button.parentElement.querySelector("code");
  button.hidden = !navigator.clipboard; // not there without HTTPS: the text can be marked
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(code.textContent);
    button.textContent = button.dataset.copy;
  });
}
