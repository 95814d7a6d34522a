// @ts-check
/** The API reference follows the colours that the reader has chosen: Swagger UI knows a class for them. */

const dark = matchMedia("(prefers-color-scheme: dark)");
const follow = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", follow);
follow();
