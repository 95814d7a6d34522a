// @ts-check
/** Correction of an anonymous upload: fills in the secret that the browser stored when sending it. */

import { loadSentUploads } from "./sent_uploads.js";

/** @type {HTMLFieldSetElement | null} */
const fieldset = document.querySelector("fieldset[data-sent]");
const upload = loadSentUploads().find(({ key, game }) => [key, game].includes(fieldset?.dataset.sent));
if (fieldset && upload) {
  /** @type {HTMLInputElement} */ (fieldset.querySelector("[name=secret]")).value = upload.secret;
  fieldset.disabled = false;
  fieldset.hidden = false;
}
