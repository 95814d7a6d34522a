// @ts-check
/** The pages of statistics: suggestions in their forms. */

import { enhanceQueryForm } from "./query_form.js";

document.querySelectorAll("form.ask").forEach(enhanceQueryForm);
