// @ts-check
/** The API reference: switches Swagger UI to dark colours when the browser prefers them. */

const dark = matchMedia("(prefers-color-scheme: dark)");
const applyColours = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", applyColours);
applyColours();
