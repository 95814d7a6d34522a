/* The forms of a page of statistics. */

import { asking } from "./asking.js";

document.querySelectorAll("form.ask").forEach(asking);
