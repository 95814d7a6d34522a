// @ts-check
/** The page of an analysis: polls while the server computes the analysis. */
import { Analysis } from "./analysis.js";

new Analysis(document.querySelector("[data-analysis]"), () => {}).start();
