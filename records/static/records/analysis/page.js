/** The page of an analysis follows it while it is made. */
import { Analysis } from "./analysis.js";

new Analysis(document.querySelector("[data-analysis]"), () => {}).start();
